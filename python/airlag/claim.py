"""What a run's name claims: how many bytes, over a serial line of which rate.

Benches name their captures ``9600-256B.csv``. When the link is as slow as that, physics can tell
whether the name is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: Rates a UART is set to in practice, baud; other numbers in a name mean something else.
_RATES = (
    1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 76800, 115200, 230400, 250000,
    460800, 500000, 921600, 1000000, 1500000, 1843200, 2000000, 3000000, 4000000,
)  # fmt: skip

_BYTES = re.compile(r"(?<![0-9A-Za-z.])(\d{1,6})B(?![0-9A-Za-z])")
_NUMBER = re.compile(r"(?<![0-9A-Za-z.])(\d{4,7})(?![0-9A-Za-z.])")
#: Link profiles that end in a serial line, whose rate is part of their name.
_SERIAL_LINK = re.compile(r"(?:uart|hc05)-(\d{3,9})(?:-|$)")


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed of a run; ``None`` where nothing is.

    Attributes
    ----------
    size
        Payload, bytes.
    baud
        Rate of the serial line it has to cross, bits a second.
    """

    size: int | None
    baud: float | None

    @classmethod
    def of(cls, source: str, link: str | None, size: int | None) -> Claim:
        """Reads a claim from the name of a run, unless the caller knows better."""
        stem = source.rsplit(".", 1)[0]
        if size is None:
            sizes = {int(match) for match in _BYTES.findall(stem)}
            size = sizes.pop() if len(sizes) == 1 else None
        serial = _SERIAL_LINK.match(link) if link is not None else None
        if serial is not None:
            return cls(size, float(serial[1]))
        rates = {int(match) for match in _NUMBER.findall(stem)} & set(_RATES)
        return cls(size, float(rates.pop()) if link is None and len(rates) == 1 else None)
