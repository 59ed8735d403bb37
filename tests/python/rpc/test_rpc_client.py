"""Calls, streams and uploads of a client: together, taken back, too late, and cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from blerpc_protocol import Container, ContainerType
from direct import Direct
from package_ends import SEED, PackagePeripheral

from airlag._airlag import RpcPeripheral
from airlag.rpc import CallFailed, Client, Disconnected, Encryption, connect, pump
from airlag.rpc import benchmark_pb2 as messages
from airlag.rpc.benchmark import Benchmark
from airlag.rpc.transport.inbox import MOST_WAITING, Inbox

Act = Callable[[Benchmark, Direct], Awaitable[None]]


def ours(encryption: Encryption = "require") -> RpcPeripheral:
    return RpcPeripheral(247, bytes(range(32)), identity_seed=SEED, encryption=encryption)


def called(act: Act, peripheral: RpcPeripheral | PackagePeripheral | None = None) -> Direct:
    """Does something with a client of a peripheral, by default of ours."""
    transport = Direct(peripheral or ours())

    async def calling() -> None:
        async with connect(transport) as client:
            await act(client, transport)

    asyncio.run(calling())
    assert transport.closed
    return transport


class Deaf(PackagePeripheral):
    """Does not hear some requests, by the number of each."""

    def __init__(self, *deaf: int) -> None:
        super().__init__(247)
        self._deaf = deaf
        self.requests = 0

    def _request(self, transaction: int, payload: bytes) -> None:
        self.requests += 1
        if self.requests - 1 not in self._deaf:
            super()._request(transaction, payload)


def requests(written: list[bytes]) -> int:
    """How many payloads were begun."""
    kinds = [Container.deserialize(each).container_type for each in written]
    return kinds.count(ContainerType.FIRST)


class Slow(Direct):
    """Counts the requests that were under way when the first answer came."""

    together: int | None = None

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        if requests(self.written) and self.together is None:
            self.together = requests(self.written)
        return await super().receive(timeout_ns)


@pytest.mark.parametrize(("pipelined", "together"), [(True, 5), (False, 1)])
def test_as_many_calls_are_in_flight_as_are_awaited(pipelined: bool, together: int) -> None:
    async def calling() -> None:
        async with connect(transport, pipelined=pipelined) as client:
            texts = [str(each) for each in range(5)]
            assert await asyncio.gather(*(client.echo(text) for text in texts)) == texts

    transport = Slow(ours())
    asyncio.run(calling())
    assert transport.together == together


def test_more_calls_than_the_peripheral_takes_wait_for_their_turn() -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        texts = [str(each) for each in range(40)]
        assert await asyncio.gather(*(client.echo(text) for text in texts)) == texts

    called(act)
    called(act, PackagePeripheral(247))


def test_a_call_may_be_awaited_while_a_stream_is_read() -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        seen = []
        async for seq, value in client.counter_stream(5):
            assert await client.echo(str(seq)) == str(seq)
            seen.append(value)
        assert seen == [0, 10, 20, 30, 40]

    called(act)
    called(act, PackagePeripheral(247))


@pytest.mark.parametrize("package", [False, True])
def test_a_cancelled_call_is_taken_back_and_the_next_gets_its_own_answer(package: bool) -> None:
    async def act(client: Benchmark, transport: Direct) -> None:
        before = requests(transport.written)
        first = asyncio.create_task(client.echo("first"))
        while requests(transport.written) == before:
            await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert await client.echo("second") == "second"

    called(act, PackagePeripheral(247) if package else None)


def test_a_call_that_is_cancelled_before_it_is_sent_is_never_sent() -> None:
    async def act(client: Benchmark, transport: Direct) -> None:
        before = requests(transport.written)
        first = asyncio.create_task(client.echo("first"))
        second = asyncio.create_task(client.echo("second"))
        while requests(transport.written) == before:
            await asyncio.sleep(0)
        second.cancel()
        assert await first == "first"
        with pytest.raises(asyncio.CancelledError):
            await second
        assert await client.echo("third") == "third"
        assert requests(transport.written) == before + 2

    # It takes one call at a time.
    called(act, PackagePeripheral(247))


@pytest.mark.parametrize("package", [False, True])
def test_who_stops_reading_a_stream_can_go_on_calling(package: bool) -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        items = client.counter_stream(20)
        async for seq, _ in items:
            if seq == 3:
                break
        await items.aclose()
        assert await client.echo("on") == "on"
        assert [seq async for seq, _ in client.counter_stream(3)] == [0, 1, 2]

    called(act, PackagePeripheral(247) if package else None)


@pytest.mark.parametrize(("timeout_s", "waited_ns"), [(None, 100_000_000), (2.5, 2_500_000_000)])
def test_a_call_without_an_answer_fails_in_the_transports_time_and_the_next_works(
    timeout_s: float | None, waited_ns: int
) -> None:
    async def calling() -> None:
        async with connect(Direct(Deaf(0)), timeout_s=timeout_s) as client:
            before = client.now_ns()
            with pytest.raises(CallFailed, match="within the timeout"):
                await client.echo("lost")
            assert waited_ns <= client.now_ns() - before <= waited_ns + 10_000_000
            assert await client.echo("on") == "on"

    asyncio.run(calling())


def test_a_stream_that_stops_fails_after_what_came_of_it() -> None:
    async def act(client: Benchmark, transport: Direct) -> None:
        came: list[int] = []
        transport.lost = lambda _: len(came) >= 2

        async def reading() -> None:
            async for seq, _ in client.counter_stream(10):
                came.append(seq)

        with pytest.raises(CallFailed, match="within the timeout"):
            await reading()
        assert came == [0, 1]
        transport.lost = lambda _: False
        assert await client.echo("on") == "on"

    called(act, PackagePeripheral(247))


@pytest.mark.parametrize("package", [False, True])
def test_a_lost_notification_fails_its_call_only(package: bool) -> None:
    async def act(client: Benchmark, transport: Direct) -> None:
        came: list[bytes] = []

        def third(container: bytes) -> bool:
            came.append(container)
            return len(came) == 3

        transport.lost = third
        with pytest.raises(CallFailed):
            await client.flash_read(0, 4000)
        assert len(await client.flash_read(0, 4000)) == 4000

    called(act, PackagePeripheral(247) if package else None)


@pytest.mark.parametrize("package", [False, True])
def test_items_that_nobody_reads_end_their_stream_only(
    package: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two of them are too many.
    monkeypatch.setattr(pump, "MOST_HELD", pump.OVERHEAD + 20)

    async def act(client: Benchmark, _: Direct) -> None:
        stream = client.counter_stream(10)
        assert (await anext(stream))[0] == 0
        # What comes of the stream meanwhile has nobody to go to.
        for _ in range(5):
            assert await client.echo("on") == "on"
        with pytest.raises(CallFailed, match="of unread items"):
            async for _ in stream:
                pass
        assert await client.echo("on") == "on"

    called(act, PackagePeripheral(247) if package else None)


def test_packets_that_nobody_asked_for_end_the_connection_before_they_fill_the_memory() -> None:
    async def act() -> None:
        inbox = Inbox()
        for nth in range(MOST_WAITING + 100):
            inbox.put(nth.to_bytes(4))
        came = [await inbox.get(0) for _ in range(MOST_WAITING)]
        assert came == [nth.to_bytes(4) for nth in range(MOST_WAITING)]
        for _ in range(2):
            with pytest.raises(Disconnected, match=str(MOST_WAITING)):
                await inbox.get(0)

    asyncio.run(act())


def test_an_answer_that_is_no_message_of_the_type_fails_its_call() -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        # A text that ends before its length says.
        request = messages.DataWriteRequest(data=bytes(300))
        with pytest.raises(
            CallFailed, match="the response to data_write is not a valid EchoRequest"
        ):
            await client.call("data_write", request, messages.EchoRequest)
        assert await client.echo("on") == "on"

    class Odd(PackagePeripheral):
        def _respond(self, transaction: int, name: str, message: bytes) -> None:
            super()._respond(transaction, name, b"\x0a\x05a" if name == "data_write" else message)

    called(act, Odd(247))


def test_a_method_that_is_not_there_fails_and_the_next_call_works() -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        with pytest.raises(CallFailed, match="method"):
            await client.call("nothing", messages.EchoRequest(), messages.EchoResponse)
        assert await client.echo("on") == "on"

    called(act)


def test_a_request_that_is_too_long_fails_and_the_next_call_works() -> None:
    async def act(client: Benchmark, _: Direct) -> None:
        with pytest.raises(CallFailed, match=r"70003 B|70,003 B"):
            await client.data_write(bytes(69_999))
        assert await client.echo("on") == "on"

    called(act, PackagePeripheral(247))


def test_an_end_of_the_connection_ends_every_call_and_those_after_it() -> None:
    async def act(client: Benchmark, transport: Direct) -> None:
        transport.over = True
        items = client.counter_stream(3)
        calls = [client.echo("a"), client.data_write(b"b"), anext(items)]
        for failed in await asyncio.gather(*calls, return_exceptions=True):
            assert isinstance(failed, Disconnected)
            assert str(failed) == "the peripheral disconnected"
        with pytest.raises(Disconnected, match="the peripheral disconnected"):
            await client.echo("after")

    called(act)


def test_after_the_end_a_client_says_that_it_is_closed() -> None:
    async def calling() -> None:
        async with connect(Direct(ours())) as client:
            pass
        with pytest.raises(Disconnected, match="closed"):
            await client.echo("after")

    asyncio.run(calling())


def test_a_peripheral_that_answers_nothing_is_no_connection() -> None:
    class Nobody:
        def received(self, container: bytes, now_ns: int) -> None:
            pass

        def outgoing(self) -> bytes | None:
            return None

    async def calling() -> None:
        async with connect(transport):
            raise AssertionError

    transport = Direct(Nobody())
    with pytest.raises(Disconnected, match="does not answer"):
        asyncio.run(calling())
    assert transport.closed


def test_a_fault_of_a_transport_ends_calls_and_is_not_hidden() -> None:
    class Broken(Direct):
        broken = False

        async def receive(self, timeout_ns: int | None) -> bytes | None:
            if self.broken:
                raise ValueError("a fault")
            return await super().receive(timeout_ns)

    async def calling() -> None:
        async with connect(transport) as client:
            transport.broken = True
            with pytest.raises(Disconnected, match=r"broke \(ValueError: a fault\)"):
                await client.echo("a")

    transport = Broken(ours())
    with pytest.raises(ValueError, match="a fault"):
        asyncio.run(calling())
    assert transport.closed


def test_a_service_of_ones_own_is_a_class_of_a_few_lines() -> None:
    class Echo(Client):
        async def twice(self, text: str) -> str:
            request = messages.EchoRequest(message=text * 2)
            return (await self.call("echo", request, messages.EchoResponse)).message

    async def calling() -> str:
        async with connect(Direct(ours()), Echo) as client:
            return await client.twice("ab")

    assert asyncio.run(calling()) == "abab"
