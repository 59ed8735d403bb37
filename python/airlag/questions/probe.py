"""Live probes: round trips, one-way delays with their uncertainty, losses by direction."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import types
from airlag.core.answered import Answered, Key, loads
from airlag.core.pairing import Pairing
from airlag.core.quantity import parse_duration
from airlag.questions import matched
from airlag.questions.analysis import run_of_arrays
from airlag.questions.runs import Run

#: When questions leave.
Pattern = Literal["periodic", "poisson", "bursts", "swept", "schedule", "closed-loop"]
#: How the far clock relates to the near one.
Clock = Literal["estimated", "shared", "ptp", "chrony"]
CLOCKS: tuple[str, ...] = get_args(Clock)
#: Distance of two questions, how long an answer is waited for, and bytes, where nothing is asked.
PERIOD, TIMEOUT, SIZE = "100ms", "2s", 64
#: Called with the progress so far: ``elapsed_ns``, ``sent``, ``answered``, ``p99_ns`` …
Told = Callable[[Mapping[str, int]], None]


@dataclass(frozen=True, slots=True)
class Probed(Answered, shape=types.Probed):
    """A session of probes.

    Attributes
    ----------
    run
        Its round trips as a run, to be saved, drawn, matched and compared as any other.
    stopped
        What a signal handler raised, if that ended the session.
    """

    run: Run = field(compare=False)
    stopped: BaseException | None = field(default=None, compare=False)
    round_trip_ns = Key[types.Latency | None]()
    forward_ns = Key[types.Latency | None]()
    return_ns = Key[types.Latency | None]()
    residence_ns = Key[types.Latency | None]()
    lost_forward = Key[int]()
    lost_return = Key[int]()
    lost_unknown = Key[int]()
    loss_episodes = Key[types.Episodes | None]()
    duplicates = Key[int]()
    reordered = Key[int]()
    too_late = Key[int]()
    late_sends = Key[int]()
    send_delay_ns = Key[types.Latency | None]()
    clock = Key[types.FarClock]()


def probe(
    target: str,
    *,
    period: str | int = PERIOD,
    size: int = SIZE,
    count: int | None = None,
    lasting: str | int | None = None,
    pattern: Pattern = "periodic",
    burst: int = 1,
    sweep: str | int = 0,
    schedule_ns: Sequence[int] = (),
    timeout: str | int = TIMEOUT,
    clock: Clock = "estimated",
    seed: int = 1,
    metrics: str | None = None,
    told: Told | None = None,
) -> Probed:
    """Probes a live endpoint where ``airlag reflect`` or another STAMP reflector listens.

    Parameters
    ----------
    target
        ``udp://host:port`` (STAMP), ``tcp://host:port`` or ``serial:/dev/ttyUSB0?baud=57600``.
    period, sweep, timeout, lasting
        A duration, such as ``"20ms"``, or nanoseconds.
    count, lasting
        When the session ends; without either, when a signal comes.
    pattern
        When questions leave: one a period, at random times with that mean, ``burst`` at once, with
        a phase swept over ``sweep``, at ``schedule_ns``, or each after the answer before.
    clock
        What is known of the far clock; ``estimated`` where nothing is.
    metrics
        Address and port at which OpenMetrics are served meanwhile, such as ``127.0.0.1:9100``.

    Raises
    ------
    LinkError
        Where the target cannot be opened, or nobody answers there.
    """
    error_ns = clock_error_ns(clock)
    question = {
        "question": "probe",
        "target": target,
        "size": size,
        "timeout_ns": _ns(timeout),
        "clock": clock,
        "clock_error_ns": error_ns,
    }
    reply = _airlag.probe_target(
        json.dumps(question),
        target,
        size=size,
        period_ns=_ns(period),
        kind=pattern,
        burst=burst,
        sweep_ns=_ns(sweep),
        schedule_ns=list(schedule_ns),
        count=count,
        lasting_ns=None if lasting is None else _ns(lasting),
        timeout_ns=_ns(timeout),
        seed=seed,
        error_ns=error_ns,
        metrics=metrics,
        told=told,
    )
    answer = loads(reply)
    transfers = reply.transfers[0]
    assert transfers is not None
    # Messages that leave late follow each other closely: none of them is a glitch.
    config = dict(Pairing(min_low_ns=0).to_config())
    # Answers are matched by their number, which edges do not show.
    if (kept := matched.beside_edges(transfers, reply.traces[0])) is not None:
        config[matched.KEY] = kept
    run = run_of_arrays(answer, transfers, config)
    return Probed(answer, replace(run, trace=reply.traces[0]), reply.stopped)


def clock_error_ns(clock: Clock) -> int | None:
    """Largest error of this computer's clock as whatever keeps it reports, ns.

    ``None`` where nothing is asked to keep it. Raises :class:`LinkError` where it is not kept.
    """
    if clock == "chrony":
        # Name, address, stratum, reference time, correction, offsets, rates, root delay and
        # dispersion, in seconds; the bound is that of chronyc(1), tracking.
        fields = _reported(["chronyc", "-c", "tracking"]).strip().split(",")
        if len(fields) < 12 or fields[-1] == "Not synchronised":
            raise LinkError("--clock chrony: chronyc reports that the clock is not synchronized")
        correction, delay, dispersion = (float(fields[at]) for at in (4, 10, 11))
        return round((abs(correction) + dispersion + delay / 2) * 1e9)
    if clock == "ptp":
        for line in _reported(["pmc", "-u", "-b", "0", "GET CURRENT_DATA_SET"]).splitlines():
            words = line.split()
            if words[:1] == ["offsetFromMaster"]:
                return max(round(abs(float(words[1]))), 1)
        raise LinkError("--clock ptp: pmc reports no offset from the master; is ptp4l running?")
    return None


def _reported(command: Sequence[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise LinkError(f"{command[0]} does not answer ({error}); use --clock estimated") from None


def _ns(duration: str | int) -> int:
    return parse_duration(duration) if isinstance(duration, str) else duration
