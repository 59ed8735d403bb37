"""Live probes: round trips, one-way delays with their uncertainty, losses by direction."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import records
from airlag.core.answered import loads
from airlag.core.quantity import parse_duration
from airlag.questions import gatt
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
#: Defaults of the message interval, the answer timeout and the payload, bytes.
PERIOD, TIMEOUT, SIZE = "100ms", "2s", 64
#: Progress callback, called with ``elapsed_ns``, ``sent``, ``answered``, ``p99_ns`` …
OnProgress = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Probed(records.Probed):
    """Results of a probe session.

    Attributes
    ----------
    run
        Round trips of the session as a run, which can be saved, plotted, matched and compared.
    forward, back
        One-way delays of each direction as a run. They are as uncertain as the clock offset.
        Profiles of the virtual bench are one-way, so :func:`airlag.match` accepts these runs.
    stopped
        Exception of the signal handler that ended the session, or ``None``.
    """

    run: Run = field(compare=False)
    forward: Run = field(compare=False)
    back: Run = field(compare=False)
    stopped: BaseException | None = field(default=None, compare=False)

    def run_of(self, way: Way) -> Run:
        """Returns the run of the round trips or of one direction."""
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
        ``serial:/dev/ttyUSB0?baud=57600``, ``ble:NAME?characteristic=UUID`` (needs the extra
        ``ble``), or ``rpc:`` followed by a target with ``tcp``, ``serial`` or ``ble``.
    period, sweep, timeout, lasting
        Durations: a text with a unit, such as ``"20ms"``, or a number of nanoseconds.
    count, lasting
        Number of messages, or duration, after which the session ends. Default: a signal ends it.
    pattern
        Send times: one message per period, random times with the period as mean interval, bursts of
        ``burst`` messages, a phase swept over ``sweep``, the times ``schedule_ns``, or each message
        after the answer to the previous message.
    clock
        Synchronization of the far clock: ``"estimated"`` if the far clock is not synchronized.
    metrics
        Address and port of an OpenMetrics endpoint, such as ``127.0.0.1:9100``. Default: none.
    journal, force
        File for a journal of the session, and whether to replace it; :func:`airlag.analyze` reads
        it. If the process is killed, at most the last second is missing. Default: no such file.

    Raises
    ------
    LinkError
        If the target cannot be opened, or does not answer.
    """
    error_ns = _airlag.clock_error_ns(clock)
    question = {
        "question": "probe",
        "target": target,
        "size": size,
        "timeout_ns": _ns(timeout),
        "clock": clock,
        "clock_error_ns": error_ns,
    }
    with ExitStack() as stack:
        carrier = None
        if target.removeprefix("rpc:").startswith("ble:"):
            carrier = stack.enter_context(gatt.carried(gatt.of_target(target)))
            question["carrier_round_trip_ns"] = gatt.round_trip_ns(size)
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
            carrier=carrier,
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


def _ns(duration: str | int) -> int:
    return parse_duration(duration) if isinstance(duration, str) else duration
