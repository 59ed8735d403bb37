"""One setting on the bench under one seed: what it did, or why it cannot be had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from airlag import bench
from airlag._airlag import LinkError
from airlag.bench import Request
from airlag.json_types.law import Region
from airlag.offered import goodput
from airlag.side_by_side import side_by_side
from airlag.tuning.metrics import Metric, Seen, fates_of

#: A setting of every parameter of a space, as ``--set`` takes it.
Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Job:
    """What every setting is asked to do.

    Attributes
    ----------
    link, size
        The profile, and its payload, bytes; ``None`` where it has no message.
    settings
        What is set besides the parameters that are turned.
    count
        Messages of a run, at any phase of their period.
    period_ns
        From message to message, ns; ``None``: an unhurried one, as each setting needs.
    region
        Whose rules a setting has to keep; ``None``: nobody's.
    """

    link: str
    size: int | None
    settings: Settings = field(default_factory=dict)
    count: int = 1000
    period_ns: int | None = None
    region: Region | None = None


def is_charged(job: Job) -> bool:
    """Whether the link says what a message costs in charge."""
    request = Request(job.link, job.size, 1, job.period_ns, settings=job.settings)
    return getattr(bench.emulate(request), "charge", None) is not None


@dataclass(slots=True)
class Bench:
    """Settings on the bench, side by side; what has run once does not run again.

    Attributes
    ----------
    job
        What each is asked to do.
    metrics
        What is read of it.
    runs
        How many benches have run.
    """

    job: Job
    metrics: Sequence[Metric]
    runs: int = 0
    _held: dict[tuple[tuple[tuple[str, str], ...], int], Seen | str] = field(default_factory=dict)

    def each(self, asked: Iterable[tuple[Settings, int]]) -> list[Seen | str]:
        """What settings did under seeds, in the order asked; text says why one cannot be had."""
        keys = [(tuple(sorted(settings.items())), seed) for settings, seed in asked]
        new = [key for key in dict.fromkeys(keys) if key not in self._held]
        found = side_by_side(lambda key: self._one(dict(key[0]), key[1]), new)
        self._held.update(zip(new, found, strict=True))
        self.runs += len(new)
        return [self._held[key] for key in keys]

    def under(self, settings: Settings, seeds: Sequence[int]) -> list[Seen] | str:
        """What one did under several seeds; text where it cannot be had under any of them."""
        found = self.each((settings, seed) for seed in seeds)
        refused = next((one for one in found if isinstance(one, str)), None)
        return refused or [one for one in found if isinstance(one, Seen)]

    def _one(self, settings: Settings, seed: int) -> Seen | str:
        try:
            return self._seen(settings, seed)
        except LinkError as error:
            return str(error)

    def _seen(self, settings: Settings, seed: int) -> Seen:
        job = self.job
        chosen = {**job.settings, **settings}
        request = Request(
            job.link,
            job.size,
            job.count,
            job.period_ns,
            seed=seed,
            settings=chosen,
            findings=False,
        )
        run = bench.emulate(request)
        if job.region is not None:
            law = bench.ruled(run, request, job.region).law.get(job.region)
            if law is not None and not law["allowed"]:
                raise LinkError(f"{job.region}: {law['reason']}")
        figures = {}
        for metric in self.metrics:
            if metric.figure is None:
                continue
            told: object = run
            if metric.task == "stream":
                assert job.size is not None
                told = goodput(job.link, job.size, count=job.count, seed=seed, settings=chosen)
            figures[metric.name] = metric.figure(told)
        return Seen(fates_of(run), figures)
