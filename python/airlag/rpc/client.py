"""Client for calls and streams to a peripheral."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import TYPE_CHECKING, TypeVar

from airlag._airlag import RpcCentral
from airlag.rpc.errors import CallFailed
from airlag.rpc.pump import Call, Pump
from airlag.rpc.transport import Transport

if TYPE_CHECKING:
    from google.protobuf.message import Message


Response = TypeVar("Response", bound="Message")


class Client:
    """Client that calls methods by name. The client of a service is a subclass with typed methods.

    The peripheral limits the number of concurrent calls in flight; further calls wait. Cancelling
    the task that waits for a call cancels the call.

    Parameters
    ----------
    pump
        Task that carries the containers (RPC packets), created by :func:`connect`.
    central
        State machine of the central.
    transport
        Transport of the containers.
    """

    def __init__(self, pump: Pump, central: RpcCentral, transport: Transport) -> None:
        self._pump = pump
        self._central = central
        self._transport = transport

    @property
    def peer(self) -> dict[str, object]:
        """Results of the handshake, by name.

        Names: ``encrypted``, ``identity`` (the peripheral's public key, 32 bytes, or ``None``),
        ``max_request`` and ``max_response`` in bytes, ``timeout_ms``, ``calls_in_flight``.
        """
        return dict(self._central.peer or {})

    def now_ns(self) -> int:
        """Time on the transport's clock, ns."""
        return self._transport.now_ns()

    async def call(self, method: str, request: Message, response: type[Response]) -> Response:
        """Sends one request and returns its answer.

        Parameters
        ----------
        method
            Name of the called method in snake_case.
        request
            Request message.
        response
            Type of the answer.

        Raises
        ------
        CallFailed
            The call was rejected or timed out, or the answer is not a valid ``response``.
        Disconnected
            The connection has ended.
        """
        data = request.SerializeToString()
        return await self._answer(method, self._pump.ask(lambda c: c.call(method, data)), response)

    async def stream(
        self, method: str, request: Message, response: type[Response]
    ) -> AsyncGenerator[Response, None]:
        """Sends one request and yields the items of its answer.

        Parameters and errors are those of :meth:`call`. Closing the generator early cancels the
        call.
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
        """Sends many items and returns one answer; see :meth:`call`."""
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
        raise CallFailed(
            f"the response to {method} is not a valid {name} of {len(data)} bytes"
        ) from None
