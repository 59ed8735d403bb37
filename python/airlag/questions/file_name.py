"""What a run's name claims: how many bytes, over a serial line of which rate.

Benches name their captures ``9600-256B.csv``. When the link is as slow as that, physics can tell
whether the name is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from airlag import _airlag
from airlag.core import profiles

#: Rates a UART is set to in practice, baud; other numbers in a name mean something else.
_RATES = (
    1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 76800, 115200, 230400, 250000,
    460800, 500000, 921600, 1000000, 1500000, 1843200, 2000000, 3000000, 4000000,
)  # fmt: skip

_BYTES = re.compile(r"(?<![0-9A-Za-z.])(\d{1,6})B(?![0-9A-Za-z])")
_NUMBER = re.compile(r"(?<![0-9A-Za-z.])(\d{4,7})(?![0-9A-Za-z.])")


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a run; ``None`` where nothing is."""

    #: Payload, bytes.
    size: int | None
    #: Rate of the serial line it has to cross, bits a second.
    baud: float | None

    @classmethod
    def of(cls, source: str, link: str | None, size: int | None) -> Claim:
        """Reads a claim from the name of a run, unless the caller knows better."""
        stem = source.rsplit(".", 1)[0]
        if size is None:
            sizes = {int(match) for match in _BYTES.findall(stem)}
            size = sizes.pop() if len(sizes) == 1 else None
        if link is not None:
            return cls(size, _serial_line(link))
        rates = {int(match) for match in _NUMBER.findall(stem)} & set(_RATES)
        return cls(size, float(rates.pop()) if len(rates) == 1 else None)


def _serial_line(link: str) -> float | None:
    """The rate of the serial line in a link profile, baud, where it has one."""
    if link not in _airlag.links():
        return None
    parameters = profiles.link(link)["parameters"].values()
    rates = [each["value"] for each in parameters if each["unit"] == "baud"]
    return float(rates[0]) if rates else None
