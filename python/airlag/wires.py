"""What is on each wire of a capture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from airlag import _airlag, store
from airlag._airlag import CaptureError
from airlag.capture import StrPath
from airlag.json_types import channels as told


@dataclass(frozen=True, slots=True)
class Wire:
    """One channel of a capture.

    Attributes
    ----------
    position, name
        What ``--trigger`` and ``--completion`` take.
    initial
        Its level when it was first observed; ``None``: it never was.
    rises, falls
        Its edges.
    observed_ns, high_ns
        How long it was observed, and how long of that it was high, ns.
    shortest_high_ns, shortest_low_ns
        Its shortest pulse of either kind, ns; ``None`` without a whole one.
    """

    position: int
    name: str
    initial: bool | None
    rises: int
    falls: int
    observed_ns: int
    high_ns: int
    shortest_high_ns: int | None
    shortest_low_ns: int | None

    @property
    def edges(self) -> int:
        """Changes of its level."""
        return self.rises + self.falls

    @property
    def rate_hz(self) -> float | None:
        """Rises a second while it was observed."""
        return self.rises / self.observed_ns * 1e9 if self.observed_ns > 0 else None

    @property
    def high(self) -> float | None:
        """Share of the time that it was high."""
        return self.high_ns / self.observed_ns if self.observed_ns > 0 else None


@dataclass(frozen=True, slots=True)
class Survey:
    """The wires of a capture, for how long it was taken (ns), and at how many samples a second."""

    source: str
    duration_ns: int
    sample_rate_hz: float | None
    wires: tuple[Wire, ...]

    def to_json(self) -> told.Channels:
        """As ``airlag channels --json`` prints it."""
        return {
            "source": self.source,
            "duration_ns": self.duration_ns,
            "sample_rate_hz": self.sample_rate_hz,
            "channels": [
                {
                    "position": wire.position,
                    "name": wire.name,
                    "initial": wire.initial,
                    "edges": wire.edges,
                    "rises": wire.rises,
                    "rate_hz": wire.rate_hz,
                    "high": wire.high,
                    "shortest_high_ns": wire.shortest_high_ns,
                    "shortest_low_ns": wire.shortest_low_ns,
                }
                for wire in self.wires
            ],
        }


def channels(path: StrPath, *, memory_bytes: int | None = None) -> Survey:
    """Lists the channels of a capture or of a saved run, with what happened on each.

    ``-`` is standard input. Edges are counted, not kept.

    Raises
    ------
    CaptureError
        With one line that names the file, the place, what is wrong and what would be right.
    """
    path = Path(path)
    if store.is_parquet(path):
        trace = store.load(path, memory_bytes).trace
        if trace is None:
            raise CaptureError(f"{path}: a table of latencies has no channels; expected a capture")
        found = _airlag.survey_of(trace)
    else:
        found = _airlag.survey(_airlag.Input(path, memory_bytes))
    duration_ns, sample_rate_hz, wires = found
    each = tuple(Wire(position, *wire) for position, wire in enumerate(wires))
    return Survey(str(path), duration_ns, sample_rate_hz, each)
