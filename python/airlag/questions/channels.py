"""Channels of a capture."""

from __future__ import annotations

from pathlib import Path

from airlag import _airlag
from airlag._airlag import CaptureError
from airlag.core import records
from airlag.core.answered import Each, ask
from airlag.questions import store
from airlag.questions.capture import StrPath


class Wire(records.Wire):
    """One channel of a capture."""

    @property
    def falls(self) -> int:
        """Number of falling edges."""
        return self.edges - self.rises


class Survey(records.Channels):
    """Channels of a capture, its duration (ns) and its sample rate."""

    wires = Each(Wire, "channels")


def channels(path: StrPath, *, memory_bytes: int | None = None) -> Survey:
    """Lists the channels of a capture or of a saved run, with edge counts and levels.

    The path ``-`` is standard input. Edges are not kept in memory.

    Raises
    ------
    CaptureError
        If the file is unusable. One line with file, position, cause and what is expected.
    """
    path = Path(path)
    given: _airlag.Input | _airlag.Trace | None
    if store.is_parquet(path):
        given = store.load(path, memory_bytes).trace
        if given is None:
            raise CaptureError(f"{path}: a table of latencies has no channels; expected a capture")
    else:
        given = _airlag.Input(path, memory_bytes)
    return Survey(ask("channels", [given], source=str(path)))
