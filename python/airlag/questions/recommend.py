"""Choice of a link for a deadline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import payload
from airlag.core.arguments import (
    LARGEST_SEED,
    MOST_BYTES,
    Duration,
    mapping,
    ns_of,
    one_of,
    several,
    share,
    text,
    whole,
)
from airlag.core.types import Region
from airlag.questions import recommendation
from airlag.questions.charge import parse_charge, parse_life, parse_rate
from airlag.questions.recommendation import LIMITS, Recommendation, Task
from airlag.questions.run import SIZE
from airlag.questions.settings import text_of

#: Maximum deadline and period, ns.
LONGEST_NS = 10**13


def recommend(
    deadline: Duration,
    size: int | None = None,
    *,
    links: str | Iterable[str] = (),
    percentile: float = 99.0,
    max_loss: float = 0.01,
    range: str | float | None = None,  # noqa: A002
    environment: str | None = None,
    places_share: float | None = None,
    neighbours: str | Iterable[str] = (),
    processor: str | None = None,
    period: Duration | None = None,
    wired: bool = False,
    trade: bool = False,
    settings: Mapping[str, Any] | None = None,
    budget: Duration = "30s",
    region: Region | None = None,
    max_charge: str | None = None,
    battery: str | None = None,
    battery_life: str | None = None,
    rate: str | None = None,
    seed: int = 1,
) -> Recommendation:
    """Finds the links that meet a deadline, and the reasons why other links do not meet it.

    >>> airlag.recommend("20ms", size=128, links=["nrf24-2m", "espnow"])

    Parameters
    ----------
    deadline
        Maximum time from trigger to completion, such as ``"16.6ms"``.
    size
        Payload, bytes. Default: 128 for links with messages.
    links
        Names of link profiles to choose from. Default: all profiles with a radio.
    percentile
        Percent of all messages that must meet the deadline, 50 to 99.99.
    max_loss
        Share of all messages that may be lost, 0.0001 to 0.5.
    range
        Distance between the radios: ``"30m"``, or a number of metres. Default: side by side.
    environment
        Propagation environment, such as ``"office"``.
    places_share
        Share of simulated locations that must meet the requirements, 0.1 to 0.95. Default: 0.9.
    neighbours
        Other transmitters in range, such as ``["wifi:30%@ch6"]``.
    processor
        Processor of both boards for the computation of currents, such as ``"nrf54l15-cpu"``, or
        ``"none"`` for the radio only. A link whose radio and processor are on one chip keeps its
        processor. Default: the processor of the measured boards.
    period
        Message period, such as ``"200ms"``. Default: derived from the latency of each link.
    wired
        Include wired links.
    trade
        Also change settings whose cost is not visible in the latency.
    settings
        Parameters, such as ``{"tx_power": 0}``, each set on all links with this parameter.
    budget
        CPU time of the search on one core, such as ``"300s"``. Links left over are undecided.
    region
        Region whose rules apply: ``"eu"`` or ``"us"``.
    max_charge
        Maximum charge per message of the sender, such as ``"50uC"``.
    battery, battery_life, rate
        Battery of the sender, such as ``"2xAA"``; required life, such as ``"1y"``; message rate,
        such as ``"1/min"``. Default rate: one message per ``period``.
    seed
        Random seed.

    Raises
    ------
    LinkError
        An argument is invalid. The message is one line that states what is expected.
    """
    for name, value in (("environment", environment), ("places_share", places_share)):
        if value is not None and range is None:
            raise LinkError(f"{name}={value!r} has no effect without range, such as '30m'")
    if battery_life is None and battery is None and rate is not None:
        raise LinkError("rate has no effect without battery or battery_life, such as '1y'")
    chosen = several(links, "links")
    task = Task(
        size=_payload(chosen, size),
        deadline_ns=_within(deadline, "deadline", 1),
        percentile=share(percentile, "percentile", *LIMITS["percentile"]),
        max_loss=share(max_loss, "max_loss", *LIMITS["max_loss"]),
        distance=_distance(range),
        environment=None if environment is None else text(environment, "environment"),
        places_share=share(
            0.9 if places_share is None else places_share, "places_share", *LIMITS["places_share"]
        ),
        neighbours=several(neighbours, "neighbours"),
        processor=None if processor is None else text(processor, "processor"),
        period_ns=None if period is None else _within(period, "period", 1000),
        seed=whole(seed, "seed", 0, LARGEST_SEED),
        links=chosen,
        wired=bool(wired),
        trade=bool(trade),
        region=None if region is None else one_of(region, "region", _airlag.regions()),
        max_charge_nc=_read(max_charge, "max_charge", parse_charge),
        battery=None if battery is None else text(battery, "battery"),
        battery_years=_read(battery_life, "battery_life", parse_life),
        per_second=_read(rate, "rate", parse_rate),
        settings={
            name: text_of(name, value) for name, value in mapping(settings, "settings").items()
        },
        budget_s=_budget(budget),
    )
    return recommendation.recommend(task)


def _read(value: Any, name: str, parse: Callable[[str], float]) -> float | None:
    """Parses the quantity ``name`` with its unit."""
    if value is None:
        return None
    try:
        return parse(text(value, name))
    except ValueError as error:
        raise LinkError(str(error)) from None


def _budget(budget: Duration) -> float:
    """Converts the time budget of a search to seconds."""
    seconds = ns_of(budget, "budget") / 1e9
    low, high = LIMITS["budget_s"]
    if not low <= seconds <= high:
        raise LinkError(f"budget={budget!r}: expected a time from 100 ms to 1000000 s")
    return seconds


def _within(value: Duration, name: str, least_ns: int) -> int:
    ns = ns_of(value, name)
    if not least_ns <= ns <= LONGEST_NS:
        raise LinkError(f"{name}={value!r}: expected a time from {least_ns} ns to 10000 s")
    return ns


def _payload(links: list[str], size: int | None) -> int | None:
    """Payload, bytes; ``None`` if no link has messages."""
    asked = None if size is None else [whole(size, "size", 1, MOST_BYTES)]
    found = payload.of_each(links, asked, [SIZE])
    # All radio links carry messages.
    known = [each for (each,) in found.values()] or [SIZE if asked is None else asked[0]]
    return next((each for each in known if each is not None), None)


def _distance(value: Any) -> str | None:
    """Converts a range to text with its unit."""
    if value is None:
        return None
    if isinstance(value, Real) and not isinstance(value, bool):
        # A Python integer may exceed the range of floats.
        if not 0 < value < 1e9:  # type: ignore[operator]
            raise LinkError(f"range={value!r}: expected metres above 0, or text such as '30m'")
        return f"{text_of('range', value)}m"
    if isinstance(value, str):
        return value
    raise LinkError(f"range={value!r}: expected metres, or text such as '30m'")
