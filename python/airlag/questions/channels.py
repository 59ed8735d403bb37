"""What is on each wire of a capture."""

from __future__ import annotations

from pathlib import Path

from airlag import _airlag
from airlag._airlag import CaptureError
from airlag.core import types
from airlag.core.answered import Answered, Each, Key, ask
from airlag.questions import store
from airlag.questions.capture import StrPath


class Wire(Answered, shape=types.Wire):
    """One channel of a capture."""

    position = Key[int]()
    name = Key[str]()
    initial = Key[bool | None]()
    edges = Key[int]()
    rises = Key[int]()
    rate_hz = Key[float | None]()
    high = Key[float | None]()
    shortest_high_ns = Key[int | None]()
    shortest_low_ns = Key[int | None]()

    @property
    def falls(self) -> int:
        """Changes from high to low."""
        return self.edges - self.rises


class Survey(Answered, shape=types.Channels):
    """The wires of a capture, for how long it was taken (ns), and at how many samples a second."""

    source = Key[str]()
    duration_ns = Key[int]()
    sample_rate_hz = Key[float | None]()
    wires = Each(Wire, "channels")


def channels(path: StrPath, *, memory_bytes: int | None = None) -> Survey:
    """Lists the channels of a capture or of a saved run, with what happened on each.

    ``-`` is standard input. Edges are counted, not kept.

    Raises
    ------
    CaptureError
        With one line that names the file, the place, what is wrong and what would be right.
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
