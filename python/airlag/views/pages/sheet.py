"""What all charts of one report share: the runs in one unit, their names, colours and axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.core.quantity import Unit
from airlag.questions.runs import NONE, Outcome, Run
from airlag.views.pages import theme
from airlag.views.pages.text import width
from airlag.views.run_names import names

#: Width of every chart, of its axis at the left, of the words at the right, and of what is between,
#: px: the same for all, so that they stand exactly below each other.
WIDTH = 990
LEFT = 70
RIGHT = 140
PLOT = WIDTH - LEFT - RIGHT

#: Room of the labels of the axis at the left, px; its title takes the rest.
AXIS = 48

#: What the placeholders stand for that every specification shares.
LAYOUT = {
    # A title begins where the plot does, and reaches into the words at the right.
    "wide": PLOT + 80,
    "plot": PLOT,
    "ink": theme.INK,
    "quiet": theme.QUIET,
    "lost": theme.LOST,
    "cross": theme.CROSS,
}

#: Beyond this ratio of the slowest median to the fastest, one unit cannot serve a whole table.
ONE_UNIT_UP_TO = 1e5

#: Axes are logarithmic when the slowest transfer takes this many times the fastest median.
LOG_BEYOND = 40.0


@dataclass(frozen=True, slots=True)
class Row:
    """One run as charts draw it.

    Attributes
    ----------
    number
        Position in the report; decides the colour.
    run
        The run.
    name
        Short name, unlike the others.
    latency
        Latencies of the transfers that completed, in the report's unit, float64, shape ``(n,)``.
    index
        Which transfers those are, int64, shape ``(n,)``.
    """

    number: int
    run: Run
    name: str
    latency: NDArray[np.float64]
    index: NDArray[np.int64]

    @property
    def colour(self) -> str:
        """Colour of the run on every chart."""
        return theme.run_colour(self.number)

    @property
    def lost(self) -> int:
        """Transfers lost."""
        return self.run.count(Outcome.LOST)

    @property
    def censored(self) -> int:
        """Transfers of which the capture does not show the end."""
        return self.run.count(Outcome.CENSORED)

    @property
    def known(self) -> int:
        """Transfers that either arrived or were lost."""
        return len(self.latency) + self.lost

    def indices(self, outcome: Outcome) -> NDArray[np.int64]:
        """Transfers with this outcome, ascending."""
        return np.flatnonzero(self.run.outcome == outcome).astype(np.int64)

    def since_start(self, index: NDArray[np.int64]) -> NDArray[np.float64]:
        """Trigger instants of some transfers, s since the capture began; for a run with a clock."""
        assert self.run.trigger_ns is not None
        since: NDArray[np.float64] = (self.run.trigger_ns[index] - self.run.start_ns) / 1e9
        return since

    def quantile(self, name: str) -> float | None:
        """A quantile as the statistics found it, ns."""
        figures: Mapping[str, object] = self.run.latency or {}
        found = figures.get(name)
        return float(found) if isinstance(found, int | float) else None

    def interval(self, name: str) -> tuple[float | None, float | None] | None:
        """Interval of 95 % confidence of a quantile, ns, if known; an open end is ``None``."""
        intervals = None if self.run.latency is None else self.run.latency.get("interval95")
        ends = intervals.get(name) if isinstance(intervals, Mapping) else None
        if ends is None:
            return None
        low, high = cast("list[float | None]", ends)
        return (None if low is None else float(low), None if high is None else float(high))

    @property
    def unit(self) -> Unit:
        """Unit that suits this run alone."""
        found = (self.quantile(name) for name in ("p50", "p75"))
        return quantity.unit_for(value for value in found if value is not None)

    def digits(self, unit: Unit) -> int:
        """Digits that tell the middle of the run from its tail in this unit, 4 to 9."""
        found = [value for value in map(self.quantile, ("p50", "p95", "p99")) if value is not None]
        for digits in range(4, 9):
            written = {quantity.duration(value, unit, digits) for value in found}
            if len(written) == len(set(found)):
                return digits
        return 9

    def losses(self) -> str:
        """What did not arrive, in words; empty when everything did."""
        parts = []
        if self.lost:
            of = quantity.count(len(self.run.outcome))
            parts.append(f"{quantity.count(self.lost)} of {of} lost")
        if self.censored:
            parts.append(f"{quantity.count(self.censored)} censored")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The runs of a report, ready to draw.

    Attributes
    ----------
    rows
        One a run, in the order given.
    unit
        Unit of every latency of the report.
    low, high
        Smallest and largest latency, in the unit; 0 and 1 when nothing was delivered.
    log
        Whether latency axes shared by the runs are logarithmic.
    mixed
        Whether the runs are too far apart to be told in the unit.
    """

    rows: tuple[Row, ...]
    unit: Unit
    low: float
    high: float
    log: bool
    mixed: bool = False

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Self:
        """Lay out the runs of a report."""
        unit = quantity.unit_for(
            float(value)
            for run in runs
            if run.latency is not None
            for value in (run.latency["p50"], run.latency["p75"])
        )
        rows = tuple(
            Row(number, run, name, run.latency_ns / unit.ns, _completed(run))
            for number, (run, name) in enumerate(zip(runs, names(runs), strict=True))
        )
        with_any = [row.latency for row in rows if len(row.latency)]
        if not with_any:
            return cls(rows, unit, 0.0, 1.0, log=False)
        low = min(float(each.min()) for each in with_any)
        high = max(float(each.max()) for each in with_any)
        medians = [row.quantile("p50") for row in rows]
        there = [each / unit.ns for each in medians if each is not None]
        fastest, slowest = min(there, default=high), max(there, default=high)
        return cls(
            rows,
            unit,
            low,
            high,
            log=low > 0.0 and high > LOG_BEYOND * fastest,
            mixed=slowest > ONE_UNIT_UP_TO * fastest,
        )

    @property
    def delivered(self) -> list[Row]:
        """Rows with at least one latency."""
        return [row for row in self.rows if len(row.latency)]

    def say(self, value_ns: float) -> str:
        """Write a duration in the sheet's unit, or in its own where one cannot serve all."""
        return quantity.duration(
            value_ns, quantity.unit_for([value_ns]) if self.mixed else self.unit
        )

    def say_both(self, first_ns: float, second_ns: float) -> tuple[str, str]:
        """Write two durations with as many digits as it takes to tell them apart."""
        if first_ns == second_ns or self.mixed:
            return self.say(first_ns), self.say(second_ns)
        for digits in range(4, 10):
            first = quantity.duration(first_ns, self.unit, digits)
            second = quantity.duration(second_ns, self.unit, digits)
            if first != second:
                break
        return first, second

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Table of the number and name of each run, for charts to look names up in."""
        return [{"r": row.number, "run": row.name} for row in self.rows]

    @property
    def latency(self) -> dict[str, Any]:
        """Axis of latencies, the same on every chart the runs share."""
        return axis([self.low, self.high], log=self.log)

    @property
    def values(self) -> dict[str, Any]:
        """What the placeholders stand for that the specifications of these runs share."""
        each = 60 + max(width(row.name, 11) for row in self.rows)
        columns = max(1, int((PLOT + 0.8 * (WIDTH - PLOT)) // each))
        return {
            **LAYOUT,
            "unit": self.unit.name,
            "latency": self.latency,
            "runs": [row.name for row in self.rows],
            "colours": [row.colour for row in self.rows],
            "dashes": [theme.run_dash(row.number) for row in self.rows],
            "legend_columns": columns if len(self.rows) > 1 else None,
        }


def _completed(run: Run) -> NDArray[np.int64]:
    if run.trigger_ns is None:
        return np.arange(len(run.completion_ns), dtype=np.int64)
    return np.flatnonzero(run.completion_ns != NONE).astype(np.int64)


def span(values: NDArray[np.float64] | Sequence[float], *, log: bool) -> tuple[float, float]:
    """Range of an axis that shows all of these with a little air, from 0 when that is near.

    Parameters
    ----------
    values
        What must be on the axis, any unit, at least one.
    log
        Whether the axis is logarithmic.

    Returns
    -------
    tuple of float
        Lower and upper end, always different.
    """
    low, high = float(np.min(values)), float(np.max(values))
    if log:
        air = max((high / low) ** 0.03, 1.02)
        return low / air, high * air
    if 0.0 <= low <= 0.3 * high and high > 0.0:
        return 0.0, high * 1.03
    air = 0.03 * (high - low)
    # All equal: open the axis by a hundredth, so that the tick labels differ.
    air = air if air > 0.0 else max(abs(high) * 0.01, 1e-3)
    return low - air, high + air


def axis(values: NDArray[np.float64] | Sequence[float], *, log: bool) -> dict[str, Any]:
    """What a specification has to know of an axis that shows all of these values.

    Returns
    -------
    dict
        ``scale`` of Vega-Lite; ``ticks`` and ``format`` of its labels, ``None`` where Vega-Lite
        chooses; ``kind``, which follows its title.
    """
    return axis_between(*span(values, log=log), log=log)


def axis_between(low: float, high: float, *, log: bool) -> dict[str, Any]:
    """The same of an axis with these ends."""
    if log:
        scale = {"type": "log", "domain": [low, high], "nice": False}
        ticks = log_ticks(low, high)
        return {"scale": scale, "ticks": ticks, "format": "~r", "kind": " (log axis)"}
    scale = {"domain": [low, high], "nice": False, "zero": False}
    return {"scale": scale, "ticks": None, "format": None, "kind": ""}


def log_ticks(low: float, high: float) -> list[float]:
    """Labelled values of a logarithmic axis: 1, 2, 5 while they fit, powers of ten beyond."""
    first, last = int(np.floor(np.log10(low))), int(np.ceil(np.log10(high)))
    steps: tuple[float, ...] = (1.0, 2.0, 5.0) if np.log10(high / low) <= 3.2 else (1.0,)
    if np.log10(high / low) < 0.8:
        steps = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)
    return [
        float(f"{step}e{power}")
        for power in range(first, last + 1)
        for step in steps
        if low <= float(f"{step}e{power}") <= high
    ]
