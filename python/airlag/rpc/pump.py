"""Containers between a central's state machine and a transport; what came of them, call by call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from airlag._airlag import RpcCentral
from airlag.rpc.errors import CallFailed, Disconnected, RpcError
from airlag.rpc.transport import Transport

#: How often whatever is ready runs before anybody waits: the longest chain of tasks of which each
#: is woken by the one before it. What they call then goes out together, and before the time of a
#: virtual bench passes.
ROUNDS = 16
#: Items of a stream that wait for whoever reads it, bytes; each counts for its overhead too.
MOST_HELD, OVERHEAD = 64 << 20, 100

#: What came of a call: ``reply`` and ``item`` with the message, ``end`` with none.
Event = tuple[str, bytes]


class Call:
    """A call that is in flight, or waits to be.

    Attributes
    ----------
    ticket
        What the central knows it by.
    over
        Nothing more comes of it.
    """

    def __init__(self, ticket: int) -> None:
        self.ticket = ticket
        self.over = False
        self._held = 0
        self._came: asyncio.Queue[Event | RpcError] = asyncio.Queue()

    def put(self, came: Event | RpcError) -> None:
        """Takes in what came of it; items that nobody reads end it."""
        if not isinstance(came, RpcError):
            self._held += len(came[1]) + OVERHEAD
            if self._held > MOST_HELD:
                came = CallFailed(f"items of more than {MOST_HELD >> 20} MiB wait to be read")
        self.over = isinstance(came, RpcError) or came[0] != "item"
        self._came.put_nowait(came)

    async def next(self) -> Event:
        """What comes next of it.

        Raises
        ------
        RpcError
            When it failed.
        """
        came = await self._came.get()
        if isinstance(came, RpcError):
            raise came
        self._held -= len(came[1]) + OVERHEAD
        return came


class Pump:
    """A task that moves containers as long as anybody waits for something.

    While nobody does, it does not receive: time of a virtual bench stands still then.
    """

    def __init__(self, central: RpcCentral, transport: Transport) -> None:
        self._central = central
        self._transport = transport
        #: The central's time begins with it.
        self._begin_ns = transport.now_ns()
        self._calls: dict[int, Call] = {}
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked = asyncio.Event()
        self._broken: RpcError | None = None
        self._task = asyncio.create_task(self._run(), name="airlag.rpc")

    async def ready(self) -> None:
        """Returns once the two ends have agreed on what each can do.

        Raises
        ------
        RpcError
            When they do not.
        """
        await self._ready

    def ask(self, begin: Callable[[RpcCentral], int]) -> Call:
        """Begins a call.

        Raises
        ------
        RpcError
            When the connection is over.
        """
        if self._broken is not None:
            raise self._broken
        call = Call(begin(self._central))
        self._calls[call.ticket] = call
        self._asked.set()
        return call

    def drop(self, call: Call) -> None:
        """Forgets a call: what still comes of it is thrown away."""
        if self._calls.pop(call.ticket, None) is not None and not call.over:
            self._central.cancel(call.ticket)
            self._asked.set()

    async def stop(self) -> None:
        """Ends the task, and every call with it."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self) -> None:
        try:
            while True:
                await self._step()
        except asyncio.CancelledError:
            self._break(Disconnected("the connection was closed"))
            raise
        except RpcError as error:
            self._break(error)
        except BaseException as fault:
            self._break(Disconnected(f"the connection broke ({type(fault).__name__}: {fault})"))
            raise

    async def _step(self) -> None:
        """Sends what there is to send, or waits for a container, a time or another call."""
        self._asked.clear()
        now_ns = self._now_ns()
        due_ns = self._central.tick(now_ns)
        self._hand_out()
        # How long to wait counts from when something was sent; what cannot be sent has failed.
        if await self._send() or self._hand_out():
            return
        if self._ready.done() and not self._calls:
            await self._asked.wait()
            return
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
            if self._asked.is_set():
                return
        came = await self._receive(None if due_ns is None else max(due_ns - now_ns, 0))
        if came is not None:
            self._central.received(came, self._now_ns())
            self._hand_out()

    def _now_ns(self) -> int:
        return self._transport.now_ns() - self._begin_ns

    async def _send(self) -> bool:
        """Sends what there is to send; whether there was anything."""
        sent = False
        while (container := self._central.outgoing()) is not None:
            await self._transport.write(container)
            sent = True
        return sent

    async def _receive(self, timeout_ns: int | None) -> bytes | None:
        """The next container; ``None``: none came in time, or there is something to send first."""
        receiving = asyncio.create_task(self._transport.receive(timeout_ns))
        asked = asyncio.create_task(self._asked.wait())
        try:
            await asyncio.wait({receiving, asked}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (receiving, asked):
                task.cancel()
        try:
            return await receiving
        except asyncio.CancelledError:
            if self._asked.is_set() and not self._cancelled():
                return None
            raise

    def _cancelled(self) -> bool:
        """Whether this task itself is to end."""
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    def _hand_out(self) -> bool:
        """Tells each call what came of it; whether anything came."""
        events = self._central.events()
        for kind, ticket, data in events:
            if kind == "ready":
                self._ready.set_result(None)
            elif ticket is None:
                raise Disconnected(str(data))
            elif (call := self._calls.get(ticket)) is not None:
                call.put(CallFailed(data) if isinstance(data, str) else (kind, data))
                if call.over:
                    del self._calls[ticket]
                    if kind == "item":
                        self._central.cancel(ticket)
        return bool(events)

    def _break(self, error: RpcError) -> None:
        """Ends everything."""
        self._broken = error
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.put(error)
        if not self._ready.done():
            self._ready.set_exception(error)
            # Whoever asked for it may have gone by now.
            self._ready.exception()
