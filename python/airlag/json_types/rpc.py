"""``airlag rpc … --json``: functional tests and benchmarks of calls over a link."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count, Nonnegative

#: A central: three that were published, a chip, and a computer with an adapter.
RpcPlatform = Literal["macos", "iphone16", "pixel5", "nrf52", "linux"]
#: KB are 1024 bytes, as the published ones are.
RpcUnit = Literal["KB/s", "ms/call", "ms/item"]


class RpcTest(TypedDict):
    """A functional test."""

    test: str
    passed: bool
    latency_ns: Annotated[
        Count | None,
        "From the call to its answer, in the transport's time, ns; null: there was no answer.",
    ]
    problem: Annotated[str | None, "What is wrong; null: nothing is."]


class RpcBenchmark(TypedDict):
    """A benchmark on one platform."""

    platform: RpcPlatform
    benchmark: str
    published: Annotated[Nonnegative | None, "What bleRPC's page says; null: nothing."]
    measured: Nonnegative
    unit: Annotated[RpcUnit, "Of both numbers; KB are 1024 bytes."]
