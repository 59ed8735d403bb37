"""What every instrument is asked to record, and what it gives.

An instrument is a module with a function of the type :data:`Record`. Whatever ends a record, it
stops the instrument and returns what was recorded until then; it raises
:class:`~airlag.LinkError` only where nothing was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from airlag._airlag import LinkError, Trace
from airlag.core.quantity import parse_whole


@dataclass(frozen=True, slots=True)
class Plan:
    """What to record."""

    #: Channels, as the instrument names them; empty: all that it has.
    channels: tuple[str, ...] = ()
    #: Samples per second; ``None``: the instrument's default.
    rate_hz: int | None = None
    #: Duration, ns; ``None``: until a signal.
    lasting_ns: int | None = None
    #: Logic threshold, V; ``None``: the instrument's default.
    threshold_v: float | None = None
    #: Most memory that the edges may take, bytes.
    memory_bytes: int | None = None

    def numbers(self, kind: str) -> list[int]:
        """Channels of an instrument that numbers them."""
        found = [parse_whole(channel, 0, 255) for channel in self.channels]
        if not found or None in found:
            shown = ",".join(self.channels) or "none"
            raise LinkError(
                f"{kind}: channels are {shown}; write their numbers, such as --channels 0,1"
            )
        return [number for number in found if number is not None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What an instrument recorded."""

    trace: Trace
    #: Why it ended before its time, in one line.
    ended: str | None = None
    #: What a signal handler raised, if that ended it.
    stopped: BaseException | None = None
    #: Number of samples lost in transfer.
    lost_samples: int = 0


#: Records at an address, with a folder for its files.
Record = Callable[[str, Plan, Path], Recorded]


def stopping(raised: BaseException) -> BaseException:
    """What a signal raised, to be reported with what was recorded; errors are raised on."""
    if isinstance(raised, Exception):
        raise raised
    return raised
