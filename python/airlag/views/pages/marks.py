"""Tables that several charts share, and the marks of transfers.

Names and notes of rows of runs, and words beside a plot. Transfers that did not arrive are marks in
a band above a chart, as they have no latency. Points closer than a mark share a mark.
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

#: Height of a line of words beside a chart, px.
LINE = 15


def by_run(rows: Iterable[Row], columns: Iterable[Mapping[str, NDArray[Any]]]) -> Columns:
    """One table of what several runs have in columns of the same names; ``r`` is the run."""
    parts = []
    for row, own in zip(rows, columns, strict=True):
        shape = len(next(iter(own.values())))
        parts.append({"r": np.full(shape, row.number), **own})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def rows_down(rows: Sequence[Row], tall: float) -> dict[str, Any]:
    """Values of a chart with a row a run, ``tall`` px each; row ``i`` is centred on ``y = i``."""
    return {
        "row_domain": [-0.5, len(rows) - 0.5],
        "height": tall * len(rows),
        "tall": tall,
        "order": [row.number for row in rows],
    }


def names_and_notes(rows: Sequence[Row], notes: Sequence[str], tall: float) -> dict[str, Columns]:
    """Tables of what stands above each row of a chart, and of what right of it."""
    # Text is centred 9 px below the top of its row.
    down = [place - 0.5 + 9.0 / tall for place in range(len(rows))]
    told = [(row.number, y, text) for row, y, text in zip(rows, down, notes, strict=True) if text]
    return {
        "names": {
            "r": [row.number for row in rows],
            "y": down,
            "text": [row.name for row in rows],
        },
        "notes": table(("r", "y", "text"), told),
    }


def table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Rows as columns."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def side_words(lines: Sequence[tuple[str, str]], first: float = 8.0) -> Columns:
    """Table of lines right of a chart: text and colour of each, the first so many px down."""
    placed = [(first + LINE * nth, *line) for nth, line in enumerate(lines)]
    return table(("px", "text", "ctext"), placed)


def of_marks(marks: Marks) -> dict[str, Any]:
    """How marks look that stand for transfers, and what a chart reports on them."""
    shared = marks.count != marks.transfers
    most = max((int(many.max()) for many in marks.stand_for if len(many)), default=1)
    width = 5.0 if marks.count <= 200 else 4.0 if marks.count <= 5000 else 3.0
    # Many marks show where they lie on each other.
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

#: Above a chart with a band, its title keeps this distance, px; above one without, the other.
TITLE_ABOVE_BAND, TITLE_ABOVE_CHART = 20, 8

#: Up to this many in one band each has a mark; more share marks where they would overlap.
EVERY_ONE_UP_TO = 2000

#: From this many on in one band, losses are thin bars, which show where they are dense.
BARS_FROM = 150

SHAPES = {Outcome.LOST: theme.CROSS, Outcome.CENSORED: "diamond"}
COLOURS = {Outcome.LOST: theme.LOST, Outcome.CENSORED: theme.CENSORED}


class Band(NamedTuple):
    """The transfers of a run with one outcome, in the band above its chart."""

    #: How they look: the variable ``band`` of the specification.
    values: dict[str, Any]
    #: A row a mark: its transfer, its place, how many transfers it stands for.
    table: Columns
    marks: Marks


def band(
    row: Row, outcome: Outcome, at: NDArray[np.float64], ends: tuple[float, float], axis: str
) -> Band:
    """Marks of the transfers of a run that are lost or censored.

    Parameters
    ----------
    at, ends
        Where each of them is on the axis of the chart, and its ends, float64.
    axis
        What it shows, for the tooltip.
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
    """What a specification has to know of the panel of a run with these bands above it."""
    return {
        "number": row.number,
        "colour": row.colour,
        "title_offset": TITLE_ABOVE_BAND if bands else TITLE_ABOVE_CHART,
        "bands": [{"band": band.values} for band in bands],
        **more,
    }


def sharing(bands: Iterable[Band]) -> str:
    """Line on losses that share marks; empty when each has its own."""
    every = [band.marks for band in bands]
    transfers, drawn = sum(each.transfers for each in every), sum(each.count for each in every)
    if transfers == drawn:
        return ""
    return f"{count(transfers)} that did not arrive as {count(drawn)} marks above."


#: Up to this many transfers a chart has one mark for each.
EVERY_TRANSFER_UP_TO = 20_000

#: Marks a chart may have once points share them; wider marks are used until it holds.
MOST_MARKS = 30_000

#: Widths of a mark, px, tried in this order.
MARK_WIDTHS = (3.0, 4.0, 6.0, 9.0)

Pixels = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Marks:
    """Which transfers of each run carry a mark."""

    #: One array a run: positions of the transfers with a mark, ascending, int64, shape ``(k,)``.
    kept: Sequence[NDArray[np.int64]]
    #: One array a run: how many transfers each of these marks stands for, int64, shape ``(k,)``.
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
    """Gives every transfer a mark, or the mark of one that would be drawn over it.

    ``places`` has a pair for each run: where its transfers fall on the chart, px right and px down,
    float64, shape ``(n,)`` each. Of more than ``every_up_to`` transfers there is a mark for each
    occupied square as wide as a mark; the smallest and largest of both coordinates are always kept.
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
