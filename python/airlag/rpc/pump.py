"""Task that moves containers between a central's state machine and its transport."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from airlag._airlag import RpcCentral
from airlag.rpc.errors import CallFailed, Disconnected, RpcError
from airlag.rpc.transport import Transport

#: Event-loop rounds before waiting: the longest chain of tasks that wake each other. Calls made in
#: these rounds leave together, before virtual time advances.
ROUNDS = 16
#: Maximum unread items of a stream, bytes, and overhead counted per item.
MOST_HELD, OVERHEAD = 64 << 20, 100

#: Event of a call: ``reply`` and ``item`` with a message, ``end`` without.
Event = tuple[str, bytes]


class Call:
    """A call in flight or queued.

    Attributes
    ----------
    ticket
        Identifier of the call in the central.
    over
        Whether the call has ended, so that no events of the call will follow.
    """

    def __init__(self, ticket: int) -> None:
        self.ticket = ticket
        self.over = False
        self._held = 0
        self._came: asyncio.Queue[Event | RpcError] = asyncio.Queue()

    def put(self, event: Event | RpcError) -> None:
        """Queues an event for the call; too many unread events end the call."""
        if not isinstance(event, RpcError):
            self._held += len(event[1]) + OVERHEAD
            if self._held > MOST_HELD:
                event = CallFailed(f"more than {MOST_HELD >> 20} MiB of unread items")
        self.over = isinstance(event, RpcError) or event[0] != "item"
        self._came.put_nowait(event)

    async def next(self) -> Event:
        """Returns the next event.

        Raises :class:`RpcError` if the call failed.
        """
        event = await self._came.get()
        if isinstance(event, RpcError):
            raise event
        self._held -= len(event[1]) + OVERHEAD
        return event


class Pump:
    """Task that moves containers while any call or the handshake is pending.

    Otherwise it does not receive, so that time on a virtual bench stands still.
    """

    def __init__(self, central: RpcCentral, transport: Transport) -> None:
        self._central = central
        self._transport = transport
        #: Origin of the central's time.
        self._begin_ns = transport.now_ns()
        self._calls: dict[int, Call] = {}
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked = asyncio.Event()
        self._broken: RpcError | None = None
        self._task = asyncio.create_task(self._run(), name="airlag.rpc")

    async def ready(self) -> None:
        """Returns after the handshake.

        Raises :class:`RpcError` if it failed.
        """
        await self._ready

    def ask(self, begin: Callable[[RpcCentral], int]) -> Call:
        """Starts a call.

        Raises :class:`RpcError` if the connection has ended.
        """
        if self._broken is not None:
            raise self._broken
        call = Call(begin(self._central))
        self._calls[call.ticket] = call
        self._asked.set()
        return call

    def drop(self, call: Call) -> None:
        """Cancels a call; its further events are discarded."""
        if self._calls.pop(call.ticket, None) is not None and not call.over:
            self._central.cancel(call.ticket)
            self._asked.set()

    async def stop(self) -> None:
        """Ends the task and all calls."""
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
        """Sends pending containers, or waits for a container, a timeout or another call."""
        self._asked.clear()
        now_ns = self._now_ns()
        due_ns = self._central.tick(now_ns)
        self._hand_out()
        # Timeouts count from the time of sending. Calls that cannot be sent have already failed
        # here.
        if await self._send() or self._hand_out():
            return
        if self._ready.done() and not self._calls:
            await self._asked.wait()
            return
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
            if self._asked.is_set():
                return
        event = await self._receive(None if due_ns is None else max(due_ns - now_ns, 0))
        if event is not None:
            self._central.received(event, self._now_ns())
            self._hand_out()

    def _now_ns(self) -> int:
        return self._transport.now_ns() - self._begin_ns

    async def _send(self) -> bool:
        """Sends pending containers; returns whether there were any."""
        sent = False
        while (container := self._central.outgoing()) is not None:
            await self._transport.write(container)
            sent = True
        return sent

    async def _receive(self, timeout_ns: int | None) -> bytes | None:
        """Returns the next container; ``None`` on timeout, or if something must be sent first."""
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
        """Whether this task itself is being cancelled."""
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    def _hand_out(self) -> bool:
        """Passes events to the calls they belong to; returns whether there were any."""
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
        """Fails all calls."""
        self._broken = error
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.put(error)
        if not self._ready.done():
            self._ready.set_exception(error)
            # Marks the exception as retrieved, because possibly no task waits for it.
            self._ready.exception()
