"""Conversion of captures to the time base of a pulse per second, shared by several sites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from airlag import _airlag
from airlag._airlag import CaptureError, Trace
from airlag.core.answered import loads, reply_to
from airlag.core.pairing import Channel, Pairing
from airlag.questions import analysis, store
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core.types import PulsePerSecond

#: Key of ``Run.config``: the pulses that a run's time is derived from.
BASE = "time_base"


def joined(
    sources: Sequence[Path],
    pps: Channel | Sequence[Channel] | None,
    seconds: Sequence[int] = (),
    memory_bytes: int | None = None,
) -> tuple[Trace, list[PulsePerSecond]]:
    """Converts captures to the time base of their PPS signals, and joins their channels.

    Raises
    ------
    CaptureError
        A capture or its PPS signal cannot be used.
    ValueError
        ``pps`` contains several channels, but not one for each capture.
    """
    given: list[Channel | None] = (
        [] if pps is None else [pps] if isinstance(pps, str | int) else [*pps]
    )
    if len(given) not in (0, 1, len(sources)):
        raise ValueError(
            f"--pps is given {len(given)} times for {len(sources)} captures; "
            "give it once, or once for each"
        )
    names = given * len(sources) if len(given) == 1 else given or [None] * len(sources)
    # Prefixes of the channels: a colon separates the name of the site.
    sites = [Path(name).with_suffix("").name for name in analysis.distinct_names(sources)]
    if len(set(sites)) < len(sites):
        sites = [f"{nth}-{site}" for nth, site in enumerate(sites, 1)]
    traces, captures = [], []
    for path, site, name in zip(sources, sites, names, strict=True):
        trace, recorded = _read(path, memory_bytes)
        if name is None and recorded is None:
            raise CaptureError(
                f"{path}: no channel with a pulse per second is recorded; write --pps CHANNEL"
            )
        traces.append(trace)
        channel = str(recorded if name is None else name)
        captures.append({"source": str(path), "site": site, "pps": channel})
    reply = reply_to("time-base", traces, captures=captures, seconds=list(seconds))
    made = reply.traces[0]
    assert made is not None
    return made, loads(reply)


def pulses_of(trace: Trace, channel: str, source: str) -> PulsePerSecond:
    """Describes the pulses on a channel; raises :class:`CaptureError`."""
    captures = [{"source": source, "site": "", "pps": channel}]
    found: list[PulsePerSecond] = loads(reply_to("time-base", [trace], captures=captures))
    return found[0]


def run_of(
    source: Path, trace: Trace, found: Sequence[PulsePerSecond], memory_bytes: int | None
) -> Run:
    """Builds a run from edges on the time base of PPS signals.

    ``source`` gives link and payload. A single saved run keeps its pairing. In joined captures, the
    trigger is the first channel of capture 1, and the completion the first channel of capture 2.
    """
    link, size, pairing = None, None, Pairing()
    if store.is_parquet(source):
        stored = store.load(source, memory_bytes)
        link, size = stored.link, stored.size
        if len(found) == 1:
            pairing = Pairing.from_config(stored.config)
    if len(found) > 1:
        pairing = Pairing(trigger=trace.names[0], completion=_of_second(trace))
    name = " + ".join(analysis.distinct_names([each["source"] for each in found]))
    run = analysis.run_of_edges(Path(name), trace, pairing, link, size, source=name)
    return replace(run, config={**run.config, BASE: list(found)})


def _of_second(trace: Trace) -> str:
    """First channel of the second capture; with a single capture, its second channel."""
    site = trace.names[0].partition(":")[0]
    others = (name for name in trace.names if name.partition(":")[0] != site)
    return next(others, trace.names[1] if len(trace.names) > 1 else trace.names[0])


def _read(path: Path, memory_bytes: int | None) -> tuple[Trace, str | None]:
    """Edges of a capture, and the channel of its pulses, if it is recorded."""
    if not store.is_parquet(path):
        return _airlag.read(_airlag.Input(path, memory_bytes), None, ()), None
    stored = store.load(path, memory_bytes)
    if stored.trace is None:
        raise CaptureError(f"{path}: a table of latencies has no edges; expected a capture")
    channel = stored.config.get(analysis.PULSES)
    return stored.trace, channel if isinstance(channel, str) else None
