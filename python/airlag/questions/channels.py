"""What is on each wire of a capture."""

from __future__ import annotations

from pathlib import Path

from airlag import _airlag
from airlag._airlag import CaptureError
from airlag.core.answered import Answered, Each, Key, ask
from airlag.questions import store
from airlag.questions.capture import StrPath


class Wire(Answered):
    """One channel of a capture.

    Attributes
    ----------
    position, name
        What ``--trigger`` and ``--completion`` take.
    initial
        Its level when it was first observed; ``None``: it never was.
    edges, rises
        Changes of its level, and those from low to high.
    rate_hz
        Rises a second while it was observed.
    high
        Share of the time that it was high.
    shortest_high_ns, shortest_low_ns
        Its shortest pulse of either kind, ns; ``None`` without a whole one.
    """

    position = Key[int]("position")
    name = Key[str]("name")
    initial = Key["bool | None"]("initial")
    edges = Key[int]("edges")
    rises = Key[int]("rises")
    rate_hz = Key["float | None"]("rate_hz")
    high = Key["float | None"]("high")
    shortest_high_ns = Key["int | None"]("shortest_high_ns")
    shortest_low_ns = Key["int | None"]("shortest_low_ns")

    @property
    def falls(self) -> int:
        """Changes from high to low."""
        return self.edges - self.rises


class Survey(Answered):
    """The wires of a capture, for how long it was taken (ns), and at how many samples a second."""

    source = Key[str]("source")
    duration_ns = Key[int]("duration_ns")
    sample_rate_hz = Key["float | None"]("sample_rate_hz")
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
