"""Connects an RPC client to a transport: handshake, and check of the peripheral's identity.

>>> async with airlag.rpc.connect(Virtual("rpc-macos"), Benchmark) as client:
...     print(await client.echo("hello"))
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any, Literal, TypeVar, overload

from airlag._airlag import RpcCentral
from airlag.rpc.benchmark import Benchmark
from airlag.rpc.client import Client
from airlag.rpc.errors import Disconnected
from airlag.rpc.pump import Pump
from airlag.rpc.transport import Transport
from airlag.rpc.trust import Trust

Encryption = Literal["require", "prefer", "off"]
#: Time without packets after which calls fail, s. Peripherals of bleRPC request 0.1 s, but sending
#: a request of 8 KiB takes longer at an interval of 30 ms.
TIMEOUT_S = 5.0

Made = TypeVar("Made", bound="Client")


@overload
def connect(
    transport: Transport,
    *,
    trust: Trust | None = ...,
    encryption: Encryption = ...,
    pipelined: bool = ...,
    timeout_s: float | None = ...,
) -> AbstractAsyncContextManager[Benchmark]: ...
@overload
def connect(
    transport: Transport,
    client: type[Made],
    *,
    trust: Trust | None = ...,
    encryption: Encryption = ...,
    pipelined: bool = ...,
    timeout_s: float | None = ...,
) -> AbstractAsyncContextManager[Made]: ...
@asynccontextmanager
async def connect(
    transport: Transport,
    client: type[Client] | None = None,
    *,
    trust: Trust | None = None,
    encryption: Encryption = "require",
    pipelined: bool = True,
    timeout_s: float | None = TIMEOUT_S,
) -> AsyncIterator[Any]:
    """Yields a client that is connected over a transport, and closes the transport at the end.

    Parameters
    ----------
    transport
        A connection to a peripheral.
    client
        Client class. Default: that of the benchmark service.
    trust
        Stored identities of peripherals. A changed identity is an error. ``None``: no check.
    encryption
        ``require``: an error if the peripheral does not support encryption. ``prefer``: encrypted
        if the peripheral supports encryption. ``off``: never encrypted.
    pipelined
        Allow several calls in flight, if the peripheral supports it.
    timeout_s
        Time without a packet in either direction after which calls in flight fail, in seconds of
        the transport's clock. A long request may last longer. ``None``: the peripheral's value.

    Raises
    ------
    IdentityChanged
        The peripheral's identity changed.
    Disconnected
        The handshake failed.
    """
    made = client or Benchmark
    async with AsyncExitStack() as stack:
        stack.push_async_callback(transport.close)
        address = transport.address
        # Without encryption, the peripheral's identity is unknown.
        trusted = trust if address is not None and encryption != "off" else None
        known = trusted.known(str(address)) if trusted is not None else None
        central = RpcCentral(
            transport.mtu,
            transport.entropy(),
            identity=known,
            encryption=encryption,
            pipelined=pipelined,
            timeout_ns=None if timeout_s is None else round(timeout_s * 1e9),
        )
        pump = Pump(central, transport)
        stack.push_async_callback(pump.stop)
        try:
            await pump.ready()
        except Disconnected as error:
            # The state machine's message contains both keys.
            if trusted is not None and known is not None and known.hex() in str(error):
                raise trusted.changed(str(address), error) from None
            raise
        if trusted is not None:
            identity = (central.peer or {}).get("identity")
            trusted.meet(str(address), identity if isinstance(identity, bytes) else None)
        yield made(pump, central, transport)
