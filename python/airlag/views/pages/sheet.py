"""Layout shared by the charts of a report: unit, run names, colours and axes."""

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

#: Ratio of slowest to fastest median above which each run has its own unit.
ONE_UNIT_UP_TO = 1e5

#: Ratio of slowest transfer to fastest median above which axes are logarithmic.
LOG_BEYOND = 40.0


@dataclass(frozen=True, slots=True)
class Scale:
    """Axis from ``low`` to ``high``. Array arguments are float64 of any shape."""

    low: float
    high: float
    log: bool = False

    @classmethod
    def of(cls, values: NDArray[np.float64] | Sequence[float], *, log: bool) -> Self:
        """Returns an axis that includes the values (at least one), a margin, and 0 if near.

        Its ends always differ.
        """
        low, high = float(np.min(values)), float(np.max(values))
        if log:
            air = max((high / low) ** 0.03, 1.02)
            return cls(low / air, high * air, log)
        if 0.0 <= low <= 0.3 * high and high > 0.0:
            return cls(0.0, high * 1.03, log)
        # Equal values: widen the axis by 1 % so that tick labels differ.
        air = 0.03 * (high - low) or max(abs(high) * 0.01, 1e-3)
        return cls(low - air, high + air, log)

    def px(self, values: NDArray[np.float64] | float, length: float) -> NDArray[np.float64]:
        """Positions of values on an axis of ``length`` px."""
        if self.log:
            return np.asarray(np.log(values / self.low) / np.log(self.high / self.low) * length)
        return np.asarray((values - self.low) / (self.high - self.low) * length)

    def at(self, px: NDArray[np.float64], length: float) -> NDArray[np.float64]:
        """Values at positions on the axis; inverse of :meth:`px`."""
        if self.log:
            return np.asarray(self.low * (self.high / self.low) ** (px / length))
        return np.asarray(self.low + (self.high - self.low) * px / length)

    @property
    def ticks(self) -> list[float]:
        """Tick values of a logarithmic axis: 1, 2, 5 where they fit, else powers of ten."""
        first, last = int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high)))
        decades = np.log10(self.high / self.low)
        steps: tuple[float, ...] = (1.0, 2.0, 5.0) if decades <= 3.2 else (1.0,)
        if decades < 0.8:
            steps = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)
        every = [float(f"{step}e{nth}") for nth in range(first, last + 1) for step in steps]
        return [value for value in every if self.low <= value <= self.high]

    @property
    def values(self) -> dict[str, Any]:
        """Axis variables of a specification; see :func:`axis`."""
        scale = {"domain": [self.low, self.high], "nice": False}
        if self.log:
            scale = {"type": "log", **scale}
            return {"scale": scale, "ticks": self.ticks, "format": "~r", "kind": " (log axis)"}
        return {"scale": {**scale, "zero": False}, "ticks": None, "format": None, "kind": ""}


def axis(values: NDArray[np.float64] | Sequence[float], *, log: bool) -> dict[str, Any]:
    """Returns the variables for an axis of a chart specification. The axis includes all ``values``.

    ``scale`` is the scale for Vega-Lite. ``ticks`` and ``format`` apply to the tick labels, and are
    ``None`` if Vega-Lite chooses the labels. ``kind`` is a suffix of the title of the axis.
    """
    return Scale.of(values, log=log).values


def axis_between(low: float, high: float, *, log: bool) -> dict[str, Any]:
    """Axis variables for an axis with these ends; see :func:`axis`."""
    return Scale(low, high, log).values


@dataclass(frozen=True, slots=True)
class Row:
    """One run, prepared for charts."""

    #: Position in the report; selects the colour.
    number: int
    run: Run
    #: Short, distinct name.
    name: str
    #: Latencies of the completed transfers, in the report's unit, float64, shape ``(n,)``.
    latency: NDArray[np.float64]
    #: Indices of the completed transfers, int64, shape ``(n,)``.
    index: NDArray[np.int64]

    @property
    def colour(self) -> str:
        """Colour of the run on every chart."""
        return theme.run_colour(self.number)

    @property
    def lost(self) -> int:
        """Lost transfers."""
        return self.run.count(Outcome.LOST)

    @property
    def censored(self) -> int:
        """Transfers whose end is not in the capture."""
        return self.run.count(Outcome.CENSORED)

    @property
    def known(self) -> int:
        """Transfers with a known outcome: delivered or lost."""
        return len(self.latency) + self.lost

    def indices(self, outcome: Outcome) -> NDArray[np.int64]:
        """Indices of the transfers with this outcome, ascending."""
        return np.flatnonzero(self.run.outcome == outcome).astype(np.int64)

    def since_start(self, index: NDArray[np.int64]) -> NDArray[np.float64]:
        """Trigger times of transfers, s since the start; only for runs with a clock."""
        assert self.run.trigger_ns is not None
        since: NDArray[np.float64] = (self.run.trigger_ns[index] - self.run.start_ns) / 1e9
        return since

    def quantile(self, name: str) -> float | None:
        """Quantile from the run's statistics, ns."""
        figures: Mapping[str, object] = self.run.latency or {}
        found = figures.get(name)
        return float(found) if isinstance(found, int | float) else None

    def interval(self, name: str) -> tuple[float | None, float | None] | None:
        """95 % confidence interval of a quantile, ns, if known; an open end is ``None``."""
        figures: Mapping[str, Any] = self.run.latency or {}
        ends = figures.get("interval95", {}).get(name)
        return None if ends is None else (ends[0], ends[1])

    def quantiles(self, *names: str) -> list[float]:
        """Known values among these quantiles, ns."""
        return [value for value in map(self.quantile, names) if value is not None]

    @property
    def unit(self) -> Unit:
        """Unit suited to this run alone."""
        return quantity.unit_for(self.quantiles("p50", "p75"))

    def digits(self, unit: Unit) -> int:
        """Number of digits, 4 to 9, that separates the median from the tail in this unit."""
        return _digits(self.quantiles("p50", "p95", "p99"), unit)

    def losses(self) -> str:
        """Undelivered transfers, in words; empty if all were delivered."""
        parts = []
        if self.lost:
            of = quantity.count(len(self.run.outcome))
            parts.append(f"{quantity.count(self.lost)} of {of} lost")
        if self.censored:
            parts.append(f"{quantity.count(self.censored)} censored")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Runs of a report, prepared for charts."""

    #: One row per run, in the order given.
    rows: tuple[Row, ...]
    #: Unit of every latency of the report.
    unit: Unit
    #: Smallest and largest latency, in the unit; 0 and 1 if nothing was delivered.
    low: float
    high: float
    #: Whether shared latency axes are logarithmic.
    log: bool
    #: Whether the runs differ too much for a common unit.
    mixed: bool = False

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Self:
        """Prepares the runs of a report."""
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

    def text(self, value_ns: float) -> str:
        """Formats a duration in the common unit, or in its own unit where units are mixed."""
        return quantity.duration(value_ns, None if self.mixed else self.unit)

    def texts(self, first_ns: float, second_ns: float) -> tuple[str, str]:
        """Formats two durations with enough digits to differ."""
        if self.mixed:
            return self.text(first_ns), self.text(second_ns)
        digits = _digits((first_ns, second_ns), self.unit)
        first, second = (quantity.duration(ns, self.unit, digits) for ns in (first_ns, second_ns))
        return first, second

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Table of run numbers and names, for lookups in charts."""
        return [{"r": row.number, "run": row.name} for row in self.rows]

    @property
    def scale(self) -> Scale:
        """Latency axis shared by the charts of the runs."""
        return Scale.of([self.low, self.high], log=self.log)

    @property
    def values(self) -> dict[str, Any]:
        """Variables shared by the specifications of these runs."""
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
    """Number of digits, 4 to 9, that keeps durations distinct in a unit."""
    for digits in range(4, 9):
        written = {quantity.duration(value, unit, digits) for value in values_ns}
        if len(written) == len(set(values_ns)):
            return digits
    return 9


def _completed(run: Run) -> NDArray[np.int64]:
    if run.trigger_ns is None:
        return np.arange(len(run.completion_ns), dtype=np.int64)
    return np.flatnonzero(run.completion_ns != NONE).astype(np.int64)
