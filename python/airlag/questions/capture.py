"""Capture files as raw edges: reading and conversion."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from airlag import _airlag
from airlag._airlag import CaptureError, Trace
from airlag.core import paths
from airlag.core.pairing import Channel
from airlag.questions import analysis, store, time_base
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core.types import PulsePerSecond

StrPath = str | os.PathLike[str]

#: File extensions that can be written.
SUFFIXES = (".csv", ".vcd", ".sr", ".parquet")


def read(
    path: StrPath,
    channels: Sequence[Channel] | None = None,
    invert: Sequence[Channel] = (),
    *,
    memory_bytes: int | None = None,
) -> Trace:
    """Reads the raw edges of a capture or of a saved run.

    Parameters
    ----------
    path
        A file of any supported format, recognised by its content. ``-`` is standard input.
    channels
        Channels to read, in this order, as names or as positions counted from 0. Default: all.
    invert
        Channels, out of ``channels``, whose levels are inverted.
    memory_bytes
        Largest amount of memory for the edges, bytes. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        The file is unreadable. The message is one line: file, position, cause, what is expected.
    """
    path = Path(path)
    chosen = None if channels is None else [str(each) for each in channels]
    turned = tuple(str(each) for each in invert)
    if not store.is_parquet(path):
        return _airlag.read(_airlag.Input(path, memory_bytes), chosen, turned)
    trace = store.load(path, memory_bytes).trace
    if trace is None:
        raise CaptureError(f"{path}: a table of latencies has no edges; expected a capture")
    return trace if chosen is None else trace.chosen(chosen, list(turned), path)


def load(path: StrPath, *, memory_bytes: int | None = None) -> Run:
    """Loads a run saved by :func:`airlag.save`, with edges and findings.

    >>> airlag.save(airlag.run("nrf24-2m"), "run.parquet")
    >>> airlag.load("run.parquet").latency["p50"]

    Parameters
    ----------
    path
        A saved run. For a capture, use :func:`airlag.analyze` instead of this function.
    memory_bytes
        Largest amount of memory for the edges, bytes. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        The file is missing, or is not a saved run. The message is one line.
    """
    path = Path(path)
    if not store.is_parquet(path):
        if not paths.exists(path) and str(path) in _airlag.links():
            hint = f'airlag.offered_load("{path}") measures a link under load'
        elif not paths.exists(path):
            hint = "no such file"
        else:
            hint = "not a saved run; airlag.analyze reads captures"
        raise CaptureError(f"{path}: {hint}")
    return analysis.analyze(path, keep_edges=True, memory_bytes=memory_bytes)


def convert(
    source: StrPath,
    target: StrPath,
    *,
    pps: Channel | Sequence[Channel] | None = None,
    join: Sequence[StrPath] = (),
    seconds: Sequence[int] = (),
    force: bool = False,
    memory_bytes: int | None = None,
) -> Trace:
    """Writes a capture in another format, and returns the edges of the capture.

    The extension of ``target`` selects the format: ``.csv`` (Saleae Logic 2), ``.vcd``, ``.sr``
    (sigrok) or ``.parquet`` (a run with the first two channels as trigger and completion). An
    existing file is replaced atomically if its content is the same or ``force`` is set.

    Parameters
    ----------
    pps
        Channel with a pulse per second, by name or by position counted from 0. Edge times are
        converted to the time base of the pulses. A sequence contains one channel per capture.
        Default: if captures are joined, the channel that ``airlag record --pps`` recorded.
    join
        Captures that other sites recorded with the same pulses. Their channels are added.
    seconds
        Whole seconds from the first pulse of ``source`` to the first pulse of each capture in
        ``join``. Default: calculated from the recorded start times of the captures.
    force, memory_bytes
        ``force`` as in :func:`save`, and ``memory_bytes`` as in :func:`read`.

    Raises
    ------
    CaptureError
        The source or its pulses are unusable, or the target format does not support the content.
    ValueError
        The extension is unknown, or source and target are the same file.
    OSError
        The target cannot be written.
    """
    return converted(source, target, pps, join, seconds, force=force, memory_bytes=memory_bytes)[0]


def converted(
    source: StrPath,
    target: StrPath,
    pps: Channel | Sequence[Channel] | None = None,
    join: Sequence[StrPath] = (),
    seconds: Sequence[int] = (),
    *,
    force: bool = False,
    memory_bytes: int | None = None,
) -> tuple[Trace, list[PulsePerSecond] | None]:
    """As :func:`convert`; also returns the pulses of each source, ``None`` without pulses."""
    source, target, others = Path(source), Path(target), [Path(path) for path in join]
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{target}: unknown format; end it with {', '.join(SUFFIXES)}")
    if any(paths.is_same(target, each) for each in (source, *others)):
        raise ValueError(f"{target}: source and target are one file; choose another name")
    if pps is None and not others:
        if seconds:
            raise ValueError("seconds between captures need a capture to join")
        trace = read(source, memory_bytes=memory_bytes)
        if suffix == ".parquet":
            store.save(analysis.run_of_edges(source, trace), target, force=force)
        else:
            _airlag.write(target, trace, force)
        return trace, None
    trace, found = time_base.joined([source, *others], pps, seconds, memory_bytes)
    if suffix == ".parquet":
        store.save(time_base.run_of(source, trace, found, memory_bytes), target, force=force)
    else:
        _airlag.write(target, trace, force)
    return trace, found
