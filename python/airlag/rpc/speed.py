"""The six benchmarks of bleRPC over any transport, timed by its clock."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airlag.core.answered import ask
from airlag.rpc.benchmark import Benchmark

if TYPE_CHECKING:
    from airlag.core.types import PublishedPlatform, RpcBenchmark, RpcPlatform, RpcUnit

Act = Callable[[Benchmark], Awaitable[object]]

#: Bytes of the read and of the write whose throughput is measured.
READ = 8192
WRITE = 200
#: Bytes of a KiB, which the published page calls KB: 8192 B in 264.2 ms are its 30.3 KB/s.
KIB = 1024
#: Items of a stream.
ITEMS = 20


@dataclass(frozen=True, slots=True)
class Speed:
    """A benchmark of sequential calls."""

    #: The call.
    act: Act
    #: Warm-up call before the clock starts; ``None``: none.
    warm_up: Act | None
    #: Number of calls.
    calls: int
    #: Unit of the result.
    unit: RpcUnit
    #: Bytes or items per call; 1 to count calls.
    each: int

    def result(self, elapsed_ns: int) -> float:
        """Converts the total duration to the result."""
        if self.unit == "KiB/s":
            return self.calls * self.each / KIB / (elapsed_ns / 1e9)
        return elapsed_ns / 1e6 / (self.calls * self.each)


async def _count(client: Benchmark) -> None:
    async for _ in client.counter_stream(ITEMS):
        pass


def _read(length: int) -> Act:
    return lambda client: client.flash_read(0, length)


def _write(client: Benchmark) -> Awaitable[object]:
    return client.data_write(bytes(range(WRITE)))


def _upload(client: Benchmark) -> Awaitable[object]:
    return client.counter_upload([10 * seq for seq in range(ITEMS)])


#: Benchmarks by published name.
SPEEDS: dict[str, Speed] = {
    "flash_read_throughput": Speed(_read(READ), _read(READ), 10, "KiB/s", READ),
    "flash_read_overhead": Speed(_read(1), _read(1), 20, "ms/call", 1),
    "echo_roundtrip": Speed(lambda c: c.echo("hello"), lambda c: c.echo("x"), 50, "ms/call", 1),
    "data_write_throughput": Speed(_write, _write, 20, "KiB/s", WRITE),
    "counter_stream": Speed(_count, None, 1, "ms/item", ITEMS),
    "counter_upload": Speed(_upload, None, 1, "ms/item", ITEMS),
}


async def measure(client: Benchmark, platform: RpcPlatform) -> AsyncGenerator[RpcBenchmark, None]:
    """Runs the six benchmarks of bleRPC one after the other, and yields each result.

    Parameters
    ----------
    client
        Client of the peripheral.
    platform
        Platform whose published figures accompany the results.

    Raises
    ------
    RpcError
        If a call fails.
    """
    published = next(each["published"] for each in platforms() if each["name"] == platform)
    for name, speed in SPEEDS.items():
        if speed.warm_up is not None:
            await speed.warm_up(client)
        begin_ns = client.now_ns()
        for _ in range(speed.calls):
            await speed.act(client)
        yield {
            "platform": platform,
            "benchmark": name,
            "published": published[name],
            "measured": speed.result(client.now_ns() - begin_ns),
            "unit": speed.unit,
            "fitted": False,
            "calls": speed.calls,
            "answered": speed.calls,
            "latency_ns": None,
            "settings": {},
        }


def virtual(
    platform: RpcPlatform,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
    link: str | None = None,
    *,
    gains: bool = False,
) -> list[RpcBenchmark]:
    """Runs the six benchmarks of bleRPC on the virtual bench, with a central in Rust.

    Parameters
    ----------
    platform
        Platform of the link and of the published figures.
    seed
        Random seed.
    settings
        Changed constants of the link.
    link
        Link to use in place of the platform's link. The results then have no published figures.
    gains
        Whether to add rows with single, then combined improvements. ``gain`` contains their names.

    Raises
    ------
    LinkError
        If the link is unknown or a setting is invalid.
    """
    asked: dict[str, Any] = {"platform": platform, "seed": seed, "link": link, "gains": gains}
    rows: list[RpcBenchmark] = ask("rpc-bench", **asked, settings=dict(settings or {}))
    return rows


def platforms() -> list[PublishedPlatform]:
    """Platforms with their published figures."""
    found: list[PublishedPlatform] = ask("rpc-platforms")
    return found
