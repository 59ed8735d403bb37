"""One end of a tunnel on this computer: IP packets over a packet radio, in real time.

:func:`up` brings it up, and returns how it went and what a signal handler raised. :func:`examine`
says what is missing for it. :func:`make_key` makes the key that both ends need.
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
    """A radio, each part as it is written on the command line."""

    #: ``spi:DEVICE`` or ``udp:HOST:PORT``.
    radio: str
    #: Lines of a chip's pins, such as ``gpiochip0:24``.
    ce: str | None = None
    irq: str | None = None
    #: ``250k``, ``1M`` or ``2M``; ``None``: the last.
    rate: str | None = None
    #: 0 to 125; ``None``: 76.
    channel: int | None = None
    #: Output power of the chip: ``-18dBm``, ``-12dBm``, ``-6dBm`` or ``0dBm``; ``None``: the last.
    power: str | None = None
    #: ``PORT`` or ``HOST:PORT`` of this end; ``None``: the other end's port.
    listen: str | None = None


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface that is made."""

    #: What it is called; ``%d`` stands for the first number that is free.
    name: str = "airlag%d"
    #: Its address with its network, such as ``10.43.0.1/24``; ``None``: it has none.
    address: str | None = None
    #: Longest packet, bytes.
    mtu: int = 1_400
