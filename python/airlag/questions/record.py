"""Records an instrument into a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag._airlag import CaptureError, LinkError
from airlag.core import plan_file
from airlag.core.answered import ask
from airlag.core.pairing import Pairing
from airlag.core.quantity import parse_duration
from airlag.questions import time_base
from airlag.questions.analysis import PULSES, run_of_edges, without_pulses
from airlag.questions.instruments.instrument import Plan, Recorded
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core.types import PulsePerSecond

#: Schemes of instrument addresses, each with an example address.
INSTRUMENTS: Mapping[str, str] = {
    "logic2": "logic2://127.0.0.1:10430",
    "sigrok": "sigrok:fx2lafw",
    "board": "board:/dev/ttyACM0",
    "pico": "pico:/dev/ttyACM0?period=203ms",
    "ppk2": "ppk2:/dev/ttyACM0",
    "joulescope": "joulescope:capture.jls",
    "visa": "visa:TCPIP::192.0.2.7::INSTR",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording made with an instrument.

    Attributes
    ----------
    run
        The recorded run, with its edges and transfers.
    ended
        One-line reason why the recording ended early; ``None`` if it did not end early.
    stopped
        Exception of the signal handler that ended the recording, or ``None``.
    lost_samples
        Number of samples lost on the way to this computer. Lost samples are gaps in the run.
    pps
        The pulse-per-second signal of the channel ``pps``; ``None`` without such a signal.
    no_pps
        One-line reason why the given channel has no pulse-per-second signal.
    """

    run: Run
    ended: str | None = None
    stopped: BaseException | None = None
    lost_samples: int = 0
    pps: PulsePerSecond | None = None
    no_pps: str | None = None


def options_of(setup: Path) -> dict[str, Any]:
    """Reads the arguments of :func:`record` from a setup file; raises :class:`LinkError`."""
    found: dict[str, Any] = plan_file.read(
        setup, lambda text, _: ask("recording", file=text), LinkError
    )
    return found


def record(
    instrument: str,
    *,
    channels: Sequence[str | int] = (),
    rate_hz: int | None = None,
    lasting: str | int | None = None,
    threshold_v: float | None = None,
    pps: str | int | None = None,
    link: str | None = None,
    size: int | None = None,
    memory_bytes: int | None = None,
    **pairing: Any,
) -> Recording:
    """Records with an instrument, and pairs two of the recorded channels.

    Parameters
    ----------
    instrument
        ``logic2://HOST:PORT``, ``sigrok:DRIVER``, ``board:DEVICE?baud=921600``,
        ``pico:DEVICE?period=203ms``, ``ppk2:DEVICE?voltage=3.3&end=sender``,
        ``joulescope:FILE.jls?end=sender`` or ``visa:RESOURCE``.
    channels
        Channels to record, as the instrument names them. Default: all.
    rate_hz, threshold_v
        Sampling rate, Hz, and logic threshold, V. Defaults: those of the instrument.
    lasting
        Duration as text, such as ``"5s"``, or in ns. Default: until the process gets a signal.
    pps
        Channel with a pulse per second, by name or by position from 0. This channel is not paired.
        :func:`airlag.convert` converts the run to the time base of the pulses.
    link, size, memory_bytes, **pairing
        As in :func:`airlag.analyze`.

    Raises
    ------
    LinkError
        If the instrument cannot be used, or recorded nothing.
    ValueError
        If the pairing options contradict each other.
    """
    paired = Pairing().changed(**pairing)
    plan = Plan(
        tuple(str(channel) for channel in channels),
        rate_hz,
        parse_duration(lasting) if isinstance(lasting, str) else lasting,
        threshold_v,
        memory_bytes,
    )
    recorded = _record(instrument, plan)
    trace = recorded.trace
    given = (paired, link, size)
    done = (recorded.ended, recorded.stopped, recorded.lost_samples)
    if pps is None:
        return Recording(run_of_edges(Path(instrument), trace, *given, source=instrument), *done)
    found, reason, name = None, None, str(pps)
    try:
        found = time_base.pulses_of(trace, name, instrument)
        name = found["channel"]
    except CaptureError as error:
        # A recording cannot be repeated, so it is kept despite the error.
        reason = str(error)
    config = {PULSES: name}
    others = without_pulses(trace, config, Path(instrument))
    run = run_of_edges(Path(instrument), others, *given, source=instrument)
    run = replace(run, trace=trace, config={**run.config, **config})
    return Recording(run, *done, found, reason)


def _record(instrument: str, plan: Plan) -> Recorded:
    kind, _, address = instrument.partition(":")
    if kind not in INSTRUMENTS:
        examples = ", ".join(INSTRUMENTS.values())
        raise LinkError(f"{instrument}: unknown instrument; write it like {examples}")
    if kind in ("board", "pico", "ppk2"):
        lasting, memory = plan.lasting_ns, plan.memory_bytes
        serial = _airlag.record_serial(
            instrument, list(plan.channels), lasting_ns=lasting, memory_bytes=memory
        )
        return Recorded(*serial)
    module = import_module(f"airlag.questions.instruments.{kind}")
    with TemporaryDirectory(prefix="airlag-record-") as folder:
        recorded: Recorded = module.record(address, plan, Path(folder))
    return recorded
