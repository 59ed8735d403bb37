"""Every transfer as a point beneath the box of its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag.pages import marks, theme
from airlag.pages.sheet import PLOT, Row, Sheet
from airlag.pages.thin import Marks, share_marks
from airlag.runs import Run


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands where in a row, px from its top."""

    tall: float
    box_at: float
    box_high: float
    points_from: float
    points_to: float


#: Up to :data:`ROOMY` runs there is room; below their name stands the box, then the points.
ROOMY = 8
WIDE = Layout(tall=82, box_at=29, box_high=20, points_from=44, points_to=74)
TIGHT = Layout(tall=52, box_at=23, box_high=11, points_from=32, points_to=47)

#: Steps of the golden ratio spread points evenly without a random number.
GOLDEN = 0.6180339887498949


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    return None if Sheet.of(runs).delivered else "no transfer was delivered"


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw a box a run from its quantiles and, beneath it, every transfer.

    Parameters
    ----------
    runs
        At least one with a delivery.

    Returns
    -------
    marks.Spec
        Latency to the right, a row a run; losses in words at the right end.
    """
    sheet = Sheet.of(runs)
    layout = WIDE if len(sheet.rows) <= ROOMY else TIGHT
    spread = [_spread(row, layout) for row in sheet.delivered]
    shared = share_marks(
        [
            (marks.latency_px(sheet, row.latency), down)
            for row, down in zip(sheet.delivered, spread, strict=True)
        ]
    )
    return marks.layered(
        _points(sheet, layout, spread, shared),
        *_boxes(sheet, layout),
        marks.row_names([(row.number, row.name) for row in sheet.rows], layout.tall),
        marks.notes(
            [
                (row.number, row.losses() if len(row.latency) else "nothing delivered")
                for row in sheet.rows
            ],
            layout.tall,
        ),
        width=PLOT,
        height=layout.tall * len(sheet.rows),
        title=marks.titled(
            _title(sheet),
            "Box from p25 to p75, line at p50, whiskers to p1 and p99; beneath it "
            "the transfers, spread downwards only to be told apart.",
            marks.how_many(shared),
        ),
        meta=marks.rows_meta(sheet, sheet.rows, layout.tall),
    )


def _title(sheet: Sheet) -> str:
    rows = sheet.delivered
    middle = [(value, row) for row in rows for value in [row.quantile("p50")] if value is not None]
    if not middle:
        return "Latency of every transfer"
    if len(sheet.rows) == 1:
        row = rows[0]
        low, high = row.quantile("p25"), row.quantile("p75")
        if low is None or high is None or low == high:
            return f"{row.name}: half of the transfers take {sheet.say(middle[0][0])}"
        first, second = sheet.say_both(low, high)
        return f"{row.name}: the middle half takes {first} to {second}"
    fastest = min(middle, key=lambda each: each[0])
    slowest = max(middle, key=lambda each: each[0])
    first, second = sheet.say_both(fastest[0], slowest[0])
    if first == second:
        return f"Every median is {first}"
    return f"Medians from {first} ({fastest[1].name}) to {second} ({slowest[1].name})"


def _spread(row: Row, layout: Layout) -> NDArray[np.float64]:
    """Where the points stand in their row, px from its top, float64, shape ``(n,)``."""
    turns = np.arange(len(row.latency)) * GOLDEN % 1.0
    return np.asarray(layout.points_from + (layout.points_to - layout.points_from) * turns)


def _points(
    sheet: Sheet, layout: Layout, spread: list[NDArray[np.float64]], shared: Marks
) -> alt.Chart:
    parts = list(zip(sheet.delivered, spread, shared.kept, shared.stand_for, strict=True))
    data = marks.table(
        {
            "r": np.concatenate([np.full(len(kept), row.number) for row, _, kept, _ in parts]),
            "i": np.concatenate([row.index[kept] for row, _, kept, _ in parts]),
            "x": np.concatenate([row.latency[kept] for row, _, kept, _ in parts]),
            "y": np.concatenate(
                [
                    np.round(row.number - 0.5 + down[kept] / layout.tall, 3)
                    for row, down, kept, _ in parts
                ]
            ),
            "n": np.concatenate([many for *_, many in parts]),
        }
    )
    drawn: alt.Chart = (
        alt.Chart(data)
        .transform_lookup("r", from_=marks.names_of(sheet))
        .mark_circle(size=marks.mark_area(shared), aria=False)
        .encode(
            x=alt.X("x:Q", scale=marks.latency_scale(sheet), axis=marks.latency_axis(sheet)),
            y=marks.row_axis(len(sheet.rows)),
            color=marks.colour_of_run(sheet),
            opacity=marks.crowding(shared),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("i:Q", title="transfer"),
                alt.Tooltip("x:Q", title=f"latency, {sheet.unit.name}", format=",.6~f"),
                alt.Tooltip("n:Q", title="transfers in this mark"),
            ],
        )
    )
    return drawn


def _boxes(sheet: Sheet, layout: Layout) -> list[alt.Chart]:
    boxes = []
    for row in sheet.delivered:
        found = [row.quantile(key) for key in ("p1", "p25", "p50", "p75", "p99")]
        if all(value is not None for value in found):
            boxes.append((row, [float(value or 0.0) / sheet.unit.ns for value in found]))
    at = [row.number - 0.5 + layout.box_at / layout.tall for row, _ in boxes]
    data = marks.table(
        {
            "r": [row.number for row, _ in boxes],
            "y": at,
            **{
                key: [values[place] for _, values in boxes]
                for place, key in enumerate(("p1", "p25", "p50", "p75", "p99"))
            },
        }
    )
    base = alt.Chart(data).transform_lookup("r", from_=marks.names_of(sheet))
    colour = marks.colour_of_run(sheet)
    y = marks.row_axis(len(sheet.rows))
    scale = marks.latency_scale(sheet)
    tooltip = [
        alt.Tooltip("run:N"),
        *(
            alt.Tooltip(f"{key}:Q", title=f"{key}, {sheet.unit.name}", format=",.6~f")
            for key in ("p1", "p25", "p50", "p75", "p99")
        ),
    ]
    high = layout.box_high

    def along(start: str, end: str) -> tuple[alt.X, alt.X2]:
        return alt.X(f"{start}:Q", scale=scale), alt.X2(f"{end}:Q")

    whisker = base.mark_rule(strokeWidth=1.5, aria=False)
    low_x, low_x2 = along("p1", "p25")
    high_x, high_x2 = along("p75", "p99")
    box_x, box_x2 = along("p25", "p75")
    return [
        whisker.encode(x=low_x, x2=low_x2, y=y, color=colour, tooltip=tooltip),
        whisker.encode(x=high_x, x2=high_x2, y=y, color=colour, tooltip=tooltip),
        *(
            base.mark_tick(orient="vertical", thickness=1.5, size=high * 0.6, aria=False).encode(
                x=alt.X(f"{key}:Q", scale=scale), y=y, color=colour, tooltip=tooltip
            )
            for key in ("p1", "p99")
        ),
        base.mark_bar(
            orient="horizontal", size=high, fillOpacity=0.25, strokeWidth=1.5, aria=False
        ).encode(x=box_x, x2=box_x2, y=y, color=colour, stroke=_stroke(sheet), tooltip=tooltip),
        base.mark_tick(
            orient="vertical", thickness=3, size=high, color=theme.INK, aria=False
        ).encode(x=alt.X("p50:Q", scale=scale), y=y, tooltip=tooltip),
    ]


def _stroke(sheet: Sheet) -> alt.Stroke:
    return alt.Stroke(
        "run:N",
        scale=alt.Scale(
            domain=[row.name for row in sheet.rows], range=[row.colour for row in sheet.rows]
        ),
        legend=None,
    )
