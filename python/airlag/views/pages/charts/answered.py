"""Charts of the share of messages delivered within a time: distribution, tail and deadlines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import corners
from airlag.core import quantity
from airlag.core.quantity import count
from airlag.questions.runs import Run, misses
from airlag.views.pages import marks, theme
from airlag.views.pages.sheet import Row, Scale, Sheet, axis
from airlag.views.pages.spec import PLOT, Columns, Spec, fill

#: Minimum line distance of text at the right, px; lossy runs that do not fit are not labelled.
LINE, MOST_WORDS = 13, 12


def distribution(runs: Sequence[Run]) -> Spec:
    """Draws the empirical distribution of the latencies of runs; at least one has a delivery.

    The shares refer to transfers with a known outcome. The curve of a run with losses stays below
    1, and ends at a cross at the right edge of the chart.
    """
    sheet = Sheet.of(runs)
    delivered = sheet.delivered
    lossy = sorted(
        ((len(row.latency) / row.known, row) for row in sheet.rows if row.lost),
        key=lambda each: -each[0],
    )
    # Labels at the ends of curves, px from the top, shifted down until none overlap.
    heights = (HEIGHT * (1.0 - end) for end, _ in lossy)
    apart = accumulate(heights, lambda last, height: max(height, last + LINE))
    words = [
        (
            row.number,
            px,
            f"{quantity.share(row.lost, row.known)} lost",
            row.colour if len(sheet.rows) > 1 else theme.LOST,
        )
        for (_, row), px in zip(lossy, apart, strict=True)
    ]
    values = {
        **sheet.values,
        "title": _distribution_title(sheet),
        "height": HEIGHT,
        "lossy": bool(lossy),
        "words": 0 < len(lossy) <= MOST_WORDS,
    }
    ends = [(row.number, end, row.lost, row.known) for end, row in lossy]
    tables = {
        "runs": sheet.runs,
        "steps": marks.by_run(delivered, (_steps(sheet, row) for row in delivered)),
        "ends": marks.table(("r", "y", "lost", "known"), ends),
        "words": marks.table(("r", "px", "text", "ctext"), words),
    }
    return fill("distribution", values, tables)


def _steps(sheet: Sheet, row: Row) -> dict[str, NDArray[np.float64]]:
    """Corners of one curve: latency and share, shape ``(k,)``, from edge to edge."""
    scale = sheet.scale
    # Two corners per step: its foot and its head.
    across = np.concatenate([[scale.low], np.repeat(np.sort(row.latency), 2), [scale.high]])
    share = np.repeat(np.arange(len(row.latency) + 1) / row.known, 2)
    seen = corners(scale.px(across, PLOT), share * HEIGHT)
    return {"x": across[seen], "y": share[seen]}


def _distribution_title(sheet: Sheet) -> str:
    lost = sum(row.lost for row in sheet.rows)
    known = sum(row.known for row in sheet.rows)
    slowest = sheet.text(sheet.high * sheet.unit.ns)
    if all(row.run.trigger_ns is None for row in sheet.rows):
        return f"All within {slowest}; a latency table has no losses"
    if lost == 0:
        return f"Every transfer was delivered, the slowest within {slowest}"
    arrived = quantity.share(known - lost, known)
    if len(sheet.rows) == 1:
        return f"{sheet.rows[0].name}: {arrived} of the transfers were delivered"
    return f"{arrived} of all transfers were delivered"


HEIGHT = 320

#: Lowest share on the axis; other charts show the fast end.
FIRST = 0.01

#: Percentiles labelled on the axis, as far as a run has enough transfers.
NAMED = (1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999)


def percentile(runs: Sequence[Run]) -> Spec:
    """Draws the latency tail of several runs on a logit axis; at least one has 10 deliveries.

    p50, p90, p99 and p99.9 are about equally spaced. The line of a run connects its deliveries by
    rank. Dots mark the named percentiles, and bars the confidence intervals of these percentiles.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    # Half a transfer is the finest resolvable share below 100 %.
    last = 1.0 - 0.5 / max(len(row.latency) for row in rows)
    across = Scale(_logit(FIRST) - 0.1, _logit(last) + 0.25)
    places = {each: _logit(each / 100) for each in NAMED}
    named = {each: at for each, at in places.items() if at <= across.high}
    quantiles = _named(sheet, rows, across.high)
    values = {
        **sheet.values,
        "title": _percentile_title(sheet, rows),
        "reading": _percentile_reading(rows),
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
    """Logit rank and latency of each drawn transfer, shape ``(k,)``."""
    ordered = np.sort(row.latency)
    share = (np.arange(len(ordered)) + 0.5) / len(ordered)
    # Starts one rank below the axis, so that the line enters it correctly.
    on = np.arange(max(0, int(np.count_nonzero(share < FIRST)) - 1), len(share))
    at = np.log(share[on] / (1.0 - share[on]))
    seen = corners(across.px(at, PLOT), sheet.scale.px(ordered[on], HEIGHT))
    return {"x": at[seen], "y": ordered[on][seen]}


def _named(sheet: Sheet, rows: list[Row], most: float) -> Columns:
    """Named percentiles with their intervals."""
    found = []
    for row in rows:
        for key in map(str, row.run.latency or {}):
            match, value = re.fullmatch(r"p(\d+(?:\.\d+)?)", key), row.quantile(key)
            share = float(match[1]) / 100.0 if match else 0.0
            if value is not None and FIRST <= share < 1.0 and _logit(share) <= most:
                every = (value, *(row.interval(key) or (None, None)))
                scaled = (None if each is None else each / sheet.unit.ns for each in every)
                found.append((row.number, key, round(_logit(share), 6), *scaled))
    return marks.table(("r", "ptext", "x", "y", "low", "high"), found)


def _percentile_reading(rows: list[Row]) -> str:
    lost = sum(row.lost for row in rows)
    text = "Line through every delivered transfer from p1 up; dots at the named percentiles."
    if any(row.interval("p50") for row in rows):
        text += " Pale bars are their 95 % confidence intervals."
    if lost:
        text += f" The {count(lost)} lost transfers have no latency and are not included."
    return text


def _percentile_title(sheet: Sheet, rows: list[Row]) -> str:
    if len(sheet.rows) > 1:
        return "How the tail grows from p50 to the slowest"
    middle, tail = rows[0].quantile("p50"), rows[0].quantile("p99")
    if middle is None or tail is None:
        return f"{rows[0].name}: how the tail grows"
    first, second = sheet.texts(middle, tail)
    return (
        f"{rows[0].name}: one in two takes longer than {first}, "
        f"one in a hundred longer than {second}"
    )


#: Number of deadlines spaced evenly along the axis, and of those at even ranks of the latencies;
#: number of slowest messages, whose latencies are deadlines too.
STEPS = 120
TAIL = 50


def deadline(runs: Sequence[Run]) -> Spec:
    """Draws deadline misses of several runs; at least one has 10 deliveries.

    Two panels share the deadline axis: the share of missed messages, and the longest run of misses.
    The curve of a run with losses levels off. Other curves end at the slowest message.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    curves = marks.by_run(rows, (_curves(sheet, row) for row in rows))
    shares = curves["share"]
    name = f"{rows[0].name}: how" if len(rows) == 1 else "How"
    values = {
        **sheet.values,
        "title": f"{name} many messages miss a deadline, and how many in a row",
        "reading": _deadline_reading(rows),
        "share": axis([min(shares[shares > 0.0], default=1.0), 100.0], log=True),
        "longest": axis([1.0, max(2.0, *curves["longest"])], log=True),
    }
    return fill("deadline", values, {"runs": sheet.runs, "misses": curves})


def _curves(sheet: Sheet, row: Row) -> dict[str, NDArray[np.float64] | NDArray[np.int64]]:
    """Deadlines in the sheet's unit, missed share in %, longest run of misses; shape ``(k,)``."""
    low, high = sheet.scale.low, sheet.scale.high
    every = np.geomspace(low, high, STEPS) if sheet.log else np.linspace(low, high, STEPS)
    # Even steps are too coarse where latencies are dense. In the sparse tail, each latency is a
    # deadline.
    ordered = np.sort(row.latency)
    own = ordered[np.linspace(0, len(ordered) - 1, min(STEPS, len(ordered))).round().astype(int)]
    at = np.unique(np.concatenate([every, own, ordered[-TAIL:]]))
    found = misses(row.run, [round(each * sheet.unit.ns) for each in at])
    share = np.array([100.0 * (each["missed"] / each["n"]) for each in found])
    longest = np.array([each["longest_run"] for each in found], dtype=np.int64)
    return {"x": at, "share": share, "longest": longest}


def _deadline_reading(rows: list[Row]) -> str:
    lost = sum(row.lost for row in rows)
    text = "A message misses a deadline when it takes longer or is lost."
    if not lost:
        return f"{text} A curve ends at its slowest transfer."
    return (
        f"{text} Lost messages ({count(lost)}) miss every deadline, so their curves level off. "
        "Other curves end at their slowest transfer."
    )
