"""A link as marks on a log axis, in a cell of a table: they follow any width, and any scheme.

A bar from the median to p99, a tick at the floor, and what was published and captured beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from airlag.core import quantity
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Run
from airlag.views.campaign_results import Line
from airlag.views.html import Html, tag, tags
from airlag.views.pages.sheet import Scale

#: What a mark is, in the words of the legend, by the name of its class.
MARKS = {
    "range": "bar: median to p99 on the bench",
    "median": "blue tick: median",
    "floor": "grey tick: floor",
    "published": "diamond: median published",
    "captured": "ring: median captured",
}
#: Labels stand at least this share of the axis apart: of a wide one, and of one among columns.
WIDE, AMONG_COLUMNS = 0.09, 0.2


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a line, ns; ``None`` where it is not."""

    #: The run it is told by: the asynchronous one, or the frozen one where that is all there is.
    run: Run | None
    median: float | None
    p99: float | None
    floor: float | None
    published: float | None
    captured: float | None

    @classmethod
    def of(cls, line: Line) -> Self:
        """The figures of a line of a campaign."""
        run = line.runs.get("uniform") or next(iter(line.runs.values()), None)
        p50, p99 = (_quantile(run, name) for name in ("p50", "p99"))
        known, captured = line.known, _quantile(line.known.captured, "p50")
        return cls(run, p50, p99, known.floor_ns, known.published_ns, captured)

    def drawn(self) -> dict[str, tuple[float, float]]:
        """Where each mark begins and ends, ns; what is not above 0 has no place on a log axis."""
        names = ("floor", "median", "captured", "published")
        found = {"range": (self.median, self.p99)}
        found |= {name: (getattr(self, name),) * 2 for name in names}
        return {
            name: (low, high)
            for name, (low, high) in found.items()
            if low is not None and high is not None and low > 0.0
        }


def _quantile(run: Run | None, name: Percentile) -> float | None:
    return None if run is None or run.latency is None else run.latency[name]


class Axis(Scale):
    """A log axis of latencies, ns."""

    @classmethod
    def of_lines(cls, lines: Iterable[Figures]) -> Self:
        """An axis on which all marks of these lines are."""
        ends = [end for each in lines for both in each.drawn().values() for end in both]
        return cls.of(ends or [1e6, 1e7], log=True)

    def percent(self, ns: float) -> float:
        """Where a latency stands, percent of the axis."""
        return round(float(self.px(ns, 100.0)), 3)

    def grid(self) -> str:
        """Grid lines behind every track of a table, as its style."""
        lines = ",".join(
            f"linear-gradient(var(--line) 0 0) {self.percent(each)}% 0/1px 100% no-repeat"
            for each in self.ticks
        )
        return f"--grid:{lines or 'none'}"

    def head(self, apart: float) -> Html:
        """The head of the column of tracks: the axis with its labels, so far apart."""
        labels, last = [], -100.0
        for each in self.ticks:
            unit = quantity.unit_for([each])
            at = self.percent(each)
            if 3.0 <= at <= 97.0 and at - last >= 100.0 * apart:
                last = at
                labels.append(tag("span", f"{each / unit.ns:g} {unit.name}", style=f"left:{at}%"))
        title = tag("span", "latency (log axis)", class_="axis")
        ticks = tag("div", labels, class_="ticks", aria_hidden="true")
        return tag("th", title, ticks, scope="col", class_="track")

    def cell(self, figures: Figures) -> Html:
        """One line on the axis; its numbers stand in the other cells."""
        marks = []
        for name, (low, high) in figures.drawn().items():
            left = self.percent(low)
            width = f";width:{round(self.percent(high) - left, 3)}%" if name == "range" else ""
            marks.append(tag("i", class_=name, style=f"left:{left}%{width}"))
        return tag("td", tag("div", marks), class_="track", aria_hidden="true")


def legend(lines: Iterable[Figures]) -> Html:
    """What the marks mean: of those that are drawn."""
    drawn = {name for each in lines for name in each.drawn()}
    entries = (
        [tag("span", tag("i", class_=name), class_="sample"), says]
        for name, says in MARKS.items()
        if name in drawn
    )
    return tag("ul", tags("li", entries), class_="legend")
