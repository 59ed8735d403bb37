"""Transports of containers (parts of calls): Bluetooth adapter, separate host stack, virtual bench.

Each transport is a module with its own dependencies: :mod:`~airlag.rpc.transport.virtual`,
:mod:`~airlag.rpc.transport.bleak` and :mod:`~airlag.rpc.transport.bumble`.
"""

from __future__ import annotations

from typing import Protocol

#: Service and characteristic: requests are writes without response, answers notifications.
SERVICE = "12340001-0000-1000-8000-00805f9b34fb"
CHARACTERISTIC = "12340002-0000-1000-8000-00805f9b34fb"


class Transport(Protocol):
    """A connection to a peripheral that carries containers, with its own clock."""

    @property
    def mtu(self) -> int:
        """ATT MTU, bytes. A container is at least three bytes shorter."""

    @property
    def address(self) -> str | None:
        """Stable address of the peripheral; ``None`` if it has none."""

    def now_ns(self) -> int:
        """Time since an arbitrary origin, ns."""

    def entropy(self) -> bytes:
        """32 unpredictable bytes for session keys."""

    async def write(self, container: bytes) -> None:
        """Queues a container for sending.

        Raises
        ------
        Disconnected
            The connection has ended.
        """

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        """Returns the next received container (part of a call); ``None`` after the timeout.

        The wait can be cancelled without losing a container.

        Raises
        ------
        Disconnected
            The connection has ended, and all containers were received.
        """

    async def close(self) -> None:
        """Closes the connection."""
