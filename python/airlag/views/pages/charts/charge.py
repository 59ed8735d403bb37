"""Latency against charge per message, one point per run, with the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from airlag._airlag import cut_to_width, pareto_front, text_width
from airlag.core import quantity
from airlag.questions.charge import ends_of
from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Scale, Sheet
from airlag.views.pages.spec import PLOT, Spec, fill

#: Height of the plot, px.
TALL = 360
#: Maximum width of a name beside its point, px; longer names are cut.
ROOM = 200.0
#: Candidate positions of a name relative to its point, px; the first free one is used.
SIDES: tuple[dict[str, Any], ...] = (
    {"align": "left", "dx": 9, "dy": 0},
    {"align": "right", "dx": -9, "dy": 0},
    {"align": "left", "dx": -4, "dy": -13},
    {"align": "left", "dx": -4, "dy": 13},
)
#: Line height of a name, px.
LINE = 13.0


class Point(NamedTuple):
    """Charge and latency of one run."""

    row: Row
    charge_uc: float
    p99: float


def why_not(runs: Sequence[Run]) -> str | None:
    """Returns one line on why the chart does not apply, or ``None``."""
    if len(_points(Sheet.of(runs))) < 2:
        return "fewer than two runs have a charge per message"
    return None


def front(points: Sequence[Point]) -> list[Point]:
    """Returns the Pareto-optimal points, fastest first."""
    ordered = sorted(points, key=lambda one: (one.p99, one.charge_uc))
    return [ordered[at] for at in pareto_front([[one.p99, one.charge_uc] for one in ordered])]


def chart(runs: Sequence[Run]) -> Spec:
    """Draws p99 against the charge per delivered message on log axes.

    At least two runs have a charge. A stepped line joins the Pareto-optimal runs.
    """
    sheet = Sheet.of(runs)
    points = _points(sheet)
    best = front(points)
    across, up = (
        Scale(min(ends) / 1.6, max(ends) * 1.6, log=True)
        for ends in ([one.charge_uc for one in points], [one.p99 for one in points])
    )
    values = {
        **sheet.values,
        "title": _title(best),
        "height": TALL,
        "across": across.values,
        "up": up.values,
        "sides": [{"nth": nth, **side} for nth, side in enumerate(SIDES)],
    }
    rows = [
        (one.row.number, one.charge_uc, one.p99, one.row.lost, side, _short(one.row.name))
        for one, side in zip(points, _sides(points, across, up), strict=True)
    ]
    tables = {
        "runs": sheet.runs,
        "points": marks.table(("r", "x", "y", "lost", "side", "wordtext"), rows),
        "front": marks.table(("x", "y"), [(one.charge_uc, one.p99) for one in best]),
    }
    return fill("charge", values, tables)


def _points(sheet: Sheet) -> list[Point]:
    found = []
    for row in sheet.rows:
        sender = dict(ends_of(row.run.charge)).get("sender")
        p99 = row.quantile("p99")
        if sender is None or p99 is None or not p99 > 0.0:
            continue
        marginal = sender["marginal_nc"]
        # A run with a p99 has delivered transfers.
        if marginal is not None and marginal > 0.0:
            uc = marginal * row.known / len(row.latency) / 1e3
            found.append(Point(row, uc, p99 / sheet.unit.ns))
    return found


def _sides(points: Sequence[Point], across: Scale, up: Scale) -> list[int]:
    """Index of the position of each name such that names do not overlap; -1 if none is free."""
    right = across.px(np.array([one.charge_uc for one in points]), PLOT)
    down = TALL - up.px(np.array([one.p99 for one in points]), TALL)
    at = list(zip(right.tolist(), down.tolist(), strict=True))
    taken = [(x - 5.0, x + 5.0, y - 5.0, y + 5.0) for x, y in at]
    # The stepped line also occupies space: right to the next point, then down.
    steps = sorted(at[points.index(each)] for each in front(points))
    for (x, y), (next_x, next_y) in pairwise(steps):
        taken += [(x, next_x, y - 1.0, y + 1.0), (next_x - 1.0, next_x + 1.0, y, next_y)]
    sides = []
    for point, (x, y) in zip(points, at, strict=True):
        wide = text_width(_short(point.row.name), 11)
        for nth, side in enumerate(SIDES):
            left = x + side["dx"] - (wide if side["align"] == "right" else 0.0)
            top = y + side["dy"] - LINE / 2
            right_of, foot = left + wide, top + LINE
            if (
                left >= 0.0
                and right_of <= PLOT
                and not any(
                    left < r and lo < right_of and top < b and t < foot for lo, r, t, b in taken
                )
            ):
                taken.append((left, right_of, top, foot))
                sides.append(nth)
                break
        else:
            sides.append(-1)
    return sides


def _title(best: Sequence[Point]) -> str:
    quickest, cheapest = best[0], best[-1]
    if quickest is cheapest:
        return f"{quickest.row.name} has the lowest p99 and charge"
    uc = quantity.number(cheapest.charge_uc, 3)
    return f"{quickest.row.name} has the lowest p99, {cheapest.row.name} the lowest charge: {uc} uC"


def _short(name: str) -> str:
    return cut_to_width(name, ROOM, 11)
