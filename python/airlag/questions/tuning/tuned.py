"""Outcome of tuning a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from airlag.core import records, types
from airlag.core.answered import Each, Key, One
from airlag.questions.shown import Plottable
from airlag.questions.tuning.objective import Objective


class Estimate(NamedTuple):
    """Value of a metric and its 95 % interval, in the unit of the metric.

    ``value`` is ``None`` if too many messages are lost. ``low`` is ``None`` if the interval has no
    lower bound, and ``high`` is ``None`` if the interval has no upper bound.
    """

    value: float | None
    low: float | None
    high: float | None


def _metrics(found: Sequence[types.Metric]) -> Mapping[str, Estimate]:
    return {one["name"]: Estimate(one["value"], *one["interval95"]) for one in found}


class Setting(records.TunedSetting):
    """A setting, measured with fresh seeds."""

    metrics = Key[Mapping[str, Estimate]](made=_metrics)

    @property
    def changes(self) -> str:
        """Changed parameters as on the command line, or ``none``."""
        return " ".join(f"{one.name}={one.value}" for one in self.turned) or "none"


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Plottable, records.Tuned):
    """Outcome of tuning a link for ``objective``."""

    objective: Objective
    untuned = One(Setting)
    found = Each(Setting)
    turned_down = Each(Setting)

    @property
    def best(self) -> Setting | None:
        """Best setting, or the first of a Pareto front; ``None`` if no setting meets the limits."""
        return next(iter(self.found), None)

    def command(self, setting: Setting) -> list[str]:
        """Returns the command line that runs the link with a setting."""
        asked = self.objective
        size = [] if asked.size is None else ["--size", str(asked.size)]
        pairs = {**asked.settings, **{one.name: one.value for one in setting.turned}}
        sets = [word for name, value in pairs.items() for word in ("--set", f"{name}={value}")]
        return ["airlag", "run", asked.link, *size, *sets]
