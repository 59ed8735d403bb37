"""What came of tuning a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from airlag.json_types import tuning as shape
from airlag.shown import Plotted
from airlag.tuning.estimate import Estimate
from airlag.tuning.limits import limits
from airlag.tuning.measure import Settings
from airlag.tuning.metrics import METRICS
from airlag.tuning.validation import FRESH
from airlag.tuning.wish import Wish

if TYPE_CHECKING:
    from airlag.showing.tuning import TunedShowing


@dataclass(frozen=True, slots=True)
class Turned:
    """A parameter that is set otherwise.

    Attributes
    ----------
    name
        The parameter.
    profile
        What the link as it is has; ``None`` where that has no such parameter.
    value
        What it is set to.
    gives_up
        What that costs, in words; empty: nothing.
    """

    name: str
    profile: str | None
    value: str
    gives_up: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting, as fresh seeds showed it.

    Attributes
    ----------
    settings
        All that is set, as ``--set`` takes it.
    turned
        What of that differs from the link as it is.
    metrics
        By name, each with its 95 % interval.
    refused
        Why it is not returned, in one line; ``None`` where it surely keeps every limit.
    """

    settings: Settings
    turned: Sequence[Turned]
    metrics: Mapping[str, Estimate]
    refused: str | None

    def to_json(self) -> shape.Setting:
        """The setting as a JSON object."""
        return {
            "settings": dict(self.settings),
            "turned": [
                {
                    "name": one.name,
                    "profile": one.profile,
                    "value": one.value,
                    "gives_up": one.gives_up,
                }
                for one in self.turned
            ],
            "metrics": [
                {
                    "name": name,
                    "unit": METRICS[name].unit,
                    "value": one.value,
                    "interval95": [one.low, one.high],
                }
                for name, one in self.metrics.items()
            ],
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting that was tried while choosing.

    Attributes
    ----------
    settings
        As ``--set`` takes them.
    values
        By metric that is asked for; ``None`` where there is none.
    kept
        Whether it kept the limits then.
    refused
        Why it cannot be had.
    """

    settings: Settings
    values: Mapping[str, float | None]
    kept: bool
    refused: str | None

    def to_json(self) -> shape.Tried:
        """The trial as a JSON object."""
        return {
            "settings": dict(self.settings),
            "values": dict(self.values),
            "kept": self.kept,
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Tuned(Plotted):
    """What came of tuning a link.

    Attributes
    ----------
    wish
        What was asked.
    untuned
        The link as it is, under the fresh seeds.
    found
        What surely keeps the limits: the best one, or a front, in the order of the first metric.
        The link as it is, where nothing is better. Empty where nothing keeps them.
    turned_down
        What was chosen and did not hold under fresh seeds.
    tried
        Every setting, in the order tried.
    runs
        Benches that were run for choosing.
    combinations
        Settings there are; ``None``: without end.
    """

    wish: Wish
    untuned: Setting
    found: Sequence[Setting]
    turned_down: Sequence[Setting]
    tried: Sequence[Tried]
    runs: int
    combinations: int | None

    @property
    def best(self) -> Setting | None:
        """The one to choose, of a front the first; ``None`` where nothing keeps the limits."""
        return self.found[0] if self.found else None

    def _showing(self) -> TunedShowing:
        from airlag.showing.tuning import TunedShowing

        return TunedShowing(self)

    def command(self, setting: Setting) -> list[str]:
        """The command line that runs a setting."""
        wish = self.wish
        size = [] if wish.size is None else ["--size", str(wish.size)]
        pairs = {**wish.settings, **{one.name: one.value for one in setting.turned}}
        sets = [word for name, value in pairs.items() for word in ("--set", f"{name}={value}")]
        return ["airlag", "run", wish.link, *size, *sets]

    def to_json(self) -> shape.Tuned:
        """The answer as the documented ``--json`` object."""
        wish = self.wish
        return {
            "link": wish.link,
            "size": wish.size,
            "seed": wish.seed,
            "minimise": list(wish.minimise),
            "maximise": list(wish.maximise),
            "limits": [
                {
                    "metric": one.metric.name,
                    "bound": "at most" if one.most else "at least",
                    "value": one.value,
                    "unit": one.metric.unit,
                }
                for one in limits(wish.subject_to)
            ],
            "region": wish.region,
            "count": wish.count,
            "runs": self.runs,
            "fresh_seeds": FRESH,
            "combinations": self.combinations,
            "untuned": self.untuned.to_json(),
            "found": [one.to_json() for one in self.found],
            "turned_down": [one.to_json() for one in self.turned_down],
            "tried": [one.to_json() for one in self.tried],
        }
