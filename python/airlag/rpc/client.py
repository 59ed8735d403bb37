"""A central's face: calls that are awaited, streams that are iterated."""

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
