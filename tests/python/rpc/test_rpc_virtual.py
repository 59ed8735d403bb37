"""Calls on the virtual bench: virtual time, and the same bytes of the same seed."""

from __future__ import annotations

import asyncio

import pytest

from airlag import LinkError
from airlag.core.types import RpcTest
from airlag.rpc import connect
from airlag.rpc.functional import run
from airlag.rpc.transport.virtual import Virtual

LINK = "rpc-macos"


class Heard(Virtual):
    """Keeps what goes over the air, and when it was received."""

    def __init__(self, seed: int) -> None:
        super().__init__(LINK, seed)
        self.heard: list[tuple[int, bytes]] = []

    async def write(self, container: bytes) -> None:
        self.heard.append((self.now_ns(), container))
        await super().write(container)

    async def receive(self, timeout_ns: int | None) -> bytes | None:
        container = await super().receive(timeout_ns)
        if container is not None:
            self.heard.append((self.now_ns(), container))
        return container


def checked(seed: int) -> tuple[list[RpcTest], list[tuple[int, bytes]]]:
    async def tests() -> tuple[list[RpcTest], list[tuple[int, bytes]]]:
        transport = Heard(seed)
        async with connect(transport) as client:
            return [each async for each in run(client)], transport.heard

    return asyncio.run(tests())


def test_the_functional_tests_pass_with_encryption() -> None:
    found, _ = checked(1)
    assert [each["problem"] for each in found] == [None] * 12


def test_one_seed_is_the_same_bytes_at_the_same_times() -> None:
    assert checked(4) == checked(4)
    assert checked(4)[1] != checked(5)[1]


def test_time_passes_only_while_somebody_waits_for_an_answer() -> None:
    async def waited() -> None:
        async with connect(Virtual(LINK)) as client:
            before = client.now_ns()
            assert before > 0
            await asyncio.sleep(0.05)
            assert client.now_ns() == before
            await client.echo("hello")
            assert client.now_ns() > before

    asyncio.run(waited())


def test_calls_of_several_tasks_ride_together() -> None:
    async def took(calls: int) -> int:
        async with connect(Virtual(LINK, settings={"calls_in_flight": "16"})) as client:
            before = client.now_ns()
            texts = [str(each) for each in range(calls)]
            assert await asyncio.gather(*(client.echo(text) for text in texts)) == texts
            return client.now_ns() - before

    assert asyncio.run(took(4)) < 2 * asyncio.run(took(1))


def test_a_link_that_is_not_there_is_told() -> None:
    with pytest.raises(LinkError, match="rpc-mac"):
        Virtual("rpc-mac")
