"""Every transfer as a point beneath the box of its run: a row a run, losses in words at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.marks import share_marks
from airlag.views.pages.sheet import Sheet
from airlag.views.pages.spec import PLOT, Columns, Spec, fill


class Layout(NamedTuple):
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
    """Draws runs of which at least one has a delivery."""
    sheet = Sheet.of(runs)
    rows = sheet.delivered
    tall, _, high, top, foot = layout = WIDE if len(sheet.rows) <= ROOMY else TIGHT
    # Where the points stand in their row, px from its top.
    turns = [np.arange(len(row.latency), dtype=np.float64) * GOLDEN % 1.0 for row in rows]
    spread = [np.asarray(top + (foot - top) * each, np.float64) for each in turns]
    shared = share_marks(
        [(sheet.scale.px(row.latency, PLOT), down) for row, down in zip(rows, spread, strict=True)]
    )
    transfers = (
        {
            "i": row.index[kept],
            "x": row.latency[kept],
            "y": np.round(row.number - 0.5 + down[kept] / tall, 3),
            "n": many,
        }
        for row, down, kept, many in zip(rows, spread, shared.kept, shared.stand_for, strict=True)
    )
    notes = [row.losses() if len(row.latency) else "nothing delivered" for row in sheet.rows]
    values = {
        **sheet.values,
        **marks.rows_down(sheet.rows, tall),
        "title": _title(sheet),
        "marks": marks.of_marks(shared),
        "box": high,
        "whisker": high * 0.6,
    }
    tables = {
        "runs": sheet.runs,
        "transfers": marks.by_run(rows, transfers),
        "boxes": _boxes(sheet, layout),
        **marks.names_and_notes(sheet.rows, notes, tall),
    }
    return fill("box", values, tables)


def _boxes(sheet: Sheet, layout: Layout) -> Columns:
    boxes = []
    for row in sheet.delivered:
        found = [ns / sheet.unit.ns for ns in row.quantiles(*QUANTILES)]
        if len(found) == len(QUANTILES):
            boxes.append((row.number, row.number - 0.5 + layout.box_at / layout.tall, *found))
    return marks.table(("r", "y", *QUANTILES), boxes)


def _title(sheet: Sheet) -> str:
    rows = sheet.delivered
    middle = [(p50, row) for row in rows if (p50 := row.quantile("p50")) is not None]
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
