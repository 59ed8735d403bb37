"""A link as marks on a log axis, in a cell of a table: they follow any width, and any scheme.

A bar from the median to p99, a tick at the floor, and what was published and captured beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import log
from typing import Self

from airlag.core import quantity
from airlag.questions.runs import Run
from airlag.views.campaign_results import Line
from airlag.views.pages.sheet import log_ticks, span

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
    """What is known of a line, ns; ``None`` where it is not.

    Attributes
    ----------
    run
        The run it is told by: the asynchronous one, or the frozen one where that is all there is.
    """

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
        latency = None if run is None else run.latency
        captured = None if line.known.captured is None else line.known.captured.latency
        return cls(
            run,
            None if latency is None else latency["p50"],
            None if latency is None else latency["p99"],
            line.known.floor_ns,
            line.known.published_ns,
            None if captured is None else captured["p50"],
        )

    def drawn(self) -> dict[str, tuple[float, float]]:
        """Where each mark begins and ends, ns; what is not above 0 has no place on a log axis."""
        found = {
            "range": (self.median, self.p99),
            **{
                name: (value, value)
                for name, value in (
                    ("floor", self.floor),
                    ("median", self.median),
                    ("captured", self.captured),
                    ("published", self.published),
                )
            },
        }
        return {
            name: (low, high)
            for name, (low, high) in found.items()
            if low is not None and high is not None and low > 0.0
        }


@dataclass(frozen=True, slots=True)
class Axis:
    """A log axis of latencies from ``low`` to ``high``, ns."""

    low: float
    high: float

    @classmethod
    def of(cls, lines: Iterable[Figures]) -> Self:
        """An axis on which all marks of these lines are."""
        ends = [end for each in lines for both in each.drawn().values() for end in both]
        return cls(*span(ends or [1e6, 1e7], log=True))

    def at(self, ns: float) -> float:
        """Where a latency stands, percent of the axis."""
        return round(100.0 * log(ns / self.low) / log(self.high / self.low), 3)

    @property
    def ticks(self) -> Sequence[float]:
        """Labelled latencies, ns."""
        return log_ticks(self.low, self.high)

    def grid(self) -> str:
        """Grid lines behind every track of a table, as its style."""
        lines = ",".join(
            f"linear-gradient(var(--line) 0 0) {self.at(each)}% 0/1px 100% no-repeat"
            for each in self.ticks
        )
        return f"--grid:{lines or 'none'}"

    def head(self, apart: float) -> str:
        """The head of the column of tracks: the axis with its labels, so far apart."""
        labels, last = [], -100.0
        for each in self.ticks:
            unit = quantity.unit_for([each])
            at = self.at(each)
            if not 3.0 <= at <= 97.0 or at - last < 100.0 * apart:
                continue
            last = at
            labels.append(f'<span style="left:{at}%">{each / unit.ns:g} {unit.name}</span>')
        return (
            '<th scope="col" class="track"><span class="axis">latency (log axis)</span>'
            f'<div class="ticks" aria-hidden="true">{"".join(labels)}</div></th>'
        )

    def cell(self, figures: Figures) -> str:
        """One line on the axis; its numbers stand in the other cells."""
        marks = []
        for name, (low, high) in figures.drawn().items():
            left = self.at(low)
            width = f";width:{round(self.at(high) - left, 3)}%" if name == "range" else ""
            marks.append(f'<i class="{name}" style="left:{left}%{width}"></i>')
        return f'<td class="track" aria-hidden="true"><div>{"".join(marks)}</div></td>'


def legend(lines: Iterable[Figures]) -> str:
    """What the marks mean: of those that are drawn."""
    drawn = {name for each in lines for name in each.drawn()}
    entries = "".join(
        f'<li><span class="sample"><i class="{name}"></i></span>{escape(says)}</li>'
        for name, says in MARKS.items()
        if name in drawn
    )
    return f'<ul class="legend">{entries}</ul>'
