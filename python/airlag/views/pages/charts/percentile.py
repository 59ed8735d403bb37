"""The tail, stretched: latency at p50, p90, p99, p99.9 at equal steps on a logit axis.

A line through every delivered transfer at its rank, dots at the percentiles that the statistics
name, and bars for their confidence intervals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import corners
from airlag.core.quantity import count
from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Scale, Sheet
from airlag.views.pages.spec import PLOT, Columns, Spec, fill

HEIGHT = 320

#: Below this share the axis has nothing: the fast end is on the other charts.
FIRST = 0.01

#: Percentiles named on the axis, as far as a run has transfers for them.
NAMED = (1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999)


def chart(runs: Sequence[Run]) -> Spec:
    """Draws runs of which at least one has 10 deliveries."""
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    # Half a transfer is the finest share a run can tell from all of them.
    last = 1.0 - 0.5 / max(len(row.latency) for row in rows)
    across = Scale(_logit(FIRST) - 0.1, _logit(last) + 0.25)
    places = {each: _logit(each / 100) for each in NAMED}
    named = {each: at for each, at in places.items() if at <= across.high}
    quantiles = _named(sheet, rows, across.high)
    values = {
        **sheet.values,
        "title": _title(sheet, rows),
        "reading": _reading(rows),
        "height": HEIGHT,
        "logits": [across.low, across.high],
        "ticks": [round(at, 6) for at in named.values()],
        "labels": json.dumps({round(1000 * at): f"p{each:g}" for each, at in named.items()}),
        "named": bool(quantiles["x"]),
        "bounded": any(each is not None for end in ("low", "high") for each in quantiles[end]),
    }
    ranks = marks.by_run(rows, (_ranks(sheet, row, across) for row in rows))
    return fill("percentile", values, {"runs": sheet.runs, "ranks": ranks, "quantiles": quantiles})


def _logit(share: float) -> float:
    return float(np.log(share / (1.0 - share)))


def _ranks(sheet: Sheet, row: Row, across: Scale) -> dict[str, NDArray[np.float64]]:
    """Logit of the rank and latency of each transfer that is drawn, shape ``(k,)``."""
    ordered = np.sort(row.latency)
    share = (np.arange(len(ordered)) + 0.5) / len(ordered)
    # One rank before the axis begins, so that the line enters it where it should.
    on = np.arange(max(0, int(np.count_nonzero(share < FIRST)) - 1), len(share))
    at = np.log(share[on] / (1.0 - share[on]))
    seen = corners(across.px(at, PLOT), sheet.scale.px(ordered[on], HEIGHT))
    return {"x": at[seen], "y": ordered[on][seen]}


def _named(sheet: Sheet, rows: list[Row], most: float) -> Columns:
    """The percentiles that the statistics name, and their intervals."""
    found = []
    for row in rows:
        for key in map(str, row.run.latency or {}):
            match, value = re.fullmatch(r"p(\d+(?:\.\d+)?)", key), row.quantile(key)
            share = float(match[1]) / 100.0 if match else 0.0
            if value is not None and FIRST <= share < 1.0 and _logit(share) <= most:
                every = (value, *(row.interval(key) or (None, None)))
                told = (None if each is None else each / sheet.unit.ns for each in every)
                found.append((row.number, key, round(_logit(share), 6), *told))
    return marks.table(("r", "ptext", "x", "y", "low", "high"), found)


def _reading(rows: list[Row]) -> str:
    lost = sum(row.lost for row in rows)
    text = "Line through every delivered transfer from p1 up; dots at the named percentiles."
    if any(row.interval("p50") for row in rows):
        text += " Pale bars are their 95 % confidence intervals."
    if lost:
        text += f" The {count(lost)} lost have no latency and are not in it."
    return text


def _title(sheet: Sheet, rows: list[Row]) -> str:
    if len(sheet.rows) > 1:
        return "How the tail grows from p50 to the slowest"
    middle, tail = rows[0].quantile("p50"), rows[0].quantile("p99")
    if middle is None or tail is None:
        return f"{rows[0].name}: how the tail grows"
    first, second = sheet.say_both(middle, tail)
    return (
        f"{rows[0].name}: one in two takes longer than {first}, "
        f"one in a hundred longer than {second}"
    )
