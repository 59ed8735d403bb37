"""The outcome of tuning a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from airlag.core import records, types
from airlag.core.answered import Each, Key, One
from airlag.questions.shown import Plotted
from airlag.questions.tuning.objective import Objective


class Estimate(NamedTuple):
    """A value and the ends of its 95 % interval, in the unit of its metric.

    The value is ``None`` where so many messages are lost that there is none; an end is ``None``
    where nothing bounds the interval.
    """

    value: float | None
    low: float | None
    high: float | None


def _metrics(found: Sequence[types.Metric]) -> Mapping[str, Estimate]:
    return {one["name"]: Estimate(one["value"], *one["interval95"]) for one in found}


class Setting(records.TunedSetting):
    """A setting under fresh seeds."""

    metrics = Key[Mapping[str, Estimate]](made=_metrics)

    @property
    def changes(self) -> str:
        """What differs, as the command line takes it, or ``as it is``."""
        return " ".join(f"{one.name}={one.value}" for one in self.turned) or "as it is"


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Plotted, records.Tuned):
    """The outcome of tuning a link; ``objective`` is what it was tuned for."""

    objective: Objective
    untuned = One(Setting)
    found = Each(Setting)
    turned_down = Each(Setting)

    @property
    def best(self) -> Setting | None:
        """The setting to choose, of a front the first; ``None`` where nothing keeps the limits."""
        return next(iter(self.found), None)

    def command(self, setting: Setting) -> list[str]:
        """The command line that runs a setting."""
        asked = self.objective
        size = [] if asked.size is None else ["--size", str(asked.size)]
        pairs = {**asked.settings, **{one.name: one.value for one in setting.turned}}
        sets = [word for name, value in pairs.items() for word in ("--set", f"{name}={value}")]
        return ["airlag", "run", asked.link, *size, *sets]
