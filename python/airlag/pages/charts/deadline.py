"""What a control loop feels: how many messages miss a deadline, and how many in a row."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag.deadline import misses
from airlag.pages import marks
from airlag.pages.sheet import AXIS, PLOT, Row, Sheet, log_ticks, span
from airlag.quantity import count
from airlag.runs import Run

#: Height of the share of misses, and of the longest run of them.
SHARE, LONGEST = 260, 170

#: Deadlines along the axis, a step as wide as a letter, and as many through each run's own
#: latencies; each of its slowest messages has one of its own.
STEPS = 120
TAIL = 50


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    most = max((len(row.latency) for row in Sheet.of(runs).rows), default=0)
    return None if most >= 10 else "no run has 10 deliveries, too few to miss a deadline by"


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw what misses a deadline against the deadline.

    Parameters
    ----------
    runs
        At least one with 10 deliveries.

    Returns
    -------
    marks.Spec
        Two panels on one axis of deadlines: the share of messages late or lost, and the longest
        run of them. A curve of a run with losses ends on a level, that of a run without them at
        its slowest message.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.delivered if len(row.latency) >= 10]
    found = [(row, *_curves(sheet, row)) for row in rows]
    data = marks.table(
        {
            "r": np.concatenate([np.full(len(at), row.number) for row, at, _, _ in found]),
            "x": np.concatenate([at for _, at, _, _ in found]),
            "share": np.concatenate([100.0 * share for _, _, share, _ in found]),
            "longest": np.concatenate([longest for *_, longest in found]),
        }
    )
    shares = np.concatenate([share[share > 0.0] for _, _, share, _ in found])
    least = 100.0 * float(shares.min()) if len(shares) else 1.0
    most = max(int(longest.max()) for *_, longest in found)
    return marks.stacked(
        [
            _panel(
                sheet, data, "share", "messages late or lost, % (log axis)", (least, 100.0), SHARE
            ),
            _panel(
                sheet,
                data,
                "longest",
                "most in a row (log axis)",
                (1.0, float(max(most, 2))),
                LONGEST,
                last=True,
            ),
        ],
        spacing=14,
        title=marks.titled(_title(rows), _reading(rows)),
        meta={
            "latency": {"axis": "x", "unit": sheet.unit.name},
            "read": [
                {
                    "header": "r,x,share,longest",
                    "y": field,
                    "how": "step",
                    "words": ["deadline", sheet.unit.name],
                    "unit": unit,
                }
                for field, unit in (("share", "% late or lost"), ("longest", "in a row"))
            ],
        },
    )


def _panel(
    sheet: Sheet,
    data: alt.InlineData,
    field: str,
    title: str,
    ends: tuple[float, float],
    height: int,
    *,
    last: bool = False,
) -> marks.Spec:
    low, high = span(ends, log=True)
    # The panels share it: what one says stands for both.
    legend = marks.run_legend(sheet)
    lines = (
        alt.Chart(data)
        .transform_lookup("r", from_=marks.names_of(sheet))
        # What nothing misses has no place on a logarithmic axis.
        .transform_filter(f"datum.{field} > 0")
        .mark_line(strokeWidth=1.8, interpolate="step-after", clip=True, aria=False)
        .encode(
            x=alt.X(
                "x:Q",
                scale=marks.latency_scale(sheet),
                axis=marks.latency_axis(sheet, "deadline" if last else None),
            ),
            y=alt.Y(
                f"{field}:Q",
                scale=marks.scale(low, high, log=True),
                axis=alt.Axis(
                    title=title, values=log_ticks(low, high), format="~r", minExtent=AXIS
                ),
            ),
            color=marks.colour_of_run(sheet, legend),
            strokeDash=marks.dash_of_run(sheet, legend),
        )
    )
    return marks.layered(lines, width=PLOT, height=height)


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
    if lost:
        text += f" {count(lost)} lost miss every deadline: their curves end on a level."
    return text + " A curve that ends has nothing that is later."
