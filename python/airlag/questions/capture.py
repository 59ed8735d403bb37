"""Capture files as raw edges: read any format, write any format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from airlag import _airlag
from airlag._airlag import CaptureError, Trace
from airlag.core import paths
from airlag.core.pairing import Channel
from airlag.questions import analysis, store
from airlag.questions.runs import Run

StrPath = str | os.PathLike[str]

#: What a file name must end with to be written.
SUFFIXES = (".csv", ".vcd", ".sr", ".parquet")


def read(
    path: StrPath,
    channels: Sequence[Channel] | None = None,
    invert: Sequence[Channel] = (),
    *,
    memory_bytes: int | None = None,
) -> Trace:
    """Raw edges of a capture or of a saved run.

    Parameters
    ----------
    path
        A file of any format airlag reads, told by its content; ``-`` is standard input.
    channels
        Which, by name or by position counted from 0, in this order. Default: all.
    invert
        Those of ``channels`` to turn over.
    memory_bytes
        Most memory that the edges may take, bytes. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        With one line that names the file, the place, what is wrong and what would be right.
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
    """Loads a run that :func:`airlag.save` saved, with its edges and its findings.

    >>> airlag.save(airlag.run("nrf24-2m"), "run.parquet")
    >>> airlag.load("run.parquet").latency["p50"]

    Parameters
    ----------
    path
        A saved run. Captures are read by :func:`airlag.analyze`.
    memory_bytes
        As in :func:`read`.

    Raises
    ------
    CaptureError
        With one line, when there is no such file, or it is no saved run.
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
    source: StrPath, target: StrPath, *, force: bool = False, memory_bytes: int | None = None
) -> Trace:
    """Writes a capture in another format, and returns its edges.

    The target's name tells the format: ``.csv`` (Saleae Logic 2), ``.vcd``, ``.sr`` (sigrok) or
    ``.parquet`` (a run, with the first two channels paired). An existing file is replaced only when
    all went well, and only if it holds the same, or with ``force``. ``memory_bytes`` is as in
    :func:`read`.

    Raises
    ------
    CaptureError
        When the source cannot be used, or the target cannot hold it.
    ValueError
        When the target's name tells no format, or is the source.
    OSError
        When the target cannot be written.
    """
    source, target = Path(source), Path(target)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(
            f"{target}: the name does not tell the format; end it with {', '.join(SUFFIXES)}"
        )
    if paths.is_same(target, source):
        raise ValueError(f"{target}: source and target are one file; choose another name")
    trace = read(source, memory_bytes=memory_bytes)
    if suffix == ".parquet":
        store.save(analysis.run_of_edges(source, trace), target, force=force)
    else:
        _airlag.write(target, trace, force)
    return trace
