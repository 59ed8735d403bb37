from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, NoReturn, Self, TypedDict, final

import numpy as np
from numpy.typing import NDArray

from airlag.core.types import (
    Deadline,
    Late,
    Latency,
    Places,
    Region,
    Requirement,
    SliceClass,
    TunnelEnd,
)
from airlag.questions.tunnel import Interface, Radio

__all__ = [
    "ENVIRONMENT",
    "MATTERS",
    "MEMORY_BYTES",
    "RUN_FORMAT",
    "CaptureError",
    "Draft",
    "Input",
    "LinkError",
    "Ports",
    "Reply",
    "RpcBench",
    "RpcCentral",
    "RpcError",
    "RpcPeripheral",
    "SavedRun",
    "Trace",
    "Transfers",
    "TuneBench",
    "TuneMeasured",
    "TuneParameter",
    "TuneSpace",
    "TunnelError",
    "__version__",
    "ask",
    "battery_life",
    "battery_names",
    "emulate_link",
    "emulated_location",
    "end",
    "end_on_signals",
    "goes_both_ways",
    "is_journal",
    "link_ceiling",
    "link_knobs",
    "links",
    "mean_interval",
    "misses",
    "pair",
    "pareto_front",
    "payloads",
    "read",
    "read_journal",
    "regions",
    "restored_trace",
    "restored_transfers",
    "save_run",
    "schemas",
    "service_ns",
    "signal_answered",
    "slice_classes",
    "summary",
    "thread_network",
    "transfers",
    "tune_clauses",
    "tune_limits",
    "tune_metrics",
    "tunnel_doctor",
    "tunnel_key",
    "tunnel_up",
    "unhurried_period_ns",
    "values",
    "write",
]

__version__: str
MEMORY_BYTES: int
RUN_FORMAT: int
MATTERS: float
ENVIRONMENT: str

class CaptureError(ValueError): ...
class LinkError(ValueError): ...
class RpcError(ValueError): ...
class TunnelError(ValueError): ...

@final
class Draft:
    def __new__(cls, path: str | PathLike[str]) -> Draft: ...
    def descriptor(self) -> int: ...
    def keep(self, force: bool) -> None: ...
    def discard(self) -> None: ...

@final
class Trace:
    @staticmethod
    def from_edges(
        names: Sequence[str],
        segments: Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]],
        epoch_unix_ns: int | None = None,
        sample_rate_hz: float | None = None,
    ) -> Trace: ...
    epoch_unix_ns: Final[int | None]
    sample_rate_hz: Final[float | None]
    begin_ns: Final[int]
    end_ns: Final[int]
    layout: Final[str]
    names: Final[list[str]]
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def segments(self, channel: int) -> list[tuple[int, int, bool]]: ...
    def edges_ns(self, channel: int, segment: int) -> NDArray[np.int64]: ...

@final
class SavedRun:
    def __new__(cls, path: str | PathLike[str]) -> SavedRun: ...
    metadata: Final[str]
    def read(
        self, memory_bytes: int | None = None
    ) -> tuple[Trace | None, NDArray[np.int64] | None]: ...

@final
class Transfers:
    trigger_ns: Final[NDArray[np.int64]]
    completion_ns: Final[NDArray[np.int64]]
    outcome: Final[NDArray[np.uint8]]
    spurious_ns: Final[NDArray[np.int64]]
    glitch_ns: Final[NDArray[np.int64]]
    glitch_low_ns: Final[NDArray[np.int64]]
    names: Final[tuple[str, str] | None]
    epoch_unix_ns: Final[int | None]
    sample_rate_hz: Final[float | None]
    latency_ns: Final[NDArray[np.int64]]
    start_ns: Final[int]
    end_ns: Final[int]
    def summary(self) -> Mapping[str, Any]: ...
    places_ns: Final[list[int]]
    def places(self, share: float, deadline_ns: int | None = None) -> Places | None: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def __len__(self) -> int: ...

class _EmulatedWay(TypedDict):
    about: str
    elapsed_ns: int
    incidents: dict[str, int]
    late_ns: Late
    transfers: Transfers
    trace: Trace
    refused: int
    bytes_in: int
    bytes_out: int

class _Emulated(TypedDict):
    ways: list[_EmulatedWay]
    pcapng: bytes | None

@final
class Input:
    def __new__(cls, path: str | PathLike[str], memory_bytes: int | None = None) -> Self: ...
    format: Final[str]

def read(
    capture: Input,
    channels: Sequence[str] | None = None,
    inverted: Sequence[str] = ...,
) -> Trace: ...
def restored_trace(
    names: Sequence[str],
    segments: Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]],
    epoch_unix_ns: int | None = None,
    sample_rate_hz: float | None = None,
) -> Trace: ...
def restored_transfers(
    instants: Sequence[NDArray[np.int64]],
    outcome: NDArray[np.uint8],
    about: tuple[
        int,
        int,
        tuple[str, str] | None,
        tuple[int | None, float | None],
        list[int],
    ],
) -> Transfers: ...
def write(path: str | PathLike[str], trace: Trace, force: bool = False) -> None: ...
def end_on_signals() -> int: ...
def signal_answered() -> None: ...
def end(code: int) -> NoReturn: ...
def transfers(
    capture: Input,
    trigger: str = "0",
    completion: str = "1",
    inverted: Sequence[str] = ...,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
) -> Transfers: ...
def pair(
    trace: Trace,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
    places_ns: Sequence[int] = ...,
) -> Transfers: ...
def summary(latency_ns: NDArray[np.int64]) -> Latency | None: ...
def mean_interval(values: Sequence[float]) -> tuple[float, float] | None: ...
def misses(fates_ns: NDArray[np.int64], deadlines_ns: Sequence[int]) -> list[Deadline]: ...
def links() -> list[str]: ...
def payloads(name: str, sizes: Sequence[int]) -> list[int | None]: ...
def values(name: str, key: str, text: str) -> list[str]: ...
def battery_names() -> list[str]: ...
def battery_life(battery: str, average_na: float, peak_na: int = 0) -> str: ...
def regions() -> list[Region]: ...
def slice_classes() -> list[SliceClass]: ...
def service_ns(
    name: str,
    size: int | None,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
) -> int | None: ...
def unhurried_period_ns(service_ns: int | None) -> int: ...
def link_ceiling(name: str, size: int, settings: Mapping[str, str] = ...) -> float | None: ...

@final
class Ports:
    names: list[str]
    mtu: int
    @staticmethod
    def tcp(
        ends: tuple[str, str], name: str, size: int, settings: Mapping[str, str], speed: float
    ) -> Ports: ...
    @staticmethod
    def tun(name: str, size: int, settings: Mapping[str, str]) -> Ports: ...
    @staticmethod
    def udp(listen: str, to: str) -> Ports: ...
    @staticmethod
    def serial() -> Ports: ...

def goes_both_ways(name: str, settings: Mapping[str, str]) -> bool: ...
def emulated_location(
    name: str,
    size: int,
    seed: int,
    *,
    nth: int | None = None,
    percentile: int = 50,
    settings: Mapping[str, str] = ...,
) -> tuple[int, int, float] | None: ...
def is_journal(path: str | PathLike[str]) -> bool: ...
def read_journal(path: str | PathLike[str]) -> _EmulatedWay: ...
def emulate_link(
    name: str,
    ports: Ports,
    journals: tuple[tuple[PathLike[str] | None, str], ...],
    *,
    force: bool = False,
    size: int,
    room: int = 64,
    speed: float = 1.0,
    lasting_ns: int | None = None,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    sniff: bool = False,
    told: Callable[[int, Sequence[Sequence[int]]], None] | None = None,
) -> tuple[_Emulated, BaseException | None]: ...
def link_knobs(name: str, settings: Mapping[str, str] = ...) -> list[dict[str, str]]: ...
def thread_network(
    folder: PathLike[str],
    *,
    topology: str,
    nodes: int,
    hops: int,
    direction: str,
    size: int,
    count: int,
    period_ns: int,
    wait: bool,
    poll_period_ns: int | None,
    frame_loss: float,
    loss_burst: float,
    boards_of: str | None,
    seed: int,
    sniff: bool,
) -> dict[str, Any]: ...
def save_run(
    path: str | PathLike[str],
    trigger_ns: NDArray[np.int64] | None,
    completion_ns: NDArray[np.int64],
    outcome: NDArray[np.uint8],
    outcomes: Sequence[str],
    trace: Trace | None,
    metadata: str,
    force: bool = False,
) -> None: ...
def tunnel_up(
    radio: Radio,
    interface: Interface,
    key: str | PathLike[str] | None = None,
    said: Callable[[TunnelEnd], None] | None = None,
) -> tuple[TunnelEnd, BaseException | None]: ...
def tunnel_key() -> str: ...
def tunnel_doctor(radio: Radio | None = None) -> list[Requirement]: ...

@final
class RpcCentral:
    def __new__(
        cls,
        mtu: int,
        entropy: bytes,
        *,
        identity: bytes | None = None,
        encryption: str = "require",
        pipelined: bool = True,
        timeout_ns: int | None = None,
    ) -> RpcCentral: ...
    peer: Final[dict[str, object] | None]
    def call(self, method: str, request: bytes) -> int: ...
    def stream(self, method: str, request: bytes) -> int: ...
    def upload(self, method: str, items: Sequence[bytes]) -> int: ...
    def cancel(self, ticket: int) -> None: ...
    def outgoing(self) -> bytes | None: ...
    def outgoing_all(self) -> list[bytes]: ...
    def received(self, container: bytes, now_ns: int) -> None: ...
    def received_all(self, containers: Sequence[bytes], now_ns: int) -> None: ...
    def tick(self, now_ns: int) -> int | None: ...
    def events(self) -> list[tuple[str, int | None, bytes | str]]: ...

@final
class RpcPeripheral:
    def __new__(
        cls,
        mtu: int,
        entropy: bytes,
        *,
        identity_seed: bytes,
        encryption: str = "require",
        calls_in_flight: int = 8,
    ) -> RpcPeripheral: ...
    identity: Final[bytes]
    def received(self, container: bytes, now_ns: int) -> str | None: ...
    def outgoing(self) -> bytes | None: ...
    def outgoing_all(self) -> list[bytes]: ...
    def reset(self) -> None: ...

@final
class RpcBench:
    def __new__(cls, link: str, seed: int = 1, settings: Mapping[str, str] = ...) -> RpcBench: ...
    mtu: Final[int]
    def now_ns(self) -> int: ...
    def write(self, container: bytes) -> None: ...
    def receive(self, timeout_ns: int) -> bytes | None: ...

def tune_metrics() -> list[tuple[str, str, list[tuple[str, float]], bool]]: ...
def tune_limits(text: str) -> list[tuple[str, bool, float]]: ...
def tune_clauses(text: str) -> list[tuple[str, str]]: ...
def pareto_front(costs: Sequence[Sequence[float]]) -> list[int]: ...

@final
class TuneParameter:
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __str__(self) -> str: ...
    name: Final[str]
    key: Final[str]
    many: Final[float]
    home: Final[float | str]
    span: Final[tuple[float, float, float | None] | None]
    def text(self, value: float | str) -> str: ...
    def at(self, share: float) -> float | str: ...
    def near(self, value: float | str) -> float | str: ...
    def around(self, value: float | str) -> list[float | str]: ...
    def spread(self) -> list[float | str]: ...
    def all(self) -> list[float | str]: ...

@final
class TuneSpace:
    def __new__(
        cls,
        link: str,
        size: int | None,
        settings: Mapping[str, str],
        over: Sequence[tuple[str, str]],
        knobs: bool = True,
        free: bool = False,
    ) -> TuneSpace: ...
    parameters: Final[list[TuneParameter]]
    many: Final[float]
    def price(self, name: str, value: float | str) -> str: ...
    def turned(self, settings: Mapping[str, str]) -> list[tuple[str, str | None, str, str]]: ...

@final
class TuneMeasured:
    refused: Final[str | None]
    violation: Final[float]
    messages: Final[int]
    def values(self) -> dict[str, float]: ...
    def estimates(self) -> dict[str, tuple[float | None, float | None, float | None]]: ...
    def uncertain(self, miss: float) -> tuple[int, bool] | None: ...

@final
class TuneBench:
    def __new__(
        cls,
        link: str,
        size: int | None,
        settings: Mapping[str, str],
        count: int,
        period_ns: int | None,
        region: str | None,
        metrics: Sequence[str],
        subject_to: str = "",
        shown: bool = False,
    ) -> TuneBench: ...
    metrics: Final[list[str]]
    runs: Final[int]
    def measure(
        self, asked: Sequence[tuple[Mapping[str, str], Sequence[int]]]
    ) -> list[TuneMeasured]: ...

@final
class Reply:
    json: Final[str]
    transfers: Final[list[Transfers | None]]
    traces: Final[list[Trace | None]]
    slices: Final[list[dict[str, Any] | None]]
    latencies_ns: Final[list[NDArray[np.int64]]]
    law: Final[list[str]]
    frames: Final[list[tuple[bytes, int, list[tuple[str, int]], int] | None]]
    stopped: Final[BaseException | None]

def ask(
    question: str,
    given: Sequence[Input | Trace | Transfers | NDArray[np.int64]] = ...,
    told: Callable[[int, int], object] | None = None,
    partial: bool = False,
) -> Reply: ...
def schemas() -> str: ...
