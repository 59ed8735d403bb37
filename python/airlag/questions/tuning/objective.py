"""What is asked of a whole space of settings: where it is, and what a link is tuned for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from airlag import _airlag
from airlag._airlag import LinkError, TuneBench, TuneSpace
from airlag.core.types import Region
from airlag.questions.tuning.metrics import Metric, metrics

#: Settings tried by default.
TRIALS = 128


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A link, the values its parameters may take, and how each setting is run."""

    #: The profile, and its payload, bytes; ``None`` where it has no message.
    link: str
    size: int | None
    #: Values by parameter: ``7.5ms..50ms``, ``1M|2M``.
    over: Mapping[str, str] = field(default_factory=dict)
    #: Parameters that are the same for all, as ``--set`` takes them.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Messages of a run, and the time between them, ns; ``None``: an unhurried period.
    count: int = 1000
    period_ns: int | None = None
    #: Region whose regulatory limits every setting has to keep.
    region: Region | None = None
    #: Random seed.
    seed: int = 1

    def bench(
        self, read: Iterable[str], limits: str = "", *, shown: bool = False, lawful: bool = True
    ) -> TuneBench:
        """A bench for these metrics; with ``shown``, also for those every setting is shown with."""
        return _airlag.TuneBench(
            self.link,
            self.size,
            dict(self.settings),
            self.count,
            self.period_ns,
            self.region if lawful else None,
            list(read),
            limits,
            shown,
        )

    def space(self, *, knobs: bool, free: bool = False, sparing: bool = False) -> TuneSpace:
        """The parameters named in ``over``, and with ``knobs`` those of the link's own.

        With ``sparing``, those are among them that lower the current between messages.
        """
        over, settings = list(self.over.items()), dict(self.settings)
        return _airlag.TuneSpace(self.link, self.size, settings, over, knobs, free, sparing)


@dataclass(frozen=True, slots=True)
class Aim:
    """A metric that is minimised, or maximised where it ``rises``."""

    metric: Metric
    rises: bool

    @property
    def text(self) -> str:
        """As the command line has it."""
        return f"{'maximise' if self.rises else 'minimise'} {self.metric.name}"

    def cost(self, values: Mapping[str, float]) -> float:
        """Its value, where less is better; infinite where there is none."""
        value = values.get(self.metric.name, math.inf)
        if not math.isfinite(value):
            return math.inf
        return -value if self.rises else value


@dataclass(frozen=True, kw_only=True)
class Objective(Scope):
    """What a link is tuned for."""

    #: Names of metrics: one in all, or a Pareto front of several.
    minimise: tuple[str, ...] = ()
    maximise: tuple[str, ...] = ()
    #: Limits as text: ``loss<0.1%``.
    subject_to: str = ""
    #: Change only what gives up nothing.
    free: bool = False
    #: Settings to try.
    trials: int = TRIALS
    #: Where Optuna keeps the study, and its name; ``None``: nowhere, and one made of the rest.
    storage: str | None = None
    study: str | None = None

    @property
    def aims(self) -> list[Aim]:
        """Every metric; raises :class:`LinkError` where there is none, or one twice."""
        found = [Aim(one, False) for one in metrics(self.minimise)]
        found += [Aim(one, True) for one in metrics(self.maximise)]
        if not found:
            raise LinkError("nothing to tune for; name a metric to minimise or maximise, say p99")
        if len({aim.metric.name for aim in found}) < len(found):
            raise LinkError("a metric cannot be both minimised and maximised; write each once")
        return found
