"""One family of links on one axis: what was published, captured, and run on the bench."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
from altair import SCHEMA_URL

from airlag import payload, quantity
from airlag.pages import marks, theme
from airlag.pages.sheet import LETTER, RIGHT, WIDTH, log_ticks, span
from airlag.results import Line, unit_of
from airlag.runs import Outcome, Run

#: Height of a row, px.
TALL = 20

#: Colours of the medians. Where they agree, no mark hides another: a diamond around a ring around a
#: tick.
FLOOR, PUBLISHED, CAPTURED = theme.QUIET, theme.RUN_COLOURS[1], theme.RUN_COLOURS[2]
VIRTUAL = theme.RUN_COLOURS[0]


def chart(name: str, family: Sequence[Line]) -> marks.Spec:
    """Draw the medians of each line of a family, and p1 to p99 of its asynchronous run.

    Parameters
    ----------
    name
        Of the family.
    family
        At least one line.

    Returns
    -------
    marks.Spec
        A complete Vega-Lite specification; a row a line, log axis, losses at the right.
    """
    unit = unit_of(family)
    rows = ["  ".join(payload.words(line.name, line.size)) for line in family]
    left = min(330.0, 16.0 + LETTER * max(map(len, rows)))
    plot = WIDTH - left - RIGHT
    medians = {
        what: [(row, ns / unit.ns) for row, ns in enumerate(each) if ns is not None and ns > 0.0]
        for what, each in _medians(family).items()
    }
    ranges = [
        (row, low / unit.ns, high / unit.ns)
        for row, line in enumerate(family)
        for low, high in [_range(line.runs.get("uniform"))]
        if low is not None and high is not None and low > 0.0
    ]
    ends = [value for each in medians.values() for _, value in each]
    ends += [value for _, *both in ranges for value in both]
    low, high = span(ends or [1.0, 10.0], log=True)
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-0.5, len(rows) - 0.5], reverse=True, nice=False, zero=False),
        axis=alt.Axis(
            title=None,
            values=list(range(len(rows))),
            labelExpr=f"{rows!r}[datum.value]",
            labelLimit=left,
            minExtent=left - 8,
            ticks=False,
            domain=False,
        ),
    )
    x = alt.X(
        "x:Q",
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(
            title=f"latency, {unit.name} (log axis)", values=log_ticks(low, high), format="~r"
        ),
    )
    bars = alt.Chart(
        marks.table(
            {
                "y": [row for row, *_ in ranges],
                "x": [low for _, low, _ in ranges],
                "x2": [high for *_, high in ranges],
            }
        )
    ).mark_rule(strokeWidth=9, color=VIRTUAL, opacity=0.25, aria=False)

    def dots(what: str) -> alt.Chart:
        found = medians[what]
        data = marks.table({"y": [row for row, _ in found], "x": [value for _, value in found]})
        told: alt.Chart = alt.Chart(data).encode(
            x=x, y=y, tooltip=[alt.Tooltip("x:Q", title=f"{what}, {unit.name}", format=",.6~f")]
        )
        return told

    tick: dict[str, Any] = {"orient": "vertical", "thickness": 3, "aria": False}
    ring: dict[str, Any] = {"filled": False, "strokeWidth": 2, "opacity": 1.0, "aria": False}
    layers = [
        bars.encode(x=x, x2=alt.X2("x2:Q"), y=y),
        dots("floor").mark_tick(size=14, color=FLOOR, **tick),
        dots("virtual").mark_tick(size=9, color=VIRTUAL, **tick),
        dots("captured").mark_point(shape="circle", size=70, color=CAPTURED, **ring),
        dots("published").mark_point(shape="diamond", size=190, color=PUBLISHED, **ring),
        *_losses(family, y, plot),
    ]
    drawn = marks.layered(
        *layers,
        width=plot,
        height=TALL * len(rows),
        title=marks.titled(
            f"{name}: medians published, captured and on the bench",
            "Diamond: published. Ring: captured. Blue: asynchronous on the bench, a tick at the "
            "median and a bar from p1 to p99. Grey tick: floor. Losses count in no quantile: read "
            "them at the right.",
            width=WIDTH - left,
        ),
    )
    return {"$schema": SCHEMA_URL, "config": theme.config(), **drawn}


def described(name: str, family: Sequence[Line]) -> str:
    """What a reader who cannot see the chart is told."""
    return f"Medians of {len(family)} rows of {name}; the table below has the same numbers."


def _medians(family: Sequence[Line]) -> dict[str, list[float | None]]:
    """By what they are of, one a line, ns."""
    return {
        "floor": [line.known.floor_ns for line in family],
        "published": [line.known.published_ns for line in family],
        "captured": [_median(line.known.captured) for line in family],
        "virtual": [_median(line.runs.get("uniform")) for line in family],
    }


def _median(run: Run | None) -> float | None:
    return None if run is None or run.latency is None else run.latency["p50"]


def _range(run: Run | None) -> tuple[float | None, float | None]:
    latency = None if run is None else run.latency
    return (None, None) if latency is None else (latency["p1"], latency["p99"])


def _losses(family: Sequence[Line], y: alt.Y, plot: float) -> list[alt.Chart]:
    told = []
    for row, line in enumerate(family):
        run = line.runs.get("uniform")
        lost = 0 if run is None else run.count(Outcome.LOST)
        if run is not None and lost:
            told.append((row, f"{quantity.share(lost, len(run.outcome))} lost"))
    if not told:
        return []
    data = marks.table({"y": [row for row, _ in told], "text": [text for _, text in told]})
    words = alt.Chart(data).mark_text(
        align="left", dx=8, color=theme.LOST, fontWeight="bold", aria=False
    )
    return [words.encode(x=marks.x_px(plot), y=y, text=alt.Text("text:N"))]
