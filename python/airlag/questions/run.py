"""Runs of a link on the virtual bench, with one or several payloads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Literal, overload

from airlag._airlag import LinkError
from airlag.core import payload
from airlag.core.arguments import (
    LARGEST_SEED,
    MOST_BYTES,
    MOST_TRIGGERS,
    Duration,
    ns_of,
    one_of,
    whole,
)
from airlag.core.types import Call, Phase, Traffic
from airlag.questions import bench
from airlag.questions.bench import RUN_PHASES, TRAFFIC, Request
from airlag.questions.runs import Run, Runs
from airlag.questions.settings import Changes, Setting

#: Default payload, bytes, which most radios have to fragment.
SIZE = 128
#: Traffic that makes one run; bidirectional traffic makes two.
OneWay = Literal["trigger", "echo"] | Call


@overload
def run(
    link: str,
    size: int | None = None,
    *,
    count: int = 1000,
    period: Duration | None = None,
    phase: Phase = "uniform",
    offset: Duration | None = None,
    seed: int = 1,
    traffic: OneWay = "trigger",
    places: int | None = None,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Run: ...
@overload
def run(
    link: str,
    size: int | Iterable[int] | None = None,
    *,
    count: int = 1000,
    period: Duration | None = None,
    phase: Phase = "uniform",
    offset: Duration | None = None,
    seed: int = 1,
    traffic: Traffic = "trigger",
    places: int | None = None,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Runs: ...
def run(
    link: str,
    size: int | Iterable[int] | None = None,
    *,
    count: int = 1000,
    period: Duration | None = None,
    phase: Phase = "uniform",
    offset: Duration | None = None,
    seed: int = 1,
    traffic: Traffic = "trigger",
    places: int | None = None,
    neighbours: str | Iterable[str] = (),
    settings: Mapping[str, Setting] | None = None,
    **changes: Setting,
) -> Run | Runs:
    """Runs a link on the virtual bench: same seed, same numbers, on every machine.

    >>> airlag.run("ble-nus-notify", size=128, connection_interval="7.5ms").latency["p99"]

    Parameters
    ----------
    link
        Name of a link profile; :func:`airlag.links` lists them.
    size
        Payload, bytes. Default: 128 for links with messages. A sequence gives one run per payload.
    count
        Number of triggers.
    period
        Trigger period, such as ``"200ms"``. Default: 200 ms, or longer if the link needs more time.
    phase
        ``"uniform"``: each trigger is delayed by a random time up to half a period, as user actions
        are. ``"frozen"``: triggers are exactly one period apart. ``"aligned"``: triggers are at
        least one period apart, each ``offset`` after a transmission of the link without message.
    offset
        With aligned phase, time from the start of a transmission without message to the trigger,
        such as ``"113ms"``. Default: 0.
    seed
        Random seed.
    traffic
        ``"trigger"``: one-way messages. ``"echo"``: round trips. ``"both"``: each board sends,
        which gives a forward and a return run. ``"rpc-…"``: a call of ``size`` bytes or items.
    places
        Number of simulated locations, for a link with a ``range``. Default: 20.
    neighbours
        Other transmitters in range, such as ``["wifi:30%@ch6", "ble:3"]``.
    settings
        Profile parameters by name, like ``**changes``, for names that are not valid keywords.
    **changes
        Changed profile parameters. Numbers are in the parameter's unit; text can use another unit:
        ``connection_interval="7.5ms"``, ``range="100m"``, ``environment="office"``.

    Returns
    -------
    Run or Runs
        :class:`~airlag.Run` if ``size`` is a number or omitted, except for the traffic ``"both"``.
        Otherwise, also for a list of one size, :class:`~airlag.Runs` in the order of the sizes.

    Raises
    ------
    LinkError
        The link cannot run. The message has one line: what cannot run, and what is expected.
    """
    made = Changes.of(link, neighbours, settings, changes, run)
    one = size is None or isinstance(size, Integral)
    requests = [
        Request(
            link=link,
            size=each,
            count=whole(count, "count", 1, MOST_TRIGGERS),
            period_ns=None if period is None else ns_of(period, "period"),
            phase=one_of(phase, "phase", RUN_PHASES),
            offset_ns=None if offset is None else ns_of(offset, "offset"),
            seed=whole(seed, "seed", 0, LARGEST_SEED),
            settings=made.differing(),
            traffic=one_of(traffic, "traffic", TRAFFIC),
            places=None if places is None else whole(places, "places", 1, 100_000),
        )
        for each in payloads_of(link, size)
    ]
    found: list[Run] = []
    with made.in_units():
        for result in bench.emulate_each(requests):
            if isinstance(result, LinkError):
                raise result
            found.extend(result)
    return found[0] if one and len(found) == 1 else Runs(found)


def payloads_of(link: str, size: int | Iterable[int] | None) -> list[int | None]:
    """Returns the payloads of a link, bytes; a single ``None`` for a link without messages.

    Raises :class:`LinkError` for an invalid payload, or a payload for a link without messages.
    """
    if size is None:
        asked = None
    elif isinstance(size, str) or not isinstance(size, Iterable):
        asked = [whole(size, "size", 0, MOST_BYTES)]
    else:
        asked = [whole(each, "size", 0, MOST_BYTES) for each in size]
        if not asked:
            raise LinkError(f"{link}: no size; expected at least one, such as [128]")
    return payload.of_each([link], asked, [SIZE])[link]


def payload_of(link: str, size: int | None) -> int | None:
    """Returns the payload of a link, bytes; ``None`` for a link without messages.

    Raises :class:`LinkError` for an invalid payload, or a payload for a link without messages.
    """
    (found,) = payloads_of(link, size)
    return found
