"""Live probes: round trips, one-way delays with their uncertainty, losses by direction."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import types
from airlag.core.answered import Answered, Key, loads
from airlag.core.quantity import parse_duration
from airlag.questions.analysis import pairing_of_probes, run_of_probes, run_of_transfers
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag._airlag import Trace, Transfers

#: Patterns of send times.
Pattern = Literal["periodic", "poisson", "bursts", "swept", "schedule", "closed-loop"]
#: Delays of a session that can be saved.
Way = Literal["round-trip", "forward", "return"]
#: Relation of the far clock to the near clock.
Clock = Literal["estimated", "shared", "ptp", "chrony"]
CLOCKS: tuple[str, ...] = get_args(Clock)
#: Defaults of the message interval, the answer timeout and the payload, bytes.
PERIOD, TIMEOUT, SIZE = "100ms", "2s", 64
#: Progress callback, called with ``elapsed_ns``, ``sent``, ``answered``, ``p99_ns`` …
OnProgress = Callable[[Mapping[str, int]], None]


@dataclass(frozen=True, slots=True)
class Probed(Answered, shape=types.Probed):
    """A probe session.

    Attributes
    ----------
    run
        Its round trips as a run, which can be saved, plotted, matched and compared.
    forward, back
        Its one-way delays as runs, as accurate as the offset of the far clock. Profiles of the
        virtual bench are one-way, so :func:`airlag.match` takes these.
    stopped
        Exception of the signal handler that ended the session, if any.
    """

    run: Run = field(compare=False)
    forward: Run = field(compare=False)
    back: Run = field(compare=False)
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

    def run_of(self, way: Way) -> Run:
        """The run of the round trips or of one direction."""
        if way != "round-trip" and self.round_trip_ns is not None and self.forward_ns is None:
            raise LinkError(f"{self.run.source} sends no timestamps; save its round trips instead")
        return {"round-trip": self.run, "forward": self.forward, "return": self.back}[way]


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
    journal: Path | None = None,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> Probed:
    """Probes a live endpoint where ``airlag reflect`` or another STAMP reflector listens.

    Parameters
    ----------
    target
        ``udp://host:port`` (STAMP), ``tcp://host:port``, ``ws://host:port/path``,
        ``serial:/dev/ttyUSB0?baud=57600``, or ``rpc:`` and one of ``tcp`` and ``serial``.
    period, sweep, timeout, lasting
        A duration, such as ``"20ms"``, or nanoseconds.
    count, lasting
        Limits of the session. Default: until a signal arrives.
    pattern
        Send times: one message per period, random times with that mean interval, bursts of
        ``burst`` messages, a phase swept over ``sweep``, ``schedule_ns``, or each message after
        the previous answer.
    clock
        Synchronization of the far clock; ``estimated`` if it is not synchronized.
    metrics
        Address and port for OpenMetrics during the session, such as ``127.0.0.1:9100``.
    journal, force
        File that keeps all but the last second if the process is killed, readable by
        :func:`airlag.analyze`, and whether to replace an existing file. Default: unnamed.

    Raises
    ------
    LinkError
        If the target cannot be opened, or does not answer.
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
        journal=journal,
        force=force,
        on_progress=on_progress,
    )
    answer = loads(reply)
    forward, back = (
        _one_way(target, size, transfers, trace)
        for transfers, trace in zip(reply.transfers[1:], reply.traces[1:], strict=True)
    )
    return Probed(answer, run_of_probes(reply), forward, back, reply.stopped)


def _one_way(target: str, size: int, transfers: Transfers | None, trace: Trace | None) -> Run:
    """The delays of one direction as a run."""
    assert transfers is not None
    config = pairing_of_probes(transfers, trace)
    return replace(run_of_transfers(target, transfers, config, None, size), trace=trace)


def clock_error_ns(clock: Clock) -> int | None:
    """Maximum error of this computer's clock reported by its synchronization service, ns.

    ``None`` for an estimated clock. Raises :class:`LinkError` if it is not synchronized.
    """
    if clock == "chrony":
        # Name, address, stratum, reference time, correction, offsets, rates, root delay and
        # dispersion, in seconds; the bound is defined in chronyc(1), tracking.
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
