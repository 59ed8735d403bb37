"""What all charts of one report share: the runs in one unit, their names, colours and axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import text_width
from airlag.core import quantity
from airlag.core.quantity import Unit
from airlag.questions.runs import NONE, Outcome, Run
from airlag.views.pages import theme
from airlag.views.pages.spec import PLOT, WIDTH
from airlag.views.run_names import names

#: Beyond this ratio of the slowest median to the fastest, one unit cannot serve a whole table.
ONE_UNIT_UP_TO = 1e5

#: Axes are logarithmic when the slowest transfer takes this many times the fastest median.
LOG_BEYOND = 40.0


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from ``low`` to ``high``; arrays of it are float64, of any one shape."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def of(cls, values: NDArray[np.float64] | Sequence[float], *, log: bool) -> Self:
        """An axis that shows all of these, at least one, with a little air; from 0 if it is near.

        Its ends are never the same.
        """
        low, high = float(np.min(values)), float(np.max(values))
        if log:
            air = max((high / low) ** 0.03, 1.02)
            return cls(low / air, high * air, log)
        if 0.0 <= low <= 0.3 * high and high > 0.0:
            return cls(0.0, high * 1.03, log)
        # All equal: open the axis by a hundredth, so that the tick labels differ.
        air = 0.03 * (high - low) or max(abs(high) * 0.01, 1e-3)
        return cls(low - air, high + air, log)

    def px(self, values: NDArray[np.float64] | float, length: float) -> NDArray[np.float64]:
        """Where values fall on the axis, ``length`` px long."""
        if self.log:
            return np.asarray(np.log(values / self.low) / np.log(self.high / self.low) * length)
        return np.asarray((values - self.low) / (self.high - self.low) * length)

    def at(self, px: NDArray[np.float64], length: float) -> NDArray[np.float64]:
        """What stands at places on the axis: the inverse of :meth:`px`."""
        if self.log:
            return np.asarray(self.low * (self.high / self.low) ** (px / length))
        return np.asarray(self.low + (self.high - self.low) * px / length)

    @property
    def ticks(self) -> list[float]:
        """Labelled values where it is logarithmic: 1, 2, 5 while they fit, or powers of ten."""
        first, last = int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high)))
        decades = np.log10(self.high / self.low)
        steps: tuple[float, ...] = (1.0, 2.0, 5.0) if decades <= 3.2 else (1.0,)
        if decades < 0.8:
            steps = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)
        every = [float(f"{step}e{nth}") for nth in range(first, last + 1) for step in steps]
        return [value for value in every if self.low <= value <= self.high]

    @property
    def values(self) -> dict[str, Any]:
        """What a specification has to know: :func:`axis`."""
        scale = {"domain": [self.low, self.high], "nice": False}
        if self.log:
            scale = {"type": "log", **scale}
            return {"scale": scale, "ticks": self.ticks, "format": "~r", "kind": " (log axis)"}
        return {"scale": {**scale, "zero": False}, "ticks": None, "format": None, "kind": ""}


def axis(values: NDArray[np.float64] | Sequence[float], *, log: bool) -> dict[str, Any]:
    """What a specification has to know of an axis that shows all of these values.

    ``scale`` of Vega-Lite; ``ticks`` and ``format`` of its labels, ``None`` where Vega-Lite
    chooses; ``kind``, which follows its title.
    """
    return Scale.of(values, log=log).values


def axis_between(low: float, high: float, *, log: bool) -> dict[str, Any]:
    """The same of an axis with these ends."""
    return Scale(low, high, log).values


@dataclass(frozen=True, slots=True)
class Row:
    """One run as charts draw it."""

    #: Position in the report; decides the colour.
    number: int
    run: Run
    #: Short name, unlike the others.
    name: str
    #: Latencies of the transfers that completed, in the report's unit, float64, shape ``(n,)``.
    latency: NDArray[np.float64]
    #: Which transfers those are, int64, shape ``(n,)``.
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
        figures: Mapping[str, Any] = self.run.latency or {}
        ends = figures.get("interval95", {}).get(name)
        return None if ends is None else (ends[0], ends[1])

    def quantiles(self, *names: str) -> list[float]:
        """Those of these quantiles that are known, ns."""
        return [value for value in map(self.quantile, names) if value is not None]

    @property
    def unit(self) -> Unit:
        """Unit that suits this run alone."""
        return quantity.unit_for(self.quantiles("p50", "p75"))

    def digits(self, unit: Unit) -> int:
        """Digits that tell the middle of the run from its tail in this unit, 4 to 9."""
        return _digits(self.quantiles("p50", "p95", "p99"), unit)

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
    """The runs of a report, ready to draw."""

    #: One a run, in the order given.
    rows: tuple[Row, ...]
    #: Unit of every latency of the report.
    unit: Unit
    #: Smallest and largest latency, in the unit; 0 and 1 when nothing was delivered.
    low: float
    high: float
    #: Whether latency axes shared by the runs are logarithmic.
    log: bool
    #: Whether the runs are too far apart to be told in the unit.
    mixed: bool = False

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Self:
        """Lay out the runs of a report."""
        known = [run.latency for run in runs if run.latency is not None]
        unit = quantity.unit_for(each[name] for each in known for name in ("p50", "p75"))
        rows = tuple(
            Row(number, run, name, run.latency_ns / unit.ns, _completed(run))
            for number, (run, name) in enumerate(zip(runs, names(runs), strict=True))
        )
        with_any = [row.latency for row in rows if len(row.latency)]
        if not with_any:
            return cls(rows, unit, 0.0, 1.0, log=False)
        low = min(float(each.min()) for each in with_any)
        high = max(float(each.max()) for each in with_any)
        medians = [each["p50"] / unit.ns for each in known]
        fastest, slowest = min(medians, default=high), max(medians, default=high)
        log, mixed = low > 0.0 and high > LOG_BEYOND * fastest, slowest > ONE_UNIT_UP_TO * fastest
        return cls(rows, unit, low, high, log, mixed)

    @property
    def delivered(self) -> list[Row]:
        """Rows with at least one latency."""
        return [row for row in self.rows if len(row.latency)]

    def say(self, value_ns: float) -> str:
        """Write a duration in the sheet's unit, or in its own where one cannot serve all."""
        return quantity.duration(value_ns, None if self.mixed else self.unit)

    def say_both(self, first_ns: float, second_ns: float) -> tuple[str, str]:
        """Write two durations with as many digits as it takes to tell them apart."""
        if self.mixed:
            return self.say(first_ns), self.say(second_ns)
        digits = _digits((first_ns, second_ns), self.unit)
        first, second = (quantity.duration(ns, self.unit, digits) for ns in (first_ns, second_ns))
        return first, second

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Table of the number and name of each run, for charts to look names up in."""
        return [{"r": row.number, "run": row.name} for row in self.rows]

    @property
    def scale(self) -> Scale:
        """Axis of latencies, the same on every chart the runs share."""
        return Scale.of([self.low, self.high], log=self.log)

    @property
    def values(self) -> dict[str, Any]:
        """What the variables stand for that the specifications of these runs share."""
        each = 60 + max(text_width(row.name, 11) for row in self.rows)
        columns = max(1, int((PLOT + 0.8 * (WIDTH - PLOT)) // each))
        return {
            "unit": self.unit.name,
            "latency": self.scale.values,
            "runs": [row.name for row in self.rows],
            "colours": [row.colour for row in self.rows],
            "dashes": [theme.run_dash(row.number) for row in self.rows],
            "legend_columns": columns if len(self.rows) > 1 else None,
        }


def _digits(values_ns: Sequence[float], unit: Unit) -> int:
    """Digits, 4 to 9, that tell durations from each other in a unit."""
    for digits in range(4, 9):
        written = {quantity.duration(value, unit, digits) for value in values_ns}
        if len(written) == len(set(values_ns)):
            return digits
    return 9


def _completed(run: Run) -> NDArray[np.int64]:
    if run.trigger_ns is None:
        return np.arange(len(run.completion_ns), dtype=np.int64)
    return np.flatnonzero(run.completion_ns != NONE).astype(np.int64)
