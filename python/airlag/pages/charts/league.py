"""Runs in order of their upper quartile, shortest first, with what each of them lost."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from airlag import quantity
from airlag.pages import marks, theme
from airlag.pages.sheet import PLOT, Row, Sheet, log_ticks
from airlag.runs import Run

#: Height of a row and of its bar, px: many runs get less.
TALL, SHORT = (36, 14), (28, 9)

#: Beyond this ratio of the largest to the smallest, bars from zero would hide the short ones.
BARS_UP_TO = 50.0


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    if len(runs) < 2:
        return "there is one run, nothing to rank"
    if not _placed(Sheet.of(runs)):
        return "no run has an upper quartile"
    return None


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw a bar a run as long as its 75th percentile, sorted.

    Parameters
    ----------
    runs
        At least two, at least one of them with a 75th percentile.

    Returns
    -------
    marks.Spec
        Bars from zero with a tick at the median; points on a log axis where the runs differ too
        much for bars. Runs that delivered nothing come last, without a bar.
    """
    sheet = Sheet.of(runs)
    placed = _placed(sheet)
    left_out = [row for row in sheet.rows if row.number not in {each.number for each, _ in placed}]
    rows = [row for row, _ in placed] + left_out
    shortest, longest = placed[0][1], placed[-1][1]
    log = shortest > 0.0 and longest > BARS_UP_TO * shortest
    tall, bar = TALL if len(rows) <= 16 else SHORT
    # The name takes the top of the row, the bar what is below it.
    drop = 8.0 / tall
    middles = [(row.quantile("p50") or 0.0) / sheet.unit.ns for row, _ in placed]
    data = marks.table(
        {
            "r": [row.number for row, _ in placed],
            "y": [place + drop for place in range(len(placed))],
            "x": [value for _, value in placed],
            "p50": middles,
            "lost": [row.lost for row, _ in placed],
            "triggers": [len(row.run.outcome) for row, _ in placed],
        }
    )
    kind = " (log axis)" if log else ""
    # A log axis of bars has no zero to start from: points, and lines that lead to their names.
    low = min([shortest, *(value for value in middles if value > 0.0)]) / 1.5 if log else 0.0
    high = longest * (1.15 if log else 1.02)
    title = f"upper quartile (p75) of latency, {sheet.unit.name}{kind}"
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log" if log else "linear", domain=[low, high], nice=False),
        axis=alt.Axis(title=title, values=log_ticks(low, high), format="~r")
        if log
        else alt.Axis(title=title),
    )
    y = marks.row_axis(len(rows))
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("x:Q", title=f"p75, {sheet.unit.name}", format=",.6~f"),
        alt.Tooltip("p50:Q", title=f"p50, {sheet.unit.name}", format=",.6~f"),
        alt.Tooltip("lost:Q", title="lost"),
        alt.Tooltip("triggers:Q", title="of"),
    ]
    base = alt.Chart(data).transform_lookup("r", from_=marks.names_of(sheet))
    colour = marks.colour_of_run(sheet)
    if log:
        shapes = [
            base.mark_rule(strokeWidth=1.5, strokeDash=[1, 3], aria=False).encode(
                x=x, x2=marks.x2_px(0), y=y, color=colour
            ),
            base.mark_circle(size=90, opacity=1.0, aria=False).encode(
                x=x, y=y, color=colour, tooltip=tooltip
            ),
        ]
    else:
        shapes = [
            base.transform_calculate(zero="0")
            .mark_bar(orient="horizontal", size=bar, aria=False)
            .encode(x=x, x2=alt.X2("zero:Q"), y=y, color=colour, tooltip=tooltip)
        ]
    shapes.append(
        base.mark_tick(
            orient="vertical", size=bar, thickness=2, color=theme.INK, aria=False
        ).encode(x=alt.X("p50:Q"), y=y, tooltip=tooltip)
    )
    return marks.layered(
        *shapes,
        marks.row_names([(row.number, row.name) for row in rows], tall),
        *_figures(sheet, placed, left_out, y, drop),
        width=PLOT,
        height=tall * len(rows),
        title=marks.titled(
            _title(sheet, placed),
            f"{'Point' if log else 'Bar'} at p75 of the delivered transfers, tick at p50. "
            "Losses count in no quantile: read them at the right.",
        ),
        meta={"rows": {"tall": tall, "order": [row.number for row in rows]}},
    )


def _placed(sheet: Sheet) -> list[tuple[Row, float]]:
    """Rows with their 75th percentile in the sheet's unit, smallest first."""
    found = [(row, row.quantile("p75")) for row in sheet.rows]
    return sorted(
        ((row, value / sheet.unit.ns) for row, value in found if value is not None),
        key=lambda each: (each[1], each[0].number),
    )


def _figures(
    sheet: Sheet, placed: list[tuple[Row, float]], left_out: list[Row], y: alt.Y, drop: float
) -> list[alt.Chart]:
    """Write the figures right of the bars, and what was lost after them."""
    values = marks.table(
        {
            "r": [row.number for row, _ in placed],
            "y": [place + drop for place in range(len(placed))],
            "text": [sheet.say(value * sheet.unit.ns) for _, value in placed],
        }
    )
    lost = [
        (row.number, place, f"{quantity.share(row.lost, row.known)} lost")
        for place, (row, _) in enumerate(placed)
        if row.lost
    ] + [
        (row.number, len(placed) + place, "nothing delivered") for place, row in enumerate(left_out)
    ]
    layers = [
        alt.Chart(values)
        .mark_text(align="right", dx=70, aria=False)
        .encode(x=marks.x_end(), y=y, text=alt.Text("text:N"))
    ]
    if lost:
        losses = marks.table(
            {
                "r": [number for number, *_ in lost],
                "y": [place + drop for _, place, _ in lost],
                "text": [text for *_, text in lost],
            }
        )
        layers.append(
            alt.Chart(losses)
            .mark_text(align="left", dx=78, color=theme.LOST, fontWeight="bold", aria=False)
            .encode(x=marks.x_end(), y=y, text=alt.Text("text:N"))
        )
    return layers


def _title(sheet: Sheet, placed: list[tuple[Row, float]]) -> str:
    (first, shortest), (last, longest) = placed[0], placed[-1]
    ns = sheet.unit.ns
    if len(placed) == 1:
        return f"Three in four transfers of {first.name} take at most {sheet.say(ns * shortest)}"
    short, long = sheet.say_both(ns * shortest, ns * longest)
    if short == long:
        return f"Three in four transfers of every run take at most {short}"
    return f"Three in four transfers take at most {short} ({first.name}) to {long} ({last.name})"
