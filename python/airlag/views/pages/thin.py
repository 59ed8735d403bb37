"""Fewer marks than transfers, without hiding one: points closer than a mark share a mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Up to this many transfers a chart has one mark for each.
EVERY_TRANSFER_UP_TO = 20_000

#: Marks a chart may have once points share them; wider marks are used until it holds.
MOST_MARKS = 30_000

#: Widths of a mark, px, tried in this order.
MARK_WIDTHS = (3.0, 4.0, 6.0, 9.0)

#: A line is drawn this close to what it stands for, px; longer ones than this are first reduced to
#: a point each half pixel.
OFF = 0.25
CELLS_FROM = 2000

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
        squares = [_one_per_square(right, down, width) for right, down in places]
        marks = Marks([kept for kept, _ in squares], [many for _, many in squares], width)
        if marks.count <= MOST_MARKS:
            break
    return marks


def _one_per_square(
    right: Pixels, down: Pixels, width: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First transfer in each occupied square, and how many are in it; extremes stand for theirs."""
    if len(right) == 0:
        nothing = np.empty(0, np.int64)
        return nothing, nothing
    column = np.floor((right - right.min()) / width).astype(np.int64)
    line = np.floor((down - down.min()) / width).astype(np.int64)
    _, first, square_of, many = np.unique(
        column * (int(line.max()) + 1) + line,
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    marked: set[int] = set()
    for extreme in sorted({int(f(axis)) for f in (np.argmin, np.argmax) for axis in (right, down)}):
        square = int(square_of[extreme])
        if int(first[square]) in marked:
            # Two extremes in one square: the second gets a mark of its own, out of the first's.
            first = np.append(first, extreme)
            many = np.append(many, 1)
            many[square] -= 1
        else:
            first[square] = extreme
        marked.add(extreme)
    order = np.argsort(first, kind="stable")
    return first[order].astype(np.int64), many[order].astype(np.int64)


def corners(right: Pixels, up: Pixels) -> NDArray[np.int64]:
    """Points of a rising line that it takes to draw it, int64, shape ``(k,)``; its ends too.

    ``right`` and ``up`` are px in drawing order, float64, shape ``(n,)``; neither ever falls.
    Straight lines between the points pass every one that is left out within :data:`OFF` px, and
    half a pixel more where the line is long.
    """
    seen = _moved(right, up) if len(right) > CELLS_FROM else np.arange(len(right), dtype=np.int64)
    # Turned by 45 degrees a rising line is a function, however steep it is.
    along = (right[seen] + up[seen]).tolist()
    aside = (up[seen] - right[seen]).tolist()
    last = len(seen) - 1
    kept = [0] if len(seen) else []
    low, high = -np.inf, np.inf
    at = 0
    for here in range(1, last + 1):
        run = along[here] - along[at]
        if run <= 0.0:
            continue
        rise = aside[here] - aside[at]
        if not low <= rise / run <= high:
            at = here - 1
            kept.append(at)
            low, high = -np.inf, np.inf
            run, rise = along[here] - along[at], aside[here] - aside[at]
            if run <= 0.0:
                continue
        low, high = max(low, (rise - OFF) / run), min(high, (rise + OFF) / run)
    if last > 0:
        kept.append(last)
    return np.asarray(seen[kept], dtype=np.int64)


def _moved(right: Pixels, up: Pixels) -> NDArray[np.int64]:
    """The first point, the last, and each that is in another half pixel than the one before."""
    cell = np.stack([np.floor(right * 2.0), np.floor(up * 2.0)])
    moved = np.any(np.diff(cell, axis=1) != 0, axis=0)
    keep = np.concatenate([[True], moved])
    # The point before a move as well, or a step would start too early.
    keep[:-1] |= moved
    keep[-1] = True
    return np.flatnonzero(keep).astype(np.int64)
