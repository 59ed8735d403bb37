"""Questions of the core, with its defaults.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from airlag.core.answered import Question

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
class Request(Question):
    """A run on the virtual bench."""

    #: Name of a link profile.
    link: str
    #: Payload, bytes. Absent if the link has no message.
    size: int | None = None
    #: Number of triggers.
    count: int = 1000
    #: Time between triggers, ns. Absent means 200 ms, or longer if the link needs it.
    period_ns: int | None = None
    #: Phase of the triggers.
    phase: Phase = "uniform"
    #: Time from a transmission of the link to the trigger, ns. Only with aligned phase. Absent
    #: means 0.
    offset_ns: int | None = None
    #: Random seed.
    seed: int = 1
    #: Profile parameters to change, by name. Values are text in the syntax of `--set`.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Traffic at each trigger.
    traffic: Traffic = "trigger"
    #: Number of simulated locations. Absent means 20 if locations differ.
    places: int | None = None
    #: Whether to search for findings.
    findings: bool = True
    #: Deadline to check, ns.
    deadline_ns: int | None = None
    #: Region whose regulatory limits to check.
    region: Region | None = None
    #: Battery of each end.
    battery: str | None = None
    #: Message rate for current and battery life, 1/s.
    per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Offer(Question):
    """Latency, queueing and loss of a link as functions of the offered load."""

    #: Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    size: int = 128
    #: Offered loads, kbit/s of user data. If no load is given, thirteen loads from 0.1 to 3
    #: times the saturated goodput are used.
    rates_kbps: Sequence[float] = ()
    #: Offered loads as shares of the saturated goodput.
    utilisations: Sequence[float] = ()
    #: Capacity of the queue in front of the link, messages.
    queue: int = 64
    #: Arrival process of the messages at the queue.
    arrivals: Arrivals = "poisson"
    #: Measured messages per load.
    count: int = 1000
    #: Random seed.
    seed: int = 1
    #: Profile parameters to change, by name. Values are text in the syntax of `--set`.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Traffic of the link: one-way messages, or remote procedure calls of one method.
    traffic: Carried = "trigger"


@dataclass(frozen=True, slots=True)
class Train(Question):
    """Trains of back-to-back messages."""

    #: Payload, bytes.
    size: int = 128
    #: Number of messages per train.
    count: int = 100
    #: Number of trains, with consecutive random seeds.
    trials: int = 10
    #: Shortest time between messages, ns. Null means as fast as the program and its link can
    #: send.
    pace_ns: int | None = None
    #: Whether to use selective repeat: missing messages are sent again until all have arrived.
    repeat: bool = False
    #: Random seed of the first train.
    seed: int = 1
    #: Profile parameters to change, by name. Values are text in the syntax of `--set`.
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Question):
    """Recommendation of a link for requirements."""

    #: Payload, bytes. Null if no link has messages.
    size: int | None = None
    #: Deadline, ns.
    deadline_ns: int
    #: Percent of all messages that must meet the deadline, 50 to 99.99.
    percentile: float = 99.0
    #: Largest loss ratio over all messages, 0.0001 to 0.5.
    max_loss: float = 0.01
    #: Distance between the radios, with its unit. Null means that the radios are side by side.
    distance: str | None = None
    #: Propagation environment, such as `office`. Null without a range.
    environment: str | None = None
    #: Share of the simulated locations that must meet the requirements. Only with a range.
    places_share: float = 0.9
    #: Other networks on the air, such as `wifi:30%@ch6`. Empty without other networks.
    neighbours: Sequence[str] = ()
    #: Processor of both boards, for the computation of currents. Null means the processor of
    #: the measured boards.
    processor: str | None = None
    #: Settings for all links that have these parameters, in the syntax of `--set`.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Time between messages, ns. Null means a time derived from the latency of each link.
    period_ns: int | None = None
    #: Random seed.
    seed: int = 1
    #: Names of the profiles to choose from. Empty means all profiles.
    links: Sequence[str] = ()
    #: Whether an empty `links` includes wired links.
    wired: bool = False
    #: Whether to tune settings that have a cost besides latency.
    trade: bool = False
    #: Region whose regulatory limits the link must meet. Null means no such requirement.
    region: Region | None = None
    #: Largest charge per message at the sender, nC. Null means no limit.
    max_charge_nc: float | None = None
    #: Battery of the sender. Null means CR2032 if a battery life is required, and otherwise no
    #: battery.
    battery: str | None = None
    #: Required battery life, years. Null means no requirement.
    battery_years: float | None = None
    #: Message rate for the battery life, 1/s. Null means one message per `period_ns`, or one
    #: per minute without a period.
    per_second: float | None = None
    #: Work budget of the search, seconds of one core, 0.1 to 1,000,000. Work is counted in
    #: simulated events, so the same budget and seed give the same answer on every machine.
    budget_s: float = 30.0


@dataclass(frozen=True, slots=True)
class ThreadLoad(Question):
    """A Thread network of OpenThread nodes."""

    #: Topology of the network.
    topology: Topology = "one-hop"
    #: Number of nodes. With given positions, it is the number of positions.
    nodes: int = 2
    #: Number of levels of a tree below node 1.
    hops: int = 2
    #: Positions of placed nodes, x and y, m.
    positions_m: Sequence[Sequence[float]] = ()
    #: Distance up to which a frame is received, m. Ignored if an environment determines
    #: reception.
    reach_m: float = 100.0
    #: Distance up to which a frame keeps the channel busy, m. Null means the reception
    #: distance.
    sensed_m: float | None = None
    #: Link profile of the boards of the nodes. Null means boards whose software takes no time.
    boards: str | None = None
    #: Constants that differ from the profile. If `environment` is among them, path loss, noise
    #: and interference determine which nodes receive a frame.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Poll period of sleepy children, ns. Null means no sleepy children.
    poll_period_ns: int | None = None
    #: Frame loss ratio of each path.
    frame_loss: float = 0.0
    #: Mean length of a loss burst, frames.
    loss_burst: float = 1.0
    #: Direction of the messages.
    direction: Direction = "up"
    #: Message timing.
    traffic: ThreadTraffic = "none"
    #: Payload, bytes.
    size: int = 79
    #: Number of messages per flow.
    count: int = 100
    #: Time between the messages of a periodic flow, ns.
    period_ns: int = 1000000000
    #: Changes to the network in time order. Time 0 is the start of sending, after the network
    #: has formed.
    steps: Sequence[ThreadStep] = ()
    #: Random seed of the first network.
    seed: int = 1
    #: Number of networks, with consecutive random seeds.
    seeds: int = 1
