"""What the compiled half answers where that is not what ``--json`` prints, key by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from airlag.json_types import emulation
from airlag.json_types.burst import Cause, Trial, Which
from airlag.json_types.charge import Charge
from airlag.json_types.comparison import Difference
from airlag.json_types.explanation import Charges, Floor, Part
from airlag.json_types.law import Law
from airlag.json_types.load import Point
from airlag.json_types.matching import (
    Certainty,
    Evidence,
    Fate,
    Fitted,
    QuantileError,
    Setting,
    Tried,
)
from airlag.json_types.recommendation import Quantile, Verdict
from airlag.json_types.rpc import RpcBenchmark, RpcPlatform
from airlag.json_types.run import Delivery, Latency, Places

if TYPE_CHECKING:
    from airlag._airlag import Trace, Transfers


class Summary(TypedDict):
    """How many arrived, and how long they took."""

    latency_ns: Latency | None
    delivery: Delivery | None


class Noted(TypedDict):
    """What was asked of a run, as far as anybody noted it; a capture notes next to nothing."""

    link: str | None
    size: int | None
    traffic: str | None
    way: str | None
    phase: str | None
    period_ns: int | None
    service_ns: int | None
    settings: dict[str, str] | None
    version: str | None


class Cycle(Floor):
    """So many messages of an endless stream take these terms at least."""

    messages: int


class Goodput(TypedDict):
    """What a link carries when its sender never waits."""

    goodput_kbps: float
    ceiling_kbps: float | None
    ceiling: Cycle
    delivered: int
    lost: int
    elapsed_ns: int
    gap_ns: Latency | None
    incidents: dict[str, int]
    spent: list[Part]


class Load(Goodput):
    """A link under load."""

    points: list[Point]
    knee_kbps: float | None


class Position(TypedDict):
    """Where the lost messages were."""

    mean: float
    independent: tuple[float, float]
    p: float
    which: Which


class Burst(TypedDict):
    """Trains of messages back to back."""

    delivery: float
    delivery_interval: tuple[float, float] | None
    goodput_kbps: float
    fragments: int | None
    lost_at: list[int]
    position: Position | None
    incidents: dict[str, int]
    trials: list[Trial]


class Remedy(Burst):
    """The same trains sent in another way."""

    pace_ns: int | None
    repeat: bool
    goodput_share: float


class ExplainedBurst(Burst):
    """Trains of messages, and why they do not arrive."""

    cause: Cause
    refused: int
    on_the_way: int
    handed_every_ns: float | None
    arrived_every_ns: float | None
    under_way: list[float]
    remedies: list[Remedy]


class Change(TypedDict):
    """Settings, and what the bench says of them; times in ns."""

    settings: dict[str, str]
    p50: Difference
    p99: Difference
    delivery: Difference | None
    floor_ns: int
    costs: list[str]
    charges: dict[str, Charges]


class Knob(TypedDict):
    """One value of something an engineer can turn."""

    name: str
    value: str
    gives_up: str


class Advice(TypedDict):
    """What to change."""

    single: list[Change]
    trades: list[Change]
    combined: list[Change]
    tried: int
    measured: int
    choice_seed: int


class Seen(TypedDict):
    """What the bench saw of a candidate."""

    triggers: int
    n: int
    in_time: int
    in_time_interval95: tuple[float, float]
    lost: int
    loss_interval95: tuple[float, float]
    charge: Charge | None
    p50: Quantile
    quantile: Quantile
    latency: Verdict
    loss: Verdict
    service_ns: int | None
    largest: Part | None
    places: Places | None
    fade_margin_db: float | None


class Candidate(TypedDict):
    """A profile with some settings, and how it does."""

    link: str
    size: int | None
    settings: dict[str, str]
    tuned: int
    gives_up: list[str]
    floor_ns: int | None
    seen: Seen | None
    verdict: Verdict
    reason: str
    law: Law | None


class Held(TypedDict):
    """A profile held against a capture."""

    link: str
    ks: float
    ks_chance: float
    distance: float
    shape: float
    explains: bool
    verdict: str
    contradiction: str
    tolerance: float
    evidence: Evidence
    quantile_error: dict[str, QuantileError]
    free: int
    fitted: list[Fitted]
    captured: Fate
    virtual: Fate


class Ranked(Held):
    """A profile of a ranking."""

    size: int | None
    score: float | None
    settings: dict[str, Setting]


class Ranking(TypedDict):
    """Every profile held against a capture."""

    candidates: list[Ranked]
    impossible: int
    unlike: int
    tried: list[Tried]
    explained: bool
    next: int | None
    odds: float | None
    certainty: Certainty | None
    reason: str | None


class Apart(TypedDict):
    """How radios stand, and where each place of a run begins on its clock, ns."""

    range_m: float
    environment: str
    shadowing_db: float
    fade_margin_db: float | None
    places_ns: list[int]


class Heard(TypedDict):
    """What a sniffer heard, and what happened meanwhile."""

    apart: Apart | None
    charge: Charge | None
    frames: int
    left_out: dict[str, int]
    over_limit: int
    incidents: dict[str, int]


class EmulatedWay(TypedDict):
    """What went one way in real time."""

    transfers: Transfers
    trace: Trace
    refused: int
    bytes_in: int
    bytes_out: int


class Emulated(TypedDict):
    """What went over a link in real time; ``pcapng`` and ``frames`` are null unless kept."""

    ways: list[EmulatedWay]
    late_ns: emulation.Late
    elapsed_ns: int
    incidents: dict[str, int]
    pcapng: bytes | None
    frames: int | None


class Flow(TypedDict):
    """What became of one flow over a tunnel."""

    offered: int
    lost: int
    latency_ns: Latency | None


class TunnelPoint(TypedDict):
    """What became of one load over a tunnel."""

    offered_kbps: float
    goodput_kbps: float
    bulk: Flow
    sparse: Flow
    completion_excess_ns: int | None


class LoadedTunnel(TypedDict):
    """A tunnel under load."""

    rate_kbps: float | None
    frame_loss: float | None
    packet: int
    limit_kbps: float
    ceiling_kbps: float | None
    points: list[TunnelPoint]


class Platform(TypedDict):
    """A central, and what was published of calls with it."""

    name: RpcPlatform
    link: str
    published: dict[str, float | None]
    units: dict[str, str]
    fitted_on: list[str]
    disagrees: str | None


class Gain(TypedDict):
    """Something that calls can be done better by, and what comes of it."""

    name: str
    rows: list[RpcBenchmark]
