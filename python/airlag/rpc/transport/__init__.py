"""What carries containers: an adapter, a host stack of its own, or the virtual bench.

Each transport is a file of its own here, which loads what it needs when it is imported:
:mod:`~airlag.rpc.transport.virtual`, :mod:`~airlag.rpc.transport.bleak` and
:mod:`~airlag.rpc.transport.bumble`.
"""

from __future__ import annotations

from typing import Protocol

#: Service with one characteristic: containers up by writes without response, down by notifications.
SERVICE = "12340001-0000-1000-8000-00805f9b34fb"
CHARACTERISTIC = "12340002-0000-1000-8000-00805f9b34fb"


class Transport(Protocol):
    """A connection to a peripheral that carries containers, and has a time of its own."""

    @property
    def mtu(self) -> int:
        """MTU of the attribute protocol, bytes: a container has at most three bytes less."""

    @property
    def address(self) -> str | None:
        """What the peripheral is known by from one connection to the next; ``None``: by nothing."""

    def now_ns(self) -> int:
        """Time since a beginning of the transport's own, ns."""

    def entropy(self) -> bytes:
        """32 bytes that nobody can foresee, from which the keys of a session are made."""

    async def write(self, container: bytes) -> None:
        """Hands over a container to be sent.

        Raises
        ------
        Disconnected
            When the connection is over.
        """

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """The next container that comes within a time; ``None``: none came.

        May be cancelled; no container is lost by that.

        Raises
        ------
        Disconnected
            When the connection is over and everything that came has been received.
        """

    async def close(self) -> None:
        """Ends the connection."""
