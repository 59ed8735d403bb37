"""One packet as a timeline: named slices, coloured by what kind of thing they are.

The median transfer and the p99 one stand above the latencies of the whole run, on one axis.
"""

from __future__ import annotations

import math
import os
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import vl_convert

from airlag import advised, payload, quantity
from airlag.asked import settings_in_words
from airlag.bench import TRAFFIC, Request
from airlag.budget import Advice, Budget, Explained, Floor, Timeline
from airlag.pages import output, packet_page, theme
from airlag.pages.marks import Spec, table
from airlag.pages.picture import SCALE, drawn_svg
from airlag.slices import COLOURS, INK_ON, MEANING

#: Width of the plot, px: the picture is 800 wide.
WIDTH = 692
#: Height of a lane, of the space above one without names, and of the ridge, px.
LANE, ABOVE, RIDGE = 34, 2, 70
#: Slices narrower than this are not named, and names stand at least this far apart, px.
NARROWEST, APART = 3.0, 18.0
#: Width of a letter in a slice's name, px, and how steep names stand above their slices, degrees.
LETTER, STEEP = 5.4, 40
#: Height of a line of advice, px.
LINE = 15
#: Bins of the ridge.
BINS = 230
#: What the name of the floor takes beside its line, px.
FLOOR_NAME = 30

#: What a picture can be written as.
SUFFIXES = (".svg", ".png", ".html")


def write_packet(
    told: Explained,
    path: str | os.PathLike[str],
    advice: Advice | None = None,
    *,
    force: bool = False,
) -> None:
    """Write the picture of an explained run; the ending of the path decides what it is.

    Parameters
    ----------
    told
        A run that delivered something.
    path
        Ends in ``.svg``, ``.png`` or ``.html`` (the picture with its table). It appears complete
        or not at all.
    advice
        What to change, which stands below the picture; ``None``: nobody asked.
    force
        Replace a file that is there even if airlag did not draw it.

    Raises
    ------
    ValueError
        When the ending is another, or nothing arrived; one line.
    FileExistsError
        When the file is there and not airlag's, unless ``force``.
    OSError
        When it cannot be written.
    """
    target = Path(path)
    kind = kind_of(target)
    if kind == ".png":
        content = vl_convert.svg_to_png(_drawn(told, advice), scale=SCALE)
    elif kind == ".svg":
        content = svg(told, advice).encode()
    else:
        # On a page the advice is text, which follows the width there is.
        content = packet_page.page(told, svg(told), advice).encode()
    output.write(target, content, force=force)


def kind_of(path: Path) -> str:
    """The ending of a picture's name, which decides what it is.

    Raises
    ------
    ValueError
        When it is another; one line.
    """
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise ValueError(f"{path}: a picture of a packet is a .svg, .png or .html file")
    return kind


def svg(told: Explained, advice: Advice | None = None) -> str:
    """The picture as SVG text, which follows whether its viewer is light or dark.

    Raises
    ------
    ValueError
        When nothing arrived; one line.
    """
    head, rest = _drawn(told, advice).split(">", 1)
    colours = "".join(
        f'[{what}="{light}"]{{{what}:{dark}}}'
        for what in ("fill", "stroke")
        for light, dark in theme.IN_THE_DARK
    )
    # Slices are apart by lines of paper; names on slices are white on either.
    dark = theme.PAPER_IN_THE_DARK
    ground = f'svg>rect{{fill:{dark}}}[stroke="{theme.PAPER}"]{{stroke:{dark}}}'
    return f"{head}><style>@media(prefers-color-scheme:dark){{{ground}{colours}}}</style>{rest}"


def chart(told: Explained, advice: Advice | None = None) -> Spec:
    """The picture as Vega-Lite, without the look of a page or picture.

    Raises
    ------
    ValueError
        When nothing arrived; one line.
    """
    if told.budget is None:
        raise ValueError(f"{told.request.link}: nothing arrived, so there is no packet to draw")
    spec: Spec = _figure(told, told.budget, advice).to_dict()
    return spec


def _drawn(told: Explained, advice: Advice | None) -> str:
    return drawn_svg(chart(told, advice) | {"config": theme.config()})


@dataclass(frozen=True, slots=True)
class _Scale:
    unit: quantity.Unit
    longest_ns: float

    def at(self, ns: float) -> float:
        return ns / self.unit.ns

    def px(self, ns: float) -> float:
        return ns / self.longest_ns * WIDTH


def _figure(told: Explained, budget: Budget, advice: Advice | None) -> alt.VConcatChart:
    longest = max(budget.p99.latency_ns, told.floor.ns) * 1.03
    scale = _Scale(quantity.unit_for([budget.median.latency_ns]), longest)
    lanes = [("median", budget.median), ("p99", budget.p99)]
    named: set[tuple[str, str]] = set()
    rows: list[alt.SchemaBase] = [_lane(title, line, scale, named) for title, line in lanes]
    rows.append(_ridge(told, scale))
    # What is too narrow to be seen needs no entry in the legend.
    parts = (part for _, timeline in lanes for part in timeline.parts)
    used = {part.kind for part in parts if scale.px(part.ns) >= 1.0}
    request = told.request
    heading = alt.Title(
        text=f"{_what(request)}, from trigger to strobe",
        subtitle=_words(told, budget),
    )
    rows.append(_legend([k for k in COLOURS if k in used]))
    if advice is not None:
        rows.append(_advice(advice, told.floor))
    figure: alt.VConcatChart = (
        alt.VConcatChart(vconcat=rows, spacing=6)
        .resolve_scale(color="shared")
        .properties(title=heading)
    )
    return figure


def _what(request: Request) -> str:
    """What the picture is of."""
    if request.size is None:
        return f"One answer of {request.link}"
    what = "packet" if request.traffic == TRAFFIC[0] else request.traffic
    return f"One {what} over {', '.join(payload.words(request.link, request.size))}"


def _words(told: Explained, budget: Budget) -> list[str]:
    unit = quantity.unit_for([budget.median.latency_ns])

    def shown(ns: float) -> str:
        return quantity.duration(ns, unit)

    # A run that delivered something has latencies.
    arrived, total = budget.n, len(told.run.outcome)
    settings = settings_in_words(told.request.link, told.request.settings)
    return [
        *([f"with {', '.join(settings)}"] if settings else []),
        f"median {shown(budget.median.latency_ns)}, p99 {shown(budget.p99.latency_ns)}; "
        f"{quantity.count(arrived)} of {quantity.count(total)} arrived; "
        f"set like this no message takes less than {shown(told.floor.ns)}",
    ]


def _x(field: str, scale: _Scale, axis: alt.Axis | None = None) -> alt.X:
    domain = [0.0, scale.at(scale.longest_ns)]
    return alt.X(f"{field}:Q", scale=alt.Scale(domain=domain, nice=False), axis=axis)


def _lane(
    title: str, timeline: Timeline, scale: _Scale, named: set[tuple[str, str]]
) -> alt.LayerChart | alt.FacetChart:
    parts = timeline.parts
    ends = np.cumsum([0, *(part.ns for part in parts)])
    data = table(
        {
            "begin": [scale.at(each) for each in ends[:-1]],
            "end": [scale.at(each) for each in ends[1:]],
            "kindtext": [part.kind for part in parts],
            "nametext": [part.name for part in parts],
        }
    )
    labels = list(_labels(timeline, scale, named))
    longest = max((len(text) for text, _, _ in labels), default=0)
    rise = math.sin(math.radians(STEEP)) * LETTER * longest
    above = math.ceil(rise) + 18 if labels else ABOVE
    height = above + LANE
    colour = alt.Color(
        "kindtext:N",
        scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
        legend=None,
    )
    bars = (
        alt.Chart(data)
        .mark_rect(stroke=theme.PAPER, strokeWidth=0.4)
        .encode(
            x=_x("begin", scale),
            x2="end:Q",
            y=alt.value(above),
            y2=alt.value(height),
            color=colour,
            tooltip=["nametext:N", "begin:Q", "end:Q"],
        )
    )
    layers: list[Any] = [bars]
    if labels:
        layers += _names(labels, scale, above)
    if inside := list(_wide(timeline, scale)):
        words = alt.Chart(alt.InlineData(values=inside)).mark_text(fontSize=10.5)
        layers.append(
            words.encode(
                x=_x("x", scale),
                y=alt.value(above + LANE / 2),
                text="text:N",
                color=alt.Color("ink:N", scale=None),
            )
        )
    lane = alt.Chart(alt.InlineData(values=[{"text": title}]))
    layers.append(
        lane.mark_text(align="right", fontWeight="bold", fontSize=12, color=theme.INK).encode(
            x=alt.value(-8), y=alt.value(above + LANE / 2), text="text:N"
        )
    )
    drawn: alt.LayerChart | alt.FacetChart = alt.layer(*layers).properties(
        width=WIDTH, height=height
    )
    return drawn


def _names(labels: Sequence[tuple[str, float, float]], scale: _Scale, above: float) -> list[Any]:
    """Names above the slices that they belong to, each with a line down to it."""
    share = scale.at(scale.longest_ns) / WIDTH
    data = alt.InlineData(
        values=[
            {"text": text, "x": middle * share, "at": stands * share}
            for text, middle, stands in labels
        ]
    )
    lines = (
        alt.Chart(data)
        .mark_rule(color="#888888", strokeWidth=0.8)
        .encode(x=_x("at", scale), x2="x:Q", y=alt.value(above - 9), y2=alt.value(above))
    )
    words = (
        alt.Chart(data)
        .mark_text(
            align="left", baseline="middle", angle=360 - STEEP, fontSize=10.5, color=theme.INK
        )
        .encode(x=_x("at", scale), y=alt.value(above - 13), text="text:N")
    )
    return [lines, words]


def _labels(
    timeline: Timeline, scale: _Scale, named: set[tuple[str, str]]
) -> Iterator[tuple[str, float, float]]:
    """Each thing's first slice that is wide enough: its name, its middle, where the name stands."""
    at, free = 0, 0.0
    for part in timeline.parts:
        begin, end = scale.px(at), scale.px(at + part.ns)
        at += part.ns
        if end - begin < NARROWEST or (part.name, part.kind) in named:
            continue
        if end - begin >= _room(part.name):
            continue
        named.add((part.name, part.kind))
        middle = (begin + end) / 2
        stands = max(middle, free)
        free = stands + APART
        # A name that would leave the picture is left to the colours.
        if stands < WIDTH - 40:
            yield part.name, middle, stands


def _room(name: str) -> float:
    """Width a slice must have for its name to stand in it, px."""
    return LETTER * len(name) + 8


def _wide(timeline: Timeline, scale: _Scale) -> Iterator[dict[str, Any]]:
    """Slices whose names fit into them."""
    at = 0
    for part in timeline.parts:
        if scale.px(part.ns) >= _room(part.name):
            middle = scale.at(at + part.ns / 2)
            yield {"text": part.name, "x": middle, "ink": INK_ON[part.kind]}
        at += part.ns


def _ridge(told: Explained, scale: _Scale) -> alt.LayerChart | alt.FacetChart:
    latencies = told.run.latency_ns
    counts, edges = np.histogram(latencies, bins=BINS, range=(0, scale.longest_ns))
    beyond = int(np.count_nonzero(latencies > scale.longest_ns))
    filled = counts > 0
    data = table(
        {
            "begin": [scale.at(each) for each in edges[:-1][filled]],
            "end": [scale.at(each) for each in edges[1:][filled]],
            "packets": counts[filled],
        }
    )
    title = f"from trigger to strobe, {scale.unit.name}"
    if beyond:
        title += f" ({quantity.count(beyond)} longer ones not shown)"
    axis = alt.Axis(title=title, grid=False)
    bars = (
        alt.Chart(data)
        .mark_rect(color=theme.QUIET)
        .encode(
            x=_x("begin", scale, axis),
            x2="end:Q",
            y=alt.Y("packets:Q", axis=alt.Axis(title="packets", tickCount=3, grid=False)),
            y2=alt.datum(0),
        )
    )
    floor = alt.Chart(alt.InlineData(values=[{"x": scale.at(told.floor.ns), "text": "floor"}]))
    # The name stands clear of the packets, which cannot be left of it; and of the axis, which is
    # left of a floor near nothing.
    left = scale.px(told.floor.ns) > FLOOR_NAME
    line = floor.mark_rule(color=theme.INK, strokeDash=[4, 3]).encode(x=_x("x", scale, axis))
    beside = floor.mark_text(
        align="right" if left else "left", dx=-5 if left else 5, fontSize=11, color=theme.INK
    )
    word = beside.encode(x=_x("x", scale, axis), y=alt.value(8), text="text:N")
    drawn: alt.LayerChart | alt.FacetChart = alt.layer(bars, line, word).properties(
        width=WIDTH, height=RIDGE
    )
    return drawn


def _legend(kinds: Sequence[str]) -> alt.LayerChart | alt.FacetChart:
    """What the colours mean, in a line of its own below the axis."""
    widths = [36 + LETTER * len(MEANING[kind]) for kind in kinds]
    rows, x, y = [], 0.0, 0
    for kind, width in zip(kinds, widths, strict=True):
        if x + width > WIDTH + 40:
            x, y = 0.0, y + 18
        rows.append({"text": MEANING[kind], "kind": kind, "x": x, "y": y + 8})
        x += width
    height = y + 16
    base = alt.Chart(alt.InlineData(values=rows))
    place = {
        "x": alt.X("x:Q", scale=alt.Scale(domain=[0, WIDTH], nice=False), axis=None),
        "y": alt.Y("y:Q", scale=alt.Scale(domain=[height, 0], nice=False), axis=None),
    }
    squares = base.mark_square(size=130, opacity=1, xOffset=6).encode(
        **place,
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values())),
            legend=None,
        ),
    )
    words = base.mark_text(align="left", dx=17, fontSize=11).encode(**place, text="text:N")
    drawn: alt.LayerChart | alt.FacetChart = alt.layer(squares, words).properties(
        width=WIDTH, height=height
    )
    return drawn


def _advice(advice: Advice, floor: Floor) -> alt.Chart:
    """What to change, in lines below the legend."""
    rows, down = [], 16
    for step in advised.steps(advice, floor):
        for line in textwrap.wrap(step.line, int(WIDTH / LETTER)):
            rows.append({"text": line, "y": down})
            down += LINE
        down += 4
    words = alt.Chart(alt.InlineData(values=rows))
    drawn: alt.Chart = (
        words.mark_text(align="left", fontSize=11, color=theme.INK)
        .encode(
            x=alt.value(0),
            y=alt.Y("y:Q", scale=alt.Scale(domain=[down, 0], nice=False), axis=None),
            text="text:N",
        )
        .properties(width=WIDTH, height=down)
    )
    return drawn
