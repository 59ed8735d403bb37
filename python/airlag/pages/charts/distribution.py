"""Share of the triggers answered within a time: a loss keeps the curve below 1 for ever."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag import quantity
from airlag.pages import marks, theme
from airlag.pages.sheet import AXIS, PLOT, Row, Sheet, span
from airlag.pages.thin import corners
from airlag.runs import Run

HEIGHT = 320

#: Lines of words at the right keep this distance, px; more lossy runs than fit get none.
LINE, MOST_WORDS = 13, 12


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    return None if Sheet.of(runs).delivered else "no transfer was delivered"


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw the empirical distribution function of each run, in steps.

    Parameters
    ----------
    runs
        At least one with a delivery.

    Returns
    -------
    marks.Spec
        Height is the share of the transfers whose fate is known that arrived within the latency;
        a run with losses ends below 1, marked by a cross at the right edge.
    """
    sheet = Sheet.of(runs)
    low, high = span([sheet.low, sheet.high], log=sheet.log)
    steps = [(row, *_steps(sheet, row, low, high)) for row in sheet.delivered]
    data = marks.table(
        {
            "r": np.concatenate([np.full(len(x), row.number) for row, x, _ in steps]),
            "x": np.concatenate([x for _, x, _ in steps]),
            "y": np.concatenate([y for _, _, y in steps]),
        }
    )
    legend = marks.run_legend(sheet)
    pick = alt.selection_point(name="distribution_pick", fields=["run"], bind="legend")
    share_axis = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(title="share of triggers answered within", format="%", minExtent=AXIS),
    )
    curves = (
        alt.Chart(data, name="distribution")
        .transform_lookup("r", from_=marks.names_of(sheet))
        .mark_line(strokeWidth=1.8, aria=False)
        .encode(
            x=alt.X("x:Q", scale=marks.latency_scale(sheet), axis=marks.latency_axis(sheet)),
            y=share_axis,
            color=marks.colour_of_run(sheet, legend),
            strokeDash=marks.dash_of_run(sheet, legend),
            opacity=marks.picked(pick),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("x:Q", title=f"latency, {sheet.unit.name}", format=",.6~f"),
                alt.Tooltip("y:Q", title="answered within", format=".2%"),
            ],
        )
        .add_params(pick)
    )
    return marks.layered(
        curves,
        *_losses(sheet, share_axis),
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(
            _title(sheet),
            "One step a transfer. What was lost never arrives, so its run ends below 100 %; "
            "transfers cut off by the end of the capture are left out.",
        ),
        meta={
            "latency": {"axis": "x", "unit": sheet.unit.name},
            "read": [
                {
                    "header": "r,x,y",
                    "y": "y",
                    "how": "line",
                    "words": ["answered within", sheet.unit.name],
                    "unit": "%",
                }
            ],
        },
    )


def _steps(
    sheet: Sheet, row: Row, low: float, high: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of one curve: latency and share, float64, shape ``(k,)``, from edge to edge."""
    # Two corners a step, at its foot and at its head.
    across = np.concatenate([[low], np.repeat(np.sort(row.latency), 2), [high]])
    share = np.repeat(np.arange(len(row.latency) + 1) / row.known, 2)
    seen = corners(marks.latency_px(sheet, across), share * HEIGHT)
    return across[seen], share[seen]


def _losses(sheet: Sheet, share_axis: alt.Y) -> list[alt.Chart]:
    lossy = sorted(
        (row for row in sheet.rows if row.lost), key=lambda row: -len(row.latency) / row.known
    )
    if not lossy:
        return []
    ends = [len(row.latency) / row.known for row in lossy]
    data = marks.table(
        {
            "r": [row.number for row in lossy],
            "y": ends,
            "lost": [row.lost for row in lossy],
            "known": [row.known for row in lossy],
        }
    )
    crosses = (
        alt.Chart(data)
        .transform_lookup("r", from_=marks.names_of(sheet))
        .mark_point(
            shape=theme.CROSS, size=70, stroke=theme.LOST, strokeWidth=2, xOffset=7, aria=False
        )
        .encode(
            x=marks.x_end(),
            y=share_axis,
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("lost:Q", title="lost"),
                alt.Tooltip("known:Q", title="of"),
            ],
        )
    )
    if len(lossy) > MOST_WORDS:
        return [crosses]
    words = alt.Chart(
        marks.table(
            {
                "r": [row.number for row in lossy],
                "px": _apart([HEIGHT * (1.0 - end) for end in ends]),
                "text": [f"{quantity.share(row.lost, row.known)} lost" for row in lossy],
                "ctext": [row.colour if len(sheet.rows) > 1 else theme.LOST for row in lossy],
            }
        )
    )
    return [
        crosses,
        words.mark_text(align="left", dx=16, fontWeight="bold", aria=False).encode(
            x=marks.x_end(),
            y=alt.Y("px:Q", scale=None),
            text=alt.Text("text:N"),
            color=alt.Color("ctext:N", scale=None),
        ),
    ]


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
