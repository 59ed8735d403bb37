"""Timeline of one packet: named slices, coloured by kind.

The median and the p99 transfer are drawn above the latency distribution of the run, on one axis.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from airlag._airlag import text_width, wrapped
from airlag.core import payload, quantity
from airlag.core.records import Advice
from airlag.questions.bench import TRAFFIC, Request
from airlag.questions.budget import Budget, Explanation, Timeline
from airlag.questions.identity import settings_in_words
from airlag.views.html import Html, heads, row, tag, tags
from airlag.views.html import table as html_table
from airlag.views.pages import output, shell, theme
from airlag.views.pages.marks import table
from airlag.views.pages.output import drawn_svg
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.theme import COLOURS, INK_ON, MEANING

#: Widths of the plot, of its title and of a legend line, px. The picture is 800 px wide.
WIDTH, WIDE, LEGEND = 692, 740, 730
#: Height of a lane, and of the gap above a lane without names, px.
LANE, ABOVE = 34, 2
#: Minimum width of a named slice, and minimum distance between names, px.
NARROWEST, APART = 3.0, 18.0
#: Font size of slice names, px, and their angle, degrees.
NAME, STEEP = 10.5, 40
#: Line heights of advice and legend, px.
LINE, ENTRY = 15, 18
#: Bins of the ridge.
BINS = 230
#: Space for the name of the floor beside its line, px.
FLOOR_NAME = 30


def write_packet(
    result: Explanation,
    path: str | os.PathLike[str],
    advice: Advice | None = None,
    *,
    force: bool = False,
) -> None:
    """Writes the timeline of a run as a picture, or as a page with a picture and a table.

    Raises :class:`ValueError` for an unsupported extension or a run without a delivered packet.
    """
    what = "a picture of a packet"
    output.draw(path, what, lambda: _page(result, advice), lambda: svg(result, advice), force=force)


def svg(result: Explanation, advice: Advice | None = None) -> str:
    """Returns :func:`chart` as SVG text that follows the viewer's light or dark scheme."""
    head, rest = drawn_svg(chart(result, advice)).split(">", 1)
    colours = "".join(
        f'[{what}="{light}"]{{{what}:{dark}}}'
        for what in ("fill", "stroke")
        for light, dark in theme.IN_THE_DARK.items()
        if light != theme.PAPER
    )
    # Background-coloured lines separate slices; names on slices are white in both schemes.
    dark = theme.IN_THE_DARK[theme.PAPER]
    ground = f'svg>rect{{fill:{dark}}}[stroke="{theme.PAPER}"]{{stroke:{dark}}}'
    return f"{head}><style>@media(prefers-color-scheme:dark){{{ground}{colours}}}</style>{rest}"


def chart(result: Explanation, advice: Advice | None = None) -> Spec:
    """Returns the timeline as Vega-Lite.

    Raises :class:`ValueError` without a delivered packet.
    """
    budget = result.budget
    if budget is None:
        raise ValueError(f"{result.request.link}: no packet was delivered; nothing to draw")
    longest = max(budget.p99.latency_ns, result.floor.ns) * 1.03
    unit = quantity.unit_for([budget.median.latency_ns])
    per_px = longest / unit.ns / WIDTH
    timelines = {
        lane: _slices(timeline, unit, per_px)
        for lane, timeline in (("median", budget.median), ("p99", budget.p99))
    }
    named: set[tuple[str, str]] = set()
    tables: dict[str, Any] = {"titles": [{"text": lane} for lane in timelines]}
    lanes = []
    for lane, slices in timelines.items():
        names = _names(slices, named, per_px)
        tables |= {
            f"slices-{lane}": table(("begin", "end", "kindtext", "nametext"), slices),
            f"names-{lane}": names,
            f"inside-{lane}": [
                {"text": one.name, "x": one.middle, "ink": INK_ON[one.kind]}
                for one in slices
                if one.holds_name
            ],
        }
        longest_name = max((text_width(each["text"], NAME) for each in names), default=0)
        above = math.ceil(math.sin(math.radians(STEEP)) * longest_name) + 18 if names else ABOVE
        places = {"line_top": above - 9, "name_at": above - 13, "middle": above + LANE / 2}
        lanes.append({"lane": lane, "above": above, "foot": above + LANE, **places})
    ridge, beyond = _ridge(result, longest, unit)
    # Invisibly narrow slices need no legend entry.
    used = {one.kind for slices in timelines.values() for one in slices if one.px >= 1}
    legend = _legend([kind for kind in COLOURS if kind in used])
    lines = [] if advice is None else _advice(advice)
    # The floor's name must clear the packets on its right and, for a floor near 0, the axis on its
    # left.
    left = result.floor.ns / longest * WIDTH > FLOOR_NAME
    values = {
        "wide": WIDE,
        "plot": WIDTH,
        "paper": theme.PAPER,
        "title": f"{_what(result.request)}, from trigger to strobe",
        "words": _words(result, budget),
        "domain": [0.0, WIDTH * per_px],
        "px": [0, WIDTH],
        "x_title": f"from trigger to strobe, {unit.name}{beyond}",
        "kinds": list(COLOURS),
        "colours": list(COLOURS.values()),
        "angle": 360 - STEEP,
        "lanes": lanes,
        "floor": {"align": "right", "dx": -5} if left else {"align": "left", "dx": 5},
        "legend_height": (height := legend[-1]["y"] + 8),
        "legend_down": [height, 0],
        "advice": {"height": (foot := lines[-1]["y"] + LINE), "down": [foot, 0]} if lines else None,
    }
    floor = [{"x": result.floor.ns / unit.ns, "text": "floor"}]
    tables |= {"ridge": ridge, "floor": floor, "legend": legend, "advice": lines}
    return fill("packet", values, tables)


def _what(request: Request) -> str:
    """Title of the timeline."""
    if request.size is None:
        return f"One answer of {request.link}"
    what = "packet" if request.traffic == TRAFFIC[0] else request.traffic
    return f"One {what} over {', '.join(payload.words(request.link, request.size))}"


def _words(result: Explanation, budget: Budget) -> list[str]:
    unit = quantity.unit_for([budget.median.latency_ns])

    def shown(ns: float) -> str:
        return quantity.duration(ns, unit)

    settings = settings_in_words(result.request.link, result.request.settings)
    return [
        *([f"with {', '.join(settings)}"] if settings else []),
        f"median {shown(budget.median.latency_ns)}, p99 {shown(budget.p99.latency_ns)}; "
        f"{quantity.count(budget.n)} of {quantity.count(len(result.run.outcome))} delivered; "
        f"floor with these settings {shown(result.floor.ns)}",
    ]


class _Slice(NamedTuple):
    """Slice of a timeline: start and end in the unit of the axis, width in px."""

    begin: float
    end: float
    kind: str
    name: str
    px: float

    @property
    def middle(self) -> float:
        """Centre, in the unit of the axis."""
        return (self.begin + self.end) / 2

    @property
    def holds_name(self) -> bool:
        """Whether the slice is wide enough for its name."""
        return self.px >= text_width(self.name, NAME) + 8


def _slices(timeline: Timeline, unit: quantity.Unit, per_px: float) -> list[_Slice]:
    ends = pairwise(accumulate((part.ns / unit.ns for part in timeline.parts), initial=0.0))
    return [
        _Slice(begin, end, part.kind, part.name, (end - begin) / per_px)
        for part, (begin, end) in zip(timeline.parts, ends, strict=True)
    ]


def _names(
    slices: Sequence[_Slice], named: set[tuple[str, str]], per_px: float
) -> list[dict[str, Any]]:
    """Places each name on the first slice that is wide enough: text, centre, and text position."""
    found, free = [], 0.0
    for one in slices:
        if one.px < NARROWEST or one.holds_name or (one.name, one.kind) in named:
            continue
        named.add((one.name, one.kind))
        stands = max(one.middle / per_px, free)
        free = stands + APART
        # Names that would leave the picture are dropped; the legend explains the colour.
        if stands + math.cos(math.radians(STEEP)) * text_width(one.name, NAME) < WIDE:
            found.append({"text": one.name, "x": one.middle, "at": stands * per_px})
    return found


def _ridge(result: Explanation, longest_ns: float, unit: quantity.Unit) -> tuple[Columns, str]:
    """Latency histogram, and a note for the axis title if packets lie beyond the axis."""
    latencies = result.run.latency_ns
    counts, edges = np.histogram(latencies, bins=BINS, range=(0, longest_ns))
    beyond = int(np.count_nonzero(latencies > longest_ns))
    filled = counts > 0
    begin, end = (ends[filled] / unit.ns for ends in (edges[:-1], edges[1:]))
    ridge = {"begin": begin, "end": end, "packets": counts[filled]}
    return ridge, f" ({quantity.count(beyond)} longer ones not shown)" if beyond else ""


def _legend(kinds: Sequence[str]) -> list[dict[str, Any]]:
    """Legend of the colours, in lines below the axis."""
    rows, x, y = [], 0.0, 8
    for kind in kinds:
        room = text_width(MEANING[kind], 11) + 17
        if x + room > LEGEND:
            x, y = 0.0, y + ENTRY
        rows.append({"text": MEANING[kind], "kind": kind, "x": x, "y": y})
        x += room + 22
    return rows


def _advice(advice: Advice) -> list[dict[str, Any]]:
    """Advice, in lines below the legend."""
    rows, down = [], 16
    for step in advice.steps:
        lead = f"{step.lead}: {step.settings}: " if step.lead else ""
        for line in wrapped(f"{lead}{step.text}", WIDTH, 11):
            rows.append({"text": line, "y": down})
            down += LINE
        down += 4
    return rows


def _page(result: Explanation, advice: Advice | None) -> str:
    """Timeline with its table, and advice as text that wraps to the window."""
    picture = svg(result)
    assert result.budget is not None
    budget, unit = result.budget, quantity.unit_for([result.budget.median.latency_ns])

    def line(name: list[str], *spent_ns: float) -> Html:
        return row(name, *(quantity.number(ns / unit.ns) for ns in spent_ns))

    rows = [
        line(
            [tag("i", class_="swatch", style=f"background:{COLOURS[item.kind]}"), item.name],
            item.mean_ns,
            *(each.spent_ns(item.name, item.kind) for each in (budget.median, budget.p99)),
        )
        for item in budget.items
    ]
    rows.append(line(["sum"], budget.mean_ns, budget.median.latency_ns, budget.p99.latency_ns))
    terms = (
        f"{term.name}: {term.count} × {quantity.duration(term.each_ns)} ({term.source})"
        for term in result.floor.terms
    )
    title = f"airlag: {', '.join(payload.words(result.request.link, result.request.size))}"
    label = f"{title}: where the time goes"
    body = f"""{tag("figure", Html(picture), tabindex=0, role="img", aria_label=label)}
{_section(advice)}{html_table(None, heads(unit.name, "mean", "median", "p99"), rows)}
{tag("h2", f"The floor: {quantity.duration(result.floor.ns, unit)}")}
{tag("ul", tags("li", terms))}
"""
    return shell.whole(title, body)


def _section(advice: Advice | None) -> Html:
    """Advice, one line per step, followed by notes on how it was determined."""
    if advice is None:
        return Html()
    items, notes = [], []
    for step in advice.steps:
        if step.lead:
            changed = [f"{step.lead}: ", tag("code", step.settings), Html("<br>"), step.text]
            items.append(tag("li", changed))
        else:
            notes.append(tag("p", step.text, class_="quiet" if step.kind == "method" else None))
    changes = tag("ul", items) if items else None
    return tag("section", tag("h2", "What to change"), changes, notes, id="advice")
