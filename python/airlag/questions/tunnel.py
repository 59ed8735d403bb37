"""One end of a tunnel on this computer: IP packets over a packet radio, in real time.

:func:`up` runs this end until a signal arrives, and returns statistics and the exception of the
signal handler, if any. :func:`examine` checks requirements. :func:`make_key` makes the shared key.
"""

from __future__ import annotations

from dataclasses import dataclass

from airlag._airlag import TunnelError
from airlag._airlag import tunnel_doctor as examine
from airlag._airlag import tunnel_key as make_key
from airlag._airlag import tunnel_up as up

__all__ = ["Interface", "Radio", "TunnelError", "examine", "make_key", "up"]


@dataclass(frozen=True, slots=True)
class Radio:
    """A radio, with options as on the command line."""

    #: ``spi:DEVICE`` or ``udp:HOST:PORT``.
    radio: str
    #: GPIO lines of the chip, such as ``gpiochip0:24``.
    ce: str | None = None
    irq: str | None = None
    #: ``250k``, ``1M`` or ``2M``; ``None``: the last.
    rate: str | None = None
    #: 0 to 125; ``None``: 76.
    channel: int | None = None
    #: Output power of the chip: ``-18dBm``, ``-12dBm``, ``-6dBm`` or ``0dBm``; ``None``: the last.
    power: str | None = None
    #: ``PORT`` or ``HOST:PORT`` of this end; ``None``: the peer's port.
    listen: str | None = None


@dataclass(frozen=True, slots=True)
class Interface:
    """Network interface to create."""

    #: Name; ``%d`` stands for the first free number.
    name: str = "airlag%d"
    #: Address with prefix length, such as ``10.43.0.1/24``; ``None``: none.
    address: str | None = None
    #: Maximum packet size, bytes.
    mtu: int = 1_400
