"""Carrier of probe messages over a GATT characteristic.

An event loop in another thread moves packets between a socket of the Rust core and the
characteristic. The event loop takes no timestamps.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from airlag import _airlag
from airlag.core.answered import loads
from airlag.rpc.errors import RpcError
from airlag.rpc.transport import CHARACTERISTIC, Transport
from airlag.rpc.transport.inbox import ATT_HEADER, Inbox, Notified

#: Number and interval, ns, of loopback messages.
COUNT, PERIOD_NS = 100, 5_000_000


class Loopback(Notified):
    """Characteristic in this process that answers immediately."""

    mtu, address = 4_096, None

    def __init__(self) -> None:
        super().__init__(Inbox())
        self._reflector = _airlag.MessageReflector()

    @classmethod
    async def open(cls) -> Loopback:
        """Connects."""
        return cls()

    async def write(self, container: bytes) -> None:
        """Answers a message."""
        answer = self._reflector.answer(container)
        if answer is not None:
            self._inbox.put(answer)

    async def close(self) -> None:
        """Disconnects."""


def of_target(target: str) -> Callable[[], Awaitable[Transport]]:
    """Returns a function that connects to ``ble:NAME`` or ``ble:NAME?characteristic=UUID``."""
    name, _, query = target.removeprefix("rpc:").removeprefix("ble:").partition("?")
    key, _, characteristic = query.partition("=")
    if not name or (query and (key != "characteristic" or not characteristic)):
        raise _airlag.LinkError(f"{target} is not a target; write ble:NAME?characteristic=UUID")

    async def connect() -> Transport:
        from airlag.rpc.transport.bleak import Bleak

        return await Bleak.open(name, characteristic=characteristic or CHARACTERISTIC)

    return connect


@contextmanager
def carried(opening: Callable[[], Awaitable[Transport]]) -> Iterator[_airlag.Carrier]:
    """Yields a carrier of packets, connected until the block ends; raises :class:`LinkError`."""
    opened: Future[_airlag.Carrier] = Future()

    def work() -> None:
        try:
            asyncio.run(_carry(opening, opened))
        except BaseException as error:
            if not opened.done():
                opened.set_exception(error)

    # A daemon thread, so that a signal does not wait for the end of a scan.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        carrier = opened.result()
    except RpcError as error:
        raise _airlag.LinkError(str(error)) from None
    try:
        yield carrier
    finally:
        carrier.close()
        thread.join()


async def _carry(
    opening: Callable[[], Awaitable[Transport]], opened: Future[_airlag.Carrier]
) -> None:
    transport, loop = await opening(), asyncio.get_running_loop()
    carrier = _airlag.Carrier(transport.mtu - ATT_HEADER)

    async def outward() -> None:
        while message := await loop.sock_recv(far, transport.mtu):
            await transport.write(message)

    async def inward() -> None:
        while (message := await transport.receive(None)) is not None:
            await loop.sock_sendall(far, message)

    with socket.socket(fileno=carrier.fileno) as far:
        far.setblocking(False)
        opened.set_result(carrier)
        ways = [asyncio.create_task(way()) for way in (outward, inward)]
        # When either end closes, the other is closed too.
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
    await transport.close()


def round_trip_ns(size: int) -> Mapping[str, Any]:
    """Measures the round trip of messages of this size through the carrier, without a radio."""
    target, timeout_ns = "ble:loopback", 10**9
    question = {"question": "probe", "target": target, "size": size, "timeout_ns": timeout_ns}
    with carried(Loopback.open) as carrier:
        reply = _airlag.probe_target(
            json.dumps(question),
            target,
            size=size,
            period_ns=PERIOD_NS,
            count=COUNT,
            timeout_ns=timeout_ns,
            carrier=carrier,
        )
    found: Mapping[str, Any] = loads(reply)["round_trip_ns"]
    return found
