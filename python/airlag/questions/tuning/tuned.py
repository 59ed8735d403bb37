"""The outcome of tuning a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airlag.questions.shown import Plotted
from airlag.questions.tuning.objective import Objective


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval, in the metric's own unit.

    Attributes
    ----------
    value
        ``None`` where so many messages are lost that there is none.
    low, high
        Ends of the interval; ``None`` where nothing bounds it.
    """

    value: float | None
    low: float | None
    high: float | None


if TYPE_CHECKING:
    from airlag.core import types


@dataclass(frozen=True, slots=True)
class Turned:
    """A parameter that differs from the profile.

    Attributes
    ----------
    name
        The parameter.
    profile
        Its value in the profile; ``None`` where that has no such parameter.
    value
        What it is set to.
    gives_up
        What that gives up, in words; empty: nothing.
    """

    name: str
    profile: str | None
    value: str
    gives_up: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting under fresh seeds; ``answer`` is its JSON object."""

    answer: types.TunedSetting

    @property
    def settings(self) -> Mapping[str, str]:
        """All that is set, as ``--set`` takes it."""
        return self.answer["settings"]

    @property
    def turned(self) -> Sequence[Turned]:
        """The parameters that differ from the profile."""
        return [Turned(**one) for one in self.answer["turned"]]

    @property
    def changes(self) -> str:
        """The same as the command line takes it, or ``as it is``."""
        return " ".join(f"{one.name}={one.value}" for one in self.turned) or "as it is"

    @property
    def metrics(self) -> Mapping[str, Estimate]:
        """Each metric with its interval, by name."""
        return {
            one["name"]: Estimate(one["value"], *one["interval95"])
            for one in self.answer["metrics"]
        }

    @property
    def refused(self) -> str | None:
        """Why it is not returned, in one line; ``None`` where it keeps every limit."""
        return self.answer["refused"]


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting that was tried while choosing.

    Attributes
    ----------
    settings
        As ``--set`` takes them.
    values
        By metric of the objective; ``None`` where there is none.
    kept
        Whether it kept the limits then.
    refused
        Why it cannot be run.
    """

    settings: Mapping[str, str]
    values: Mapping[str, float | None]
    kept: bool
    refused: str | None


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Plotted):
    """The outcome of tuning a link.

    Attributes
    ----------
    objective
        What it was tuned for.
    answer
        The documented ``--json`` object.
    """

    objective: Objective
    answer: types.Tuned

    @property
    def untuned(self) -> Setting:
        """The unchanged link, under the fresh seeds."""
        return Setting(self.answer["untuned"])

    @property
    def found(self) -> Sequence[Setting]:
        """The best setting, or a Pareto front in the order of the first metric.

        The unchanged link where nothing is better; empty where nothing keeps the limits.
        """
        return [*map(Setting, self.answer["found"])]

    @property
    def best(self) -> Setting | None:
        """The setting to choose, of a front the first; ``None`` where nothing keeps the limits."""
        return next(iter(self.found), None)

    @property
    def turned_down(self) -> Sequence[Setting]:
        """The settings that were chosen and failed validation."""
        return [*map(Setting, self.answer["turned_down"])]

    @property
    def tried(self) -> Sequence[Tried]:
        """Every setting, in the order tried."""
        return [Tried(**one) for one in self.answer["tried"]]

    @property
    def runs(self) -> int:
        """Benches that ran for choosing."""
        return self.answer["runs"]

    @property
    def combinations(self) -> int | None:
        """Number of settings there are; ``None``: infinitely many."""
        return self.answer["combinations"]

    def command(self, setting: Setting) -> list[str]:
        """The command line that runs a setting."""
        asked = self.objective
        size = [] if asked.size is None else ["--size", str(asked.size)]
        pairs = {**asked.settings, **{one.name: one.value for one in setting.turned}}
        sets = [word for name, value in pairs.items() for word in ("--set", f"{name}={value}")]
        return ["airlag", "run", asked.link, *size, *sets]

    def to_json(self) -> types.Tuned:
        """The answer as the documented ``--json`` object."""
        return self.answer
