"""``airlag rpc … --json``: functional tests and benchmarks of calls over a link."""

from typing import Annotated, Literal, NotRequired, TypedDict

from airlag.json_types.run import Count, Latency, Nonnegative

#: A central: three that were published, a chip, and a computer with an adapter.
RpcPlatform = Literal["macos", "iphone16", "pixel5", "nrf52", "linux"]
#: The article writes KB of 1024 bytes.
RpcUnit = Literal["KiB/s", "ms/call", "ms/item"]


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
    published: Annotated[
        Nonnegative | None, "What bleRPC's page says of this platform and its link; null: nothing."
    ]
    measured: Nonnegative
    unit: Annotated[RpcUnit, "Of both numbers."]
    fitted: Annotated[bool, "Constants of the link are calibrated on this benchmark."]
    calls: Annotated[Count, "How many were made, without those to warm up."]
    answered: Annotated[Count, "How many of them were answered."]
    latency_ns: Annotated[
        Latency | None, "From each call to its answer; null: measured only all together."
    ]
    settings: Annotated[dict[str, str], "Constants that differ from the profile, as given."]
    gain: NotRequired[Annotated[str, "What is done better, with --gains."]]
