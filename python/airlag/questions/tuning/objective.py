"""Parameter space and objective of tuning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from airlag import _airlag
from airlag._airlag import LinkError, TuneBench, TuneSpace
from airlag.core.types import Region
from airlag.questions.tuning.metrics import Metric, metrics

#: Default number of settings tried.
TRIALS = 128


@dataclass(frozen=True, kw_only=True)
class Scope:
    """A link, its parameter space, and the run options of each setting."""

    #: Profile, and payload, bytes; ``None`` for links without messages.
    link: str
    size: int | None
    #: Values by parameter: ``7.5ms..50ms``, ``1M|2M``.
    over: Mapping[str, str] = field(default_factory=dict)
    #: Parameters common to all settings, as in ``--set``.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Messages per run, and period, ns; ``None``: a period without queueing.
    count: int = 1000
    period_ns: int | None = None
    #: Region whose regulatory limits apply.
    region: Region | None = None
    #: Random seed.
    seed: int = 1

    def bench(
        self, read: Iterable[str], limits: str = "", *, shown: bool = False, lawful: bool = True
    ) -> TuneBench:
        """Returns a bench for these metrics; with ``shown``, also for the default metrics."""
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
        """Returns the parameters of ``over`` and, with ``knobs``, the link's tuning parameters.

        With ``knobs`` and ``sparing``, tuning parameters that lower the idle current are included.
        """
        over, settings = list(self.over.items()), dict(self.settings)
        return _airlag.TuneSpace(self.link, self.size, settings, over, knobs, free, sparing)


@dataclass(frozen=True, slots=True)
class Aim:
    """A metric to minimise or, with ``rises``, to maximise."""

    metric: Metric
    rises: bool

    @property
    def text(self) -> str:
        """Formats the aim as on the command line."""
        return f"{'maximise' if self.rises else 'minimise'} {self.metric.name}"

    def cost(self, values: Mapping[str, float]) -> float:
        """Cost of a setting; less is better. It is infinite if the metric has no value."""
        value = values.get(self.metric.name, math.inf)
        if not math.isfinite(value):
            return math.inf
        return -value if self.rises else value


@dataclass(frozen=True, kw_only=True)
class Objective(Scope):
    """Objective of tuning a link."""

    #: Names of metrics: one in total, or several for a Pareto front.
    minimise: tuple[str, ...] = ()
    maximise: tuple[str, ...] = ()
    #: Limits as text: ``loss<0.1%``.
    subject_to: str = ""
    #: Change only parameters without a cost.
    free: bool = False
    #: Number of settings to try.
    trials: int = TRIALS
    #: Optuna storage, ``None`` for memory, and study name, ``None`` for a derived one.
    storage: str | None = None
    study: str | None = None

    @property
    def aims(self) -> list[Aim]:
        """All metrics; raises :class:`LinkError` if there is none or one is repeated."""
        found = [Aim(one, False) for one in metrics(self.minimise)]
        found += [Aim(one, True) for one in metrics(self.maximise)]
        if not found:
            raise LinkError("no metric to minimise or maximise; expected one such as p99")
        if len({aim.metric.name for aim in found}) < len(found):
            raise LinkError("a metric cannot be both minimised and maximised; name each once")
        return found
