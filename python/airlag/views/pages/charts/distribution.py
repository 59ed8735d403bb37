"""Share of the triggers answered within a time: a loss keeps the curve below 1 for ever.

Of transfers whose fate is known; a run with losses ends at a cross at the right edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import corners
from airlag.core import quantity
from airlag.questions.runs import Run
from airlag.views.pages import marks, theme
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.pages.spec import PLOT, Spec, fill

HEIGHT = 320

#: Lines of words at the right keep this distance, px; more lossy runs than fit get none.
LINE, MOST_WORDS = 13, 12


def chart(runs: Sequence[Run]) -> Spec:
    """Draws runs of which at least one has a delivery: the distribution of each, in steps."""
    sheet = Sheet.of(runs)
    delivered = sheet.delivered
    lossy = sorted(
        ((len(row.latency) / row.known, row) for row in sheet.rows if row.lost),
        key=lambda each: -each[0],
    )
    # Words beside the ends of curves, px from the top, pushed down until none overlap.
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
        "title": _title(sheet),
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
    # Two corners a step, at its foot and at its head.
    across = np.concatenate([[scale.low], np.repeat(np.sort(row.latency), 2), [scale.high]])
    share = np.repeat(np.arange(len(row.latency) + 1) / row.known, 2)
    seen = corners(scale.px(across, PLOT), share * HEIGHT)
    return {"x": across[seen], "y": share[seen]}


def _title(sheet: Sheet) -> str:
    lost = sum(row.lost for row in sheet.rows)
    known = sum(row.known for row in sheet.rows)
    slowest = sheet.say(sheet.high * sheet.unit.ns)
    if all(row.run.trigger_ns is None for row in sheet.rows):
        return f"All within {slowest}; a table cannot show a loss"
    if lost == 0:
        return f"Every trigger was answered, the last within {slowest}"
    arrived = quantity.share(known - lost, known)
    if len(sheet.rows) == 1:
        return f"{sheet.rows[0].name}: {arrived} of the triggers are ever answered"
    return f"{arrived} of all triggers are ever answered"
