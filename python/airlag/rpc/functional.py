"""The twelve functional tests of bleRPC: data integrity of each kind of call."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airlag.rpc.benchmark import Benchmark
from airlag.rpc.errors import RpcError

if TYPE_CHECKING:
    from airlag.core.types import RpcTest

#: Maximum message and block length of the service, bytes.
MAX_MESSAGE = 256
MAX_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class Test:
    """A call together with a check of its result."""

    #: The call, whose latency is reported.
    act: Callable[[Benchmark], Awaitable[Any]]
    #: Returns the error of a result, or ``None``.
    problem: Callable[[Any], str | None]


def _echo(message: str) -> Test:
    def problem(came: str) -> str | None:
        return (
            None if came == message else f"{came[:20]!r} was returned instead of {message[:20]!r}"
        )

    return Test(lambda client: client.echo(message), problem)


def _flash_read(length: int) -> Test:
    def problem(came: bytes) -> str | None:
        # The service defines only the length: some peripherals answer with random bytes.
        return None if len(came) == length else f"{len(came)} of {length} B received"

    return Test(lambda client: client.flash_read(0, length), problem)


def _data_write(length: int) -> Test:
    data = bytes(index % 251 for index in range(length))

    def problem(taken: int) -> str | None:
        return None if taken == length else f"{taken} of {length} B received"

    return Test(lambda client: client.data_write(data), problem)


def _counter_stream(count: int) -> Test:
    async def act(client: Benchmark) -> list[tuple[int, int]]:
        return [item async for item in client.counter_stream(count)]

    def problem(came: list[tuple[int, int]]) -> str | None:
        for seq, item in enumerate(came):
            if item != (seq, 10 * seq):
                return f"item {seq} is {item}, not {(seq, 10 * seq)}"
        return None if len(came) == count else f"{len(came)} of {count} items received"

    return Test(act, problem)


def _counter_upload(count: int) -> Test:
    def problem(taken: int) -> str | None:
        return None if taken == count else f"{taken} of {count} items received"

    return Test(lambda client: client.counter_upload([10 * seq for seq in range(count)]), problem)


#: Tests by published name.
TESTS: dict[str, Test] = {
    "echo_basic": _echo("hello"),
    "echo_empty": _echo(""),
    "echo_max_length": _echo("A" * MAX_MESSAGE),
    "flash_read_basic": _flash_read(16),
    "flash_read_8kb": _flash_read(MAX_BLOCK),
    "data_write_basic": _data_write(1024),
    "data_write_8kb": _data_write(MAX_BLOCK),
    "multi_container_echo": _echo("B" * 250),
    "counter_stream": _counter_stream(5),
    "counter_stream_large": _counter_stream(20),
    "counter_upload": _counter_upload(5),
    "counter_upload_large": _counter_upload(20),
}


async def run(client: Benchmark) -> AsyncGenerator[RpcTest, None]:
    """Runs the tests one after the other; yields each result, including failures."""
    for name, test in TESTS.items():
        latency_ns = None
        begin_ns = client.now_ns()
        try:
            came = await test.act(client)
            latency_ns = client.now_ns() - begin_ns
            problem = test.problem(came)
        except RpcError as error:
            problem = str(error)
        passed = problem is None
        yield {"test": name, "passed": passed, "latency_ns": latency_ns, "problem": problem}
