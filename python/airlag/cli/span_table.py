"""The table at the end of a span: a row a run, with what differs among them in columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from airlag.asked import Asked, differing
from airlag.cli.summary import MARGIN, bare_table, of_delivered
from airlag.display import printable
from airlag.json_types.run import Percentile
from airlag.quantity import Unit, number, share, unit_for
from airlag.runs import Outcome, Run

#: Stands where nothing arrived, and where a link has no such constant.
NOTHING = "–"
#: Quantiles of a row, and the longest.
QUANTILES: tuple[Percentile, ...] = ("p50", "p99")

Cell = str | Text


def of_runs(runs: Sequence[Run]) -> RenderableType:
    """Virtual runs: what of each arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    heads = ["delivered", *(f"{name}, {unit.name}" for name in (*QUANTILES, "max"))]
    asked = [each for each in map(Asked.of, runs) if each is not None]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return table(asked, heads, [_cells(run, unit) for run in runs], lost=lost)


def table(
    asked: Sequence[Asked],
    heads: Sequence[str],
    cells: Sequence[Sequence[Cell]],
    *,
    lost: bool = False,
) -> RenderableType:
    """Lays out a span.

    Parameters
    ----------
    asked
        What was asked of each run.
    heads
        What was measured, with units.
    cells
        The measured of each run.
    lost
        Whether something was lost, which has no latency.
    """
    columns = {"B": ["" if each.size is None else f"{each.size}" for each in asked]}
    columns |= {
        printable(name): [NOTHING if value is None else printable(value) for value in values]
        for name, values in differing(asked).items()
    }
    laid = of_delivered(bare_table(), lost=lost)
    for name in columns:
        laid.add_column(name, justify="right", overflow="fold")
    for head in heads:
        laid.add_column(head, justify="right", no_wrap=True)
    for nth, each in enumerate(asked):
        laid.add_row(each.link, *(column[nth] for column in columns.values()), *cells[nth])
    title = Text(f"Side by side: {len(asked)} runs", style="bold")
    return Group(title, Padding(laid, (0, 0, 0, MARGIN)))


def _cells(run: Run, unit: Unit) -> list[Cell]:
    lost = run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    delivered = share(arrived, arrived + lost)
    latency = run.latency
    if latency is None:
        return [delivered, *[NOTHING] * (len(QUANTILES) + 1)]
    times = [latency[name] for name in QUANTILES] + [latency["max"]]
    return [
        Text(delivered, "bold red" if lost else ""),
        *(number(time / unit.ns) for time in times),
    ]
