"""Latency against goodput: links under load over each other, as a picture or a page.

A line goes from a link's lightest load to its heaviest: up where the queue grows, and no further to
the right than what the link carries. What a heavier load loses is written beside its points.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from airlag import quantity
from airlag.asked import Asked, settings_in_words, told_apart
from airlag.json_types.run import Percentile
from airlag.offered import CARRIED, Loaded, Point, sized
from airlag.pages import chart_file, marks, theme
from airlag.pages.sheet import AXIS, PLOT, log_ticks, span

HEIGHT = 420

#: The two quantiles that are drawn, and their marks.
SHAPES: Mapping[Percentile, str] = {"p50": "circle", "p99": "triangle-up"}


def write_load(
    found: Sequence[Loaded], path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write the chart of links under load; the ending of the path decides what it is.

    Parameters
    ----------
    found
        At least one.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    """
    chart_file.write(chart(found), path, name="load", what="loads", force=force)


def chart(found: Sequence[Loaded]) -> marks.Spec:
    """Draw latency against goodput, both logarithmic, for links under load.

    Parameters
    ----------
    found
        At least one.

    Returns
    -------
    marks.Spec
        For each link a line of p50 and a paler one of p99 through its loads, a rule at its knee, a
        dashed one at its ceiling, and crosses where messages were lost.
    """
    names = _names(found)
    reached = [
        (name, point, point.latency)
        for name, each in zip(names, found, strict=True)
        for point in each.points
        if point.latency is not None and point.goodput_kbps > 0
    ]
    unit = quantity.unit_for(latency["p50"] for _, _, latency in reached)
    rows = [
        _row(name, which, point, latency[which] / unit.ns)
        for name, point, latency in reached
        for which in SHAPES
    ]
    limits = [
        (name, what, value)
        for name, each in zip(names, found, strict=True)
        for what, value in (("knee", each.knee_kbps), ("ceiling", each.saturated.ceiling_kbps))
        if value is not None
    ]
    # A point without a latency would have no place: the axes stand even if nothing arrived.
    across = [row["x"] for row in rows] + [value for _, _, value in limits] or [1.0]
    up = [row["y"] for row in rows] or [1.0]
    x = _axis("x:Q", across, "goodput, kbit/s (log axis)", 0)
    y = _axis("y:Q", up, f"latency, {unit.name} (log axis)", AXIS)
    labels = [f"{name}: {_limit(each)}" for name, each in zip(names, found, strict=True)]
    told = dict(zip(names, labels, strict=True))
    colour = alt.Color(
        "link:N",
        scale=alt.Scale(domain=names, range=[theme.run_colour(n) for n in range(len(names))]),
        legend=alt.Legend(
            title=None,
            orient="bottom",
            columns=1,
            labelLimit=PLOT,
            labelExpr=f"({json.dumps(told)})[datum.label]",
            offset=12,
        ),
    )
    table = alt.InlineData(values=rows)
    base = alt.Chart(table)
    order = alt.Order("nth:Q")
    which = alt.Shape(
        "quantile:N",
        scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())),
        legend=alt.Legend(title=None, orient="right", symbolFillColor=theme.INK, offset=12),
    )
    lines = base.mark_line(strokeWidth=1.6, aria=False).encode(
        x=x,
        y=y,
        color=colour,
        order=order,
        detail="quantile:N",
        strokeDash=alt.StrokeDash(
            "quantile:N", scale=alt.Scale(domain=list(SHAPES), range=[[1, 0], [3, 3]]), legend=None
        ),
    )
    points = base.mark_point(size=44, filled=True, opacity=1.0, aria=False).encode(
        x=x,
        y=y,
        color=colour,
        shape=which,
        tooltip=[alt.Tooltip(f"{key}:N", title=key) for key in _TOLD],
    )
    lost = (
        base.transform_filter("datum.cross")
        .mark_point(shape=theme.CROSS, size=90, stroke=theme.LOST, strokeWidth=1.8, dy=-10)
        .encode(x=x, y=y)
    )
    return marks.layered(
        _limits(limits, x, colour),
        lines,
        points,
        lost,
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(_title(found), *_reading(found)),
    )


#: Told of a point that is pointed at.
_TOLD = ("link", "offered", "goodput", "quantile", "latency", "queue", "refused", "lost")


def _names(found: Sequence[Loaded]) -> list[str]:
    """What each line is called: the link, its size where there are several, and what differs."""
    sizes = {each.offer.size for each in found}
    asked = [Asked(each.saturated.link, each.offer.size, each.offer.settings) for each in found]
    return [
        ", ".join(words.told if len(sizes) > 1 else [words.link, *words.differing])
        for words in told_apart(asked)
    ]


def _shared(found: Sequence[Loaded]) -> list[str]:
    """What is set alike for every line, and so in none of their names."""
    first, *others = (settings_in_words(one.saturated.link, one.offer.settings) for one in found)
    return [word for word in first if all(word in other for other in others)]


def _row(name: str, which: str, point: Point, latency: float) -> dict[str, Any]:
    return {
        "link": name,
        "quantile": which,
        "nth": point.offered_kbps,
        "x": point.goodput_kbps,
        "y": latency,
        "cross": which == "p99" and point.lost > 0,
        "offered": f"{quantity.number(point.offered_kbps)} kbit/s, {point.utilisation:.3g}",
        "goodput": f"{quantity.number(point.goodput_kbps)} kbit/s",
        "latency": quantity.number(latency),
        "queue": quantity.number(point.queue_mean, 3),
        "refused": quantity.share(point.refused, point.offered),
        "lost": quantity.share(point.lost - point.refused, point.offered),
    }


def _axis(field: str, values: Sequence[float], title: str, room: int) -> Any:
    low, high = span(values, log=True)
    axis = alt.Axis(title=title, values=log_ticks(low, high), format="~r", minExtent=room)
    channel = alt.X if field.startswith("x") else alt.Y
    return channel(field, scale=marks.scale(low, high, log=True), axis=axis)


def _limits(limits: Sequence[tuple[str, str, float]], x: alt.X, colour: alt.Color) -> alt.Chart:
    """Upright rules at knees and ceilings."""
    values = [{"link": name, "what": what, "x": value} for name, what, value in limits]
    dash = alt.StrokeDash(
        "what:N", scale=alt.Scale(domain=["knee", "ceiling"], range=[[1, 0], [6, 4]]), legend=None
    )
    drawn: alt.Chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_rule(strokeWidth=1.1, opacity=0.7, aria=False)
        .encode(x=x, color=colour, strokeDash=dash)
    )
    return drawn


def _limit(each: Loaded) -> str:
    """Knee and ceiling of a link, in words."""
    knee, ceiling = each.knee_kbps, each.saturated.ceiling_kbps
    words = ["no knee at these loads" if knee is None else f"knee {quantity.number(knee)} kbit/s"]
    if ceiling is not None:
        words.append(f"ceiling {quantity.number(ceiling)} kbit/s")
    return ", ".join(words)


def _title(found: Sequence[Loaded]) -> str:
    if len(found) > 1:
        return "How much each link carries, and how long messages take then"
    (each,) = found
    link, knee = each.saturated.link, each.knee_kbps
    if knee is None:
        return f"{link}: how long messages take the more are offered"
    return f"{link}: up to {quantity.number(knee)} kbit/s arrive, and then the queue is full"


def _reading(found: Sequence[Loaded]) -> Sequence[str]:
    offer = found[0].offer
    sizes = " or ".join(f"{size}" for size in dict.fromkeys(each.offer.size for each in found))
    sent = f"{sizes} B a message"
    if offer.traffic != CARRIED[0]:
        called = dict.fromkeys(sized(offer.traffic, each.offer.size) for each in found)
        sent = f"{' or '.join(called)} a call"
    if shared := _shared(found):
        sent += f", {', '.join(shared)}"
    lines = [
        f"{sent}, {offer.arrivals} arrivals, a queue of "
        f"{quantity.count(offer.queue)}. A line goes from the lightest load to the heaviest: up "
        "where the queue grows, and no further right than what arrives.",
        "Solid rule: knee, the largest load that arrives. Dashed rule: ceiling of the formulas.",
    ]
    if any(point.lost for each in found for point in each.points):
        lines.append(
            "A cross: messages of that load were refused by the queue, or lost on the way."
        )
    return lines
