"""The best setting of a link, and what its parameters are worth over a whole space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.api.arguments import LARGEST_SEED, MOST_TRIGGERS, Duration, ns_of, one_of, whole
from airlag.api.running import payloads_of
from airlag.api.settings import Changes, Setting, text_of
from airlag.json_types.law import Region
from airlag.tuning import choosing, sobol, space
from airlag.tuning.sobol import SAMPLES, Indices, Question
from airlag.tuning.tuned import Tuned
from airlag.tuning.wish import TRIALS, Wish

#: Most settings of one search, and points of one design.
MOST_TRIALS, MOST_SAMPLES = 100_000, 2**16
#: Arguments that are no settings of a profile.
TUNE = (
    "size", "minimise", "maximise", "subject_to", "over", "free", "count", "period", "region",
    "trials", "seed", "storage", "study", "neighbours",
)  # fmt: skip
INDICES = ("size", "over", "of", "count", "period", "region", "samples", "seed", "neighbours")

#: What each parameter may be: ``"7.5ms..50ms"``, ``"1M|2M"``, or several values.
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
    """Turns all that can be turned on a link together, for what is asked for.

    >>> airlag.tune("nrf24-2m", 128, minimise="p99", subject_to="loss<0.1%")

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes. Default: 128 where the link has a message.
    minimise, maximise
        Metrics that are to become small, and large: one in all, or a front of several.
    subject_to
        Limits that a setting has to keep, such as ``"charge<50uC,loss<0.1%"``.
    over
        By parameter, what it may be: ``{"connection_interval": "7.5ms..50ms", "phy": ["1M",
        "2M"]}``. It narrows the link's own knobs, or adds to them.
    free
        Turn only to what gives up nothing.
    count, period
        Messages of each run, and from one to the next, such as ``"200ms"``.
    region
        Whose rules it has to keep: ``"eu"`` or ``"us"``.
    trials
        Settings to try.
    seed
        Root of every random number.
    storage, study
        Where Optuna keeps the study, such as ``"sqlite:///tuning.db"``, and what it is called; one
        that is there goes on.
    neighbours
        Who else is on the air, such as ``["wifi:30%@ch6"]``.
    settings, **changes
        Parameters of the profile that are set and not turned, as in :func:`airlag.run`.

    Raises
    ------
    LinkError
        With one line that says what cannot be asked for, and what could.
    """
    base = Changes.of(link, neighbours, settings, changes, TUNE)
    wish = Wish(
        link=link,
        size=_payload(link, size),
        minimise=_names(minimise),
        maximise=_names(maximise),
        subject_to=subject_to,
        over=_over(over),
        settings=base.differing(),
        free=bool(free),
        count=whole(count, "count", 1, MOST_TRIGGERS),
        period_ns=None if period is None else ns_of(period, "period"),
        region=None if region is None else one_of(region, "region", _airlag.regions()),
        trials=whole(trials, "trials", 1, MOST_TRIALS),
        seed=whole(seed, "seed", 0, LARGEST_SEED),
        storage=storage,
        study=study,
    )
    return choosing.tune(wish)


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
    """Says what part of the variance of each metric each parameter makes, over a whole space.

    >>> airlag.indices("ble-nus-notify", over="connection_interval=7.5ms..100ms,latency=0..4")

    Parameters
    ----------
    link, size
        As in :func:`airlag.tune`.
    over
        By parameter, what it may be; each value is as likely.
    of
        Metrics.
    count, period, region, seed, neighbours, settings, **changes
        As in :func:`airlag.tune`.
    samples
        Points of the design, a power of two: each takes a run a parameter, and three more.

    Raises
    ------
    LinkError
        With one line that says what cannot be asked for, and what could.
    """
    base = Changes.of(link, neighbours, settings, changes, INDICES)
    question = Question(
        link=link,
        size=_payload(link, size),
        over=_over(over),
        of=_names(of),
        settings=base.differing(),
        count=whole(count, "count", 1, MOST_TRIGGERS),
        period_ns=None if period is None else ns_of(period, "period"),
        region=None if region is None else one_of(region, "region", _airlag.regions()),
        samples=whole(samples, "samples", 2, MOST_SAMPLES),
        seed=whole(seed, "seed", 0, LARGEST_SEED),
    )
    return sobol.weigh(question)


def _payload(link: str, size: int | None) -> int | None:
    (known,) = payloads_of(link, size)
    return known


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    if isinstance(names, str):
        return tuple(word.strip() for word in names.split(",")) if names.strip() else ()
    return tuple(names)


def _over(over: str | Over | None) -> dict[str, str]:
    """What each parameter may be, as text."""
    if over is None:
        return {}
    if isinstance(over, str):
        return space.clauses(over)
    if not isinstance(over, Mapping):
        raise LinkError(f"over={over!r}: expected text, or parameters and what they may be")
    return {str(name): _several(str(name), values) for name, values in over.items()}


def _several(name: str, values: Any) -> str:
    if isinstance(values, str):
        return values
    if not isinstance(values, Iterable):
        return text_of(name, values)
    found = [text_of(name, value) for value in values]
    if not found:
        raise LinkError(f"{name} has no values to go through; give it one at least")
    return "|".join(found)
