"""Metrics and limits as text. ``study::tune`` of the core computes their values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core.arguments import near
from airlag.core.quantity import duration, number, unit_for
from airlag.core.quantity import percent as in_percent


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of a setting."""

    #: Name on the command line.
    name: str
    #: Description.
    about: str
    #: Accepted units, each with its size in the metric's own unit, which is the first.
    units: Mapping[str, float]
    #: Whether larger values are better.
    rises: bool

    @property
    def unit(self) -> str:
        """The metric's own unit, used for all plain numbers."""
        return next(iter(self.units))

    @property
    def column(self) -> str:
        """Column name of its values: ``p99_ns``, ``goodput_kbit_per_s``, ``loss``."""
        return f"{self.name}_{self.unit}".rstrip("_").replace("/", "_per_")

    def text(self, value: float | None) -> str:
        """Formats a value with a suitable unit."""
        if value is None or not math.isfinite(value):
            return "–"
        if self.units is SHARES:
            return in_percent(value)
        if self.units is TIMES:
            return duration(value, unit_for([value]))
        fitting = [(size, unit) for unit, size in self.units.items() if unit.isascii()]
        size, unit = max((one for one in fitting if abs(value) >= one[0]), default=fitting[0])
        return f"{number(value / size)} {unit}"


def _metrics() -> Mapping[str, Metric]:
    units: dict[str, Mapping[str, float]] = {}
    return {
        name: Metric(name, about, units.setdefault(pairs[0][0], dict(pairs)), rises)
        for name, about, pairs, rises in _airlag.tune_metrics()
    }


#: All metrics by name.
METRICS = _metrics()
#: Display units that differ from the metric's own.
TIMES, SHARES = METRICS["p50"].units, METRICS["loss"].units


def metrics(names: str | Iterable[str]) -> list[Metric]:
    """Parses several metrics, comma-separated in text.

    Raises :class:`LinkError` for an unknown or repeated name.
    """
    words = [word.strip() for word in (names.split(",") if isinstance(names, str) else names)]
    for name in words:
        if name not in METRICS:
            raise LinkError(f"no metric {name[:20]!r}; {near(name, METRICS)}")
    if len(set(words)) < len(words):
        raise LinkError(f"{','.join(words)[:40]!r} repeats a metric; name each once")
    return [METRICS[name] for name in words]


class Limit(NamedTuple):
    """Limit on a metric in its own unit: an upper one if ``most``, otherwise a lower one."""

    metric: Metric
    most: bool
    value: float

    @property
    def text(self) -> str:
        """Formats the limit."""
        return f"{self.metric.name} {'≤' if self.most else '≥'} {self.metric.text(self.value)}"


def limits(text: str) -> Sequence[Limit]:
    """Parses limits such as ``charge<50uC,loss<0.1%``; raises :class:`LinkError`."""
    return [Limit(METRICS[name], most, value) for name, most, value in _airlag.tune_limits(text)]
