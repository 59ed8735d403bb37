from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, NoReturn, Self, final

import numpy as np
from numpy.typing import NDArray

from airlag import answers
from airlag.burst import Train
from airlag.json_types.charge import Charge, Life
from airlag.json_types.comparison import Differences
from airlag.json_types.explanation import Budget, Floor, SliceClass, SlicesCharge
from airlag.json_types.law import Law, Region
from airlag.json_types.link import Link, Settable, Source
from airlag.json_types.rpc import RpcBenchmark
from airlag.json_types.run import Deadline, Finding, Latency, Places
from airlag.json_types.tunnel import Check, Tunnel
from airlag.offered import Offer
from airlag.tunnel import Interface, Radio

__all__ = [
    "ENVIRONMENT",
    "MATTERS",
    "MEMORY_BYTES",
    "CaptureError",
    "Draft",
    "Input",
    "LinkError",
    "Ports",
    "RpcBench",
    "RpcCentral",
    "RpcError",
    "RpcPeripheral",
    "Trace",
    "Transfers",
    "TunnelError",
    "__version__",
    "advise_link",
    "battery_life",
    "battery_names",
    "burst_link",
    "compare",
    "emulate_link",
    "end",
    "end_on_signals",
    "explain_burst",
    "explain_link",
    "findings",
    "findings_across",
    "goodput_link",
    "latency_table",
    "law_link",
    "link",
    "link_ceiling",
    "link_floor",
    "link_knobs",
    "link_parameters",
    "links",
    "load_link",
    "load_tunnels",
    "match_link",
    "mean_interval",
    "misses",
    "pair",
    "payloads",
    "rank_links",
    "read",
    "recommend_links",
    "regions",
    "restored_trace",
    "restored_transfers",
    "rpc_bench",
    "rpc_gains",
    "rpc_platforms",
    "run_link",
    "sensitivity_link",
    "service_ns",
    "signal_answered",
    "slice_classes",
    "sniff_link",
    "sources",
    "summary",
    "survey",
    "survey_of",
    "table_findings",
    "thread_network",
    "transfers",
    "transfers_and_edges",
    "tunnel_doctor",
    "tunnel_key",
    "tunnel_up",
    "unhurried_period_ns",
    "values",
    "write",
]

__version__: str
MEMORY_BYTES: int
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
    @property
    def epoch_unix_ns(self) -> int | None: ...
    @property
    def sample_rate_hz(self) -> float | None: ...
    @property
    def begin_ns(self) -> int: ...
    @property
    def end_ns(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def segments(self, channel: int) -> list[tuple[int, int, bool]]: ...
    def edges_ns(self, channel: int, segment: int) -> NDArray[np.int64]: ...

@final
class Transfers:
    @property
    def trigger_ns(self) -> NDArray[np.int64]: ...
    @property
    def completion_ns(self) -> NDArray[np.int64]: ...
    @property
    def outcome(self) -> NDArray[np.uint8]: ...
    @property
    def spurious_ns(self) -> NDArray[np.int64]: ...
    @property
    def glitch_ns(self) -> NDArray[np.int64]: ...
    @property
    def glitch_low_ns(self) -> NDArray[np.int64]: ...
    @property
    def names(self) -> tuple[str, str] | None: ...
    @property
    def epoch_unix_ns(self) -> int | None: ...
    @property
    def sample_rate_hz(self) -> float | None: ...
    @property
    def latency_ns(self) -> NDArray[np.int64]: ...
    @property
    def start_ns(self) -> int: ...
    @property
    def end_ns(self) -> int: ...
    def summary(self) -> answers.Summary: ...
    def places(self, share: float, deadline_ns: int | None = None) -> Places | None: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...
    def __len__(self) -> int: ...

@final
class Input:
    def __new__(cls, path: str | PathLike[str], memory_bytes: int | None = None) -> Self: ...
    @property
    def format(self) -> str: ...

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

_Wire = tuple[str, bool | None, int, int, int, int, int | None, int | None]

def survey(capture: Input) -> tuple[int, float | None, list[_Wire]]: ...
def survey_of(trace: Trace) -> tuple[int, float | None, list[_Wire]]: ...
def write(path: str | PathLike[str], trace: Trace, force: bool = False) -> None: ...
def end_on_signals() -> int: ...
def signal_answered() -> None: ...
def end(code: int) -> NoReturn: ...
def latency_table(
    capture: Input, column: str | None = None, unit: str | None = None
) -> NDArray[np.int64]: ...
def transfers(
    capture: Input,
    trigger: str = "0",
    completion: str = "1",
    inverted: Sequence[str] = ...,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
) -> Transfers: ...
def transfers_and_edges(
    capture: Input,
    trigger: str = "0",
    completion: str = "1",
    inverted: Sequence[str] = ...,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
) -> tuple[Transfers, Trace]: ...
def pair(
    trace: Trace,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
    places_ns: Sequence[int] = ...,
) -> Transfers: ...
def summary(latency_ns: NDArray[np.int64]) -> Latency | None: ...
def mean_interval(values: Sequence[float]) -> tuple[float, float] | None: ...
def findings(
    transfers: Transfers,
    percentile: float = 0.99,
    sample_period_ns: float | None = None,
    service_ns: int | None = None,
    claimed_bytes: int | None = None,
    baud: float | None = None,
) -> list[Finding]: ...
def table_findings(
    latency_ns: NDArray[np.int64],
    percentile: float = 0.99,
    claimed_bytes: int | None = None,
    baud: float | None = None,
) -> list[Finding]: ...
def misses(fates_ns: NDArray[np.int64], deadlines_ns: Sequence[int]) -> list[Deadline]: ...
def findings_across(runs: Sequence[Transfers]) -> list[tuple[list[int], Finding]]: ...
def compare(
    a: Transfers,
    b: Transfers,
    found_a: Sequence[tuple[str, str]],
    found_b: Sequence[tuple[str, str]],
    asked_a: answers.Noted,
    asked_b: answers.Noted,
) -> Differences: ...
def links() -> list[str]: ...
def link(name: str, settings: Mapping[str, str] = ...) -> Link: ...
def link_parameters(name: str) -> dict[str, Settable]: ...
def payloads(name: str, sizes: Sequence[int]) -> list[int | None]: ...
def values(name: str, key: str, text: str) -> list[str]: ...
def sources() -> list[Source]: ...
def run_link(
    name: str,
    size: int | None,
    count: int,
    period_ns: int,
    phase: str = "uniform",
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    spans: bool = False,
    traffic: str = "trigger",
    places: int | None = None,
) -> tuple[
    list[tuple[Transfers, Trace]],
    dict[str, Any],
    dict[str, int],
    answers.Apart | None,
    dict[Region, Law],
    Charge | None,
]: ...
def battery_names() -> list[str]: ...
def battery_life(battery: str, average_na: float, peak_na: int = 0) -> Life: ...
def regions() -> list[Region]: ...
def law_link(
    region: str,
    name: str,
    size: int | None,
    count: int,
    period_ns: int,
    phase: str = "uniform",
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    traffic: str = "trigger",
) -> Law | None: ...
def sniff_link(
    name: str,
    size: int | None,
    count: int,
    period_ns: int,
    phase: str = "uniform",
    seed: int = 1,
    settings: Mapping[str, str] = ...,
) -> tuple[Transfers, Trace, bytes, answers.Heard]: ...
def slice_classes() -> list[SliceClass]: ...
def service_ns(
    name: str,
    size: int | None,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    traffic: str = "trigger",
) -> int | None: ...
def unhurried_period_ns(service_ns: int | None) -> int: ...
def link_floor(name: str, size: int | None, settings: Mapping[str, str] = ...) -> Floor: ...
def link_ceiling(name: str, size: int, settings: Mapping[str, str] = ...) -> float | None: ...
def explain_link(
    name: str,
    size: int | None,
    count: int,
    period_ns: int,
    phase: str = "uniform",
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    traffic: str = "trigger",
) -> tuple[
    Transfers,
    Trace,
    Budget | None,
    Floor,
    dict[str, int],
    Charge | None,
    SlicesCharge | None,
]: ...

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

def emulate_link(
    name: str,
    ports: Ports,
    *,
    size: int,
    room: int = 64,
    speed: float = 1.0,
    lasting_ns: int | None = None,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    sniff: bool = False,
    told: Callable[[int, Sequence[Sequence[int]]], None] | None = None,
) -> tuple[answers.Emulated, BaseException | None]: ...
def recommend_links(
    size: int | None,
    deadline_ns: int,
    share: float,
    max_loss: float,
    *,
    distance: str | None = None,
    environment: str | None = None,
    places_share: float = 0.9,
    neighbours: str | None = None,
    processor: str | None = None,
    period_ns: int | None = None,
    seed: int = 1,
    links: Sequence[str] = ...,
    wired: bool = False,
    trade: bool = False,
    region: str | None = None,
    max_charge_nc: float | None = None,
    lasting: tuple[str, float, float] | None = None,
    done: Callable[[int], None] | None = None,
) -> tuple[list[answers.Candidate], int, BaseException | None]: ...
def advise_link(
    name: str,
    size: int | None,
    count: int = 1000,
    seed: int = 1,
    aim: str = "median",
    settings: Mapping[str, str] = ...,
    traffic: str = "trigger",
    region: str | None = None,
    period_ns: int | None = None,
) -> answers.Advice: ...
def link_knobs(name: str, settings: Mapping[str, str] = ...) -> list[answers.Knob]: ...
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
def goodput_link(
    name: str,
    size: int,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    traffic: str = "trigger",
) -> answers.Goodput: ...
def sensitivity_link(
    name: str,
    size: int | None,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
) -> dict[str, Any]: ...
def load_link(
    name: str,
    offer: Offer,
    settings: Mapping[str, str],
    done: Callable[[int], None] | None = None,
) -> answers.Load: ...
def load_tunnels(
    tunnels: Sequence[tuple[str, Mapping[str, str]]],
    *,
    offered_kbps: Sequence[float] = ...,
    window_ns: int = 10_000_000_000,
    seed: int = 1,
    done: Callable[[int], None] | None = None,
) -> list[answers.LoadedTunnel]: ...
def burst_link(
    name: str,
    train: Train,
    settings: Mapping[str, str],
    done: Callable[[], None] | None = None,
) -> answers.Burst: ...
def explain_burst(
    name: str,
    train: Train,
    settings: Mapping[str, str],
    done: Callable[[], None] | None = None,
) -> answers.ExplainedBurst: ...
def match_link(
    transfers: Transfers,
    name: str,
    size: int | None,
    count: int,
    seed: int = 1,
    settings: Mapping[str, str] = ...,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
    told: Callable[[int], None] | None = None,
) -> tuple[answers.Held, Transfers, Trace]: ...
def rank_links(
    transfers: Transfers,
    names: Sequence[str],
    size: int | None = None,
    count: int = 1000,
    seed: int = 1,
    min_low_ns: int = 1000,
    overlap_ns: int | None = None,
    told: Callable[[int], None] | None = None,
) -> answers.Ranking: ...
def tunnel_up(
    radio: Radio,
    interface: Interface,
    key: str | PathLike[str] | None = None,
    said: Callable[[Tunnel], None] | None = None,
) -> tuple[Tunnel, BaseException | None]: ...
def tunnel_key() -> str: ...
def tunnel_doctor(radio: Radio | None = None) -> list[Check]: ...

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
    @property
    def peer(self) -> dict[str, object] | None: ...
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
    @property
    def identity(self) -> bytes: ...
    def received(self, container: bytes, now_ns: int) -> str | None: ...
    def outgoing(self) -> bytes | None: ...
    def outgoing_all(self) -> list[bytes]: ...
    def reset(self) -> None: ...

@final
class RpcBench:
    def __new__(cls, link: str, seed: int = 1, settings: Mapping[str, str] = ...) -> RpcBench: ...
    @property
    def mtu(self) -> int: ...
    def now_ns(self) -> int: ...
    def write(self, container: bytes) -> None: ...
    def receive(self, timeout_ns: int) -> bytes | None: ...

def rpc_bench(
    platform: str, seed: int = 1, settings: Mapping[str, str] = ..., link: str | None = None
) -> list[RpcBenchmark]: ...
def rpc_gains(
    platform: str, seed: int = 1, settings: Mapping[str, str] = ...
) -> list[answers.Gain]: ...
def rpc_platforms() -> list[answers.Platform]: ...
