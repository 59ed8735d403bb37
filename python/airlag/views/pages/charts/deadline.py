"""What a control loop feels: how many messages miss a deadline, and how many in a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core.quantity import count
from airlag.questions.runs import Run, misses
from airlag.views.pages.sheet import Row, Sheet, axis, span
from airlag.views.pages.spec import Spec, fill

#: Deadlines along the axis, a step as wide as a letter, and as many through each run's own
#: latencies; each of its slowest messages has one of its own.
STEPS = 120
TAIL = 50


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    most = max((len(row.latency) for row in Sheet.of(runs).rows), default=0)
    return None if most >= 10 else "no run has 10 deliveries, too few to miss a deadline by"


def chart(runs: Sequence[Run]) -> Spec:
    """Draw what misses a deadline against the deadline.

    Parameters
    ----------
    runs
        At least one with 10 deliveries.

    Returns
    -------
    dict
        Two panels on one axis of deadlines: the share of messages late or lost, and the longest
        run of them. A curve of a run with losses ends on a level, that of a run without them at
        its slowest message.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    found = [(row, *_curves(sheet, row)) for row in rows]
    shares = np.concatenate([share[share > 0.0] for _, _, share, _ in found])
    least = 100.0 * float(shares.min()) if len(shares) else 1.0
    most = max(int(longest.max()) for *_, longest in found)
    values = {
        **sheet.values,
        "title": _title(rows),
        "reading": _reading(rows),
        "share": axis([least, 100.0], log=True),
        "longest": axis([1.0, float(max(most, 2))], log=True),
    }
    misses = {
        "r": np.concatenate([np.full(len(at), row.number) for row, at, _, _ in found]),
        "x": np.concatenate([at for _, at, _, _ in found]),
        "share": np.concatenate([100.0 * share for _, _, share, _ in found]),
        "longest": np.concatenate([longest for *_, longest in found]),
    }
    return fill("deadline", values, {"runs": sheet.runs, "misses": misses})


def _curves(
    sheet: Sheet, row: Row
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Deadlines in the sheet's unit, share that misses, longest run; shape ``(k,)`` each."""
    low, high = span([sheet.low, sheet.high], log=sheet.log)
    every = np.geomspace(low, high, STEPS) if sheet.log else np.linspace(low, high, STEPS)
    # Where a run's messages lie close, the axis has too few steps, and where they lie far apart
    # each of them is one.
    ordered = np.sort(row.latency)
    own = ordered[np.linspace(0, len(ordered) - 1, min(STEPS, len(ordered))).round().astype(int)]
    at = np.unique(np.concatenate([every, own, ordered[-TAIL:]]))
    found = misses(row.run, [round(each * sheet.unit.ns) for each in at])
    share = np.array([each["missed"] / each["n"] for each in found])
    return at, share, np.array([each["longest_run"] for each in found], dtype=np.int64)


def _title(rows: list[Row]) -> str:
    if len(rows) > 1:
        return "How many messages miss a deadline, and how many in a row"
    return f"{rows[0].name}: how many messages miss a deadline, and how many in a row"


def _reading(rows: list[Row]) -> str:
    lost = sum(row.lost for row in rows)
    text = "A message misses a deadline when it takes longer or is lost."
    if not lost:
        return f"{text} A curve ends at its slowest transfer."
    return (
        f"{text} {count(lost)} lost miss every deadline: their curves end on a level. Each other "
        "curve ends at its slowest transfer."
    )
