"""A transport without a link: what is written is answered at once, and time passes by waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from airlag.rpc import Disconnected
from airlag.rpc.transport.bumble_pair import Answering


class Direct:
    """A central's end of nothing.

    Parameters
    ----------
    peripheral
        Answers.
    mtu
        Of the connection, bytes.
    address
        What the peripheral is known by.

    Attributes
    ----------
    written
        Containers that were written.
    lost
        Says of each container that comes whether it is lost on its way.
    over
        The connection is.
    closed
        :meth:`close` was called.
    """

    def __init__(
        self, peripheral: Answering, mtu: int = 247, *, address: str | None = None
    ) -> None:
        self.peripheral = peripheral
        self.mtu = mtu
        self.address = address
        self.written: list[bytes] = []
        self.lost: Callable[[bytes], bool] = lambda _: False
        self.over = False
        self.closed = False
        self._now_ns = 0

    def now_ns(self) -> int:
        return self._now_ns

    def entropy(self) -> bytes:
        return bytes(range(32))

    async def write(self, container: bytes) -> None:
        self.written.append(container)
        self.peripheral.received(container, self._now_ns)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        if self.over:
            raise Disconnected("the peripheral disconnected")
        while (container := self.peripheral.outgoing()) is not None:
            self._now_ns += 1_000_000
            if not self.lost(container):
                return container
        if timeout_ns is None:
            await asyncio.Event().wait()
        self._now_ns += timeout_ns or 0
        return None

    async def close(self) -> None:
        self.closed = True
