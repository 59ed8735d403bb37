"""Joulescope files (``.jls``), read with the package ``pyjls``: current and digital inputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import LinkError, Trace
from airlag.core.extras import library
from airlag.questions.charge import ENDS
from airlag.questions.instruments.instrument import Plan, Recorded

#: First bytes of a JLS file.
MAGIC = b"jlsfmt"
#: Number of samples per read.
BLOCK = 1 << 20


def record(address: str, plan: Plan, folder: Path) -> Recorded:
    """Reads the file ``FILE?end=sender``, as the Joulescope UI records and exports it."""
    del folder
    pyjls = library("pyjls", "joulescope")
    file, _, query = address.partition("?")
    key, _, end = query.partition("=")
    if not file or (query and (key != "end" or end not in ENDS)):
        raise LinkError(f"joulescope:{address}: write it like joulescope:FILE.jls?end=sender")
    try:
        with Path(file).open("rb") as begin_of_file:
            # The reader prints its own messages for other files.
            if begin_of_file.read(len(MAGIC)) != MAGIC:
                raise OSError(0, "another format")
        reader = pyjls.Reader(file)
    except (RuntimeError, OSError) as error:
        why = getattr(error, "strerror", None) or error
        raise LinkError(f"joulescope:{file}: {why}; expected a file of JLS version 2") from None
    with reader:
        signals = {each.name: each for each in reader.signals.values() if each.length}
        inputs = plan.channels or [name for name in signals if name.startswith("gpi[")]
        missing = [name for name in ("current", *inputs) if name not in signals]
        if missing or len(inputs) < 2:
            lacking = ", ".join(missing) or "two inputs"
            raise LinkError(
                f"joulescope:{file}: missing {lacking}; the file has {', '.join(signals)}; record "
                "the current and two inputs, such as --channels 'gpi[0],gpi[1]'"
            )
        current = signals["current"]
        begin = min(_begin_s(signals[name]) for name in ("current", *inputs))
        segments = [[_digital(reader, signals[name], begin)] for name in inputs]
        rate_hz = float(signals[inputs[0]].sample_rate)
        trace = Trace.from_edges(list(inputs), segments, None, rate_hz)
        begin_ns = round((_begin_s(current) - begin) * 1e9)
        blocks = (samples * np.float32(1e9) for samples in _blocks(reader, current))
        metered = trace.metered(
            end or ENDS[0], blocks, float(current.sample_rate), begin_ns, plan.memory_bytes
        )
    return Recorded(metered)


def _begin_s(signal: Any) -> float:
    """Returns the time of the first sample, s; signals of one recording share their origin."""
    return float(signal.sample_id_offset / signal.sample_rate)


def _blocks(reader: Any, signal: Any) -> Iterator[NDArray[Any]]:
    for start in range(0, signal.length, BLOCK):
        yield reader.fsr(signal.signal_id, start, min(BLOCK, signal.length - start))


def _digital(reader: Any, signal: Any, begin_s: float) -> tuple[int, int, bool, NDArray[np.int64]]:
    """Returns begin, end, initial level and edges of an input, ns."""
    begin_ns, step_ns = (_begin_s(signal) - begin_s) * 1e9, 1e9 / signal.sample_rate
    first = last = None
    changes = []
    for nth, packed in enumerate(_blocks(reader, signal)):
        count = min(BLOCK, signal.length - nth * BLOCK)
        levels = np.unpackbits(packed, count=count, bitorder="little")
        last = levels[0] if last is None else last
        first = last if first is None else first
        changes.append(nth * BLOCK + np.flatnonzero(np.diff(levels, prepend=last)))
        last = levels[-1]
    edges = np.rint(begin_ns + step_ns * np.concatenate(changes)).astype(np.int64)
    end_ns = round(begin_ns + step_ns * signal.length)
    return round(begin_ns), end_ns, bool(first), edges
