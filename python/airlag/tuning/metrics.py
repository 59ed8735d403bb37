"""What a setting is judged by: a name, a unit, which way is better, and how it is read of runs.

A new one is one entry of :data:`METRICS`. Quantiles are of all messages, a lost one taking longer
than any, so that losing messages never looks quick; mean and longest are of those that arrive.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError
from airlag.api.arguments import near
from airlag.quantity import NS_PER_UNIT, duration, number, unit_for
from airlag.quantity import percent as in_percent
from airlag.runs import NONE, Run
from airlag.tuning import estimate
from airlag.tuning.estimate import MISS, Estimate

#: What a setting is asked to do: send messages now and then, or as many as it can.
Task = Literal["messages", "stream"]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a setting did under one seed.

    Attributes
    ----------
    fates_ns
        Latencies of the messages whose fate is known, ns; infinite of a lost one.
    figures
        By name of a metric: its figure of this run, for those that are one figure a run. Not a
        number where there is none.
    """

    fates_ns: NDArray[np.float64]
    figures: Mapping[str, float]


def fates_of(run: Run) -> NDArray[np.float64]:
    """Latencies of all messages of known fate, ns; infinite of a lost one."""
    fates = run.fates_ns
    return np.where(fates == NONE, math.inf, fates.astype(np.float64))


class Kind(ABC):
    """How a number comes of runs, and how sure it is."""

    __slots__ = ()

    @abstractmethod
    def value(self, name: str, seen: Sequence[Seen]) -> float:
        """Of all runs together; infinite or not a number where there is none."""

    @abstractmethod
    def bound(self, name: str, seen: Sequence[Seen], miss: float, *, upper: bool) -> float:
        """One end of its interval; the truth is beyond it with a probability of ``miss``."""

    def holds(
        self, name: str, seen: Sequence[Seen], limit: float, miss: float, *, most: bool
    ) -> bool:
        """Whether it is surely at most, or at least, ``limit``."""
        end = self.bound(name, seen, miss, upper=most)
        return end <= limit if most else end >= limit


@dataclass(frozen=True, slots=True)
class Quantile(Kind):
    """A quantile of all messages."""

    level: float

    def value(self, name: str, seen: Sequence[Seen]) -> float:
        """Of the messages of all runs."""
        del name
        return estimate.quantile(np.concatenate([one.fates_ns for one in seen]), self.level)

    def bound(self, name: str, seen: Sequence[Seen], miss: float, *, upper: bool) -> float:
        """An order statistic."""
        del name
        runs = [one.fates_ns for one in seen]
        return estimate.quantile_bound(runs, self.level, miss, upper=upper)

    def holds(
        self, name: str, seen: Sequence[Seen], limit: float, miss: float, *, most: bool
    ) -> bool:
        """By the share of messages beyond the limit, which is the same and exact."""
        del name
        sizes = [len(one.fates_ns) for one in seen]
        if most:
            late = [int(np.count_nonzero(one.fates_ns > limit)) for one in seen]
            return estimate.share_bound(late, sizes, miss, upper=True) <= 1 - self.level
        early = [int(np.count_nonzero(one.fates_ns < limit)) for one in seen]
        return estimate.share_bound(early, sizes, miss, upper=True) <= self.level


class Lost(Kind):
    """The share of messages that never arrive."""

    def value(self, name: str, seen: Sequence[Seen]) -> float:
        """Of the messages of all runs."""
        del name
        sent = sum(len(one.fates_ns) for one in seen)
        return sum(map(_lost, seen)) / sent if sent else math.nan

    def bound(self, name: str, seen: Sequence[Seen], miss: float, *, upper: bool) -> float:
        """Clopper and Pearson's."""
        del name
        sizes = [len(one.fates_ns) for one in seen]
        return estimate.share_bound([_lost(one) for one in seen], sizes, miss, upper=upper)


def _lost(seen: Seen) -> int:
    return int(np.count_nonzero(np.isinf(seen.fates_ns)))


class Mean(Kind):
    """The mean of one figure a run."""

    def value(self, name: str, seen: Sequence[Seen]) -> float:
        """Over runs."""
        return float(np.mean([one.figures[name] for one in seen])) if seen else math.nan

    def bound(self, name: str, seen: Sequence[Seen], miss: float, *, upper: bool) -> float:
        """Student's t."""
        return estimate.mean_bound([one.figures[name] for one in seen], miss, upper=upper)


class Longest(Kind):
    """The largest figure of all runs: a longer one may always come, so nothing bounds it."""

    def value(self, name: str, seen: Sequence[Seen]) -> float:
        """Of all runs."""
        return max((one.figures[name] for one in seen), default=math.nan)

    def bound(self, name: str, seen: Sequence[Seen], miss: float, *, upper: bool) -> float:
        """What was seen is at most the truth."""
        del miss
        return math.inf if upper else self.value(name, seen)


@dataclass(frozen=True, slots=True)
class Metric:
    """What a setting is judged by.

    Attributes
    ----------
    name
        As the command line has it.
    about
        What it is.
    units
        The units it is written in, and what each is of its own, which is the first one.
    kind
        How it comes of runs.
    task
        What the setting is asked to do.
    figure
        One run or goodput to its one figure in its own unit; ``None`` where messages are counted.
    rises
        Whether more is better.
    """

    name: str
    about: str
    units: Mapping[str, float]
    kind: Kind
    task: Task = "messages"
    figure: Callable[[Any], float] | None = None
    rises: bool = False

    @property
    def unit(self) -> str:
        """Its own unit, which is that of every number that is no text."""
        return next(iter(self.units))

    def estimate(self, seen: Sequence[Seen]) -> Estimate:
        """Its value over runs, with the 95 % interval."""
        ends = [
            self.kind.bound(self.name, seen, MISS / 2, upper=upper) if len(seen) > 1 else math.nan
            for upper in (False, True)
        ]
        value, low, high = (
            one if math.isfinite(one) else None for one in (self.value(seen), *ends)
        )
        return Estimate(value, low, high)

    def value(self, seen: Sequence[Seen]) -> float:
        """Its value over runs; infinite, on its worse side, where there is none."""
        value = self.kind.value(self.name, seen)
        return value if math.isfinite(value) else (-math.inf if self.rises else math.inf)

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


#: Units by what they measure; the first of each is 1.
TIMES: Mapping[str, float] = {unit: float(ns) for unit, ns in NS_PER_UNIT.items()}
SHARES: Mapping[str, float] = {"": 1.0, "%": 0.01}
RATES: Mapping[str, float] = {"kbit/s": 1.0, "bit/s": 1e-3, "Mbit/s": 1e3}
CHARGES: Mapping[str, float] = {"nC": 1.0, "uC": 1e3, "µC": 1e3, "μC": 1e3, "mC": 1e6}


def _of_latency(key: str) -> Callable[[Run], float]:
    def figure(run: Run) -> float:
        held: Mapping[str, Any] | None = run.latency
        return math.nan if held is None else float(held[key])

    return figure


def _charge(run: Run) -> float:
    """What one more message costs the sender."""
    told: Mapping[str, Any] | None = getattr(run, "charge", None)
    if told is None:
        raise LinkError(
            f"{run.link}: nothing says what it draws, so it has no charge; leave charge out"
        )
    return float(told["sender"]["marginal_nc"])


_LIST = (
    Metric("mean", "mean latency of what arrives", TIMES, Mean(), figure=_of_latency("mean")),
    Metric("p50", "median latency of all messages", TIMES, Quantile(0.5)),
    Metric("p95", "95 % quantile of the latency of all messages", TIMES, Quantile(0.95)),
    Metric("p99", "99 % quantile of the latency of all messages", TIMES, Quantile(0.99)),
    Metric("max", "longest latency seen", TIMES, Longest(), figure=_of_latency("max")),
    Metric("loss", "share of messages that never arrive", SHARES, Lost()),
    Metric(
        "goodput",
        "user data when the sender never waits",
        RATES,
        Mean(),
        task="stream",
        figure=lambda told: float(told.kbps),
        rises=True,
    ),
    Metric("charge", "charge of one more message at the sender", CHARGES, Mean(), figure=_charge),
)
#: Every metric by its name.
METRICS: Mapping[str, Metric] = {one.name: one for one in _LIST}


def metric(name: str) -> Metric:
    """The metric of that name.

    Raises
    ------
    LinkError
        With one line that names near ones.
    """
    if name not in METRICS:
        raise LinkError(f"no metric {name[:20]!r}; {near(name, METRICS)}")
    return METRICS[name]


def metrics(names: str | Iterable[str]) -> list[Metric]:
    """Several of them; of text, with commas between.

    Raises
    ------
    LinkError
        With one line, where there is none, or one twice.
    """
    words = names.split(",") if isinstance(names, str) else list(names)
    found = [metric(word.strip()) for word in words]
    if len(set(words)) < len(words):
        raise LinkError(f"{','.join(words)[:40]!r} has a metric twice; write each once")
    return found
