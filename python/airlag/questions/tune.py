"""Tuning of a link, and sensitivity of its metrics over a parameter space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core.arguments import (
    LARGEST_SEED,
    MOST_TRIGGERS,
    Duration,
    ns_of,
    one_of,
    several,
    text,
    whole,
)
from airlag.core.types import Region
from airlag.questions.run import payloads_of
from airlag.questions.settings import Changes, Setting, text_of
from airlag.questions.tuning import choosing, sobol
from airlag.questions.tuning.objective import TRIALS, Objective
from airlag.questions.tuning.sobol import SAMPLES, Indices, Question
from airlag.questions.tuning.tuned import Tuned

#: Maximum settings of a search, and points of a design.
MOST_TRIALS, MOST_SAMPLES = 100_000, 2**16

#: Values by parameter: ``"7.5ms..50ms"``, ``"1M|2M"``, or several values.
Over = Mapping[str, str | Iterable[Setting]]


def tune(
    link: str,
    size: int | None = None,
    *,
    minimise: str | Iterable[str] = (),
    maximise: str | Iterable[str] = (),
    subject_to: str = "",
    over: str | Over | None = None,
    free: bool = False,
    count: int = 1000,
    period: Duration | None = None,
    region: Region | None = None,
    trials: int = TRIALS,
    seed: int = 1,
    storage: str | None = None,
    study: str | None = None,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Tuned:
    """Finds the settings of a link that best meet an objective, varying all parameters together.

    >>> airlag.tune("nrf24-2m", 128, minimise="p99", subject_to="loss<0.1%")

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes. Default: 128 for links with messages.
    minimise, maximise
        Metrics of the objective: one in total, or several for a Pareto front.
    subject_to
        Limits that metrics must meet, such as ``"charge<50uC,loss<0.1%"``.
    over
        Values to try by parameter: ``{"connection_interval": "7.5ms..50ms", "phy": ["1M", "2M"]}``.
        These values restrict the link's tuning parameters, or add further parameters.
    free
        Use only changes without a cost.
    count, period
        Messages per run, and the time between two messages, such as ``"200ms"``.
    region
        Region whose regulatory limits apply: ``"eu"`` or ``"us"``.
    trials
        Number of combinations of settings to try.
    seed
        Random seed.
    storage, study
        Optuna storage, such as ``"sqlite:///tuning.db"``, and name of the study. An existing study
        is resumed.
    neighbours
        Other transmitters in range, such as ``["wifi:30%@ch6"]``.
    settings, **changes
        Profile parameters that are equal in all runs, as in :func:`airlag.run`.

    Raises
    ------
    LinkError
        An argument is invalid. The message is one line and states what is expected.
    """
    scope = _scope(link, size, over, count, period, region, seed)
    base = Changes.of(link, neighbours, settings, changes, tune)
    return choosing.tune(
        Objective(
            **scope,
            settings=base.differing(),
            minimise=_names(minimise),
            maximise=_names(maximise),
            subject_to=text(subject_to, "subject_to"),
            free=bool(free),
            trials=whole(trials, "trials", 1, MOST_TRIALS),
            storage=None if storage is None else text(storage, "storage"),
            study=None if study is None else text(study, "study"),
        )
    )


def indices(
    link: str,
    size: int | None = None,
    *,
    over: str | Over,
    of: str | Iterable[str] = ("p50", "p99"),
    count: int = 1000,
    period: Duration | None = None,
    region: Region | None = None,
    samples: int = SAMPLES,
    seed: int = 1,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Indices:
    """Estimates the share of each metric's variance that each parameter explains.

    >>> airlag.indices("ble-nus-notify", over="connection_interval=7.5ms..100ms,latency=0..4")

    Parameters
    ----------
    link, size
        As in :func:`airlag.tune`.
    over
        Values by parameter, as in :func:`airlag.tune`. All values are equally likely.
    of
        Metrics whose variance is split.
    count, period, region, seed, neighbours, settings, **changes
        As in :func:`airlag.tune`.
    samples
        Number of sample points, a power of two. A point needs three runs plus one per parameter.

    Raises
    ------
    LinkError
        An argument is invalid. The message is one line and states what is expected.
    """
    scope = _scope(link, size, over, count, period, region, seed)
    base = Changes.of(link, neighbours, settings, changes, indices)
    samples = whole(samples, "samples", 2, MOST_SAMPLES)
    question = Question(**scope, settings=base.differing(), of=_names(of), samples=samples)
    return sobol.estimate(question)


def _scope(
    link: str,
    size: int | None,
    over: str | Over | None,
    count: int,
    period: Duration | None,
    region: Region | None,
    seed: int,
) -> dict[str, Any]:
    """Builds the arguments common to both functions."""
    (known,) = payloads_of(link, size)
    return {
        "link": link,
        "size": known,
        "over": _over(over),
        "count": whole(count, "count", 1, MOST_TRIGGERS),
        "period_ns": None if period is None else ns_of(period, "period"),
        "region": None if region is None else one_of(region, "region", _airlag.regions()),
        "seed": whole(seed, "seed", 0, LARGEST_SEED),
    }


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(word.strip() for word in names.split(",")) if names.strip() else ()
    return tuple(several(names, "metrics"))


def _over(over: str | Over | None) -> dict[str, str]:
    """Returns the values of each parameter as text."""
    if over is None:
        return {}
    if isinstance(over, str):
        return dict(_airlag.tune_clauses(text(over, "over")))
    if not isinstance(over, Mapping):
        raise LinkError(f"over={over!r}: expected text, or a mapping of parameters to values")
    return {str(name): _several(str(name), values) for name, values in over.items()}


def _several(name: str, values: Any) -> str:
    if isinstance(values, str):
        return text(values, name)
    if not isinstance(values, Iterable):
        return text_of(name, values)
    found = [text_of(name, value) for value in values]
    if not found:
        raise LinkError(f"{name} has no values; expected at least one")
    return "|".join(found)
