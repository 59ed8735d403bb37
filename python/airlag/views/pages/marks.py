"""Tables shared by several charts, and marks of transfers.

Transfers that were not delivered have no latency, so their marks are in a band above the chart.
Transfers whose points are closer than the width of a mark share a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import one_per_square
from airlag.core.quantity import count
from airlag.questions.runs import Outcome
from airlag.views.pages import theme
from airlag.views.pages.sheet import Row, Scale
from airlag.views.pages.spec import PLOT, Columns

#: Line height of text beside a chart, px.
LINE = 15


def by_run(rows: Iterable[Row], columns: Iterable[Mapping[str, NDArray[Any]]]) -> Columns:
    """Concatenates equally named columns of several runs; column ``r`` is the run."""
    parts = []
    for row, own in zip(rows, columns, strict=True):
        shape = len(next(iter(own.values())))
        parts.append({"r": np.full(shape, row.number), **own})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def rows_down(rows: Sequence[Row], tall: float) -> dict[str, Any]:
    """Variables of a chart with one row per run, ``tall`` px each; row ``i`` is at ``y = i``."""
    return {
        "row_domain": [-0.5, len(rows) - 0.5],
        "height": tall * len(rows),
        "tall": tall,
        "order": [row.number for row in rows],
    }


def names_and_notes(rows: Sequence[Row], notes: Sequence[str], tall: float) -> dict[str, Columns]:
    """Tables of the text above and to the right of each row of a chart."""
    # Text is centred 9 px below the top of its row.
    down = [place - 0.5 + 9.0 / tall for place in range(len(rows))]
    shown_notes = [
        (row.number, y, text) for row, y, text in zip(rows, down, notes, strict=True) if text
    ]
    return {
        "names": {
            "r": [row.number for row in rows],
            "y": down,
            "text": [row.name for row in rows],
        },
        "notes": table(("r", "y", "text"), shown_notes),
    }


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Converts rows to columns."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def side_words(lines: Sequence[tuple[str, str]], first: float = 8.0) -> Columns:
    """Table of text lines with colours, right of a chart; ``first`` is the first offset, px."""
    placed = [(first + LINE * nth, *line) for nth, line in enumerate(lines)]
    return table(("px", "text", "ctext"), placed)


def of_marks(marks: Marks) -> dict[str, Any]:
    """Variables for the look and the legend of transfer marks."""
    shared = marks.count != marks.transfers
    most = max((int(many.max()) for many in marks.stand_for if len(many)), default=1)
    width = 5.0 if marks.count <= 200 else 4.0 if marks.count <= 5000 else 3.0
    # Transparency shows overlap where there are many marks.
    alone = 0.75 if marks.count <= 200 else 0.5
    return {
        "area": max(width, marks.width) ** 2,
        "most": max(most, 2),
        "opacities": [0.3, 1.0] if shared else [alone, alone],
        "words": _how_many(marks),
    }


def _how_many(marks: Marks) -> str:
    if marks.count == marks.transfers:
        return f"{count(marks.count)} transfer{'' if marks.count == 1 else 's'}, one mark each."
    return (
        f"{count(marks.transfers)} transfers as {count(marks.count)} marks: "
        "points closer than a mark share one, darker for more."
    )


#: Middle of the band, px from the top of the chart below it.
AT = -10

#: Distance of the title above a chart with a band, and without, px.
TITLE_ABOVE_BAND, TITLE_ABOVE_CHART = 20, 8

#: Maximum transfers in a band with one mark each; above it, overlapping ones share marks.
EVERY_ONE_UP_TO = 2000

#: Minimum losses in a band drawn as thin bars, which show density.
BARS_FROM = 150

SHAPES = {Outcome.LOST: theme.CROSS, Outcome.CENSORED: "diamond"}
COLOURS = {Outcome.LOST: theme.LOST, Outcome.CENSORED: theme.CENSORED}


class Band(NamedTuple):
    """Transfers of one run with one outcome, drawn in the band above its chart."""

    #: Look of the marks: the variable ``band`` of the specification.
    values: dict[str, Any]
    #: One row per mark: transfer, position, number of transfers represented.
    table: Columns
    marks: Marks


def band(
    row: Row, outcome: Outcome, at: NDArray[np.float64], ends: tuple[float, float], axis: str
) -> Band:
    """Returns the marks of the lost or of the censored transfers of a run.

    Parameters
    ----------
    at, ends
        Positions of the transfers on the axis of the chart, and both ends of this axis, float64.
    axis
        Title of the axis, for the tooltip.
    """
    right = Scale(*ends).px(at, PLOT)
    drawn = share_marks([(right, np.zeros(len(right)))], EVERY_ONE_UP_TO)
    kept = drawn.kept[0]
    dense = len(kept) >= BARS_FROM
    name = outcome.name.lower()
    look = {
        "data": f"{name}-{row.number}",
        "name": name,
        "axis": axis,
        "shape": theme.BAR if dense else SHAPES[outcome],
        "size": 70 if dense else 42,
        "stroke": COLOURS[outcome],
        "width": 0.8 if dense else 1.6,
    }
    index = row.indices(outcome)[kept]
    return Band(look, {"i": index, "x": at[kept].round(5), "n": drawn.stand_for[0]}, drawn)


def panel(row: Row, bands: Sequence[Band], **more: Any) -> dict[str, Any]:
    """Variables of a run's panel, with these bands above it."""
    return {
        "number": row.number,
        "colour": row.colour,
        "title_offset": TITLE_ABOVE_BAND if bands else TITLE_ABOVE_CHART,
        "bands": [{"band": band.values} for band in bands],
        **more,
    }


def sharing(bands: Iterable[Band]) -> str:
    """Note on losses that share a mark; empty if each loss has its own."""
    every = [band.marks for band in bands]
    transfers, drawn = sum(each.transfers for each in every), sum(each.count for each in every)
    if transfers == drawn:
        return ""
    return f"{count(transfers)} that did not arrive as {count(drawn)} marks above."


#: Maximum transfers on a chart with one mark each.
EVERY_TRANSFER_UP_TO = 20_000

#: Maximum marks on a chart that shares marks; the mark width grows until the limit is met.
MOST_MARKS = 30_000

#: Candidate mark widths, px, in order.
MARK_WIDTHS = (3.0, 4.0, 6.0, 9.0)

Pixels = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Marks:
    """Transfers of each run that have a mark."""

    #: Indices of marked transfers, one ascending int64 array of shape ``(k,)`` per run.
    kept: Sequence[NDArray[np.int64]]
    #: Transfers represented by each mark, one int64 array of shape ``(k,)`` per run.
    stand_for: Sequence[NDArray[np.int64]]
    #: Width of a mark, px.
    width: float

    @property
    def transfers(self) -> int:
        """Transfers on the chart."""
        return int(sum(int(each.sum()) for each in self.stand_for))

    @property
    def count(self) -> int:
        """Marks on the chart."""
        return sum(len(each) for each in self.kept)


def share_marks(
    places: Sequence[tuple[Pixels, Pixels]], every_up_to: int = EVERY_TRANSFER_UP_TO
) -> Marks:
    """Assigns a mark to each transfer. Transfers that overlap may share a mark.

    ``places`` contains, per run, the x and the y positions of the transfers, px, as two float64
    arrays of shape ``(n,)``. With more than ``every_up_to`` transfers, all transfers in a square of
    the size of a mark share one mark. The extremes of both coordinates always have marks.
    """
    if sum(len(right) for right, _ in places) <= every_up_to:
        every = [np.arange(len(right), dtype=np.int64) for right, _ in places]
        return Marks(every, [np.ones(len(each), np.int64) for each in every], MARK_WIDTHS[0])
    for width in MARK_WIDTHS:
        squares = [one_per_square(right, down, width) for right, down in places]
        marks = Marks([kept for kept, _ in squares], [many for _, many in squares], width)
        if marks.count <= MOST_MARKS:
            break
    return marks
