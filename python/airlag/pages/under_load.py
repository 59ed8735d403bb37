"""Bandwidth against latency: tunnels under load over each other, and what was published of one.

A curve goes from the lightest load to the heaviest. Solid is what packets of a sparse flow beside
the bulk took; dashed is what the published measurement calls latency: how much longer than intended
it took until the bulk was there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from airlag import quantity
from airlag.json_types.tunnel_bench import RealLoad, Tunnel, VirtualLoad
from airlag.pages import chart_file, marks, theme
from airlag.pages.sheet import AXIS, PLOT, log_ticks, span
from airlag.under_load import told

Load = VirtualLoad | RealLoad

#: Heights of the two panels, px.
HEIGHT, BELOW = 400, 110
#: What is shorter has no place on an axis of powers of ten, ms.
SHORTEST = 1.0

#: What was published of the naive tunnel: the most it carried, kbit/s, and where.
PUBLISHED_KBPS = 185.0
SOURCE = "EITN30, Performance evaluation"
#: Its name as a curve.
LINE = f"published: T · (B / {PUBLISHED_KBPS:g} kbit/s - 1), {SOURCE}"

#: What the ceiling of each is of.
_OF: Mapping[Tunnel, str] = {
    "tunnel": "block acknowledgement",
    "naive": "each payload acknowledged",
}

#: Colours of the tunnels: orange, next to the vermillion of losses, comes last.
_COLOURS = (theme.RUN_COLOURS[0], *theme.RUN_COLOURS[2:], theme.RUN_COLOURS[1])

#: What is drawn of each load, and how.
SPARSE, EXCESS = "sparse flow, p95", "longer than intended"
SHAPES: Mapping[str, str] = {SPARSE: "circle", EXCESS: "triangle-up"}


def write_under_load(
    found: Sequence[Load], path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write the chart of tunnels under load; the ending of the path decides what it is.

    Parameters
    ----------
    found
        At least one load.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    """
    chart_file.write(chart(found), path, name="under-load", what="loads", force=force)


def chart(found: Sequence[Load]) -> marks.Spec:
    """Draw latency against offered bandwidth, both logarithmic, and below it what was lost.

    Parameters
    ----------
    found
        At least one load; those without an offered bandwidth (TCP) are left out.

    Returns
    -------
    marks.Spec
        For each tunnel a solid line of the sparse flow and a dashed one of the excess, the
        published line, rules at the ceilings, crosses where packets were lost, and their share
        below.
    """
    drawn = [load for load in found if load["offered_kbps"] is not None]
    names = list(dict.fromkeys(told(load) for load in drawn))
    rows = [row for load in drawn for row in _rows(load)]
    line = _published(drawn)
    rules = _ceilings(drawn)
    across = [load["offered_kbps"] or SHORTEST for load in drawn] or [1.0]
    across += [rule["x"] for rule in rules]
    up = [row["y"] for row in rows] + [row["y"] for row in line] or [1.0]
    x = _axis("x:Q", across, None)
    y = _axis("y:Q", up, "latency, ms (log axis)")
    colour = _colour(names, rules, bool(line))
    dash = alt.StrokeDash(
        "what:N", scale=alt.Scale(domain=list(SHAPES), range=[[1, 0], [5, 4]]), legend=None
    )
    shape = alt.Shape(
        "what:N",
        scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())),
        legend=None,
    )
    base = alt.Chart(alt.InlineData(values=rows))
    lines = base.mark_line(strokeWidth=1.8, aria=False).encode(
        x=x, y=y, color=colour, strokeDash=dash, order=alt.Order("x:Q"), detail="what:N"
    )
    points = base.mark_point(size=50, filled=True, opacity=1.0, aria=False).encode(
        x=x,
        y=y,
        color=colour,
        shape=shape,
        tooltip=[alt.Tooltip(f"{key}:N", title=key) for key in _TOLD],
    )
    lost = (
        base.transform_filter("datum.cross")
        .mark_point(shape=theme.CROSS, size=80, stroke=theme.LOST, strokeWidth=1.8, yOffset=-11)
        .encode(x=x, y=y)
    )
    published = (
        alt.Chart(alt.InlineData(values=line))
        .mark_line(strokeWidth=5, opacity=0.45, aria=False)
        .encode(x=x, y=y, color=colour, order=alt.Order("x:Q"))
    )
    ruled = (
        alt.Chart(alt.InlineData(values=rules))
        .mark_rule(strokeWidth=1.2, strokeDash=[2, 3], aria=False)
        .encode(x=x, color=colour)
    )
    top = marks.layered(ruled, published, lines, points, lost, width=PLOT, height=HEIGHT)
    return marks.stacked(
        [top, _losses(drawn, names, across, colour)],
        spacing=18,
        title=marks.titled(_title(drawn), *_reading(drawn, bool(line))),
    )


#: Told of a point that is pointed at.
_TOLD = ("tunnel", "what", "offered", "goodput", "latency", "lost")


def _rows(load: Load) -> list[dict[str, Any]]:
    sparse, excess = load["sparse_latency_ns"], load["completion_excess_ns"]
    lost, offered = load["lost"], load["offered"]
    values = {
        SPARSE: None if sparse is None else sparse["p95"] / 1e6,
        EXCESS: None if excess is None else excess / 1e6,
    }
    return [
        {
            "tunnel": told(load),
            "what": what,
            "x": load["offered_kbps"],
            "y": value,
            "cross": what == SPARSE and bool(lost or load["sparse_lost"]),
            "offered": f"{quantity.number(load['offered_kbps'] or 0)} kbit/s",
            "goodput": f"{quantity.number(load['goodput_kbps'])} kbit/s",
            "latency": f"{quantity.number(value)} ms",
            "lost": "–" if lost is None or offered is None else quantity.share(lost, offered),
        }
        for what, value in values.items()
        if value is not None and value >= SHORTEST
    ]


def _published(loads: Sequence[Load]) -> list[dict[str, Any]]:
    """The published line over the loads that the naive tunnel was offered; nothing without it."""
    naive = [load for load in loads if load["profile"] == "naive"]
    most = max((load["offered_kbps"] or 0.0 for load in naive), default=0.0)
    if most <= PUBLISHED_KBPS * 1.01:
        return []
    window_ms = naive[0]["window_ns"] / 1e6
    steps = 40
    first = 1.01
    ratio = (most / PUBLISHED_KBPS / first) ** (1 / (steps - 1))
    over = [first * ratio**nth for nth in range(steps)]
    return [
        {"tunnel": LINE, "x": PUBLISHED_KBPS * times, "y": window_ms * (times - 1)}
        for times in over
        if window_ms * (times - 1) >= SHORTEST
    ]


def _ceilings(loads: Sequence[Load]) -> list[dict[str, Any]]:
    """What the formulas allow, one for each tunnel and its settings."""
    found: dict[str, tuple[Tunnel, float]] = {}
    for load in loads:
        if load["clock"] == "virtual" and load["ceiling_kbps"] is not None:
            found.setdefault(told(load), (load["profile"], load["ceiling_kbps"]))
    return [
        {
            "tunnel": name,
            "x": kbps,
            "label": f"{name}: ceiling {quantity.number(kbps)} kbit/s of user data, {_OF[profile]}",
        }
        for name, (profile, kbps) in found.items()
    ]


def _losses(
    loads: Sequence[Load], names: Sequence[str], across: Sequence[float], colour: alt.Color
) -> marks.Spec:
    """The share of the bulk that never came."""
    rows = [
        {
            "tunnel": told(load),
            "x": load["offered_kbps"],
            "y": 100 * (load["lost"] or 0) / max(load["offered"] or 0, 1),
        }
        for load in loads
    ]
    x = _axis("x:Q", across, "offered bandwidth, kbit/s (log axis)")
    y = alt.Y(
        "y:Q",
        scale=marks.scale(0, 100),
        axis=alt.Axis(title="bulk lost, %", values=[0, 50, 100], minExtent=AXIS),
    )
    base = alt.Chart(alt.InlineData(values=rows))
    lines = base.mark_line(strokeWidth=1.4, aria=False).encode(
        x=x, y=y, color=colour, order=alt.Order("x:Q")
    )
    crosses = base.mark_point(
        shape=theme.CROSS, size=60, stroke=theme.LOST, strokeWidth=1.6, aria=False
    ).encode(x=x, y=y)
    del names
    return marks.layered(lines, crosses.transform_filter("datum.y > 0"), width=PLOT, height=BELOW)


def _axis(field: str, values: Sequence[float], title: str | None) -> Any:
    low, high = span(values, log=True)
    is_x = field.startswith("x")
    axis = alt.Axis(
        title=title,
        values=log_ticks(low, high),
        format="~r",
        minExtent=0 if is_x else AXIS,
        labels=not is_x or title is not None,
    )
    channel = alt.X if is_x else alt.Y
    return channel(field, scale=marks.scale(low, high, log=True), axis=axis)


def _colour(names: Sequence[str], rules: Sequence[dict[str, Any]], published: bool) -> alt.Color:
    domain = [*names, *([LINE] if published else [])]
    colours = [_COLOURS[nth % len(_COLOURS)] for nth in range(len(names))]
    labels = {name: name for name in domain} | {rule["tunnel"]: rule["label"] for rule in rules}
    return alt.Color(
        "tunnel:N",
        scale=alt.Scale(domain=domain, range=[*colours, *([theme.CENSORED] if published else [])]),
        legend=alt.Legend(
            title=None,
            orient="bottom",
            columns=1,
            labelLimit=PLOT,
            labelExpr=f"({json.dumps(labels)})[datum.label]",
            symbolType="stroke",
            symbolOpacity=1.0,
            symbolStrokeWidth=2.5,
            offset=12,
        ),
    )


def _title(loads: Sequence[Load]) -> str:
    clock = "in real time" if loads and loads[0]["clock"] == "real" else "in virtual time"
    return f"How long packets take the more a tunnel is offered, {clock}"


def _reading(loads: Sequence[Load], published: bool) -> list[str]:
    if not loads:
        return ["No load was offered as UDP."]
    seconds = f"{loads[0]['window_ns'] / 1e9:g}"
    lines = [
        f"UDP that fills packets for T = {seconds} s, and one packet of 64 B each 100 ms beside "
        "it. Solid, circles: 95 of 100 of the sparse packets that came took at most so long. "
        "Dashed, triangles: how much longer than T it took until the bulk was there.",
    ]
    if any(load["clock"] == "virtual" for load in loads):
        lines.append("Dotted rules: ceilings of the formulas.")
    if published:
        lines.append(
            "The wide grey line is what was published of the naive tunnel; it ends at no queue, "
            "while the bench's holds 500 packets and refuses what finds it full."
        )
    if any(load["lost"] or load["sparse_lost"] for load in loads):
        lines.append("A cross: packets of that load were lost, most of them in queues.")
    late = _late(loads)
    return [*lines, late] if late else lines


def _late(loads: Sequence[Load]) -> str:
    """How late the emulation was where it ran in real time."""
    late = [load["late_ns"] for load in loads if load["clock"] == "real"]
    known = [one for one in late if one is not None and one["n"]]
    if not known:
        return ""
    p50 = max(one["p50"] for one in known) / 1e6
    p99 = max(one["p99"] for one in known) / 1e6
    return (
        f"The emulation itself was late by up to {quantity.number(p50, 3)} ms (median of a load) "
        f"and {quantity.number(p99, 3)} ms (p99)."
    )
