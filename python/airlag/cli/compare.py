"""``airlag compare``: differences between runs, and their significance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from rich.console import Group, RenderableType
from rich.text import Text

from airlag._airlag import CaptureError
from airlag.cli import options, terminal
from airlag.cli.fail_on import FailOn, failures
from airlag.cli.summary import of_delivered
from airlag.cli.work import Working
from airlag.core.display import printable, short_name
from airlag.core.quantity import exact, unit_for
from airlag.core.types import ComparedCharge, Comparison, Difference, Differing
from airlag.questions import compare as comparing
from airlag.questions.analysis import analyze_each, findings_across, with_findings
from airlag.questions.charge import charge_in_words, current_in_words
from airlag.questions.identity import RunSettings, constant_in_words
from airlag.questions.runs import Run
from airlag.views.run_names import names
from airlag.views.table import Cell, Column, Paragraph, Table, Value, fact, named


def compare(
    *,
    runs: list[Path],
    output: options.Sheet = None,
    fail_on: FailOn = None,
    work: Working,
    pairing: options.Pairing,
    memory: options.Memory = None,
) -> None:
    """Compare runs, and state first whether they are comparable.

    A difference is a run minus the first run. If its 95 % interval includes zero, the
    difference may be chance. Runs with frozen phase are not comparable: the phase sets the median.
    """
    if len(runs) < 2:
        terminal.refuse("a comparison needs at least two runs")
    with terminal.refusing(ValueError), terminal.progress("comparing", len(runs)) as step:
        results = []
        for result in analyze_each(runs, **pairing, memory_bytes=memory):
            results.append(result)
            step()
    found = [result for result in results if isinstance(result, Run)]
    work.errors += [str(result) for result in results if isinstance(result, CaptureError)]
    compared: list[tuple[Run, Comparison]] = []
    if isinstance(results[0], Run):
        first, *others = with_findings(found, findings_across(found))
        for other in others:
            try:
                compared.append((other, comparing.differences(first, other)))
            except ValueError as table:
                work.errors.append(str(table))
    comparisons = [comparison for _, comparison in compared]
    work.show(comparisons, lambda: _shown(first, compared) if compared else ())
    work.table(output, map(_differences, comparisons))
    work.end(found=failures(fail_on, (run.to_json() for run in found)))


def _shown(first: Run, compared: list[tuple[Run, Comparison]]) -> Iterator[RenderableType]:
    runs = [first, *(other for other, _ in compared)]
    # Captures are named by their file.
    yardstick, *others = (
        short_name(run.source) if RunSettings.of(run) is None else name
        for run, name in zip(runs, names(runs), strict=True)
    )
    for nth, (name, (other, comparison)) in enumerate(zip(others, compared, strict=True)):
        if nth:
            yield ""
        yield Text(" and ").join(Text(each, style="bold") for each in (yardstick, name))
        yield from _differing((first, other), comparison)
        yield _block(comparison)


def _differing(runs: tuple[Run, Run], result: Comparison) -> Iterator[Paragraph]:
    """Settings that differ."""
    if result["differs"]:
        words = Text(" · ").join(Text(printable(_in_words(runs, one))) for one in result["differs"])
        yield fact("differ in", words)


def _in_words(runs: tuple[Run, Run], one: Differing) -> str:
    shown = []
    for run, value in zip(runs, (one["a"], one["b"]), strict=True):
        if one["setting"] is not None:
            shown.append(constant_in_words(run.link, one["setting"], value))
        elif one["what"] == "period_ns":
            shown.append(exact(int(value or 0)))
        else:
            shown.append(f"{value} B" if one["what"] == "size" else f"{value}")
    return f"{one['setting'] or one['what'].removesuffix('_ns')} {' and '.join(shown)}"


def _block(result: Comparison) -> RenderableType:
    parts: list[RenderableType] = []
    if result["comparable"]:
        parts.append(Paragraph(Text("comparable", "green"), Text("✓", "green")))
    else:
        style = "bold yellow"
        parts.append(Paragraph(Text("not comparable", style), Text("!", style)))
    parts += [Paragraph(printable(obstacle)) for obstacle in result["obstacles"]]
    parts += [Paragraph(printable(note)) for note in result["notes"]]
    parts.append(_differences(result))
    parts += [Paragraph(text) for text in _charges(result)]
    if (quicker := result["b_quicker"]) is not None:
        text = f"faster than one of the first in {100 * quicker:.1f} % of all pairs."
        parts.append(Paragraph(f"A transfer of the second run is {text}"))
    return Group(*parts)


def _charges(result: Comparison) -> Iterator[Text]:
    """Charge of each end in both runs, where known."""
    charges = cast("Mapping[str, ComparedCharge]", result["charge"])
    for end, drawn in charges.items():
        messages = [charge_in_words(nc) for nc in drawn["marginal_nc"] if nc is not None]
        idle = [current_in_words(na) for na in drawn["idle_na"]]
        words = [f"{' and '.join(messages)} per message"] if len(messages) > 1 else []
        words.append(f"{' and '.join(idle)} idle")
        yield Text.assemble(("charge  ", "bold"), f"{end} {', '.join(words)}")


def _differences(result: Comparison) -> Table:
    delivered = result["delivery"]
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
    rows: list[tuple[Cell | Value, ...]] = []
    for name, row in result["latency_ns"].items():
        unit = unit_for([max(abs(row["a"]), abs(row["b"]))])
        cells = _cells(row, unit.ns, _decimals(row, unit.ns), 1.0)
        rows.append((name, Cell(unit.name, "ns"), *cells))
    if delivered is not None:
        rows.append(("delivered", "%", *_cells(delivered, 0.01, 2, 100.0)))
    of = {"first_run": result["a"], "second_run": result["b"]}
    return Table.of_values(columns, rows, of_delivered(lost=lost), of)


def _cells(row: Difference, scale: float, decimals: int, times: float) -> Iterator[Cell]:
    """Both sides, difference and interval; file values are multiplied by ``times``."""

    def shown(value: float | None, sign: str = "") -> Cell:
        if value is None:
            return Cell("unbounded")
        return Cell(f"{value / scale:{sign}.{decimals}f}", value * times)

    yield from (shown(row["a"]), shown(row["b"]), shown(row["difference"], "+"))
    yield from (shown(end, "+") for end in row["interval95"])


def _decimals(row: Difference, scale: float) -> int:
    """Decimals for four digits of the larger side, but not below 1 ns."""
    largest = max(abs(row["a"]), abs(row["b"])) / scale
    finest = len(f"{round(scale)}") - 1
    return min(max(0, 4 - len(f"{int(largest)}")), finest)
