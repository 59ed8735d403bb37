"""The table at the end of a span: a row a run, with what differs among them in columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from airlag.cli.summary import of_delivered
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.core.display import printable
from airlag.core.quantity import Unit, number, share, unit_for
from airlag.questions.identity import Asked, differing
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run

#: Stands where nothing arrived, and where a link has no such constant.
NOTHING = "–"
#: Quantiles of a row, and the longest.
QUANTILES: tuple[Percentile, ...] = ("p50", "p99")


def of_runs(runs: Sequence[Run]) -> Table:
    """Virtual runs: what of each arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    heads = [Column("delivered", key="delivery_ratio")]
    heads += [Column(name, unit.name, f"{name}_ns") for name in (*QUANTILES, "max")]
    asked = [each for each in map(Asked.of, runs) if each is not None]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return span_table(asked, heads, [_cells(run, unit) for run in runs], lost=lost)


def span_table(
    asked: Sequence[Asked],
    heads: Sequence[Column],
    cells: Sequence[Sequence[Cell]],
    *,
    lost: bool = False,
) -> Table:
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
    columns = [named("link", "link"), Column("B", key="size_bytes")]
    columns += [Column(printable(name), key=name) for name in differing(asked)]
    rows = []
    for nth, each in enumerate(asked):
        set_otherwise = [values[nth] for values in differing(asked).values()]
        rows.append(
            [
                plain(each.link),
                Cell("" if each.size is None else f"{each.size}", each.size),
                *(
                    Cell(NOTHING if value is None else printable(value), value)
                    for value in set_otherwise
                ),
                *cells[nth],
            ]
        )
    title = Text(f"Side by side: {len(asked)} runs", style="bold")
    return Table([*columns, *heads], rows, of_delivered(lost=lost), title=title)


def _cells(run: Run, unit: Unit) -> list[Cell]:
    lost = run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    ratio = arrived / (arrived + lost) if arrived + lost else None
    delivered = Cell(share(arrived, arrived + lost), ratio, "bold red" if lost else "")
    latency = run.latency
    if latency is None:
        return [delivered, *[Cell(NOTHING)] * (len(QUANTILES) + 1)]
    times = [latency[name] for name in QUANTILES] + [latency["max"]]
    return [delivered, *(Cell(number(time / unit.ns), time) for time in times)]
