"""Links on the virtual bench: one run, or several payloads side by side."""

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

#: Payload where none is asked for, bytes: one that most radios have to cut into pieces.
SIZE = 128
#: What makes one run; traffic both ways makes two.
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
        Payload, bytes. Default: 128 where the link has a message. Several: as many runs.
    count
        Triggers.
    period
        From trigger to trigger, such as ``"200ms"``. Default: 200 ms, or as much longer as the
        link needs.
    phase
        ``"uniform"``: each trigger comes up to half a period late, as what a user sends does.
        ``"frozen"``: exactly one period apart. ``"aligned"``: ``offset`` after a transmission that
        the link makes on its own, and one period apart at least.
    offset
        With aligned phase, from the beginning of a transmission to the trigger, such as
        ``"113ms"``. Default: 0.
    seed
        Root of every random number.
    traffic
        ``"trigger"``: a message there. ``"echo"``: there and back. ``"both"``: each board sends;
        two runs, there and back. ``"rpc-…"``: a call of ``size`` bytes or items.
    places
        Places that triggers are spread over where ``range`` puts the radios apart. Default: 20.
    neighbours
        Who else is on the air, such as ``["wifi:30%@ch6", "ble:3"]``.
    settings
        Parameters of the profile by name, where a keyword will not do.
    **changes
        Parameters of the profile to change. A number is in the parameter's own unit, text may
        have another: ``connection_interval="7.5ms"``, ``range="100m"``, ``environment="office"``.

    Returns
    -------
    Run or Runs
        A :class:`~airlag.Run` when one run is asked for: one size, or none, and traffic that makes
        one. Else :class:`~airlag.Runs`, in the order of the sizes, also of a list with one size.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
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
    """What a link is run with, bytes; once ``None`` where it has no message.

    Raises :class:`LinkError` when one is no payload, or the link has no message.
    """
    if size is None:
        asked = None
    elif isinstance(size, str) or not isinstance(size, Iterable):
        asked = [whole(size, "size", 0, MOST_BYTES)]
    else:
        asked = [whole(each, "size", 0, MOST_BYTES) for each in size]
        if not asked:
            raise LinkError(f"{link}: no size to run with; expected at least one, such as [128]")
    return payload.of_each([link], asked, [SIZE])[link]


def payload_of(link: str, size: int | None) -> int | None:
    """What a link is asked about, bytes; ``None`` where it has no message.

    Raises :class:`LinkError` when it is no payload, or the link has no message.
    """
    (found,) = payloads_of(link, size)
    return found
