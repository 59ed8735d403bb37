"""Share of the triggers answered within a time: a loss keeps the curve below 1 for ever."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.questions.runs import Run
from airlag.views.pages import marks, theme
from airlag.views.pages.sheet import Row, Sheet, span
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.thin import corners

HEIGHT = 320

#: Lines of words at the right keep this distance, px; more lossy runs than fit get none.
LINE, MOST_WORDS = 13, 12


def chart(runs: Sequence[Run]) -> Spec:
    """Draw the empirical distribution function of each run, in steps.

    Parameters
    ----------
    runs
        At least one with a delivery.

    Returns
    -------
    dict
        Height is the share of the transfers whose fate is known that arrived within the latency;
        a run with losses ends below 1, marked by a cross at the right edge.
    """
    sheet = Sheet.of(runs)
    low, high = span([sheet.low, sheet.high], log=sheet.log)
    steps = [(row, *_steps(sheet, row, low, high)) for row in sheet.delivered]
    lossy = sorted(
        (row for row in sheet.rows if row.lost), key=lambda row: -len(row.latency) / row.known
    )
    ends = [len(row.latency) / row.known for row in lossy]
    values = {
        **sheet.values,
        "title": _title(sheet),
        "height": HEIGHT,
        "lossy": bool(lossy),
        "words": 0 < len(lossy) <= MOST_WORDS,
    }
    tables = {
        "runs": sheet.runs,
        "steps": {
            "r": np.concatenate([np.full(len(x), row.number) for row, x, _ in steps]),
            "x": np.concatenate([x for _, x, _ in steps]),
            "y": np.concatenate([y for _, _, y in steps]),
        },
        "ends": {
            "r": [row.number for row in lossy],
            "y": ends,
            "lost": [row.lost for row in lossy],
            "known": [row.known for row in lossy],
        },
        "words": _words(sheet, lossy, ends),
    }
    return fill("distribution", values, tables)


def _steps(
    sheet: Sheet, row: Row, low: float, high: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of one curve: latency and share, float64, shape ``(k,)``, from edge to edge."""
    # Two corners a step, at its foot and at its head.
    across = np.concatenate([[low], np.repeat(np.sort(row.latency), 2), [high]])
    share = np.repeat(np.arange(len(row.latency) + 1) / row.known, 2)
    seen = corners(marks.latency_px(sheet, across), share * HEIGHT)
    return across[seen], share[seen]


def _words(sheet: Sheet, lossy: list[Row], ends: list[float]) -> Columns:
    """What each run lost, beside the end of its curve."""
    return {
        "r": [row.number for row in lossy],
        "px": _apart([HEIGHT * (1.0 - end) for end in ends]),
        "text": [f"{quantity.share(row.lost, row.known)} lost" for row in lossy],
        "ctext": [row.colour if len(sheet.rows) > 1 else theme.LOST for row in lossy],
    }


def _apart(heights: list[float]) -> list[float]:
    """Ascending heights, px from the top, pushed down until none overlap."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + LINE) if placed else height)
    return placed


def _title(sheet: Sheet) -> str:
    lost = sum(row.lost for row in sheet.rows)
    known = sum(row.known for row in sheet.rows)
    if all(row.run.trigger_ns is None for row in sheet.rows):
        return f"All within {sheet.say(sheet.high * sheet.unit.ns)}; a table cannot show a loss"
    if lost == 0:
        every = "Every trigger was answered"
        slowest = sheet.say(sheet.high * sheet.unit.ns)
        return f"{every}, the last within {slowest}"
    arrived = quantity.share(known - lost, known)
    if len(sheet.rows) == 1:
        return f"{sheet.rows[0].name}: {arrived} of the triggers are ever answered"
    return f"{arrived} of all triggers are ever answered"
