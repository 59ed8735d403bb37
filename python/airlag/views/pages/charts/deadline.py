"""What a control loop feels: how many messages miss a deadline, and how many in a row.

A curve of a run with losses ends on a level, that of a run without them at its slowest message.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core.quantity import count
from airlag.questions.runs import Run, misses
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Sheet, axis
from airlag.views.pages.spec import Spec, fill

#: Deadlines along the axis, a step as wide as a letter, and as many through each run's own
#: latencies; each of its slowest messages has one of its own.
STEPS = 120
TAIL = 50


def chart(runs: Sequence[Run]) -> Spec:
    """Draws runs of which at least one has 10 deliveries, in two panels on one axis."""
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    curves = marks.by_run(rows, (_curves(sheet, row) for row in rows))
    shares = curves["share"]
    name = f"{rows[0].name}: how" if len(rows) == 1 else "How"
    values = {
        **sheet.values,
        "title": f"{name} many messages miss a deadline, and how many in a row",
        "reading": _reading(rows),
        "share": axis([min(shares[shares > 0.0], default=1.0), 100.0], log=True),
        "longest": axis([1.0, max(2.0, *curves["longest"])], log=True),
    }
    return fill("deadline", values, {"runs": sheet.runs, "misses": curves})


def _curves(sheet: Sheet, row: Row) -> dict[str, NDArray[np.float64] | NDArray[np.int64]]:
    """Deadlines in the sheet's unit, share that misses in %, longest run; shape ``(k,)`` each."""
    low, high = sheet.scale.low, sheet.scale.high
    every = np.geomspace(low, high, STEPS) if sheet.log else np.linspace(low, high, STEPS)
    # Where a run's messages lie close, the axis has too few steps, and where they lie far apart
    # each of them is one.
    ordered = np.sort(row.latency)
    own = ordered[np.linspace(0, len(ordered) - 1, min(STEPS, len(ordered))).round().astype(int)]
    at = np.unique(np.concatenate([every, own, ordered[-TAIL:]]))
    found = misses(row.run, [round(each * sheet.unit.ns) for each in at])
    share = np.array([100.0 * (each["missed"] / each["n"]) for each in found])
    longest = np.array([each["longest_run"] for each in found], dtype=np.int64)
    return {"x": at, "share": share, "longest": longest}


def _reading(rows: list[Row]) -> str:
    lost = sum(row.lost for row in rows)
    text = "A message misses a deadline when it takes longer or is lost."
    if not lost:
        return f"{text} A curve ends at its slowest transfer."
    return (
        f"{text} {count(lost)} lost miss every deadline: their curves end on a level. Each other "
        "curve ends at its slowest transfer."
    )
