"""What a link is tuned for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from airlag._airlag import LinkError
from airlag.json_types.law import Region
from airlag.tuning.measure import Settings
from airlag.tuning.metrics import metrics
from airlag.tuning.search import Aim

#: Settings that are tried where nobody says how many.
TRIALS = 128


@dataclass(frozen=True, slots=True)
class Wish:
    """What a link is tuned for.

    Attributes
    ----------
    link, size
        The profile, and its payload, bytes; ``None`` where it has no message.
    minimise, maximise
        Names of metrics: what is to become small, and large. One in all, or a front of several.
    subject_to
        Limits as text: ``loss<0.1%``.
    over
        By parameter, what it may be: ``7.5ms..50ms``, ``1M|2M``.
    settings
        What is set besides, as ``--set`` takes it.
    free
        Turn only to what gives up nothing.
    count, period_ns
        Messages of a run, and from one to the next, ns; ``None``: an unhurried period.
    region
        Whose rules it has to keep.
    trials
        Settings to try.
    seed
        Root of every random number.
    storage, study
        Where Optuna keeps the study, and its name; ``None``: nowhere, and one of what is asked.
    """

    link: str
    size: int | None
    minimise: tuple[str, ...] = ()
    maximise: tuple[str, ...] = ()
    subject_to: str = ""
    over: Mapping[str, str] = field(default_factory=dict)
    settings: Settings = field(default_factory=dict)
    free: bool = False
    count: int = 1000
    period_ns: int | None = None
    region: Region | None = None
    trials: int = TRIALS
    seed: int = 1
    storage: str | None = None
    study: str | None = None

    @property
    def aims(self) -> list[Aim]:
        """What is asked for; raises :class:`LinkError` where nothing is, or something twice."""
        found = [Aim(one, False) for one in metrics(self.minimise)] if self.minimise else []
        found += [Aim(one, True) for one in metrics(self.maximise)] if self.maximise else []
        if not found:
            raise LinkError("nothing to tune for; name a metric to minimise or maximise, say p99")
        if len({aim.metric.name for aim in found}) < len(found):
            raise LinkError("a metric cannot become both small and large; write each once")
        return found
