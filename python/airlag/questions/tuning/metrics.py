"""Metrics and limits as people read them; how they come of runs is ``study::tune`` of the core."""

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

    #: As the command line has it.
    name: str
    #: What it is.
    about: str
    #: The units it is written in, and the size of each in its own, which is the first one.
    units: Mapping[str, float]
    #: Whether more is better.
    rises: bool

    @property
    def unit(self) -> str:
        """Its own unit: that of every number that is not text."""
        return next(iter(self.units))

    @property
    def column(self) -> str:
        """Name of a column of its values: ``p99_ns``, ``goodput_kbit_per_s``, ``loss``."""
        return f"{self.name}_{self.unit}".rstrip("_").replace("/", "_per_")

    def text(self, value: float | None) -> str:
        """A value as people read it, with its unit."""
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


#: Every metric by its name.
METRICS = _metrics()
#: Units of metrics that are written in a way of their own.
TIMES, SHARES = METRICS["p50"].units, METRICS["loss"].units


def metrics(names: str | Iterable[str]) -> list[Metric]:
    """Several metrics; from text, with commas between.

    Raises :class:`LinkError` for a name that is unknown, or given twice.
    """
    words = [word.strip() for word in (names.split(",") if isinstance(names, str) else names)]
    for name in words:
        if name not in METRICS:
            raise LinkError(f"no metric {name[:20]!r}; {near(name, METRICS)}")
    if len(set(words)) < len(words):
        raise LinkError(f"{','.join(words)[:40]!r} has a metric twice; write each once")
    return [METRICS[name] for name in words]


class Limit(NamedTuple):
    """A metric, whether it may be at most ``value``, and that value in the metric's own unit."""

    metric: Metric
    most: bool
    value: float

    @property
    def text(self) -> str:
        """As people read it."""
        return f"{self.metric.name} {'≤' if self.most else '≥'} {self.metric.text(self.value)}"


def limits(text: str) -> Sequence[Limit]:
    """The limits in a text such as ``charge<50uC,loss<0.1%``; raises :class:`LinkError`."""
    return [Limit(METRICS[name], most, value) for name, most, value in _airlag.tune_limits(text)]
