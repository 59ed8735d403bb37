"""Common interface of instruments.

An instrument is a module with a function of type :data:`Record`. When a recording completes or
fails, the function stops the instrument and returns all data recorded until then. The function
raises :class:`~airlag.LinkError` only if nothing was recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from airlag._airlag import LinkError, Trace
from airlag.core.quantity import parse_whole


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a recording."""

    #: Channels, by the instrument's names; empty: all.
    channels: tuple[str, ...] = ()
    #: Samples per second; ``None``: the instrument's default.
    rate_hz: int | None = None
    #: Duration, ns; ``None``: until a signal arrives.
    lasting_ns: int | None = None
    #: Logic threshold, V; ``None``: the instrument's default.
    threshold_v: float | None = None
    #: Memory limit of the edges, bytes.
    memory_bytes: int | None = None

    def numbers(self, kind: str) -> list[int]:
        """Channel numbers, for an instrument with numbered channels."""
        found = [parse_whole(channel, 0, 255) for channel in self.channels]
        if not found or None in found:
            shown = ",".join(self.channels) or "none"
            raise LinkError(
                f"{kind}: channels are {shown}; write their numbers, such as --channels 0,1"
            )
        return [number for number in found if number is not None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording of an instrument."""

    trace: Trace
    #: One-line reason if it ended early.
    ended: str | None = None
    #: Exception of the signal handler that ended it, if any.
    stopped: BaseException | None = None
    #: Number of samples lost in transfer.
    lost_samples: int = 0


#: Records at an address, with a folder for its files.
Record = Callable[[str, Plan, Path], Recorded]


def stopping(raised: BaseException) -> BaseException:
    """Returns the exception of a signal, to be stored in the result; raises other errors again."""
    if isinstance(raised, Exception):
        raise raised
    return raised
