"""The six benchmarks of bleRPC, over any transport, in its time."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from airlag.core.answered import ask
from airlag.rpc.benchmark import Benchmark

if TYPE_CHECKING:
    from airlag.core.types import PublishedPlatform, RpcBenchmark, RpcPlatform, RpcUnit

Act = Callable[[Benchmark], Awaitable[object]]

#: Bytes of a read and of a write whose throughput is measured.
READ = 8192
WRITE = 200
#: Bytes of a KiB, which the page calls KB: 8192 B in 264.2 ms are its 30.3 KB/s.
KIB = 1024
#: Items of a stream.
ITEMS = 20


@dataclass(frozen=True, slots=True)
class Speed:
    """Calls one after the other."""

    #: One call.
    act: Act
    #: A call before the clock starts; ``None``: none.
    warm_up: Act | None
    #: How many.
    calls: int
    #: Of the result.
    unit: RpcUnit
    #: Bytes or items of one call, or 1 where calls are counted.
    each: int

    def result(self, elapsed_ns: int) -> float:
        """What is told when all calls took so long."""
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


#: By name, as published.
SPEEDS: dict[str, Speed] = {
    "flash_read_throughput": Speed(_read(READ), _read(READ), 10, "KiB/s", READ),
    "flash_read_overhead": Speed(_read(1), _read(1), 20, "ms/call", 1),
    "echo_roundtrip": Speed(lambda c: c.echo("hello"), lambda c: c.echo("x"), 50, "ms/call", 1),
    "data_write_throughput": Speed(_write, _write, 20, "KiB/s", WRITE),
    "counter_stream": Speed(_count, None, 1, "ms/item", ITEMS),
    "counter_upload": Speed(_upload, None, 1, "ms/item", ITEMS),
}


async def measure(client: Benchmark, platform: RpcPlatform) -> AsyncGenerator[RpcBenchmark, None]:
    """Runs the benchmarks one after the other.

    Parameters
    ----------
    client
        Of the peripheral.
    platform
        Whose published figures are put beside the results.

    Raises
    ------
    RpcError
        When a call fails: there is no speed without it.
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
    """The same on the virtual bench, by a central in Rust.

    Parameters
    ----------
    platform
        Whose link it is, and whose published figures are put beside the results.
    seed
        Of everything that chance decides.
    settings
        Constants of the link that differ from its profile.
    link
        Another link; no figures were published of it.
    gains
        Also with each thing that can be done better: each row says by ``gain`` which one, and the
        last ones are several together.

    Raises
    ------
    LinkError
        When there is no such link or setting.
    """
    asked: dict[str, Any] = {"platform": platform, "seed": seed, "link": link, "gains": gains}
    rows: list[RpcBenchmark] = ask("rpc-bench", **asked, settings=dict(settings or {}))
    return rows


def platforms() -> list[PublishedPlatform]:
    """The platforms, and what was published of them."""
    found: list[PublishedPlatform] = ask("rpc-platforms")
    return found
