"""The outcome of tuning a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from airlag.core import types
from airlag.core.answered import Answered, Each, Key, Part
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


class Turned(Answered, shape=types.Turned):
    """A parameter that differs from the profile."""

    name = Key[str]()
    profile = Key[str | None]()
    value = Key[str]()
    gives_up = Key[str]()


def _metrics(found: Sequence[types.Metric]) -> Mapping[str, Estimate]:
    return {one["name"]: Estimate(one["value"], *one["interval95"]) for one in found}


class Setting(Answered, shape=types.TunedSetting):
    """A setting under fresh seeds."""

    settings = Key[Mapping[str, str]]()
    turned = Each(Turned)
    metrics = Part(_metrics)
    refused = Key[str | None]()

    @property
    def changes(self) -> str:
        """What differs, as the command line takes it, or ``as it is``."""
        return " ".join(f"{one.name}={one.value}" for one in self.turned) or "as it is"


class Tried(Answered, shape=types.Tried):
    """A setting that was tried while choosing."""

    settings = Key[Mapping[str, str]]()
    values = Key[Mapping[str, float | None]]()
    kept = Key[bool]()
    refused = Key[str | None]()


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Plotted, Answered, shape=types.Tuned):
    """The outcome of tuning a link; ``objective`` is what it was tuned for."""

    objective: Objective
    untuned = Part(Setting)
    found = Each(Setting)
    turned_down = Each(Setting)
    tried = Each(Tried)
    runs = Key[int]()
    combinations = Key[int | None]()

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
