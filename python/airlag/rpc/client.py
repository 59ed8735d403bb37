"""A central's face: calls that are awaited, streams that are iterated.

>>> async with airlag.rpc.connect(Virtual("rpc-macos"), Benchmark) as client:
...     print(await client.echo("hello"))
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Literal, TypeVar, overload

from airlag._airlag import RpcCentral
from airlag.rpc.errors import CallFailed, Disconnected
from airlag.rpc.pump import Call, Pump
from airlag.rpc.transport import Transport
from airlag.rpc.trust import Trust

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from airlag.rpc.benchmark import Benchmark

Encryption = Literal["require", "prefer", "off"]
#: How long nothing may come until a call has failed, s. Peripherals of bleRPC ask for 0.1 s; 8 KiB
#: of a request take longer to leave at an interval of 30 ms.
TIMEOUT_S = 5.0

Response = TypeVar("Response", bound="Message")
Made = TypeVar("Made", bound="Client")


class Client:
    """Calls by their method's name; a service's own client derives from it and gives them types.

    As many calls are in flight as are awaited at once and the peripheral takes; the others wait.
    A task that is cancelled takes its call back.

    Parameters
    ----------
    pump
        What carries its containers; :func:`connect` makes it.
    central
        Its state machine.
    transport
        Where the containers go.
    """

    def __init__(self, pump: Pump, central: RpcCentral, transport: Transport) -> None:
        self._pump = pump
        self._central = central
        self._transport = transport

    @property
    def peer(self) -> dict[str, object]:
        """What the two ends agreed on.

        ``encrypted``, ``identity`` (the peripheral's public key, 32 bytes, or ``None``),
        ``max_request`` and ``max_response`` in bytes, ``timeout_ms``, ``calls_in_flight``.
        """
        return dict(self._central.peer or {})

    def now_ns(self) -> int:
        """The transport's time, ns."""
        return self._transport.now_ns()

    async def call(self, method: str, request: Message, response: type[Response]) -> Response:
        """One request, one answer.

        Parameters
        ----------
        method
            Name of the command: that of the rpc in snake_case.
        request
            Its message.
        response
            Type of the answer.

        Raises
        ------
        CallFailed
            When the peripheral refuses it, does not answer in time, or answers with something else.
        Disconnected
            When the connection is over.
        """
        data = request.SerializeToString()
        return await self._answer(method, self._pump.ask(lambda c: c.call(method, data)), response)

    async def stream(
        self, method: str, request: Message, response: type[Response]
    ) -> AsyncGenerator[Response, None]:
        """One request, and the items that come of it.

        Parameters and errors are those of :meth:`call`. Who stops listening before the end takes
        the call back.
        """
        data = request.SerializeToString()
        call = self._pump.ask(lambda c: c.stream(method, data))
        try:
            while True:
                kind, came = await call.next()
                if kind == "end":
                    return
                yield _parsed(method, came, response)
        finally:
            self._pump.drop(call)

    async def upload(
        self, method: str, items: Iterable[Message], response: type[Response]
    ) -> Response:
        """Many items, and one answer to all of them; otherwise as :meth:`call`."""
        data = [item.SerializeToString() for item in items]
        call = self._pump.ask(lambda c: c.upload(method, data))
        return await self._answer(method, call, response)

    async def _answer(self, method: str, call: Call, response: type[Response]) -> Response:
        try:
            _, came = await call.next()
        finally:
            self._pump.drop(call)
        return _parsed(method, came, response)


def _parsed(method: str, data: bytes, response: type[Response]) -> Response:
    from google.protobuf.message import DecodeError

    try:
        return response.FromString(data)
    except DecodeError:
        name = response.DESCRIPTOR.name
        raise CallFailed(f"the answer to {method} is no {name} of {len(data)} bytes") from None


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
def connect(
    transport: Transport,
    client: type[Client] | None = None,
    *,
    trust: Trust | None = None,
    encryption: Encryption = "require",
    pipelined: bool = True,
    timeout_s: float | None = TIMEOUT_S,
) -> AbstractAsyncContextManager[Client]:
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
    if client is None:
        from airlag.rpc.benchmark import Benchmark

        client = Benchmark
    return _connect(transport, client, trust, encryption, pipelined, timeout_s)


@asynccontextmanager
async def _connect(
    transport: Transport,
    client: type[Client],
    trust: Trust | None,
    encryption: Encryption,
    pipelined: bool,
    timeout_s: float | None,
) -> AsyncIterator[Client]:
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
        yield client(pump, central, transport)
