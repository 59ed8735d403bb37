"""``airlag compare``: what differs between runs, and whether that means anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag._airlag import CaptureError
from airlag.analysis import analyze_each, findings_across, with_findings
from airlag.cli import options, terminal
from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.comparison import compare as compare_runs
from airlag.display import printable, short_name
from airlag.json_types.comparison import Comparison, Difference
from airlag.quantity import unit_for
from airlag.runs import Run

Runs = Annotated[
    list[Path],
    typer.Argument(
        metavar="RUN",
        help="Captures or saved runs; the first is held against each of the others.",
        show_default=False,
    ),
]


def compare(
    runs: Runs,
    output: options.Sheet = None,
    force: options.Force = False,
    json: options.Json = False,
    trigger: options.Trigger = None,
    completion: options.Completion = None,
    invert: options.Invert = None,
    min_low: options.MinLow = None,
    overlap: options.Overlap = None,
    memory: options.Memory = None,
) -> None:
    """Say whether runs can be compared at all, and what differs.

    Differences are second minus first, with 95 % intervals; one whose interval spans zero may be
    chance. Runs whose phase was frozen cannot be compared: their medians are a lottery.
    """
    if len(runs) < 2:
        terminal.refuse("one run has nothing to be compared with; name two or more")
    results = []
    try:
        with terminal.progress("comparing", len(runs)) as step:
            for result in analyze_each(
                runs,
                **options.pairing(trigger, completion, invert, min_low, overlap),
                memory_bytes=memory,
            ):
                results.append(result)
                step()
    except ValueError as contradiction:
        terminal.refuse(contradiction)
    found = [result for result in results if isinstance(result, Run)]
    errors = [result for result in results if isinstance(result, CaptureError)]
    told: list[Comparison] = []
    if isinstance(results[0], Run):
        first, *others = with_findings(found, findings_across(found))
        for other in others:
            try:
                told.append(compare_runs(first, other))
            except ValueError as table:
                errors.append(CaptureError(table))
    if json:
        terminal.print_json(told)
    else:
        _show(told)
    unwritten = options.write(map(_differences, told), output, force=force, aside=json)
    for error in [*errors, *unwritten]:
        terminal.complain(error)
    if errors or unwritten:
        raise typer.Exit(terminal.UNUSABLE)


def _show(told: list[Comparison]) -> None:
    console = terminal.output()
    for index, comparison in enumerate(told):
        if index:
            console.show("")
        console.show(_block(comparison))


def _block(told: Comparison) -> RenderableType:
    sources = [Text(short_name(told[side]), style="bold") for side in ("a", "b")]
    parts: list[RenderableType] = [Text(" and ").join(sources)]
    if told["comparable"]:
        parts.append(Paragraph(Text("comparable", "green"), Text("✓", "green")))
    else:
        style = "bold yellow"
        parts.append(Paragraph(Text("not comparable", style), Text("!", style)))
    parts += [Paragraph(Text(printable(obstacle))) for obstacle in told["obstacles"]]
    parts.append(_differences(told))
    if (quicker := told["b_quicker"]) is not None:
        text = f"A transfer of the second run is the quicker one in {100 * quicker:.1f} % of pairs."
        parts.append(Paragraph(Text(text)))
    return Group(*parts)


def _differences(told: Comparison) -> Table:
    delivered = told["delivery"]
    lost = delivered is not None and min(delivered["a"], delivered["b"]) < 1
    columns = [
        named("", "quantity"),
        Column("", key="unit"),
        Column("first", key="first"),
        Column("second", key="second"),
        Column("difference", key="difference"),
        Column("from", key="difference_low", group="95 %"),
        Column("to", key="difference_high", group="95 %"),
    ]
    rows = []
    for name, row in told["latency_ns"].items():
        unit = unit_for([max(abs(row["a"]), abs(row["b"]))])
        cells = _cells(row, unit.ns, _decimals(row, unit.ns), 1.0)
        rows.append([plain(name), Cell(unit.name, "ns"), *cells])
    if delivered is not None:
        rows.append([plain("delivered"), plain("%"), *_cells(delivered, 0.01, 2, 100.0)])
    of = {"first_run": told["a"], "second_run": told["b"]}
    return Table(columns, rows, of_delivered(lost=lost), of)


def _cells(row: Difference, scale: float, decimals: int, times: float) -> Iterator[Cell]:
    """Both sides, their difference and its interval; in files ``times`` as much."""

    def shown(value: float | None, sign: str = "") -> Cell:
        if value is None:
            return Cell("?")
        return Cell(f"{value / scale:{sign}.{decimals}f}", value * times)

    yield from (shown(row["a"]), shown(row["b"]), shown(row["difference"], "+"))
    yield from (shown(end, "+") for end in row["interval95"])


def _decimals(row: Difference, scale: float) -> int:
    """Four digits of the larger side, but no less than 1 ns."""
    largest = max(abs(row["a"]), abs(row["b"])) / scale
    finest = len(f"{round(scale)}") - 1
    return min(max(0, 4 - len(f"{int(largest)}")), finest)
