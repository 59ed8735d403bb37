"""One end of a tunnel on this computer: IP packets over a packet radio, in real time.

:func:`up` brings it up; :func:`examine` says what is missing for it; :func:`make_key` makes the key
that both ends need.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airlag import _airlag
from airlag._airlag import TunnelError

if TYPE_CHECKING:
    from airlag.core.types import Requirement, TunnelEnd

__all__ = ["Interface", "Radio", "TunnelError", "examine", "make_key", "up"]

#: Called with how it is going, of which rates are those of the last second.
Said = Callable[["TunnelEnd"], None]


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
    #: 0 to 125; ``None``: 100.
    channel: int | None = None
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


def up(
    radio: Radio, interface: Interface, key: Path | None, said: Said | None = None
) -> tuple[TunnelEnd, BaseException | None]:
    """Carries packets between an interface and a radio until a signal comes.

    Raises :class:`TunnelError`.

    Parameters
    ----------
    key
        File with the key that both ends have; ``None``: nothing is encrypted.
    said
        Told some thirty times a second.

    Returns
    -------
    tuple
        How it went, and what a signal handler raised.
    """
    return _airlag.tunnel_up(radio, interface, key, said)


def examine(radio: Radio | None = None) -> list[Requirement]:
    """What a tunnel needs on this computer, and whether it is there.

    Raises :class:`TunnelError` where the radio cannot be meant.
    """
    return _airlag.tunnel_doctor(radio)


def make_key() -> str:
    """A new key, as 64 hexadecimal digits."""
    return _airlag.tunnel_key()
