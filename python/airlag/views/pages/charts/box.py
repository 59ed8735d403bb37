"""Every transfer as a point beneath the box of its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.thin import Marks, share_marks


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands where in a row, px from its top."""

    tall: float
    box_at: float
    box_high: float
    points_from: float
    points_to: float


#: Up to :data:`ROOMY` runs there is room; below their name stands the box, then the points.
ROOMY = 8
WIDE = Layout(tall=82, box_at=29, box_high=20, points_from=44, points_to=74)
TIGHT = Layout(tall=52, box_at=23, box_high=11, points_from=32, points_to=47)

#: What a box shows.
QUANTILES = ("p1", "p25", "p50", "p75", "p99")

#: Steps of the golden ratio spread points evenly without a random number.
GOLDEN = 0.6180339887498949


def chart(runs: Sequence[Run]) -> Spec:
    """Draw a box a run from its quantiles and, below it, every transfer.

    Parameters
    ----------
    runs
        At least one with a delivery.

    Returns
    -------
    dict
        Latency to the right, a row a run, losses in words at the right end.
    """
    sheet = Sheet.of(runs)
    layout = WIDE if len(sheet.rows) <= ROOMY else TIGHT
    spread = [_spread(row, layout) for row in sheet.delivered]
    shared = share_marks(
        [
            (marks.latency_px(sheet, row.latency), down)
            for row, down in zip(sheet.delivered, spread, strict=True)
        ]
    )
    notes = [row.losses() if len(row.latency) else "nothing delivered" for row in sheet.rows]
    values = {
        **sheet.values,
        **marks.rows_down(sheet.rows, layout.tall),
        "title": _title(sheet),
        "marks": marks.of_marks(shared),
        "box": layout.box_high,
        "whisker": layout.box_high * 0.6,
    }
    tables = {
        "runs": sheet.runs,
        "transfers": _transfers(sheet, layout, spread, shared),
        "boxes": _boxes(sheet, layout),
        **marks.names_and_notes(sheet.rows, notes, layout.tall),
    }
    return fill("box", values, tables)


def _title(sheet: Sheet) -> str:
    rows = sheet.delivered
    middle = [(value, row) for row in rows for value in [row.quantile("p50")] if value is not None]
    if not middle:
        return "Latency of every transfer"
    if len(sheet.rows) == 1:
        row = rows[0]
        low, high = row.quantile("p25"), row.quantile("p75")
        if low is None or high is None or low == high:
            return f"{row.name}: half of the transfers take {sheet.say(middle[0][0])}"
        first, second = sheet.say_both(low, high)
        return f"{row.name}: the middle half takes {first} to {second}"
    fastest = min(middle, key=lambda each: each[0])
    slowest = max(middle, key=lambda each: each[0])
    first, second = sheet.say_both(fastest[0], slowest[0])
    if first == second:
        return f"Every median is {first}"
    return f"Medians from {first} ({fastest[1].name}) to {second} ({slowest[1].name})"


def _spread(row: Row, layout: Layout) -> NDArray[np.float64]:
    """Where the points stand in their row, px from its top, float64, shape ``(n,)``."""
    turns = np.arange(len(row.latency)) * GOLDEN % 1.0
    return np.asarray(layout.points_from + (layout.points_to - layout.points_from) * turns)


def _transfers(
    sheet: Sheet, layout: Layout, spread: list[NDArray[np.float64]], shared: Marks
) -> Columns:
    parts = list(zip(sheet.delivered, spread, shared.kept, shared.stand_for, strict=True))
    return {
        "r": np.concatenate([np.full(len(kept), row.number) for row, _, kept, _ in parts]),
        "i": np.concatenate([row.index[kept] for row, _, kept, _ in parts]),
        "x": np.concatenate([row.latency[kept] for row, _, kept, _ in parts]),
        "y": np.concatenate(
            [
                np.round(row.number - 0.5 + down[kept] / layout.tall, 3)
                for row, down, kept, _ in parts
            ]
        ),
        "n": np.concatenate([many for *_, many in parts]),
    }


def _boxes(sheet: Sheet, layout: Layout) -> Columns:
    boxes = []
    for row in sheet.delivered:
        found = [row.quantile(key) for key in QUANTILES]
        if None not in found:
            y = row.number - 0.5 + layout.box_at / layout.tall
            boxes.append((row.number, y, *(float(each or 0.0) / sheet.unit.ns for each in found)))
    return marks.table(("r", "y", *QUANTILES), boxes)
