"""Questions of the core, with its defaults.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airlag.core.answered import Asked

if TYPE_CHECKING:
    from airlag.core.types import (
        Arrivals,
        Carried,
        Direction,
        Phase,
        Region,
        ThreadStep,
        ThreadTraffic,
        Topology,
        Traffic,
    )


@dataclass(frozen=True, slots=True)
class Request(Asked):
    """A run on the virtual bench."""

    #: Name of a link profile.
    link: str
    #: Payload, bytes. Absent where the link has no message.
    size: int | None = None
    #: Number of triggers.
    count: int = 1000
    #: Time between triggers, ns. Absent: 200 ms, or as much longer as the link needs.
    period_ns: int | None = None
    #: Phase of the triggers.
    phase: Phase = "uniform"
    #: Time from a transmission of the link to the trigger, ns. Only with aligned phase. Absent:
    #: 0.
    offset_ns: int | None = None
    #: Random seed.
    seed: int = 1
    #: Parameters of the profile to change.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: What is sent at a trigger.
    traffic: Traffic = "trigger"
    #: Number of simulated locations. Absent: 20 where locations differ.
    places: int | None = None
    #: Whether to look for findings.
    findings: bool = True
    #: Deadline to check, ns.
    deadline_ns: int | None = None
    #: Region whose regulatory limits to check.
    region: Region | None = None
    #: Battery that feeds an end.
    battery: str | None = None
    #: Message rate for current and battery life, 1/s.
    per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Offer(Asked):
    """A link at offered loads."""

    #: Payload, bytes, or items of a call that has items.
    size: int = 128
    #: Offered loads, kbit/s of user data; without any load, thirteen from 0.1 to 3 times the
    #: saturated goodput.
    rates_kbps: Sequence[float] = ()
    #: Offered loads as shares of the saturated goodput.
    utilisations: Sequence[float] = ()
    #: Messages that the queue in front of the link holds.
    queue: int = 64
    #: Arrival process.
    arrivals: Arrivals = "poisson"
    #: Messages of each load that count.
    count: int = 1000
    #: Random seed.
    seed: int = 1
    #: Constants that differ from the profile.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Messages, or calls of one kind.
    traffic: Carried = "trigger"


@dataclass(frozen=True, slots=True)
class Train(Asked):
    """Trains of messages back to back."""

    #: Payload, bytes.
    size: int = 128
    #: Messages of a train.
    count: int = 100
    #: Number of trains, each with the next random seed.
    trials: int = 10
    #: Least time from one message to the next, ns; null: as fast as the program and its link
    #: can.
    pace_ns: int | None = None
    #: Selective repeat: missing messages are sent again until all have arrived.
    repeat: bool = False
    #: Random seed of the first train.
    seed: int = 1
    #: Constants that differ from the profile.
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Asked):
    """Every link checked against requirements."""

    #: Payload, bytes; null where no link has a message.
    size: int | None = None
    #: Deadline, ns.
    deadline_ns: int
    #: Percent of all messages that must meet the deadline, 50 to 99.99.
    percentile: float = 99.0
    #: Largest share of all messages that may be lost, 0.0001 to 0.5.
    max_loss: float = 0.01
    #: Distance between the radios, with its unit; null: beside each other.
    distance: str | None = None
    #: Environment between the radios; null without a range.
    environment: str | None = None
    #: Share of simulated locations that must meet the deadline, with a range.
    places_share: float = 0.9
    #: Other networks on the air; empty: none.
    neighbours: Sequence[str] = ()
    #: Processor on both boards, for their current; null: as measured.
    processor: str | None = None
    #: Settings of all links that have them, as `--set` takes them.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Time between messages, ns; null: as the link needs.
    period_ns: int | None = None
    #: Random seed.
    seed: int = 1
    #: Profiles to choose from; empty: all.
    links: Sequence[str] = ()
    #: Whether links with a wire count too.
    wired: bool = False
    #: Whether to tune settings with a cost besides latency.
    trade: bool = False
    #: Region with whose rules the link must comply; null: none.
    region: Region | None = None
    #: Largest charge per message at the sender, nC; null: any.
    max_charge_nc: float | None = None
    #: Battery of the sender; null: none, or CR2032 where a battery life is required.
    battery: str | None = None
    #: Required battery life, years; null: any.
    battery_years: float | None = None
    #: Message rate for the battery life, 1/s; null: that of the period, or one a minute without
    #: one.
    per_second: float | None = None
    #: Work for the search, in seconds of one core, 0.1 to 1,000,000. It is counted in simulated
    #: events, so that the same budget and seed give the same answer on every machine.
    budget_s: float = 30.0


@dataclass(frozen=True, slots=True)
class ThreadLoad(Asked):
    """A Thread network of OpenThread nodes."""

    #: Topology of the network.
    topology: Topology = "one-hop"
    #: Number of nodes; with given positions, that of those.
    nodes: int = 2
    #: Levels of a tree below node 1.
    hops: int = 2
    #: Positions of placed nodes, x and y, m.
    positions_m: Sequence[Sequence[float]] = ()
    #: Distance up to which a frame is received, m; not used where an environment decides.
    reach_m: float = 100.0
    #: Distance up to which a frame keeps the channel busy, m; null: as far as it is received.
    sensed_m: float | None = None
    #: Profile with the boards of the nodes; null: boards without cost.
    boards: str | None = None
    #: Constants that differ from the profile. Where `environment` is among them, path loss,
    #: noise and interference decide who hears whom.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Poll period of sleepy children, ns; null: none is sleepy.
    poll_period_ns: int | None = None
    #: Share of frames that each path loses.
    frame_loss: float = 0.0
    #: Mean length of a loss burst, frames.
    loss_burst: float = 1.0
    #: Direction of the messages.
    direction: Direction = "up"
    #: When messages are sent.
    traffic: ThreadTraffic = "none"
    #: Payload, bytes.
    size: int = 79
    #: Messages of each flow.
    count: int = 100
    #: Time between periodic messages of a flow, ns.
    period_ns: int = 1000000000
    #: What happens to the network, in the order of time. Time 0 is when it has formed and
    #: sending begins.
    steps: Sequence[ThreadStep] = ()
    #: Random seed of the first network.
    seed: int = 1
    #: Number of networks, each with the next random seed.
    seeds: int = 1
