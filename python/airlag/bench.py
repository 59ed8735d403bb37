"""Runs on the virtual bench: a link profile, a size and a stimulus in, a :class:`~airlag.Run` out.

From here on nothing tells such a run from a capture: the same pairing, statistics and findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from os import cpu_count
from typing import Any, Literal

from airlag import _airlag
from airlag._airlag import LinkError, Trace, Transfers
from airlag.analysis import run_of_transfers
from airlag.pairing import Pairing
from airlag.run import Run

Phase = Literal["uniform", "frozen"]
#: What a trigger can be to whatever ticks on the boards; the first is the default.
PHASES: tuple[Phase, ...] = ("uniform", "frozen")
#: What the published benchmarks used for every link that is quick enough, ns.
PERIOD_NS = 200_000_000
#: Steps of longer periods, ns: 500 ms, 1 s, 2 s … 500 s.
_LONGER_NS = (500_000_000, *(digit * 10**power for power in (9, 10, 11) for digit in (1, 2, 5)))
#: Messages sent one at a time to learn how long one takes, and their distance, ns.
_PROBES = 4
_PROBE_PERIOD_NS = 500_000_000_000
#: Longest run, ns: 73 years, a quarter of what 64-bit nanoseconds hold.
_LONGEST_NS = 2**61


@dataclass(frozen=True, slots=True)
class Request:
    """What to run.

    Attributes
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes.
    count
        Triggers.
    period_ns
        From trigger to trigger, ns; ``None``: what the published benchmarks used where the link is
        quick enough for it, else the next of 500 ms, 1 s, 2 s, 5 s … that is.
    phase
        ``frozen``: exactly one period from trigger to trigger. ``uniform``: each comes up to half a
        period late, so that it meets whatever ticks on the boards at any phase.
    seed
        Root of every random number.
    settings
        Parameters of the profile to change, as text.
    """

    link: str
    size: int
    count: int = 1000
    period_ns: int | None = None
    phase: Phase = "uniform"
    seed: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)


def emulate(request: Request) -> Run:
    """Runs one link at one size.

    ``Run.config`` notes the stimulus, and as ``service_ns`` the longest latency of a few messages
    sent one at a time, ns; ``None`` when none of them arrived.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    service_ns, period_ns = _timing(request)
    paired, trace, _ = _airlag.run_link(*_arguments(request, period_ns))
    return _run(request, service_ns, period_ns, paired, trace)


@dataclass(frozen=True, slots=True)
class Frames:
    """What a sniffer heard during a run.

    Attributes
    ----------
    pcapng
        The frames as a capture file; its instant 0 is that of the run.
    count
        Frames in it.
    left_out
        Frames that are not, by family of radio: there is no way to write them down.
    over_limit
        Frames that came after the first gibibyte, and are not in it either.
    """

    pcapng: bytes
    count: int
    left_out: Mapping[str, int]
    over_limit: int


def sniff(request: Request) -> tuple[Run, Frames]:
    """Runs one link at one size, as :func:`emulate` does, with a sniffer on the air.

    Raises
    ------
    LinkError
        As :func:`emulate`, and for a link that goes over a wire.
    """
    service_ns, period_ns = _timing(request)
    paired, trace, file, counts = _airlag.sniff_link(*_arguments(request, period_ns))
    run = _run(request, service_ns, period_ns, paired, trace)
    return run, Frames(file, counts["frames"], counts["left_out"], counts["over_limit"])


def _timing(request: Request) -> tuple[int | None, int]:
    """What a message takes, and the period to send them at, ns."""
    service_ns = _service_ns(request)
    period_ns = request.period_ns
    if period_ns is None:
        period_ns = _safe_period_ns(service_ns)
    if request.count * period_ns > _LONGEST_NS:
        raise LinkError(
            f"{request.link}: {request.count} triggers every {period_ns / 10**9:g} s last longer "
            "than 73 years; choose fewer, or a shorter period"
        )
    return service_ns, period_ns


def _arguments(
    request: Request, period_ns: int
) -> tuple[str, int, int, int, Phase, int, dict[str, str]]:
    return (
        request.link,
        request.size,
        request.count,
        period_ns,
        request.phase,
        request.seed,
        dict(request.settings),
    )


def _run(
    request: Request, service_ns: int | None, period_ns: int, paired: Transfers, trace: Trace
) -> Run:
    config: dict[str, Any] = Pairing().to_config() | {
        "count": request.count,
        "period_ns": period_ns,
        "phase": request.phase,
        "settings": dict(request.settings),
        "service_ns": service_ns,
    }
    run = run_of_transfers(request.link, paired, config, request.link, request.size)
    return replace(run, seed=request.seed, trace=trace)


def emulate_each(requests: Sequence[Request]) -> Iterator[Run | LinkError]:
    """Runs side by side; yields, in the order given, a run or why there is none."""

    def one(request: Request) -> Run | LinkError:
        try:
            return emulate(request)
        except LinkError as error:
            return error

    # The work is in Rust, without the interpreter lock. Whoever stops asking does not wait for it.
    pool = ThreadPoolExecutor(max_workers=cpu_count())
    try:
        yield from pool.map(one, requests)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def stimulus(run: Run) -> dict[str, Any]:
    """What triggered a virtual run: ``period_ns``, ``phase`` and ``service_ns``."""
    config = run.config
    return {
        "period_ns": config["period_ns"],
        "phase": config["phase"],
        "service_ns": config["service_ns"],
    }


def _service_ns(request: Request) -> int | None:
    alone: Transfers = _airlag.run_link(
        request.link,
        request.size,
        _PROBES,
        _PROBE_PERIOD_NS,
        "frozen",
        request.seed,
        dict(request.settings),
    )[0]
    return int(max(alone.latency_ns, default=0)) or None


def _safe_period_ns(service_ns: int | None) -> int:
    """The shortest usual period that leaves a message twice its time."""
    needed_ns = 2 * (service_ns or 0)
    return next((each for each in (PERIOD_NS, *_LONGER_NS) if each >= needed_ns), _LONGER_NS[-1])
