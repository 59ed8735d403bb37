"""What is on each wire of a capture."""

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
        """Changes from high to low."""
        return self.edges - self.rises


class Survey(records.Channels):
    """The wires of a capture, for how long it was taken (ns), and at how many samples a second."""

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
