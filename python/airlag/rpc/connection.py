"""From a transport to a client: the handshake, and whom to trust.

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
#: How long nothing may come until a call has failed, s. Peripherals of bleRPC ask for 0.1 s; 8 KiB
#: of a request take longer to leave at an interval of 30 ms.
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
    """A client over a transport, which is closed at the end.

    Parameters
    ----------
    transport
        A connection to a peripheral.
    client
        Type of the client. Default: that of the benchmark service.
    trust
        Where identities are remembered: one that has changed is an error. ``None``: whoever
        answers is trusted.
    encryption
        ``require``: an error with a peripheral that cannot. ``prefer``: where it can. ``off``:
        never.
    pipelined
        Several calls may be in flight at once, with a peripheral that can do so.
    timeout_s
        How long nothing may come from the peripheral until the calls in flight have failed, in the
        transport's time, s. ``None``: as long as the peripheral says, which long requests may well
        take until they have left.

    Raises
    ------
    IdentityChanged
        When the peripheral is not who it was.
    Disconnected
        When the two ends do not come to terms.
    """
    made = client or Benchmark
    async with AsyncExitStack() as stack:
        stack.push_async_callback(transport.close)
        address = transport.address
        # Who does not encrypt does not learn who the other end is.
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
            # The state machine names both keys where it refuses one.
            if trusted is not None and known is not None and known.hex() in str(error):
                raise trusted.changed(str(address), error) from None
            raise
        if trusted is not None:
            identity = (central.peer or {}).get("identity")
            trusted.meet(str(address), identity if isinstance(identity, bytes) else None)
        yield made(pump, central, transport)
