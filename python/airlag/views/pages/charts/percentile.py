"""The tail, stretched: latency at p50, p90, p99, p99.9 at equal steps on a logit axis."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core.quantity import count
from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import PLOT, Row, Sheet
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.thin import corners

HEIGHT = 320

#: Below this share the axis has nothing: the fast end is on the other charts.
FIRST = 0.01

#: Percentiles named on the axis, as far as a run has transfers for them.
NAMED = (1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999)


def chart(runs: Sequence[Run]) -> Spec:
    """Draw latency against percentile, the tail as wide as the middle.

    Parameters
    ----------
    runs
        At least one with 10 deliveries.

    Returns
    -------
    dict
        A line through every delivered transfer at its rank, dots at the percentiles the
        statistics name, bars for their confidence intervals where there are any.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    # Half a transfer is the finest share a run can tell from all of them.
    last = 1.0 - 0.5 / max(len(row.latency) for row in rows)
    ends = (_logit(FIRST) - 0.1, _logit(last) + 0.25)
    named = [each for each in NAMED if each / 100 >= FIRST and _logit(each / 100) <= ends[1]]
    labels = {round(1000 * _logit(each / 100)): f"p{each:g}" for each in named}
    lines = [(row, *_ranks(sheet, row, ends)) for row in rows]
    quantiles = _named(sheet, rows, ends)
    values = {
        **sheet.values,
        "title": _title(sheet, rows),
        "reading": _reading(rows),
        "height": HEIGHT,
        "logits": list(ends),
        "ticks": [round(_logit(each / 100), 6) for each in named],
        "labels": json.dumps(labels),
        "named": bool(quantiles["x"]),
        "bounded": any(each is not None for end in ("low", "high") for each in quantiles[end]),
    }
    tables = {
        "runs": sheet.runs,
        "ranks": {
            "r": np.concatenate([np.full(len(at), row.number) for row, at, _ in lines]),
            "x": np.concatenate([at for _, at, _ in lines]),
            "y": np.concatenate([latency for _, _, latency in lines]),
        },
        "quantiles": quantiles,
    }
    return fill("percentile", values, tables)


def _logit(share: float) -> float:
    return float(np.log(share / (1.0 - share)))


def _ranks(
    sheet: Sheet, row: Row, ends: tuple[float, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logit of the rank and latency of each transfer that is drawn, float64, shape ``(k,)``."""
    ordered = np.sort(row.latency)
    share = (np.arange(len(ordered)) + 0.5) / len(ordered)
    # One rank before the axis begins, so that the line enters it where it should.
    on = np.arange(max(0, int(np.count_nonzero(share < FIRST)) - 1), len(share))
    at = np.log(share[on] / (1.0 - share[on]))
    right = (at - ends[0]) / (ends[1] - ends[0]) * PLOT
    seen = corners(right, marks.latency_px(sheet, ordered[on], HEIGHT))
    return at[seen], ordered[on][seen]


def _named(sheet: Sheet, rows: list[Row], ends: tuple[float, float]) -> Columns:
    """The percentiles that the statistics name, and their intervals."""
    found = []
    for row in rows:
        for key in row.run.latency or {}:
            match = re.fullmatch(r"p(\d+(?:\.\d+)?)", str(key))
            value = row.quantile(str(key)) if match else None
            if match is None or value is None:
                continue
            share = float(match[1]) / 100.0
            if FIRST <= share < 1.0 and _logit(share) <= ends[1]:
                bounds = row.interval(str(key)) or (None, None)
                low, high = (None if each is None else each / sheet.unit.ns for each in bounds)
                at = round(_logit(share), 6)
                found.append((row.number, str(key), at, value / sheet.unit.ns, low, high))
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
