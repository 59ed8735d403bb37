"""Answers of the core, as ``--json`` prints them.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

#: Quantile that a change is to reduce.
Aim = Literal["median", "tail"]

#: Arrival process of messages.
Arrivals = Literal["periodic", "poisson", "burst"]

#: On which side of the limit the value has to be.
Bound = Literal["at most", "at least", "never"]

#: Name of a call.
Call = Literal["rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"]

#: Traffic that a link carries as fast as it can, or at an offered load.
Carried = Literal["trigger", "rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"]

#: Where most of the lost messages were lost.
Cause = Literal["none", "refused", "on-the-way"]

#: Confidence in an answer: how many of such answers are of the right kind, on captures of
#: radios and firmwares that its odds were not found on (`docs/matching.md` has the table).
Certainty = Literal["clear", "likely", "ambiguous"]

#: How the far clock relates to the near one.
ClockKind = Literal["estimated", "shared", "ptp", "chrony"]

#: What is required of a link.
CriterionName = Literal["deadline", "delivery", "law", "battery life", "peak current", "charge"]

#: Direction of the messages.
Direction = Literal["up", "down"]

#: Name of a finding.
FindingName = Literal[
    "overload",
    "swapped-channels",
    "looks-like-a-clock",
    "no-relation",
    "lost-transfers",
    "censored-end",
    "trigger-glitch",
    "period-too-short",
    "stray-completion",
    "own-period",
    "phase-not-explored",
    "drift-ramp",
    "retry-quantum",
    "power-save",
    "index-pattern",
    "delayed-ack",
    "timer-across-runs",
    "warm-up",
    "trend",
    "coarse-sampling",
    "few-samples",
    "mispaired-table",
    "name-disagrees",
]

#: Kind of document.
Group = Literal["standard", "datasheet", "software", "article"]

#: The 95 % confidence interval of a quantile: low, high, ns. Null where it is not bounded.
IntervalNs = list[int | None]

#: Why a constant is left out.
LeftOutReason = Literal["zero", "a flag", "a choice", "a phase"]

#: On which side of a limit a metric has to be.
LimitBound = Literal["at most", "at least"]

#: Quantity of the vertical axis.
Measure = Literal["latency", "gap", "completion", "goodput", "delivery"]

#: What carries messages.
Medium = Literal["air", "wire"]

#: How certain a value is.
Origin = Literal["standard", "datasheet", "source", "calibrated", "assumed"]

#: Phase of the triggers relative to whatever ticks on the boards.
Phase = Literal["uniform", "frozen", "aligned"]

#: Power state of a part.
PowerState = Literal[
    "power-down",
    "start",
    "standby",
    "settle-transmit",
    "settle-receive",
    "transmit",
    "receive",
    "sleep",
    "run",
]

#: Program of the boards in a campaign.
Program = Literal["trigger", "echo", "back-to-back", "goodput", "load"]

#: Protocol of the bulk flow.
Protocol = Literal["udp", "tcp"]

#: Real time.
RealClock = Literal["real"]

#: The verdict on a candidate or a requirement, the best first.
RecommendVerdict = Literal["passes", "close", "undecided", "fails"]

#: A region with known rules.
Region = Literal["eu", "us"]

#: A central: three with published results, a chip, and a computer with an adapter.
RpcPlatform = Literal["macos", "iphone16", "pixel5", "nrf52", "linux"]

#: Unit of a benchmark. A KiB is what the article calls KB.
RpcUnit = Literal["KiB/s", "ms/call", "ms/item"]

#: Kind of source of a constant whose effect is measured.
SensitiveSource = Literal["calibrated", "assumed"]

#: Kind of activity: the bench itself (fixture), the medium, the answer of the other end, a
#: radio that changes its state, a bus, a processor (work), a clock to wait for, or unknown
#: (other).
SliceClass = Literal["fixture", "medium", "answer", "radio", "bus", "work", "wait", "other"]

#: How a limit is met.
Standing = Literal["within", "at the limit", "not allowed"]

#: What can be done to a network while it runs. Nodes are counted from 1.
ThreadAction = dict[str, object] | Literal["heal"]

#: When messages are sent.
ThreadTraffic = Literal["periodic", "back-to-back", "saturated", "none"]

#: Topology of a network.
Topology = Literal["one-hop", "chain", "star", "tree", "placed"]

#: What is sent at a trigger.
Traffic = Literal[
    "trigger", "echo", "both", "rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"
]

#: What was sent: the program of a run of trains.
TrainTraffic = Literal["back-to-back"]

#: A tunnel by its name on the command line.
Tunnel = Literal["tunnel", "naive"]

#: Virtual time.
Virtual = Literal["virtual"]

#: Direction of a run with traffic both ways.
Way = Literal["there", "back"]

#: In what two runs differ.
What = Literal["link", "size", "traffic", "way", "phase", "period_ns", "setting", "version"]

#: Which messages of a train are lost.
Which = Literal["earlier", "later", "any"]


class Across(TypedDict):
    """A finding of several runs together."""

    #: Positions of these runs among those that were given.
    runs: list[int]
    #: The finding.
    finding: Finding


_Advice = TypedDict("_Advice", {"for": "Aim"})


class Advice(_Advice):
    """What to change, and the measured effect."""

    #: Single changes without a cost, the largest gain first.
    single: list[Change]
    #: Single changes with a cost, the largest gain first.
    trades: list[Change]
    #: The best change, then with the best one added, and so on.
    combined: list[Change]
    #: What an aligned trigger gains. Null where the link has no schedule of its own, or it
    #: gains less than a tenth.
    alignment: Alignment | None
    #: Number of runs in all.
    tried: int
    #: Number of these runs that measured what had been selected, with the seed of the run.
    measured: int
    #: Seed of the runs from which it was selected.
    choice_seed: int
    #: The same in words, the best first: of the values of one parameter the best one.
    steps: list[AdviceStep]


class AdviceStep(TypedDict):
    """One thing to do, or one fact about what can be done."""

    #: Kind of the step.
    kind: Literal["free", "trade", "note", "method"]
    #: Its place among the others: first, or, together, at a cost, aligned; empty for a note.
    lead: str
    #: Options of a command line; empty for a note.
    settings: str
    #: The measured effect, or the note.
    text: str


class Alignment(TypedDict):
    """A trigger that comes a fixed time after a transmission of its link."""

    #: From the beginning of a transmission to the trigger, ns.
    offset_ns: int
    #: Median, ns: at any moment, aligned.
    p50_ns: list[float]
    #: 99 % quantile, ns: at any moment, aligned.
    p99_ns: list[float]


class Apart(TypedDict):
    """Distance between the radios of a run, and its effect."""

    #: Distance between the antennas, m.
    range_m: float
    #: The environment between the antennas.
    environment: str | None
    #: Standard deviation of the path loss over locations, dB.
    shadowing_db: float
    #: Margin of the mean signal over the level with a frame loss of 1 %, dB. Null where no
    #: frame was sent.
    fade_margin_db: float | None
    #: Share of messages that a location has to deliver to be counted in `places.keep`.
    delivered: float
    #: Null for a single location.
    places: Places | None


class Budget(TypedDict):
    """Where the time of a run went."""

    #: Completed transfers.
    n: int
    #: Sum of their latencies, ns. The sum of the totals of the items.
    total_ns: int
    #: Mean latency, ns.
    mean_ns: float
    #: Time of the mean that belongs to the bench, ns.
    fixture_ns: float
    #: In the order in which transfers come to them.
    items: list[Item]
    #: A transfer of median latency.
    median: Timeline
    #: A transfer at the 99 % quantile.
    p99: Timeline
    #: The part of the bench in the transfer of median latency, in words.
    fixture_text: str


class Burst(TypedDict):
    """Trains of messages back to back, and which of them arrived."""

    #: Link profile.
    link: str
    #: Payload, bytes.
    size: int
    #: Random seed of the first train; the others count on from it.
    seed: int
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: The program.
    traffic: TrainTraffic
    #: Messages of a train.
    count: int
    #: Least time from one message to the next, ns; null: none.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Share of the messages that arrived.
    delivery: float
    #: 95 % confidence interval, from the spread over trains; null for a single train.
    delivery_interval: list[float] | None
    #: User data that arrived, kbit/s of the time until the last arrival of a train.
    goodput_kbps: float
    #: Frames of a message, any of which loses it; null where the link does not fragment.
    fragments: int | None
    #: By position: trains in which the message was lost.
    lost_at: list[int]
    #: Position of the losses; null if nothing was lost, or everything.
    position: Position | None
    #: Each train.
    trials: list[Trial]
    #: Named events, with counts.
    incidents: dict[str, int]


class CampaignAnswer(TypedDict):
    """The answer of a campaign to its question."""

    #: Title of the horizontal axis: its quantity and unit.
    across: str
    #: Quantity of the vertical axis.
    measure: str
    #: Unit of all times in the texts.
    time_unit: str
    #: The lines, in the order of the file.
    lines: list[CampaignLine]
    #: The table.
    columns: list[CampaignColumn]
    #: Whether its quantiles leave out lost messages, which have no latency.
    of_delivered: bool
    #: What the runs show, a sentence or two a line, how lines differ, and what was published.
    sentences: list[str]


class CampaignAsked(TypedDict):
    """A question that a campaign answers."""

    #: Heading of its page.
    title: str
    #: The question.
    text: str
    #: Quantity of the horizontal axis: `size`, an option of a program, or a parameter of the
    #: profiles.
    x: str
    #: Quantity of the vertical axis.
    y: Measure
    #: Published results.
    published: list[CampaignPublished]


class CampaignCapture(TypedDict):
    """A capture of a link."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: File, below the folder of captures.
    file: str


class CampaignColumn(TypedDict):
    """A column of the table, with a row for each point of each line."""

    #: Heading, with the unit of the texts; empty above the names of the lines.
    head: str
    #: Key in a file, with the unit of the values.
    key: str
    #: Values; null where unknown.
    values: list[int | float | float | str | None]
    #: The same as text.
    texts: list[str]


class CampaignLine(TypedDict):
    """Points of one line, from left to right."""

    #: What distinguishes it from the others.
    name: str
    #: Its points. Numbers rise, categories stay in the order of the file.
    places: list[CampaignPlace]


class CampaignPlace(TypedDict):
    """A point on its line."""

    #: Index among the points given.
    point: int
    #: Position in the unit of the axis.
    x: float | str
    #: The same in words.
    position: str


class CampaignPlan(TypedDict):
    """The runs of a campaign."""

    #: Name of the campaign, and of its report.
    name: str
    #: The runs in the order of the file, no two alike.
    works: list[CampaignWork]
    #: Capture files of the same links.
    captures: list[CampaignCapture]
    #: The question that it answers; null: a table of everything.
    question: CampaignAsked | None


class CampaignPoint(TypedDict):
    """One run of a campaign that answers a question: a point of a line."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Random seed.
    seed: int
    #: Constants that were set, as given.
    settings: dict[str, str]
    #: Program of the boards.
    traffic: Program
    #: Line of the chart.
    series: str
    #: Quantity of the horizontal axis.
    x: str
    #: Position of the point on it, in its unit; times in ns.
    at: float | str
    #: Messages with a known outcome.
    sent: int
    #: Messages of these that did not arrive.
    lost: int
    #: Latency; null where nothing arrived, and for traffic without a latency.
    latency_ns: Latency | None
    #: Time from one arrival to the next with saturated traffic; else null.
    gap_ns: Latency | None
    #: Time from the first message of a train to the last arrival; else null.
    completion_ns: Latency | None
    #: Mean position of the lost messages in their train, from 0 to 1; null where none was lost.
    lost_position: float | None
    #: User data that arrived, kbit/s; null where triggers space the messages.
    goodput_kbps: float | None
    #: Counts of named events.
    incidents: dict[str, int]


class CampaignPublished(TypedDict):
    """A published result that a campaign is compared with."""

    #: Document, by its key in `links/sources.toml`.
    cite: str
    #: Place in it.
    at: str
    #: What it says.
    says: str


class CampaignRun(TypedDict):
    """One run of a campaign, with known results of the real link."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Causes of losses and delays.
    causes: Causes
    #: Counts of named events.
    incidents: dict[str, int]
    #: Time that the bits of a message take on the wire, ns. Null for a radio.
    wire_ns: int | None
    #: Null for a radio, and where nothing arrived.
    overhead_ns: Overhead | None
    #: Verdict of the region that was asked for. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life, with a message rate or a battery.
    fed: NotRequired[Fed]
    #: Published median of the profile as it is, ns.
    published_ns: int | None
    #: Its article and section.
    published_from: str | None
    #: Latency of the capture, where it is available.
    captured_ns: Latency | None
    #: Latency of the bench at the trigger times of the capture.
    matched_ns: Latency | None
    #: Lower bound of the latency of any program on the link, ns.
    floor_ns: int | None


class CampaignWork(TypedDict):
    """One run of a campaign."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Triggers, or messages.
    count: int
    #: Time between triggers, ns; null: 200 ms, or as much longer as the link needs.
    period_ns: int | None
    #: Phase of the triggers.
    phase: Phase
    #: Random seed.
    seed: int
    #: Constants that are set, as given.
    settings: dict[str, str]
    #: Program of the boards.
    traffic: Program
    #: Number of trains.
    trials: int
    #: Least time from one message of a train to the next, ns; null: none.
    pace_ns: int | None
    #: Whether missing messages of a train are sent again.
    repeat: bool
    #: Offered load as a share of the saturated goodput.
    utilisation: float | None
    #: Line of the chart; null without a question.
    series: str | None
    #: Quantity of the horizontal axis; null without a question.
    x: str | None
    #: Position on it, in its unit, times in ns; null without a question.
    at: float | str | None


class Causes(TypedDict):
    """Causes of losses and delays, as the bench recorded them."""

    #: Triggers at which the sending board was busy with an earlier message.
    not_taken: int
    #: Lost messages that the link gave up.
    given_up: int
    #: Frames sent again, where the model counts them.
    retries: int
    #: Null where the link carries the offered rate.
    overload: Overload | None
    #: Counts of the named events that may explain lost messages.
    events: dict[str, int]
    #: Whether a peer delays its TCP acknowledgements.
    delays_acks: bool
    #: Whether a radio sleeps between Wi-Fi beacons.
    sleeps_between_beacons: bool


class Ceiling(TypedDict):
    """The least time that a cycle of an endless stream takes."""

    #: Messages of a cycle.
    messages: int
    #: Sum of the terms, ns.
    ns: int
    #: Time on the medium, and gaps that the hardware or the protocol requires.
    terms: list[Term]
    #: What real links of this kind have that changes their goodput, and the bench and the
    #: ceiling have not.
    without: list[str]


class Change(TypedDict):
    """Settings, and their measured effect."""

    #: Parameters to set, as --set takes them.
    settings: dict[str, str]
    #: Median, ns.
    p50_ns: Difference
    #: 99 % quantile, ns.
    p99_ns: Difference
    #: Delivery ratio. Null where no outcome is known.
    delivery: Difference | None
    #: Least time of a message with these settings, ns.
    floor_ns: int
    #: What the gain costs, in words.
    costs: list[str]
    #: By end. An end without current data is absent.
    charges: ChangedChargeEnds


class Changed(TypedDict):
    """A run with a constant at another value."""

    #: Value, in the unit of the constant.
    value: bool | int | float | str
    #: Median, ns; null when nothing arrived.
    p50_ns: float | None
    #: 99 % quantile, ns; null when nothing arrived.
    p99_ns: float | None
    #: Share of the messages that arrived.
    delivery: float | None
    #: Why the bench refuses the value; null when it does not.
    refused: str | None


class ChangedCharge(TypedDict):
    """What an end draws, before and after a change."""

    #: Charge that a message adds, nC: before, after.
    marginal_nc: list[float]
    #: Idle current, nA: before, after.
    idle_na: list[float]


class ChangedChargeEnds(TypedDict):
    """One value for each end of a link. An end without current data is absent."""

    #: The end that sends.
    sender: NotRequired[ChangedCharge]
    #: The end that receives.
    receiver: NotRequired[ChangedCharge]


class Channel(TypedDict):
    """One channel of a converted capture."""

    #: Name of the channel.
    name: str
    #: Number of edges.
    edges: int


class Channels(TypedDict):
    """The channels of a capture."""

    #: The file that was read.
    source: str
    #: From the first instant to the last, ns.
    duration_ns: int
    #: Sample rate, Hz, where recorded.
    sample_rate_hz: float | None
    #: Each channel.
    channels: list[Wire]


class Charge(TypedDict):
    """Charge and current of both ends."""

    #: The end that sends.
    sender: NotRequired[EndCharge]
    #: The end that receives.
    receiver: NotRequired[EndCharge]


class Check(TypedDict):
    """One quantity checked against one limit."""

    #: The quantity.
    quantity: str
    #: Its value, in the unit.
    value: float
    #: On which side of the limit the value has to be.
    bound: Bound
    #: The limit, in the unit. Null where no value is allowed.
    limit: float | None
    #: Unit of value and limit. Empty for a plain number.
    unit: str
    #: Document, version, date and clause.
    clause: str
    #: Whether the limit was read in the document itself.
    confirmed: bool
    #: How the limit is met.
    standing: Standing
    #: Divide the message rate by this factor to comply.
    rarer: float | None
    #: Power reduction that would be allowed, dB.
    quieter_db: float | None


class Citation(TypedDict):
    """A document, and the place in it."""

    #: Key in links/sources.toml.
    key: str
    #: Kind of document.
    group: Group
    #: Title.
    title: str
    #: Author.
    author: str | None
    #: Year.
    year: int | None
    #: Version.
    version: str | None
    #: Address.
    url: str
    #: What was taken from it.
    taken: str
    #: How it was checked.
    checked: str | None
    #: Clause, table, page or file.
    at: str


class ComparedCharge(TypedDict):
    """What an end draws in both runs."""

    #: Charge that a message adds, nC. Null without messages.
    marginal_nc: list[float | None]
    #: Idle current, nA.
    idle_na: list[float]


class ComparedChargeEnds(TypedDict):
    """One value for each end of a link. An end without current data is absent."""

    #: The end that sends.
    sender: NotRequired[ComparedCharge]
    #: The end that receives.
    receiver: NotRequired[ComparedCharge]


class Comparison(TypedDict):
    """A run compared with the first one."""

    #: Source of the first run.
    a: str
    #: Source of the second run.
    b: str
    #: Conditions that are known of both runs and are not the same.
    differs: list[Differing]
    #: Whether differences of the numbers are differences of the links.
    comparable: bool
    #: Why not, one sentence each.
    obstacles: list[str]
    #: What else may have changed the numbers.
    notes: list[str]
    #: By quantile: p50, p95, p99. Empty where one run delivered nothing.
    latency_ns: dict[str, Difference]
    #: Of the delivery ratio. Null where no outcome is known.
    delivery: Difference | None
    #: Probability that a transfer of the second run is faster than one of the first.
    b_quicker: float | None
    #: Probability of a value as far from 0.5 if both had one distribution (Mann and Whitney).
    p: float | None
    #: Largest distance between the distribution functions (Kolmogorov and Smirnov).
    ks: float | None
    #: By end. An end without current data in both runs is absent.
    charge: ComparedChargeEnds


class Configuration(TypedDict):
    """All runs that differ only in their random seed."""

    #: Its number, as in the dataset.
    configuration: int
    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Parameters that are set, in the unit of each; a value that cannot be set, as given.
    settings: dict[str, bool | int | float | str]
    #: Number of replications.
    runs: int
    #: Why the link cannot be run with these settings; null: it can.
    problem: str | None
    #: Triggers of all replications.
    triggers: int
    #: Completed transfers of all replications.
    delivered: int
    #: Lost transfers of all replications.
    lost: int
    #: Means over the replications of the other results, by column of the dataset; null where no
    #: replication has it.
    means: dict[str, float | None]


class Converted(TypedDict):
    """A capture in another format."""

    #: The file that was read.
    source: str
    #: The file that was written.
    target: str
    #: Its channels.
    channels: list[Channel]


class Criterion(TypedDict):
    """A requirement, and how a candidate meets it."""

    #: What is required.
    name: CriterionName
    #: Whether it is met.
    verdict: RecommendVerdict
    #: Value of the candidate; null where it has none. Over a distance, latency and delivery are
    #: those at the location that the required share of locations is no worse than.
    value: float | None
    #: Limit; null where there is none.
    limit: float | None
    #: Unit of both.
    unit: str
    #: Distance of the value from the limit, whether within or beyond; null where either is
    #: missing.
    distance: float | None
    #: The verdict in words.
    reason: str


class Deadline(TypedDict):
    """Messages that miss a deadline: late or lost."""

    #: The deadline, ns.
    deadline_ns: int
    #: Messages with a known outcome.
    n: int
    #: Messages that are late or lost.
    missed: int
    #: The 95 % confidence interval of the share that misses (Wilson).
    interval95: list[float]
    #: Longest run of consecutive misses.
    longest_run: int


class Delivery(TypedDict):
    """Delivery ratio of all transfers with a known outcome."""

    #: Share that arrived.
    ratio: float
    #: The 95 % confidence interval of the ratio (Wilson). For several simulated locations it
    #: includes the variation between them.
    interval95: list[float]


class Difference(TypedDict):
    """One number in two runs: ns, or a share."""

    #: In the first run.
    a: float
    #: In the second run.
    b: float
    #: Second minus first.
    difference: float
    #: The 95 % confidence interval of the difference: low, high. Null where it is not bounded.
    interval95: list[float | None]


class Differing(TypedDict):
    """One condition in which two runs differ."""

    #: Which condition. Size is in bytes, version is that of airlag.
    what: What
    #: Which constant, of a setting.
    setting: str | None
    #: In the first run. Null: as in the profile.
    a: str | int | None
    #: In the second run.
    b: str | int | None


class EmulatedRun(TypedDict):
    """One direction of an emulated link, and the emulator scheduling delay."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Counts of named events.
    incidents: dict[str, int]
    #: Packets that found the queue full, or that no message holds.
    refused: int
    #: Bytes received from one program.
    bytes_in: int
    #: Bytes delivered to the other.
    bytes_out: int
    #: Delay of both directions together.
    late_ns: Late
    #: Virtual time that elapsed, ns.
    elapsed_ns: int


class EndCharge(TypedDict):
    """Charge and current of one end."""

    #: Charge that a message adds to the idle charge, nC. Null without messages. Negative where
    #: a listening radio draws less during a message.
    marginal_nc: float | None
    #: 95 % interval of `marginal_nc`, of a current that was measured.
    marginal_interval95_nc: NotRequired[list[float]]
    #: Idle current, nA. Measured, it may be below 0 by the offset of the instrument.
    idle_na: float
    #: Mean current, nA.
    average_na: float
    #: Peak current of all parts together, nA.
    peak_na: int
    #: Total charge, nC.
    total_nc: float
    #: Duration, ns.
    elapsed_ns: int
    #: Each part of the end. Empty where the current was measured.
    parts: list[PartCharge]


class Episodes(TypedDict):
    """Runs of lost messages (loss episodes, RFC 6534)."""

    #: How many.
    n: int
    #: Mean number of messages.
    mean: float
    #: Messages of the longest.
    longest: int


class ExplainedBurst(TypedDict):
    """Trains of messages back to back, why some did not arrive, and remedies."""

    #: Link profile.
    link: str
    #: Payload, bytes.
    size: int
    #: Random seed of the first train; the others count on from it.
    seed: int
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: The program.
    traffic: TrainTraffic
    #: Messages of a train.
    count: int
    #: Least time from one message to the next, ns; null: none.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Share of the messages that arrived.
    delivery: float
    #: 95 % confidence interval, from the spread over trains; null for a single train.
    delivery_interval: list[float] | None
    #: User data that arrived, kbit/s of the time until the last arrival of a train.
    goodput_kbps: float
    #: Frames of a message, any of which loses it; null where the link does not fragment.
    fragments: int | None
    #: By position: trains in which the message was lost.
    lost_at: list[int]
    #: Position of the losses; null if nothing was lost, or everything.
    position: Position | None
    #: Each train.
    trials: list[Trial]
    #: Named events, with counts.
    incidents: dict[str, int]
    #: Where most messages were lost.
    cause: Cause
    #: Lost messages of which the sending program was told.
    refused: int
    #: Lost messages of which it was not.
    on_the_way: int
    #: Mean time from one transmission to the next, ns.
    handed_every_ns: float | None
    #: Mean time from one arrival to the next, ns.
    arrived_every_ns: float | None
    #: By position: messages sent by then that arrived later, averaged over the trains.
    under_way: list[float]
    #: The same trains with a pace, with selective repeat, and with both.
    remedies: list[Remedy]


class ExplainedCapture(TypedDict):
    """A capture with the profile that explains it best."""

    #: File name of the capture.
    source: str
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Kolmogorov-Smirnov distance of the distributions.
    ks: float
    #: Distance that chance exceeds once in 20 times, for sets as large as these.
    ks_chance: float
    #: Least share e such that all but e of the latencies agree within a factor of 1 + e.
    distance: float
    #: Kolmogorov-Smirnov distance after the bench is shifted onto the capture.
    shape: float
    #: Whether the profile explains the capture.
    explains: bool
    #: The same in a sentence, with the largest misfit.
    verdict: str
    #: The largest misfit in words.
    contradiction: str
    #: The distances in words.
    agreement: str
    #: The fitted values in words.
    fitting: str
    #: Misfit of the profile.
    evidence: MatchEvidence
    #: Largest total misfit of a profile that explains a capture.
    tolerance: float
    #: Error of each quantile.
    quantile_error: QuantileErrors
    #: Number of values that the capture leaves open.
    free: int
    #: Values of these that explain something.
    fitted: list[Fitted]
    #: Outcome of the captured triggers that were used.
    captured: Fate
    #: Outcome of the same triggers on the bench.
    virtual: Fate
    #: Constants that differ from the profile.
    settings: dict[str, bool | int | float | str]
    #: Total misfit, and the cost of freedom; null outside a ranking.
    score: float | None
    #: Least and largest payload that explain the capture about as well, bytes: posterior odds
    #: against any other are 20 to 1 or more. Of the first candidate of a ranking where the
    #: payload was not known; else null.
    size_interval: list[int] | None
    #: Candidates that were examined, the nearest first.
    ranking: list[MatchCandidate]
    #: Number of profiles and sizes that cannot produce this latency.
    impossible: int
    #: Number of those that can, but have a different spread, whatever is fitted.
    unlike: int
    #: Confidence in the first candidate; null where no profile explains the capture.
    certainty: Certainty | None
    #: Probability that the first candidate is of the right kind.
    odds: float | None
    #: The nearest profile of another kind than the first.
    next: str | None
    #: Settings of the nearest profile that make a difference.
    tried: list[TriedSetting]
    #: Why no profile explains the capture; null when one does.
    reason: str | None


class ExplainedRun(TypedDict):
    """One run on the virtual bench, with where its time went."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Causes of losses and delays.
    causes: Causes
    #: Counts of named events.
    incidents: dict[str, int]
    #: Time that the bits of a message take on the wire, ns. Null for a radio.
    wire_ns: int | None
    #: Null for a radio, and where nothing arrived.
    overhead_ns: Overhead | None
    #: Verdict of the region that was asked for. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life, with a message rate or a battery.
    fed: NotRequired[Fed]
    #: Null where nothing completed.
    budget: Budget | None
    #: Least time of a message.
    floor: Floor
    #: The same in words, beside the median. Null where nothing completed.
    floor_text: str | None
    #: What was published of such calls over this link, in words.
    published: list[str]
    #: Null where nothing completed, and where no advice was asked for.
    advice: Advice | None
    #: Charge by slice. Null where no end has current data.
    slices_charge: SlicesCharge | None


class FarClock(TypedDict):
    """The far clock."""

    #: How it relates to the near clock.
    kind: ClockKind
    #: Offset of the far clock in the middle of the session, ns. Null where nothing was
    #: answered.
    offset_ns: int | None
    #: Largest error of the offset, ns. Each one-way delay may be off by as much. Null where
    #: nothing was answered, and where a clock is not synchronized although it is said to be.
    offset_uncertainty_ns: int | None
    #: How much faster the far clock is, parts per million. Null with fewer than two answers,
    #: and where it was not estimated.
    skew_ppm: float | None
    #: Times at which the far clock was set, since the start of the session, ns.
    steps_ns: list[int]


class Fate(TypedDict):
    """Outcome of the triggers that were used."""

    #: Number of triggers.
    triggers: int
    #: Transfers that completed, late ones included.
    delivered: int
    #: Windows that closed without a completion.
    lost: int


class Fed(TypedDict):
    """Mean currents and battery life at a message rate."""

    #: Which battery. Null: none.
    battery: str | None
    #: Message rate, 1/s.
    per_second: float
    #: The end that sends.
    sender: NotRequired[FedEnd]
    #: The end that receives.
    receiver: NotRequired[FedEnd]


class FedEnd(TypedDict):
    """Mean current of an end at a message rate, and its battery life."""

    #: Mean current, nA. Null without messages.
    average_na: float | None
    #: Null without a battery.
    life: Life | None


class Finding(TypedDict):
    """One finding of a run."""

    #: Which finding.
    name: FindingName
    #: The numbers that it is based on. Units are in the keys.
    evidence: dict[str, int | float | list[int]]
    #: What happened.
    message: str
    #: What to do about it.
    advice: str


class Fitted(TypedDict):
    """A value that a capture leaves open."""

    #: The parameter.
    name: str
    #: The value that explains the capture best.
    value: bool | int | float | str
    #: Unit; may be empty.
    unit: str


class Floor(TypedDict):
    """Least time of a message, with no software cost and no loss."""

    #: Sum of the terms, ns.
    ns: int
    #: Time on the medium, and gaps that the hardware or the protocol requires.
    terms: list[Term]


class Goodput(TypedDict):
    """Saturated goodput of a link, and where the time goes."""

    #: Link profile.
    link: str
    #: Payload, bytes, or items of a call that has items.
    size: int
    #: Random seed.
    seed: int
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: User data that arrived, kbit/s: of as many messages as are whole bursts where a link
    #: sends in bursts.
    goodput_kbps: float
    #: Upper bound by the formulas of the link, kbit/s.
    ceiling_kbps: float | None
    #: Messages that arrived during the measurement.
    delivered: int
    #: Messages that did not arrive although a later one did.
    lost: int
    #: Duration of the measurement, ns.
    elapsed_ns: int
    #: Messages, or calls of one kind.
    traffic: Carried
    #: Interval from one arrival to the next, ns; null for fewer than two messages.
    gap_ns: Latency | None
    #: Time spent on each slice, the largest first.
    spent: list[Part]
    #: Named events, with counts.
    incidents: dict[str, int]
    #: What the ceiling is made of.
    ceiling: Ceiling


class InState(TypedDict):
    """Time and charge of a part in one power state."""

    #: Which state.
    state: PowerState
    #: Time in the state, ns.
    ns: int
    #: Current in the state, nA.
    current_na: int
    #: Charge in the state, nC.
    nc: float


class Index(TypedDict):
    """Share of the variance of a metric that a parameter explains."""

    #: The parameter; `chance` for the random seed.
    name: str
    #: First-order index: by itself.
    first: float
    #: Its 95 % confidence interval.
    first_interval95: list[float]
    #: Total index: with all interactions.
    total: float
    #: Its 95 % confidence interval.
    total_interval95: list[float]


class Indexed(TypedDict):
    """A metric over a whole space."""

    #: The metric.
    metric: str
    #: Unit; empty for a share.
    unit: str
    #: Mean over the space.
    mean: float
    #: Standard deviation over the space; 0: constant.
    standard_deviation: float
    #: Parameters, the largest total index first; empty where the metric is constant.
    indices: list[Index]


class Indices(TypedDict):
    """Sensitivity indices of each parameter over a whole space."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Random seed.
    seed: int
    #: Range of each parameter.
    over: dict[str, str]
    #: Constants that differ from the profile.
    settings: dict[str, str]
    #: Messages of each run.
    count: int
    #: Number of runs.
    runs: int
    #: Each metric.
    metrics: list[Indexed]


_IntervalNsQuantiles = TypedDict("_IntervalNsQuantiles", {"p99.9": NotRequired["IntervalNs"]})


class IntervalNsQuantiles(_IntervalNsQuantiles):
    """One value for each quantile."""

    #: 1 % quantile.
    p1: IntervalNs
    #: 5 % quantile.
    p5: IntervalNs
    #: 25 % quantile.
    p25: IntervalNs
    #: Median.
    p50: IntervalNs
    #: 75 % quantile.
    p75: IntervalNs
    #: 95 % quantile.
    p95: IntervalNs
    #: 99 % quantile.
    p99: IntervalNs


_Item = TypedDict("_Item", {"class": "SliceClass"})


class Item(_Item):
    """Time that a run spent on one thing. A transfer without it counts as 0."""

    #: On what.
    name: str
    #: Total of all transfers, ns.
    total_ns: int
    #: Mean of a transfer, ns.
    mean_ns: float
    #: Median of a transfer, ns.
    p50_ns: float
    #: 99 % quantile of a transfer, ns.
    p99_ns: float


class Jitter(TypedDict):
    """Absolute difference between consecutive latencies, ns."""

    #: Mean.
    mean: float
    #: Median.
    p50: float
    #: 99 % quantile.
    p99: float


class Keep(TypedDict):
    """Locations that meet the requirement."""

    #: Number of locations.
    count: int
    #: Their share of all locations.
    ratio: float
    #: The 95 % confidence interval of the share (Clopper and Pearson).
    interval95: list[float]


class Key(TypedDict):
    """A generated key."""

    #: The file that was written.
    target: str


class Label(TypedDict):
    """The label of a run."""

    #: Link profile.
    link: str
    #: What its latencies are of, such as a round trip; null: a message one way.
    traffic: str | None
    #: Payload with its unit; null where there is no message.
    size: str | None
    #: What differs among the runs, then the seed where that alone does.
    differing: list[str]
    #: Constants that differ from the profile, phase and period where they are not as by
    #: default.
    head: list[str]


class LabelColumn(TypedDict):
    """Something that differs among runs."""

    #: Name of a constant, or kind of a stimulus.
    name: str
    #: Value of each run; null where it has no such constant, and where a stimulus is as by
    #: default.
    values: list[str | None]


class Labels(TypedDict):
    """The labels of runs."""

    #: One for each run.
    labels: list[Label]
    #: Each constant and stimulus that differs; without link, payload and seed.
    columns: list[LabelColumn]


class Late(TypedDict):
    """Emulator scheduling delay: time from the arrival of a packet on the bench to its
    delivery, ns. Programs observe the latency plus this delay. Quantiles are accurate to
    one part in sixteen.
    """

    #: Packets, or pieces of a stream, that were delivered.
    n: int
    #: Median, ns.
    p50: int
    #: 99 % quantile, ns.
    p99: int
    #: Largest, ns.
    max: int
    #: Number of deliveries that were later than 1 ms.
    marked: int


_Latency = TypedDict("_Latency", {"p99.9": NotRequired["float"]})


class Latency(_Latency):
    """Latencies of the completed transfers, ns. Quantiles interpolate linearly between the
    closest ranks (type 7).
    """

    #: Number of latencies.
    n: int
    #: Smallest, ns.
    min: int
    #: 1 % quantile.
    p1: float
    #: 5 % quantile.
    p5: float
    #: 25 % quantile.
    p25: float
    #: Median.
    p50: float
    #: 75 % quantile.
    p75: float
    #: 95 % quantile.
    p95: float
    #: 99 % quantile.
    p99: float
    #: Largest, ns.
    max: int
    #: Mean, ns.
    mean: float
    #: Standard deviation (n - 1), ns. Null for a single latency.
    std: float | None
    #: The 95 % confidence interval of each quantile, ns.
    interval95: IntervalNsQuantiles
    #: Absent for a single latency.
    jitter: NotRequired[Jitter]


class Law(TypedDict):
    """Verdict of a region on a link as it was run. Information, not legal advice."""

    #: Which region.
    region: Region
    #: That of the worst radio.
    standing: Standing
    #: Whether no limit is exceeded.
    allowed: bool
    #: Time on air of the radio that sends most, as a share of all time.
    airtime: float
    #: The decisive limit, with its clause.
    reason: str
    #: Why each other rule does not allow it either.
    otherwise: list[str]
    #: Each radio, the worst first.
    radios: list[Radio]


class LeftOutConstant(TypedDict):
    """A constant without half and double."""

    #: Name of the parameter.
    name: str
    #: Value, in its unit.
    value: bool | int | float | str
    #: Unit; may be empty.
    unit: str
    #: Kind of its source.
    source: SensitiveSource
    #: Reason.
    why: LeftOutReason


class LessonRun(TypedDict):
    """One capture of the demonstration, paired in two ways."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: The naive pairing.
    naive: Naive


class Life(TypedDict):
    """Battery life."""

    #: What the battery is.
    about: str
    #: Capacity, mAh.
    capacity_mah: float
    #: Life until the capacity is used up, years. Includes self-discharge.
    years: float
    #: Peak current of the end and the largest pulse current of the battery, mA. Null where the
    #: battery supplies the peak.
    overloaded_ma: list[float] | None


class Limit(TypedDict):
    """A constraint on a setting."""

    #: The metric.
    metric: str
    #: On which side of the limit it has to be.
    bound: LimitBound
    #: The limit, in the unit.
    value: float
    #: Unit; empty for a share.
    unit: str


class Link(TypedDict):
    """A link profile: every constant with its unit and its source."""

    #: Name of the profile.
    name: str
    #: Kind of link.
    kind: str
    #: What carries messages. Null where nothing does.
    medium: Medium | None
    #: What it is.
    about: str
    #: Whether it is good practice today, rather than what one published firmware did.
    good_practice: bool
    #: Constants by name.
    parameters: dict[str, Parameter]
    #: Published figures.
    published: list[Published]


class Load(TypedDict):
    """A link at offered loads."""

    #: Link profile.
    link: str
    #: Payload, bytes, or items of a call that has items.
    size: int
    #: Random seed.
    seed: int
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: User data that arrived, kbit/s: of as many messages as are whole bursts where a link
    #: sends in bursts.
    goodput_kbps: float
    #: Upper bound by the formulas of the link, kbit/s.
    ceiling_kbps: float | None
    #: Messages that arrived during the measurement.
    delivered: int
    #: Messages that did not arrive although a later one did.
    lost: int
    #: Duration of the measurement, ns.
    elapsed_ns: int
    #: Messages, or calls of one kind.
    traffic: Carried
    #: Messages that the queue in front of the link holds.
    queue: int
    #: Arrival process.
    arrivals: Arrivals
    #: One entry per load, ascending.
    points: list[LoadPoint]
    #: Largest load that arrives, kbit/s; null when it is not between the points.
    knee_kbps: float | None


class LoadPoint(TypedDict):
    """One offered load in the steady state."""

    #: User data offered, kbit/s.
    offered_kbps: float
    #: User data that arrived, kbit/s.
    goodput_kbps: float
    #: Offered load as a share of the saturated goodput.
    utilisation: float
    #: Messages in the queue, averaged over time.
    queue_mean: float
    #: Messages offered.
    offered: int
    #: Messages of these that did not arrive.
    lost: int
    #: Messages of those that found the queue full.
    refused: int
    #: Latency from the queue to the other board; null when nothing arrived.
    latency_ns: Latency | None
    #: Total charge drawn by each end per delivered message, nC; ends without current data are
    #: absent.
    delivered_nc: dict[str, float]


class MatchCandidate(TypedDict):
    """One link profile compared with a capture."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Kolmogorov-Smirnov distance of the distributions.
    ks: float
    #: Distance that chance exceeds once in 20 times, for sets as large as these.
    ks_chance: float
    #: Least share e such that all but e of the latencies agree within a factor of 1 + e.
    distance: float
    #: Kolmogorov-Smirnov distance after the bench is shifted onto the capture.
    shape: float
    #: Whether the profile explains the capture.
    explains: bool
    #: The same in a sentence, with the largest misfit.
    verdict: str
    #: The largest misfit in words.
    contradiction: str
    #: The distances in words.
    agreement: str
    #: The fitted values in words.
    fitting: str
    #: Misfit of the profile.
    evidence: MatchEvidence
    #: Largest total misfit of a profile that explains a capture.
    tolerance: float
    #: Error of each quantile.
    quantile_error: QuantileErrors
    #: Number of values that the capture leaves open.
    free: int
    #: Values of these that explain something.
    fitted: list[Fitted]
    #: Outcome of the captured triggers that were used.
    captured: Fate
    #: Outcome of the same triggers on the bench.
    virtual: Fate
    #: Constants that differ from the profile.
    settings: dict[str, bool | int | float | str]
    #: Total misfit, and the cost of freedom; null outside a ranking.
    score: float | None
    #: Least and largest payload that explain the capture about as well, bytes: posterior odds
    #: against any other are 20 to 1 or more. Of the first candidate of a ranking where the
    #: payload was not known; else null.
    size_interval: list[int] | None


class MatchEvidence(TypedDict):
    """Misfit of a profile: 0 to 1 each."""

    #: Its median is elsewhere.
    place: float
    #: Its latencies have a different spread.
    variation: float
    #: Consecutive latencies are related in another way.
    order: float
    #: Its share of lost messages differs.
    lost: float
    #: It does not complete on the clock that the capture shows.
    clock: float
    #: Its latencies and those of the capture stand on different lattices.
    lattice: float


class MatchedCapture(TypedDict):
    """A capture compared with one link profile."""

    #: File name of the capture.
    source: str
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Kolmogorov-Smirnov distance of the distributions.
    ks: float
    #: Distance that chance exceeds once in 20 times, for sets as large as these.
    ks_chance: float
    #: Least share e such that all but e of the latencies agree within a factor of 1 + e.
    distance: float
    #: Kolmogorov-Smirnov distance after the bench is shifted onto the capture.
    shape: float
    #: Whether the profile explains the capture.
    explains: bool
    #: The same in a sentence, with the largest misfit.
    verdict: str
    #: The largest misfit in words.
    contradiction: str
    #: The distances in words.
    agreement: str
    #: The fitted values in words.
    fitting: str
    #: Misfit of the profile.
    evidence: MatchEvidence
    #: Largest total misfit of a profile that explains a capture.
    tolerance: float
    #: Error of each quantile.
    quantile_error: QuantileErrors
    #: Number of values that the capture leaves open.
    free: int
    #: Values of these that explain something.
    fitted: list[Fitted]
    #: Outcome of the captured triggers that were used.
    captured: Fate
    #: Outcome of the same triggers on the bench.
    virtual: Fate
    #: Constants that differ from the profile.
    settings: dict[str, bool | int | float | str]
    #: Total misfit, and the cost of freedom; null outside a ranking.
    score: float | None
    #: Least and largest payload that explain the capture about as well, bytes: posterior odds
    #: against any other are 20 to 1 or more. Of the first candidate of a ranking where the
    #: payload was not known; else null.
    size_interval: list[int] | None


class MessageCharge(TypedDict):
    """Charge of an end from trigger to completion."""

    #: Mean of a message, nC. The sum of the items.
    message_nc: float
    #: In the order in which messages come to them.
    items: list[SliceCharge]


class Metric(TypedDict):
    """A metric of a setting."""

    #: Name of the metric.
    name: str
    #: Unit; empty for a share.
    unit: str
    #: Value, in the unit; null where too few messages arrive.
    value: float | None
    #: The 95 % confidence interval.
    interval95: list[float | None]


class Naive(TypedDict):
    """Latencies by a pairing that takes the next completion, however late."""

    #: Number of transfers.
    transfers: int
    #: Median, ns.
    p50: float
    #: Maximum, ns.
    max: int


class Network(TypedDict):
    """The load on a network, and its outcome; with several seeds, of all networks together."""

    #: Topology of the network.
    topology: Topology
    #: Number of nodes, each a process.
    nodes: int
    #: Hops of the longest path to node 1.
    hops: int
    #: Positions of the nodes when they were switched on, x and y, m.
    positions_m: list[list[float]]
    #: Distance up to which a frame is received, m; not used where the settings have an
    #: environment.
    reach_m: float
    #: Distance up to which a frame keeps the channel busy, m.
    sensed_m: float
    #: Profile with the boards of the nodes; null: boards without cost.
    boards: str | None
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: Random seed of the first network.
    seed: int
    #: Direction of the messages.
    direction: Direction
    #: When messages are sent.
    traffic: ThreadTraffic
    #: Payload, bytes.
    size: int
    #: Messages of each flow.
    count: int
    #: Time between messages of a flow, ns; 0 if it is not periodic.
    period_ns: int
    #: Poll period of sleepy children, ns; null: none is sleepy.
    poll_period_ns: int | None
    #: Share of frames that each path loses.
    frame_loss: float
    #: Mean length of a loss burst, frames.
    loss_burst: float
    #: By node of the first network: time from switch-on to its role in it (leader, router,
    #: child), ns.
    attach_ns: list[int]
    #: Time until the last node of the first network had its role, ns.
    formed_ns: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: Messages dropped when the sender had no message buffer free.
    refused: int
    #: Messages that were accepted and did not arrive.
    lost: int
    #: User data from the first arrival to the last, kbit/s, mean of the networks; null for
    #: fewer than two arrivals.
    goodput_kbps: float | None
    #: Latency of all flows; null when nothing arrived.
    latency_ns: Latency | None
    #: Frames on the air meanwhile, without acknowledgements.
    frames: int
    #: Frames of these that were retransmissions.
    retries: int
    #: Frames without an acknowledgement.
    no_acks: int
    #: Channel assessments that found the channel busy.
    busy: int
    #: Frames dropped when a radio co-processor had no buffer free.
    co_processor_full: int
    #: One flow for each node at an end.
    flows: list[ThreadFlow]
    #: Outcomes of the steps in the first network.
    steps: list[ThreadOutcome]
    #: By node of the first network: its role at the end (disabled, detached, child, router,
    #: leader).
    roles: list[str]
    #: One for each random seed.
    by_seed: list[ThreadSeed]
    #: How far they differ.
    spread: ThreadSpread
    #: How the first network formed, in words.
    formation_text: str
    #: What was on the air, in words.
    radio_text: str
    #: How far the networks differ, in words.
    spread_text: str


_Overhead = TypedDict("_Overhead", {"p99.9": NotRequired["float"]})


class Overhead(_Overhead):
    """Latency less the time that the bits of a message take on the wire, ns."""

    #: Smallest, ns.
    min: int
    #: 1 % quantile.
    p1: float
    #: 5 % quantile.
    p5: float
    #: 25 % quantile.
    p25: float
    #: Median.
    p50: float
    #: 75 % quantile.
    p75: float
    #: 95 % quantile.
    p95: float
    #: 99 % quantile.
    p99: float
    #: Largest, ns.
    max: int
    #: Mean, ns.
    mean: float


class Overload(TypedDict):
    """Offered and carried message rate of an overloaded link."""

    #: Message rate that is offered, 1/s.
    offered_per_s: float
    #: Message rate that is carried, 1/s.
    carried_per_s: float


_Parameter = TypedDict("_Parameter", {"from": "str"})


class Parameter(_Parameter):
    """One constant of a link."""

    #: Its value, in its unit.
    value: bool | int | float | str
    #: Unit. May be empty.
    unit: str
    #: How certain the value is.
    source: Origin
    #: The document it comes from.
    cite: Citation | None
    #: The capture it is calibrated on.
    capture: str | None
    #: Why it is assumed, or another remark.
    note: str | None
    #: Two values in its unit between which it may lie while the others stay. Null: not known.
    bound: list[bool | int | float | str] | None
    #: What it is.
    about: str
    #: Words that it may be. Empty for a plain number.
    choices: list[str]
    #: Least and greatest number, in its unit. Null where it is no number.
    between: list[float] | None


_Part = TypedDict("_Part", {"class": "SliceClass"})


class Part(_Part):
    """Time spent on one thing."""

    #: On what.
    name: str
    #: How long, ns.
    ns: int


class PartCharge(TypedDict):
    """Charge of one part of an end."""

    #: Name of the part on the bench.
    name: str
    #: Its entry of links/parts.toml.
    part: str
    #: What the part is, and its supply voltage.
    about: str
    #: Each power state that it was in.
    states: list[InState]
    #: How often it left power down or sleep.
    wakes: int
    #: Charge of one wake-up, nC.
    wake_nc: int
    #: Total charge, nC.
    nc: float


class PlaceShares(TypedDict):
    """Quantiles over locations of the share of messages that a location delivers."""

    #: 10 % quantile.
    p10: float
    #: Median.
    p50: float
    #: 90 % quantile.
    p90: float


class Places(TypedDict):
    """Variation between the simulated locations of a run. Each location has equal weight."""

    #: Number of locations.
    count: int
    #: Share of messages delivered at a location.
    shares: PlaceShares
    #: Mean of the shares.
    mean: float
    #: The 95 % confidence interval of the mean.
    mean_interval95: list[float]
    #: Locations that meet the requirement.
    keep: Keep


class Position(TypedDict):
    """Position of the lost messages: 0 is the first of a train, 1 the last."""

    #: Mean position of the lost messages.
    mean: float
    #: Its 95 % interval if losses are independent.
    independent: list[float]
    #: Probability that independent losses are as far from the middle.
    p: float
    #: Which messages are lost, with 95 % confidence.
    which: Which


class Probed(TypedDict):
    """A session of probes: the run of its round trips, and what four stamps tell besides."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Round-trip delay without the residence at the reflector (RFC 2681). Null where nothing
    #: was answered.
    round_trip_ns: Latency | None
    #: One-way delay to the far end (RFC 7679), within the uncertainty of the clock.
    forward_ns: Latency | None
    #: One-way delay back.
    return_ns: Latency | None
    #: Residence at the reflector.
    residence_ns: Latency | None
    #: Questions that never reached the far end (RFC 7680).
    lost_forward: int
    #: Answers that never came back.
    lost_return: int
    #: Lost in an unknown direction: after the last answer, or the reflector does not count.
    lost_unknown: int
    #: Episodes of loss. Null where nothing was lost.
    loss_episodes: Episodes | None
    #: Further answers to one question (RFC 5560).
    duplicates: int
    #: Answers overtaken by the answer to a later question (RFC 4737).
    reordered: int
    #: Answers after the timeout, whose question counts as lost.
    too_late: int
    #: Questions that left more than 50 us after their time.
    late_sends: int
    #: How late questions left.
    send_delay_ns: Latency | None
    #: The far clock.
    clock: FarClock


class Proportion(TypedDict):
    """Some of the messages with a known outcome."""

    #: Number of messages.
    count: int
    #: Their share.
    ratio: float
    #: The 95 % confidence interval of the share (Wilson).
    interval95: list[float]


_Published = TypedDict("_Published", {"from": "str"})


class Published(_Published):
    """A published figure of a link."""

    #: Payload, bytes. Null where the link has no message.
    size: int | None
    #: Median latency, ms.
    median_ms: float
    #: The document it comes from.
    cite: Citation


class PublishedPlatform(TypedDict):
    """A platform and its published results."""

    #: The platform.
    name: RpcPlatform
    #: Its link profile.
    link: str
    #: Published result by benchmark; null: none.
    published: dict[str, float | None]
    #: Unit by benchmark.
    units: dict[str, RpcUnit]
    #: Benchmarks on which constants of its link are calibrated.
    fitted_on: list[str]
    #: Where the article and physics disagree; null: nowhere.
    disagrees: str | None


class QuantileError(TypedDict):
    """One quantile of the capture and of the bench."""

    #: Of the capture, ns.
    captured_ns: float
    #: Of the bench, ns.
    virtual_ns: float
    #: Virtual less captured, ns.
    error_ns: float
    #: The same as a share of the captured quantile.
    error: float


class QuantileErrors(TypedDict):
    """By quantile."""

    #: 1 % quantile.
    p1: QuantileError
    #: 25 % quantile.
    p25: QuantileError
    #: Median.
    p50: QuantileError
    #: 75 % quantile.
    p75: QuantileError
    #: 99 % quantile.
    p99: QuantileError


class QuantileOfAll(TypedDict):
    """A quantile of all messages; a lost one takes longer than any other."""

    #: Its value, ns; null where it is a lost message.
    ns: float | None
    #: The 95 % confidence interval, ns.
    interval95: IntervalNs


class Radio(TypedDict):
    """Verdict on one radio."""

    #: Name of the radio on the air.
    name: str
    #: Time on air, as a share of all time.
    airtime: float
    #: One for each band, the worst first.
    verdicts: list[Verdict]


class RealLoad(TypedDict):
    """One load on real sockets, in real time."""

    #: The clock that it ran by.
    clock: RealClock
    #: Which tunnel.
    profile: Tunnel
    #: Rate of the radio, kbit/s.
    rate_kbps: float | None
    #: Share of frames lost on the air.
    frame_loss: float | None
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: Random seed.
    seed: int
    #: Bytes of an IP packet of the bulk flow: the longest that the tunnel takes.
    packet: int
    #: Duration of the load, ns.
    window_ns: int
    #: User data of the bulk flow that was offered, kbit/s; null for TCP.
    offered_kbps: float | None
    #: User data of the bulk flow that arrived in that time, kbit/s.
    goodput_kbps: float
    #: Packets of the bulk flow that were offered; null for TCP.
    offered: int | None
    #: Packets of these that never arrived: refused by a queue, dropped by one, or lost. Null
    #: for TCP.
    lost: int | None
    #: Packets of the sparse flow, 64 bytes every 100 ms.
    sparse_offered: int
    #: Packets of these that never arrived.
    sparse_lost: int
    #: Latency of the sparse flow; null if nothing arrived.
    sparse_latency_ns: Latency | None
    #: Latency as the published measurement defines it: time from the end of the load to the
    #: last arrival of the bulk flow, ns; null if nothing arrived.
    completion_excess_ns: int | None
    #: Protocol of the bulk flow.
    protocol: Protocol
    #: Streams of iperf3 at once in each direction.
    parallel: int
    #: Whether the bulk flow went in both directions at once.
    both_ways: bool
    #: Each direction of the bulk flow.
    streams: list[Streams]
    #: Wall time of iperf3, its own connection included, ns.
    took_ns: int
    #: Emulator scheduling delay; null where it was stopped early.
    late_ns: Late | None


class RealRun(TypedDict):
    """A run of a real bench, compared with the virtual one."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Name of the run, and of its file.
    name: str
    #: Number of the repetition, from 1.
    repetition: int
    #: The link profile compared with it. Null where they cannot be compared.
    match: MatchCandidate | None
    #: Charge and current on the virtual bench. Null where none was measured.
    virtual_charge: Charge | None


class Recommendation(TypedDict):
    """Requirements, and every candidate for them."""

    #: The requirements.
    task: Task
    #: The nearest configuration of each link, the best first.
    candidates: list[Recommended]
    #: Number of profiles to judge.
    contenders: int
    #: Whether every link was decided as far as it can be, rather than left at the end of the
    #: budget.
    complete: bool
    #: Work of the search, in seconds of one core.
    work_s: float


class Recommended(TypedDict):
    """A profile with some settings, and how it does."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Settings as `--set` takes them: those required of all links, then those of its own.
    settings: dict[str, str]
    #: Whether the profile is one of good practice, rather than of a published measurement.
    good_practice: bool
    #: Whether any of the settings tunes the link.
    tuned: bool
    #: Names of the settings that tune the link.
    tuned_settings: list[str]
    #: Costs of these settings besides latency.
    gives_up: list[str]
    #: The verdict.
    verdict: RecommendVerdict
    #: Its reason in words.
    reason: str
    #: Each requirement.
    criteria: list[Criterion]
    #: Lower bound of the latency, ns; null: not known.
    floor_ns: int | None
    #: Results on the bench; null where it was not run.
    seen: RecommendedRun | None
    #: Verdict of the region; null without one.
    law: Law | None
    #: Command line that runs it again.
    command: list[str]


class RecommendedRun(TypedDict):
    """Results of a candidate on the bench."""

    #: Messages sent.
    triggers: int
    #: Messages of these with a known outcome.
    n: int
    #: Messages that met the deadline.
    in_time: Proportion
    #: Messages that were lost.
    lost: Proportion
    #: Median latency.
    p50_ns: QuantileOfAll
    #: The required percentile of the latency.
    quantile_ns: QuantileOfAll
    #: Longest latency of a few messages sent one at a time, ns.
    service_ns: int | None
    #: Largest slice of the message at the percentile.
    largest: Part | None
    #: Margin of the signal over the level with a frame loss of 1 %, at the location that the
    #: required share of locations is no worse than, dB.
    fade_margin_db: float | None
    #: Time between the messages, ns.
    period_ns: int
    #: Charge of the messages; null without current data, and without a limit on it.
    charge: Charge | None


class Reflected(TypedDict):
    """What a reflector did until it was ended."""

    #: Where it listened.
    target: str
    #: Questions answered.
    answered: int
    #: Packets that are no question.
    ignored: int
    #: Questions, or connections, beyond a limit.
    limited: int


class Remedy(TypedDict):
    """The same trains sent in another way, and the cost in goodput."""

    #: Least time from one message to the next, ns; null: none.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Share of the messages that arrived.
    delivery: float
    #: 95 % confidence interval, from the spread over trains; null for a single train.
    delivery_interval: list[float] | None
    #: User data that arrived, kbit/s of the time until the last arrival of a train.
    goodput_kbps: float
    #: Frames of a message, any of which loses it; null where the link does not fragment.
    fragments: int | None
    #: By position: trains in which the message was lost.
    lost_at: list[int]
    #: Position of the losses; null if nothing was lost, or everything.
    position: Position | None
    #: Each train.
    trials: list[Trial]
    #: Goodput as a share of that of the explained trains.
    goodput_share: float


class Reported(TypedDict):
    """A report of a run."""

    #: The run.
    source: str
    #: The file that was written.
    report: str


class Requirement(TypedDict):
    """A requirement of a tunnel on this computer."""

    #: Name of the check.
    name: str
    #: Whether a tunnel requires it.
    needed: bool
    #: Whether it is present and works.
    ok: bool
    #: What was found, and where.
    found: str
    #: How to fix it; null: nothing to fix.
    mend: str | None


class RpcBenchmark(TypedDict):
    """A benchmark on one platform."""

    #: The platform.
    platform: RpcPlatform
    #: Name of the benchmark.
    benchmark: str
    #: Published result for this platform and its link; null: none.
    published: float | None
    #: Measured result; null if a call failed.
    measured: float | None
    #: Unit of both.
    unit: RpcUnit
    #: Whether constants of the link are calibrated on this benchmark.
    fitted: bool
    #: Calls, without those to warm up.
    calls: int
    #: Calls of these that were answered.
    answered: int
    #: Latency of a call; null: measured only all together.
    latency_ns: Latency | None
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: The improvement, with `--gains`.
    gain: NotRequired[str]


class RpcTest(TypedDict):
    """A functional test."""

    #: Name of the test.
    test: str
    #: Whether it passed.
    passed: bool
    #: Time from the call to its answer on the clock of the transport, ns; null: no answer.
    latency_ns: int | None
    #: What is wrong; null: nothing.
    problem: str | None


class Ruling(TypedDict):
    """A rule with each of its limits."""

    #: Name of the rule.
    rule: str
    #: The worst of its checks.
    standing: Standing
    #: One for each limit.
    checks: list[Check]


class Run(TypedDict):
    """One run: a capture, a saved run, or a run on the virtual bench."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]


class SensitiveConstant(TypedDict):
    """The effect of a constant."""

    #: Name of the parameter.
    name: str
    #: Value, in its unit.
    value: bool | int | float | str
    #: Unit; may be empty.
    unit: str
    #: Kind of its source.
    source: SensitiveSource
    #: Bounds between which it may lie, in its unit; null: not known.
    bound: list[bool | int | float | str] | None
    #: Largest change of the median or the 99 % quantile, as a share; null: nothing arrives.
    effect: float | None
    #: Effect over its uncertainty: within its bounds, or by half and double.
    worth: float | None
    #: Whether it is worth more than 0.1, and more than another seed changes.
    open: bool
    #: At half its value; null where its range leaves only its own value.
    halved: Changed | None
    #: At twice its value; null where its range leaves only its own value.
    doubled: Changed | None
    #: At its bounds; null where it has none.
    within: Within | None


class Sensitivity(TypedDict):
    """Sensitivity of a link: each assumed or calibrated constant halved and doubled."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Random seed, the same for each run.
    seed: int
    #: Triggers of each run.
    count: int
    #: Median, ns; null when nothing arrived.
    p50_ns: float | None
    #: 99 % quantile, ns; null when nothing arrived.
    p99_ns: float | None
    #: Share of the messages that arrived.
    delivery: float | None
    #: Largest change of the median that four other seeds make, as a share; null: nothing
    #: arrives.
    chance_p50: float | None
    #: The same of the 99 % quantile.
    chance_p99: float | None
    #: Constants, the largest effect first.
    constants: list[SensitiveConstant]
    #: Assumed and calibrated constants without half and double.
    left_out: list[LeftOutConstant]


class Settable(TypedDict):
    """A parameter that can be set."""

    #: Unit. May be empty.
    unit: str
    #: What it is.
    about: str
    #: Words that it may be. Empty for a plain number.
    choices: list[str]
    #: Least and greatest number, in its unit. Null where it is no number.
    between: list[float] | None


class SetupPlan(TypedDict):
    """The runs of a real bench."""

    #: What records.
    recording: SetupRecording
    #: Serial console of the board that triggers, such as `/dev/ttyUSB0?baud=115200`; null:
    #: none.
    console: str | None
    #: Begin of the answer to each line that is sent to the console; null: none is awaited.
    expected: str | None
    #: Longest time until an answer, and of a command, ns.
    timeout_ns: int
    #: Triggers of a run.
    count: int
    #: Time between triggers, ns.
    period_ns: int
    #: Random seed of the order.
    seed: int
    #: Time between two runs, ns.
    pause_ns: int
    #: Time that is recorded before the first trigger, ns.
    lead_ns: int
    #: Duration of a record, ns.
    lasting_ns: int
    #: The runs, in random order.
    works: list[SetupWork]


class SetupRecording(TypedDict):
    """Options of a record. Absent: not set."""

    #: Instrument, as an address.
    instrument: NotRequired[str]
    #: Channels, as the instrument names them.
    channels: NotRequired[list[str]]
    #: Sample rate, Hz.
    rate_hz: NotRequired[int]
    #: Duration, ns.
    lasting: NotRequired[int]
    #: Logic threshold, V.
    threshold_v: NotRequired[float]
    #: Trigger channel, by name or by position counted from 0.
    trigger: NotRequired[str]
    #: Completion channel.
    completion: NotRequired[str]
    #: Channels that are active low.
    invert: NotRequired[list[str]]
    #: Least time that the trigger wire is low before a trigger, ns.
    min_low_ns: NotRequired[int]
    #: Longest time from a trigger to its completion despite further triggers in between, ns.
    overlap_ns: NotRequired[int]
    #: Link profile.
    link: NotRequired[str]
    #: Payload, bytes.
    size: NotRequired[int]


class SetupWork(TypedDict):
    """One run of a real bench."""

    #: Name of the run, and of its file.
    name: str
    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Number of the repetition, from 1.
    repetition: int
    #: Command that prepares the board; empty: none.
    prepare: list[str]
    #: Lines that prepare the board.
    setup: list[str]
    #: Line that triggers; null: the command does.
    go: str | None
    #: Command that triggers; empty: the line does.
    command: list[str]


_SliceCharge = TypedDict("_SliceCharge", {"class": "SliceClass"})


class SliceCharge(_SliceCharge):
    """Charge of an end during one slice."""

    #: On what time was spent.
    name: str
    #: Mean of a message, nC.
    mean_nc: float


class SlicesCharge(TypedDict):
    """Charge of both ends from trigger to completion."""

    #: The end that sends.
    sender: NotRequired[MessageCharge]
    #: The end that receives.
    receiver: NotRequired[MessageCharge]


class Source(TypedDict):
    """A document that constants come from."""

    #: Key in links/sources.toml.
    key: str
    #: Kind of document.
    group: Group
    #: Title.
    title: str
    #: Author.
    author: str | None
    #: Year.
    year: int | None
    #: Version.
    version: str | None
    #: Address.
    url: str
    #: What was taken from it.
    taken: str
    #: How it was checked.
    checked: str | None


class Stimulus(TypedDict):
    """The triggers of a virtual run."""

    #: Time between triggers, ns.
    period_ns: int
    #: Phase of the triggers.
    phase: Phase
    #: Longest latency of a few messages sent one at a time, ns. Null where none arrived.
    service_ns: int | None
    #: Time from a transmission of the link to the trigger, ns. Only with aligned phase.
    offset_ns: NotRequired[int]


class Streams(TypedDict):
    """The report of iperf3 on one direction."""

    #: Direction; there: from the first end to the second.
    way: Way
    #: User data that entered the buffers of the sender, kbit/s.
    sent_kbps: float
    #: User data at the receiver, kbit/s.
    received_kbps: float
    #: User data sent, bytes.
    sent_bytes: int
    #: User data received, bytes.
    received_bytes: int
    #: Retransmitted segments; null for UDP.
    retransmits: int | None
    #: Datagrams sent; null for TCP.
    datagrams: int | None
    #: Datagrams of these that the receiver missed; null for TCP.
    datagrams_lost: int | None


class Swept(TypedDict):
    """A dataset, and its contents."""

    #: Name of the sweep.
    name: str
    #: Folder of the dataset.
    folder: str
    #: Link profiles.
    links: list[str]
    #: Number of configurations.
    configurations: int
    #: Replications of each; the largest number where an interval decides when to stop.
    replications: int
    #: Rows of the dataset.
    runs: int
    #: Rows of these that were already complete.
    before: int
    #: Rows of combinations that cannot be run.
    problems: int
    #: Whether all runs are complete.
    complete: bool
    #: The first 1000 configurations.
    table: list[Configuration]


class Task(TypedDict):
    """Requirements on a link."""

    #: Payload, bytes; null where no link has a message.
    size: int | None
    #: Deadline, ns.
    deadline_ns: int
    #: Percent of all messages that must meet the deadline, 50 to 99.99.
    percentile: float
    #: Largest share of all messages that may be lost, 0.0001 to 0.5.
    max_loss: float
    #: Distance between the radios, with its unit; null: beside each other.
    range: str | None
    #: Environment between the radios; null without a range.
    environment: str | None
    #: Share of simulated locations that must meet the deadline, with a range.
    places_share: float
    #: Other networks on the air; empty: none.
    neighbours: list[str]
    #: Processor on both boards, for their current; null: as measured.
    processor: str | None
    #: Settings of all links that have them, as `--set` takes them.
    settings: dict[str, str]
    #: Time between messages, ns; null: as the link needs.
    period_ns: int | None
    #: Random seed.
    seed: int
    #: Profiles to choose from; empty: all.
    links: list[str]
    #: Whether links with a wire count too.
    wired: bool
    #: Whether to tune settings with a cost besides latency.
    trade: bool
    #: Region with whose rules the link must comply; null: none.
    region: Region | None
    #: Largest charge per message at the sender, nC; null: any.
    max_charge_nc: float | None
    #: Battery of the sender; null: none, or CR2032 where a battery life is required.
    battery: str | None
    #: Required battery life, years; null: any.
    battery_years: float | None
    #: Message rate for the battery life, 1/s; null: that of the period, or one a minute without
    #: one.
    per_second: float | None
    #: Work for the search, in seconds of one core, 0.1 to 1,000,000. It is counted in simulated
    #: events, so that the same budget and seed give the same answer on every machine.
    budget_s: float


class Term(TypedDict):
    """One contribution to the least time."""

    #: What takes the time.
    name: str
    #: How often.
    count: int
    #: Time of each, ns.
    each_ns: int
    #: Document, formula or constant that it follows from.
    source: str


class ThreadFlow(TypedDict):
    """Messages from one node to another."""

    #: Sender; node 1 is the leader.
    from_node: int
    #: Receiver.
    to_node: int
    #: Number of hops between them.
    hops: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: Messages dropped when the sender had no message buffer free.
    refused: int
    #: Messages that were accepted and did not arrive.
    lost: int
    #: Messages that arrived more than once.
    duplicates: int
    #: Latency from the first attempt of the program to the other program; null when nothing
    #: arrived.
    latency_ns: Latency | None


class ThreadFormed(TypedDict):
    """A network that has formed."""

    #: Topology of the network.
    topology: Topology
    #: Positions of the nodes, x and y, m.
    positions_m: list[list[float]]
    #: By node: time from switch-on to its role in the network, ns.
    attach_ns: list[int]
    #: Time until the last node had its role, ns.
    formed_ns: int


class ThreadOutcome(TypedDict):
    """A step and its outcome."""

    #: When it began, from when the network had formed and sending began, ns.
    begin_ns: int
    #: When it was complete, ns.
    end_ns: int
    #: What happened.
    do: ThreadAction
    #: Number of the node that was added; null for other steps.
    node: int | None
    #: Lines of the response to a command; null for other steps.
    lines: list[str] | None
    #: Round-trip time of each echo request, ns, null for one without an answer; null for other
    #: steps.
    rtt_ns: list[int | None] | None
    #: The step and its outcome in words.
    text: str


class ThreadRange(TypedDict):
    """How far networks differ that have different random seeds."""

    #: Least.
    min: float
    #: Median.
    median: float
    #: Largest.
    max: float


class ThreadSeed(TypedDict):
    """One of several networks that differ in their random seed."""

    #: Random seed.
    seed: int
    #: Time until the last node had its role, ns.
    formed_ns: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: User data from the first arrival to the last, kbit/s; null for fewer than two.
    goodput_kbps: float | None
    #: Latency of all flows; null when nothing arrived.
    latency_ns: Latency | None


class ThreadSpread(TypedDict):
    """Spread of results over random seeds; null where a network has none."""

    #: Time until the last node had its role, ns.
    formed_ns: ThreadRange | None
    #: Share of messages that arrived.
    delivered_share: ThreadRange | None
    #: User data, kbit/s.
    goodput_kbps: ThreadRange | None
    #: Median latency, ns.
    p50_ns: ThreadRange | None
    #: 99 % quantile of latency, ns.
    p99_ns: ThreadRange | None


class ThreadState(TypedDict):
    """State of a network that runs."""

    #: Time since it had formed, ns.
    now_ns: int
    #: By node: its role (disabled, detached, child, router, leader).
    roles: list[str]
    #: By node: false once it was killed.
    alive: list[bool]


class ThreadStep(TypedDict):
    """Something that happens to a network at a time."""

    #: Time from when the network has formed and sending begins, ns. A step begins later where
    #: the one before it takes longer.
    at_ns: int
    #: What happens.
    do: ThreadAction


class Timeline(TypedDict):
    """One transfer. Its parts add up to its latency."""

    #: Position among the completed transfers, from 0.
    index: int
    #: From trigger to completion, ns.
    latency_ns: int
    #: Time that belongs to the bench, ns.
    fixture_ns: int
    #: In time order.
    parts: list[Part]


class Trial(TypedDict):
    """One train."""

    #: Random seed.
    seed: int
    #: Messages that arrived.
    delivered: int
    #: Messages that the sending program was told are lost.
    refused: int
    #: Transmissions of messages, repeats included.
    handed: int
    #: Time from the beginning of the first message to the last arrival, ns.
    elapsed_ns: int


class Tried(TypedDict):
    """A setting that was tried during the search."""

    #: All that is set, as `--set` takes it.
    settings: dict[str, str]
    #: Value of each objective and limit, in its unit.
    values: dict[str, float | None]
    #: Whether it met the limits then.
    kept: bool
    #: Why it cannot be run; null where it can.
    refused: str | None


class TriedSetting(TypedDict):
    """A parameter over the values that a user could have chosen."""

    #: The parameter.
    name: str
    #: The value that explains the capture best.
    value: bool | int | float | str
    #: Unit; may be empty.
    unit: str
    #: Value of the profile.
    own: bool | int | float | str
    #: Distance of the bench from the capture with the best value.
    distance: float
    #: The same with the value of the profile.
    own_distance: float
    #: The same with the next best value.
    next_distance: float
    #: The same in words.
    text: str


class Tuned(TypedDict):
    """The outcome of tuning a link."""

    #: Link profile.
    link: str
    #: Payload, bytes; null where there is no message.
    size: int | None
    #: Random seed.
    seed: int
    #: Metrics to minimise.
    minimise: list[str]
    #: Metrics to maximise.
    maximise: list[str]
    #: Constraints.
    limits: list[Limit]
    #: Region with whose rules it complies; null: none.
    region: Region | None
    #: Messages of each run.
    count: int
    #: Runs of the search.
    runs: int
    #: Seeds on which the selected settings are re-measured.
    fresh_seeds: int
    #: Number of settings in the space; null: infinite.
    combinations: int | None
    #: The link as it is.
    untuned: TunedSetting
    #: The best setting, or the Pareto front; empty: no setting meets the limits.
    found: list[TunedSetting]
    #: Selected settings that do not hold at 95 % confidence on fresh seeds.
    turned_down: list[TunedSetting]
    #: Settings in the order tried.
    tried: list[Tried]


class TunedSetting(TypedDict):
    """A setting measured on fresh seeds."""

    #: All that is set, as `--set` takes it.
    settings: dict[str, str]
    #: Differences from the profile.
    turned: list[Turned]
    #: Metrics; empty where it cannot be run.
    metrics: list[Metric]
    #: Why it is not returned; null: it meets every limit at 95 % confidence.
    refused: str | None


class TunnelDrops(TypedDict):
    """Packets that one end of a tunnel dropped, by reason."""

    #: Queued for too long.
    late: int
    #: No room in the queues.
    full: int
    #: Sent and unconfirmed when the other end restarted: they may have arrived.
    restart: int


class TunnelEnd(TypedDict):
    """One end of a tunnel, from start to end."""

    #: Name of the network interface.
    interface: str
    #: Duration, ns.
    elapsed_ns: int
    #: Whether there was a session with the other end when it ended.
    up: bool
    #: Traffic that the other end confirmed.
    sent: TunnelTraffic
    #: Traffic from the other end.
    received: TunnelTraffic
    #: Bytes that were still queued.
    waiting_bytes: int
    #: Longest packet that this end takes, bytes.
    mtu: int
    #: Longest packet that the other end takes, bytes; null: it has not been heard.
    peer_mtu: int | None
    #: Sessions: the first, and one for each renewal and each restart of an end.
    sessions: int
    #: Packets from programs of this computer: sent, dropped or still unconfirmed.
    offered: int
    #: Packets that were dropped, by reason.
    dropped: TunnelDrops
    #: Frames sent.
    frames: int
    #: Frames of these that were retransmissions.
    repeated: int
    #: Bursts of frames.
    bursts: int
    #: Bursts without an answer.
    unanswered: int
    #: Their share over the last second, at the end over the whole run: loss of both directions
    #: together. Null without bursts.
    burst_loss: float | None
    #: Packets that failed authentication.
    broken: int
    #: Received frames that were not authentic.
    garbage: int


class TunnelTraffic(TypedDict):
    """Traffic of one direction."""

    #: Number of packets.
    packets: int
    #: Number of bytes.
    bytes: int
    #: Mean rate over the whole time, kbit/s.
    kbps: float


class Turned(TypedDict):
    """A parameter that differs from the profile."""

    #: The parameter.
    name: str
    #: Value of the profile; null where it has none.
    profile: str | None
    #: Value as `--set` takes it.
    value: str
    #: Cost that no metric shows; empty: none.
    gives_up: str


class UnexplainedCapture(TypedDict):
    """A capture that no profile explains."""

    #: File name of the capture.
    source: str
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Payload, bytes, where known.
    size: int | None
    #: Constants that were set, for a saved virtual run. Absent for captures.
    settings: NotRequired[dict[str, str]]
    #: No profile.
    link: None
    #: No profile.
    ks: None
    #: No profile.
    quantile_error: None
    #: No profile.
    fitted: None
    #: No profile.
    evidence: None
    #: Candidates that were examined, the nearest first.
    ranking: list[MatchCandidate]
    #: Number of profiles and sizes that cannot produce this latency.
    impossible: int
    #: Number of those that can, but have a different spread, whatever is fitted.
    unlike: int
    #: Confidence in the first candidate; null where no profile explains the capture.
    certainty: Certainty | None
    #: Probability that the first candidate is of the right kind.
    odds: float | None
    #: The nearest profile of another kind than the first.
    next: str | None
    #: Settings of the nearest profile that make a difference.
    tried: list[TriedSetting]
    #: Why no profile explains the capture; null when one does.
    reason: str | None


class Verdict(TypedDict):
    """Verdict on what one radio sent in one band."""

    #: Edges of the band, kHz. Outside any band, the frequencies used.
    band_khz: list[int]
    #: Time on air in the band, as a share of all time.
    airtime: float
    #: The most permissive rule.
    kindest: Ruling
    #: The other rules that may apply.
    others: list[Ruling]


class VirtualLoad(TypedDict):
    """One load in virtual time."""

    #: The clock that it ran by.
    clock: Virtual
    #: Which tunnel.
    profile: Tunnel
    #: Rate of the radio, kbit/s.
    rate_kbps: float | None
    #: Share of frames lost on the air.
    frame_loss: float | None
    #: Constants that differ from the profile, as given.
    settings: dict[str, str]
    #: Random seed.
    seed: int
    #: Bytes of an IP packet of the bulk flow: the longest that the tunnel takes.
    packet: int
    #: Duration of the load, ns.
    window_ns: int
    #: User data of the bulk flow that was offered, kbit/s; null for TCP.
    offered_kbps: float | None
    #: User data of the bulk flow that arrived in that time, kbit/s.
    goodput_kbps: float
    #: Packets of the bulk flow that were offered; null for TCP.
    offered: int | None
    #: Packets of these that never arrived: refused by a queue, dropped by one, or lost. Null
    #: for TCP.
    lost: int | None
    #: Packets of the sparse flow, 64 bytes every 100 ms.
    sparse_offered: int
    #: Packets of these that never arrived.
    sparse_lost: int
    #: Latency of the sparse flow; null if nothing arrived.
    sparse_latency_ns: Latency | None
    #: Latency as the published measurement defines it: time from the end of the load to the
    #: last arrival of the bulk flow, ns; null if nothing arrived.
    completion_excess_ns: int | None
    #: Saturated goodput of the tunnel, kbit/s.
    limit_kbps: float
    #: Upper bound by the formulas of the link, kbit/s.
    ceiling_kbps: float | None
    #: Latency of the bulk flow; null if nothing arrived.
    bulk_latency_ns: Latency | None


class VirtualRun(TypedDict):
    """One run on the virtual bench."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile, where known.
    link: str | None
    #: Payload, bytes, where known. Null where the link has no message.
    size: int | None
    #: Random seed, where known.
    seed: int | None
    #: Names of the trigger and completion channels. Null where there are no edges.
    channels: list[str] | None
    #: Triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Windows that closed without a completion.
    lost: int
    #: Windows cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rises of the trigger wire after too short a low.
    glitches: int
    #: Null where no outcome is known.
    delivery: Delivery | None
    #: Null where nothing completed.
    latency_ns: Latency | None
    #: In the order in which reports list them.
    findings: list[Finding]
    #: Absent where the radios are next to each other.
    apart: NotRequired[Apart]
    #: What was sent at a trigger. Absent: a message one way.
    traffic: NotRequired[Traffic]
    #: Direction, with traffic both ways.
    way: NotRequired[Way]
    #: Absent for captures, and where other programs chose when to send.
    stimulus: NotRequired[Stimulus]
    #: Constants that differ from the profile, each in the unit of its parameter. Absent for
    #: captures.
    settings: NotRequired[dict[str, str]]
    #: With a deadline. Null where no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench where no end has current data. Absent where
    #: no current was measured.
    charge: NotRequired[Charge | None]
    #: Causes of losses and delays.
    causes: Causes
    #: Counts of named events.
    incidents: dict[str, int]
    #: Time that the bits of a message take on the wire, ns. Null for a radio.
    wire_ns: int | None
    #: Null for a radio, and where nothing arrived.
    overhead_ns: Overhead | None
    #: Verdict of the region that was asked for. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life, with a message rate or a battery.
    fed: NotRequired[Fed]


class Wire(TypedDict):
    """One channel."""

    #: Position, which --trigger and --completion take besides the name.
    position: int
    #: Name of the channel.
    name: str
    #: Level when first observed: true for high. Null where it was never observed.
    initial: bool | None
    #: Number of edges.
    edges: int
    #: Number of rises.
    rises: int
    #: Rises per second of observation.
    rate_hz: float | None
    #: Share of time high.
    high: float | None
    #: Shortest complete high pulse, ns.
    shortest_high_ns: int | None
    #: Shortest complete low pulse, ns.
    shortest_low_ns: int | None


class Within(TypedDict):
    """The effect of a constant within its bounds."""

    #: Largest change of the median or the 99 % quantile, as a share; null: nothing arrives.
    effect: float | None
    #: At the lower bound; null where it is there already.
    lowest: Changed | None
    #: At the upper bound; null where it is there already.
    highest: Changed | None


#: One entry of a campaign.
Campaign = CampaignRun | CampaignPoint

#: One entry of `airlag explain`.
Explained = ExplainedRun | ExplainedBurst

#: A capture with the outcome of matching it.
Matched = MatchedCapture | ExplainedCapture | UnexplainedCapture

#: One entry of `airlag run`.
Ran = VirtualRun | Burst | RealRun

#: One load on one tunnel.
TunnelLoad = VirtualLoad | RealLoad
