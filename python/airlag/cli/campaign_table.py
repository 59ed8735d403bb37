"""The table of a campaign on a terminal: a row for each link and payload, families of links apart.

::

                                       frozen phase         asynchronous
    ieee802154, ms    B   published     p50    p99  lost     p50    p99  lost   floor
    ieee802154-blind 12         2.5   9.990  9.990     0   6.598  11.30     0   0.928
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from airlag.display import OF_DELIVERED
from airlag.json_types.run import Percentile
from airlag.quantity import Unit, share
from airlag.results import UNKNOWN, Line, Results, figure, published, unit_of
from airlag.runs import Outcome, Run

_GAP, _GROUP_GAP = 1, 3


def table(results: Results, width: int | None) -> list[Text]:
    """Lays out runs of the bench beside what is known of their links.

    Parameters
    ----------
    results
        What the campaign gave.
    width
        Columns there are; without room for everything, the 99th percentiles stay out. ``None``: as
        many as it takes.
    """
    full = _rendered(results, tails=True)
    if width is None or max(len(line) for line in full) <= width:
        return full
    return _rendered(results, tails=False)


def _rendered(results: Results, *, tails: bool) -> list[Text]:
    """Lines of text; a blank one and a head before each family."""
    quantiles: Sequence[Percentile] = ("p50", "p99") if tails else ("p50",)
    figures = [*quantiles, "lost"]
    blocks = [("", ["link", "B"]), ("", ["published"])]
    blocks += [(column.head, figures) for column in results.columns]
    blocks += [("", ["floor"])]
    heads = [head for _, block in blocks for head in block]
    cells: list[list[list[str]]] = []
    for name, family in results.families.items():
        unit = unit_of(family)
        rows = [list(_cells(line, results, quantiles, unit)) for line in family]
        # Of boards without a message there is no payload to head a column.
        payload = "" if all(line.size is None for line in family) else heads[1]
        cells.append([[f"{name}, {unit.name}", payload, *heads[2:]], *rows])
    upright = zip(*(row for family in cells for row in family), strict=True)
    widths = [max(map(len, column)) for column in upright]
    gaps = [_GAP if place else _GROUP_GAP for _, block in blocks for place in range(len(block))]
    gaps[0] = 0
    above, done = "", 0
    for name, block in blocks:
        own = slice(done, done + len(block))
        # Centred above its columns, not above the gap before them.
        above += " " * gaps[done] + name.center(sum(widths[own]) + sum(gaps[own]) - gaps[done])
        done += len(block)
    out = [Text(above.rstrip(), style="dim")]
    if any(_has_lost(line, results) for family in results.families.values() for line in family):
        out.insert(0, Text(OF_DELIVERED, style="dim"))
    for nth, (head, *rows) in enumerate(cells):
        out += [Text("")] if nth else []
        out.append(Text("".join(_padded(head, widths, gaps)), style="dim"))
        for row in rows:
            told = Text()
            for cell in _padded(row, widths, gaps):
                told.append(cell, style="bold red" if cell.endswith("%") else "")
            out.append(told)
    return out


def _padded(cells: Sequence[str], widths: Sequence[int], gaps: Sequence[int]) -> list[str]:
    """Cells as wide as their columns, each with the gap before it; the first begins the line."""
    first, *others = cells
    return [first.ljust(widths[0])] + [
        " " * gap + cell.rjust(width)
        for cell, width, gap in zip(others, widths[1:], gaps[1:], strict=True)
    ]


def _cells(
    line: Line, results: Results, quantiles: Sequence[Percentile], unit: Unit
) -> Iterable[str]:
    yield line.name
    yield "" if line.size is None else str(line.size)
    yield published(line, unit)
    for column in results.columns:
        yield from _figures(column.of(line), quantiles, unit)
    yield figure(line.known.floor_ns, unit)


def _has_lost(line: Line, results: Results) -> bool:
    runs = (column.of(line) for column in results.columns)
    return any(run is not None and run.count(Outcome.LOST) > 0 for run in runs)


def _figures(run: Run | None, quantiles: Sequence[Percentile], unit: Unit) -> list[str]:
    """Quantiles of a run, and the share it lost."""
    if run is None:
        return [UNKNOWN] * (len(quantiles) + 1)
    latency = run.latency
    lost, triggers = run.count(Outcome.LOST), len(run.outcome)
    return [
        *(figure(None if latency is None else latency[name], unit) for name in quantiles),
        share(lost, triggers) if lost else "0",
    ]
