# Generated from crates/py by docs/generate.py: edit that.

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Final, NoReturn, TypedDict, final

import numpy as np
from numpy.typing import NDArray

from airlag.core.types import Deadline, Late, Latency, Places, Region, Requirement, TunnelEnd
from airlag.questions.tunnel import Interface, Radio

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

__all__ = [
    "ENVIRONMENT",
    "LONGEST_FILE",
    "MATTERS",
    "MEMORY_BYTES",
    "RUN_FORMAT",
    "CaptureError",
    "Carrier",
    "Draft",
    "Input",
    "Interrupt",
    "LinkError",
    "Lock",
    "MessageReflector",
    "Ports",
    "Reflector",
    "Reply",
    "RpcBench",
    "RpcCentral",
    "RpcError",
    "RpcPeripheral",
    "SavedRun",
    "SweepPlan",
    "ThreadNetwork",
    "Trace",
    "Transfers",
    "Trigger",
    "TuneBench",
    "TuneMeasured",
    "TuneParameter",
    "TuneSpace",
    "TunnelError",
    "__version__",
    "answered_journal",
    "ask",
    "battery_life",
    "charge_in_words",
    "charge_unit",
    "chosen_links",
    "claimed_bytes",
    "clock_error_ns",
    "configure_board",
    "connected_boards",
    "constant_in_words",
    "corners",
    "current_in_words",
    "cut_to_width",
    "differing",
    "emulate_link",
    "emulated_location",
    "end",
    "end_on_signals",
    "exact",
    "fill_chart",
    "finished_svg",
    "goes_both_ways",
    "iperf_error",
    "iperf_results",
    "journal_of",
    "json_of_toml",
    "latency_strip",
    "latency_view",
    "link_ceiling",
    "links",
    "links_like",
    "mean_interval",
    "misses",
    "number",
    "one_per_square",
    "pair",
    "pareto_front",
    "parse_charge",
    "parse_duration",
    "parse_life",
    "parse_memory",
    "parse_rate",
    "parse_sample_rate",
    "payloads",
    "percent",
    "probe_target",
    "rate_in_words",
    "read",
    "read_journal",
    "record_serial",
    "regions",
    "rename_data",
    "requirement_limits",
    "restored_trace",
    "restored_transfers",
    "run_names",
    "save_run",
    "schemas",
    "signal_answered",
    "spanned",
    "summary",
    "text_width",
    "time_unit",
    "transfers",
    "tune_clauses",
    "tune_limits",
    "tune_metrics",
    "tunnel_doctor",
    "tunnel_key",
    "tunnel_up",
    "unhurried_period_ns",
    "wrapped",
    "write",
    "years_in_words",
]

__version__: str
ENVIRONMENT: str
LONGEST_FILE: int
MATTERS: float
MEMORY_BYTES: int
RUN_FORMAT: int

class CaptureError(ValueError): ...
class LinkError(ValueError): ...
class RpcError(ValueError): ...
class TunnelError(ValueError): ...

@final
class Carrier:
    fileno: Final[int]
    def __new__(cls, longest: int) -> Carrier: ...
    def close(self) -> None: ...

@final
class Draft:
    def __new__(cls, path: str | PathLike[str]) -> Draft: ...
    def descriptor(self) -> int: ...
    def discard(self) -> None: ...
    def keep(self, force: bool) -> None: ...

@final
class Input:
    format: Final[str]
    def __new__(cls, path: str | PathLike[str], memory_bytes: int | None = None) -> Input: ...

@final
class Interrupt:
    def __new__(cls) -> Interrupt: ...
    def adopt(self) -> None: ...
    def request(self) -> None: ...

@final
class Lock:
    is_held: Final[bool]
    def __new__(cls, path: str | PathLike[str]) -> Lock: ...
    def release(self, *, remove: bool = True) -> None: ...
    def take(self) -> bool: ...

@final
class MessageReflector:
    def __new__(cls) -> MessageReflector: ...
    def answer(self, message: bytes) -> bytes | None: ...

@final
class Ports:
    mtu: Final[int]
    names: Final[list[str]]
    @staticmethod
    def serial() -> Ports: ...
    @staticmethod
    def tcp(
        ends: tuple[str, str], name: str, size: int, settings: Mapping[str, str], speed: float
    ) -> Ports: ...
    @staticmethod
    def tun(name: str, size: int, settings: Mapping[str, str]) -> Ports: ...
    @staticmethod
    def udp(listen: str, to: str) -> Ports: ...

@final
class Reflector:
    counts: Final[tuple[int, int, int]]
    name: Final[str]
    def __new__(cls, name: str, *, rate: int, error_ns: int | None = None) -> Reflector: ...
    def run(self) -> None: ...

@final
class Reply:
    frames: Final[list[tuple[bytes, int, list[tuple[str, int]], int] | None]]
    json: Final[str]
    latencies_ns: Final[list[NDArray[np.int64]]]
    law: Final[list[str]]
    slices: Final[list[dict[str, Any] | None]]
    stopped: Final[BaseException | None]
    traces: Final[list[Trace | None]]
    transfers: Final[list[Transfers | None]]

@final
class RpcBench:
    mtu: Final[int]
    def __new__(cls, link: str, seed: int = 1, settings: Mapping[str, str] = ...) -> RpcBench: ...
    def now_ns(self) -> int: ...
    def receive(self, timeout_ns: int) -> bytes | None: ...
    def write(self, container: Sequence[int]) -> None: ...

@final
class RpcCentral:
    peer: Final[dict[str, Any] | None]
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
    def call(self, method: str, request: bytes) -> int: ...
    def cancel(self, ticket: int) -> None: ...
    def events(self) -> list[tuple[str, int | None, bytes | str]]: ...
    def outgoing(self) -> bytes | None: ...
    def outgoing_all(self) -> list[bytes]: ...
    def received(self, container: bytes, now_ns: int) -> None: ...
    def received_all(self, containers: Sequence[bytes | bytearray], now_ns: int) -> None: ...
    def stream(self, method: str, request: bytes) -> int: ...
    def tick(self, now_ns: int) -> int | None: ...
    def upload(self, method: str, items: Sequence[bytes | bytearray]) -> int: ...

@final
class RpcPeripheral:
    identity: Final[bytes]
    def __new__(
        cls,
        mtu: int,
        entropy: bytes,
        *,
        identity_seed: bytes,
        encryption: str = "require",
        calls_in_flight: int = 8,
    ) -> RpcPeripheral: ...
    def outgoing(self) -> bytes | None: ...
    def outgoing_all(self) -> list[bytes]: ...
    def received(self, container: bytes, now_ns: int) -> str | None: ...
    def reset(self) -> None: ...

@final
class SavedRun:
    metadata: Final[str]
    def __new__(cls, path: str | PathLike[str]) -> SavedRun: ...
    def read(
        self, memory_bytes: int | None = None
    ) -> tuple[Trace | None, NDArray[np.int64] | None]: ...

@final
class SweepPlan:
    asked: Final[str]
    blocks: Final[list[tuple[str, int, list[str]]]]
    columns: Final[list[tuple[str, str, str]]]
    configurations: Final[int]
    digest: Final[str | None]
    keep_impossible: Final[bool]
    looks_at: Final[str | None]
    most: Final[int]
    name: Final[str]
    region: Final[str | None]
    transfers: Final[bool]
    def __new__(
        cls,
        asked: str,
        is_json: bool,
        name: str,
        tried: bool,
        draw: Callable[[str, int, int, int], tuple[NDArray[np.float64], str]],
    ) -> SweepPlan: ...
    def request(self, run: int) -> str: ...
    def sets(self, configuration: int) -> tuple[str, list[tuple[str, str]]] | None: ...
    def wanted(self, quantiles: Sequence[float | None]) -> int: ...

@final
class ThreadNetwork:
    formed: Final[str]
    def __new__(cls, question: str) -> ThreadNetwork: ...
    def ask(self, request: str) -> str: ...
    def close(self) -> None: ...

@final
class Trace:
    begin_ns: Final[int]
    end_ns: Final[int]
    epoch_unix_ns: Final[int | None]
    layout: Final[str]
    names: Final[list[str]]
    sample_rate_hz: Final[float | None]
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def chosen(
        self, channels: Sequence[str], inverted: Sequence[str], path: str | PathLike[str]
    ) -> Trace: ...
    def chosen_pair(
        self,
        trigger: str | None,
        completion: str | None,
        invert: Sequence[str],
        path: str | PathLike[str],
    ) -> Trace: ...
    def edges_ns(self, channel: int, segment: int) -> NDArray[np.int64]: ...
    @staticmethod
    def from_edges(
        names: Sequence[str],
        segments: Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]],
        epoch_unix_ns: int | None = None,
        sample_rate_hz: float | None = None,
    ) -> Trace: ...
    def metered(
        self,
        supply: str,
        blocks: Iterable[NDArray[np.float32]],
        rate_hz: float,
        begin_ns: int = 0,
        memory_bytes: int | None = None,
    ) -> Trace: ...
    def same_edges(self, other: Trace) -> bool: ...
    def segments(self, channel: int) -> list[tuple[int, int, bool]]: ...

@final
class Transfers:
    completion_ns: Final[NDArray[np.int64]]
    end_ns: Final[int]
    epoch_unix_ns: Final[int | None]
    glitch_low_ns: Final[NDArray[np.int64]]
    glitch_ns: Final[NDArray[np.int64]]
    latency_ns: Final[NDArray[np.int64]]
    names: Final[tuple[str, str] | None]
    outcome: Final[NDArray[np.uint8]]
    places_ns: Final[list[int]]
    sample_rate_hz: Final[float | None]
    spurious_ns: Final[NDArray[np.int64]]
    start_ns: Final[int]
    trigger_ns: Final[NDArray[np.int64]]
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def beside_edges(self, trace: Trace) -> tuple[list[int | None], bytes, list[int]] | None: ...
    def matched(
        self,
        completion_ns: Sequence[int | None],
        outcome: Sequence[int],
        spurious_ns: Sequence[int],
    ) -> Transfers: ...
    def places(self, share: float, deadline_ns: int | None = None) -> Places | None: ...
    def summary(self) -> dict[str, Any]: ...

@final
class Trigger:
    def __new__(
        cls,
        console: str | None,
        expected: str | None,
        timeout_ns: int,
        sender: str | PathLike[str] | None = None,
        receiver: str | PathLike[str] | None = None,
    ) -> Trigger: ...
    def finish(self, *, cancel: bool = False) -> dict[str, dict[str, int]]: ...
    def prepare(
        self, command: Sequence[str], lines: Sequence[str], settings: dict[str, int]
    ) -> None: ...
    def start(
        self, line: str | None, command: Sequence[str], after_ns: int, limit_ns: int
    ) -> None: ...

@final
class TuneBench:
    metrics: Final[list[str]]
    runs: Final[int]
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
    def measure(
        self, asked: Sequence[tuple[Mapping[str, str], Sequence[int]]]
    ) -> list[TuneMeasured]: ...

@final
class TuneMeasured:
    messages: Final[int]
    refused: Final[str | None]
    violation: Final[float]
    def estimates(self) -> dict[str, tuple[float | None, float | None, float | None]]: ...
    def uncertain(self, miss: float) -> tuple[int, bool] | None: ...
    def values(self) -> dict[str, float]: ...

@final
class TuneParameter:
    home: Final[float | str]
    key: Final[str]
    many: Final[float]
    name: Final[str]
    span: Final[tuple[float, float, float | None] | None]
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __str__(self) -> str: ...
    def all(self) -> list[float | str]: ...
    def around(self, value: float | str) -> list[float | str]: ...
    def at(self, share: float) -> float | str: ...
    def near(self, value: float | str) -> float | str: ...
    def spread(self) -> list[float | str]: ...
    def text(self, value: float | str) -> str: ...

@final
class TuneSpace:
    many: Final[float]
    parameters: Final[list[TuneParameter]]
    def __new__(
        cls,
        link: str,
        size: int | None,
        settings: Mapping[str, str],
        over: Sequence[tuple[str, str]],
        knobs: bool = True,
        free: bool = False,
        sparing: bool = False,
    ) -> TuneSpace: ...
    def beside(self, point: Sequence[float | str]) -> list[tuple[int, float | str]]: ...
    def everything(self) -> list[list[float | str]]: ...
    def home(self) -> list[float | str]: ...
    def one_at_a_time(self, most: int) -> list[list[float | str]]: ...
    def price(self, name: str, value: float | str) -> str: ...
    def set_back(self, point: Sequence[float | str]) -> list[list[float | str]]: ...
    def turned(self, settings: Mapping[str, str]) -> list[tuple[str, str | None, str, str]]: ...

def answered_journal(path: str | PathLike[str]) -> Reply: ...
def ask(
    question: str,
    given: Sequence[Input | Trace | Transfers | NDArray[np.int64]] = ...,
    on_progress: Callable[[int, int], object] | None = None,
    partial: bool = False,
) -> Reply: ...
def battery_life(battery: str, average_na: float, peak_na: int = 0) -> str: ...
def charge_in_words(nc: float) -> str: ...
def charge_unit(charges_nc: Sequence[float]) -> tuple[str, float]: ...
def chosen_links(among: Sequence[str] | None = None, without: Sequence[str] = ...) -> list[str]: ...
def claimed_bytes(source: str) -> int | None: ...
def clock_error_ns(clock: str) -> int | None: ...
def configure_board(device: str, settings: Sequence[str], *, runs: bool | None = None) -> str: ...
def connected_boards() -> list[str]: ...
def constant_in_words(link: str, name: str, value: str | None = None) -> str: ...
def corners(right: NDArray[np.float64], up: NDArray[np.float64]) -> NDArray[np.int64]: ...
def current_in_words(na: float) -> str: ...
def cut_to_width(text: str, most: float, size: float) -> str: ...
def differing(link: str, settings: Mapping[str, str]) -> dict[str, str]: ...
def emulate_link(
    name: str,
    ports: Ports,
    journals: tuple[tuple[str | PathLike[str] | None, str], tuple[str | PathLike[str] | None, str]],
    *,
    force: bool = False,
    size: int,
    room: int = 64,
    speed: float = 1.0,
    lasting_ns: int | None = None,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    sniff: bool = False,
    on_progress: Callable[[int, Sequence[Sequence[int]]], None] | None = None,
) -> tuple[_Emulated, BaseException | None]: ...
def emulated_location(
    name: str,
    size: int,
    seed: int,
    *,
    nth: int | None = None,
    percentile: int = 50,
    settings: Mapping[str, str] = ...,
) -> tuple[int, int, float] | None: ...
def end(code: int) -> NoReturn: ...
def end_on_signals() -> int: ...
def exact(value_ns: int) -> str: ...
def fill_chart(source: str, parts: str, values: str, formats: str) -> str: ...
def finished_svg(svg: str) -> str: ...
def goes_both_ways(name: str, settings: Mapping[str, str]) -> bool: ...
def iperf_error(client: str) -> str | None: ...
def iperf_results(
    client: str, server: str, *, is_udp: bool, window_ns: int, back: bool, both_ways: bool
) -> str: ...
def journal_of(path: str | PathLike[str]) -> str | None: ...
def json_of_toml(text: str) -> str: ...
def latency_strip(bins_ns: Sequence[tuple[int, int]]) -> str: ...
def latency_view(latency_ns: NDArray[np.int64], lost: int) -> str: ...
def link_ceiling(name: str, size: int, settings: Mapping[str, str] = ...) -> float | None: ...
def links() -> list[str]: ...
def links_like(pattern: str) -> list[str]: ...
def mean_interval(values: Sequence[float]) -> tuple[float, float] | None: ...
def misses(fates_ns: NDArray[np.int64], deadlines_ns: Sequence[int]) -> list[Deadline]: ...
def number(value: float, digits: int = 4) -> str: ...
def one_per_square(
    right: NDArray[np.float64], down: NDArray[np.float64], width: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def pair(
    trace: Trace,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
    places_ns: Sequence[int] = ...,
) -> Transfers: ...
def pareto_front(costs: Sequence[Sequence[float]]) -> list[int]: ...
def parse_charge(text: str) -> float: ...
def parse_duration(text: str) -> int: ...
def parse_life(text: str) -> float: ...
def parse_memory(text: str) -> int: ...
def parse_rate(text: str) -> float: ...
def parse_sample_rate(text: str) -> int | None: ...
def payloads(name: str, sizes: Sequence[int]) -> list[int | None]: ...
def percent(ratio: float) -> str: ...
def probe_target(
    question: str,
    name: str,
    *,
    size: int,
    period_ns: int,
    kind: str = "periodic",
    burst: int = 1,
    sweep_ns: int = 0,
    schedule_ns: Sequence[int] = ...,
    count: int | None = None,
    lasting_ns: int | None = None,
    timeout_ns: int,
    seed: int = 1,
    error_ns: int | None = None,
    metrics: str | None = None,
    carrier: Carrier | None = None,
    journal: str | PathLike[str] | None = None,
    force: bool = False,
    on_progress: Any | None = None,
) -> Reply: ...
def rate_in_words(per_second: float) -> str: ...
def read(
    capture: Input, channels: Sequence[str] | None = None, inverted: Sequence[str] = ...
) -> Trace: ...
def read_journal(path: str | PathLike[str]) -> dict[str, Any]: ...
def record_serial(
    address: str,
    channels: Sequence[str],
    *,
    lasting_ns: int | None = None,
    memory_bytes: int | None = None,
) -> tuple[Trace, str | None, BaseException | None, int]: ...
def regions() -> list[Region]: ...
def rename_data(spec: str, prefix: str, tables: Sequence[str]) -> str: ...
def requirement_limits() -> dict[str, tuple[float, float]]: ...
def restored_trace(
    names: Sequence[str],
    segments: Sequence[Sequence[tuple[int, int, bool, NDArray[np.int64]]]],
    epoch_unix_ns: int | None = None,
    sample_rate_hz: float | None = None,
    current: tuple[str, int, list[tuple[NDArray[np.int64], NDArray[np.int64]]]] | None = None,
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
        tuple[Any, ...] | None,
    ],
) -> Transfers: ...
def run_names(
    runs: Sequence[tuple[tuple[str, str | None, Sequence[str]] | None, str]],
) -> list[str]: ...
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
def schemas() -> str: ...
def signal_answered() -> None: ...
def spanned(
    pairs: Sequence[tuple[str, str]], links: Sequence[tuple[str, Sequence[int | None]]], most: int
) -> list[tuple[str, dict[str, str], int | None]]: ...
def summary(latency_ns: NDArray[np.int64]) -> Latency | None: ...
def text_width(text: str, size: float, bold: bool = False) -> float: ...
def time_unit(durations_ns: Sequence[float]) -> tuple[str, float]: ...
def transfers(
    capture: Input,
    trigger: str | None = None,
    completion: str | None = None,
    inverted: Sequence[str] = ...,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
) -> Transfers: ...
def tune_clauses(text: str) -> list[tuple[str, str]]: ...
def tune_limits(text: str) -> list[tuple[str, bool, float]]: ...
def tune_metrics() -> list[tuple[str, str, list[tuple[str, float]], bool]]: ...
def tunnel_doctor(radio: Radio | None = None) -> list[Requirement]: ...
def tunnel_key() -> str: ...
def tunnel_up(
    radio: Radio,
    interface: Interface,
    key: str | PathLike[str] | None = None,
    said: Callable[[TunnelEnd], None] | None = None,
    receiver: str | None = None,
) -> tuple[TunnelEnd, BaseException | None]: ...
def unhurried_period_ns(service_ns: int | None) -> int: ...
def wrapped(text: str, most: float, size: float) -> list[str]: ...
def write(path: str | PathLike[str], trace: Trace, force: bool = False) -> None: ...
def years_in_words(years: float) -> str: ...
