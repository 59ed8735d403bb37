"""Answers of the core, as ``--json`` prints them.

Generated from the types of ``crates/study`` by ``docs/generate.py``: edit those.
"""

# Evaluated annotations, sorted by dependency: a typed dictionary compiles each annotation that is a
# string, which every command would wait for.
from typing import Literal, NotRequired, TypedDict

#: Latency quantile that the advice should reduce.
Aim = Literal["median", "tail"]

#: Arrival process of messages.
Arrivals = Literal["periodic", "poisson", "burst"]

#: End of the link that a board serves.
BoardRole = Literal["sender", "receiver"]

#: State of a board.
BoardState = Literal["stopped", "running", "failed", "starting"]

#: Direction of the limit.
Bound = Literal["at most", "at least", "never"]

#: Name of a call.
Call = Literal["rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"]

#: Type of network.
CapacityNetwork = Literal["lorawan", "ble", "ieee802154"]

#: Traffic of a saturated link or of an offered load.
Carried = Literal["trigger", "rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"]

#: Where most messages of a train were lost.
Cause = Literal["none", "refused", "on-the-way"]

#: Confidence that the best match names the right kind of link. Each class states how many
#: matches of the class were right. They were counted on captures of radios and firmwares that
#: were not used for calibration (table in `docs/matching.md`).
Certainty = Literal["clear", "likely", "ambiguous"]

#: Relation of the far clock to the near clock.
ClockKind = Literal["estimated", "shared", "ptp", "chrony"]

#: Name of a requirement.
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
    "sniffer-loss",
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

#: Formula of a predicted share.
Formula = Literal["pure-aloha", "csma"]

#: Kind of document.
Group = Literal["standard", "datasheet", "software", "article"]

#: The 95 % confidence interval of a quantile: low, high, ns. An unbounded side is null.
IntervalNs = list[int | None]

#: Reason why a constant is left out.
LeftOutReason = Literal["zero", "a flag", "a choice", "a phase"]

#: Direction of a limit.
LimitBound = Literal["at most", "at least"]

#: Quantity of the vertical axis.
Measure = Literal["latency", "gap", "completion", "goodput", "delivery"]

#: Transmission medium.
Medium = Literal["air", "wire"]

#: Kind of source of a value.
Origin = Literal["standard", "datasheet", "source", "calibrated", "assumed"]

#: Phase of the triggers relative to the clocks of the boards.
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

#: Traffic of a campaign run.
Program = Literal["trigger", "echo", "back-to-back", "goodput", "load"]

#: Protocol of the bulk flow.
Protocol = Literal["udp", "tcp"]

#: Real time.
RealClock = Literal["real"]

#: Rule for overlapping frames at a receiver.
Reception = Literal["levels", "collisions"]

#: Verdict on a candidate or a requirement, best first.
RecommendVerdict = Literal["passes", "close", "undecided", "fails"]

#: A region with known rules.
Region = Literal["eu", "us"]

#: Central of the connection: one of three with published results, a chip, or a computer with an
#: adapter.
RpcPlatform = Literal["macos", "iphone16", "pixel5", "nrf52", "linux"]

#: Unit of a benchmark. A KiB is 1024 bytes. The article writes KB.
RpcUnit = Literal["KiB/s", "ms/call", "ms/item"]

#: Kind of source of a constant whose effect is measured.
SensitiveSource = Literal["calibrated", "assumed"]

#: Kind of activity: fixture (the measurement setup), medium, answer (of the other end), radio
#: (change of state), bus, work (of a processor), wait (for a clock), or other (unknown).
SliceClass = Literal["fixture", "medium", "answer", "radio", "bus", "work", "wait", "other"]

#: Radio of a stream.
SniffedRadio = Literal["bluetooth-le", "ieee802154", "ieee80211"]

#: Choice of the LoRaWAN devices' spreading factors.
SpreadingFactors = Literal["even", "adaptive", "sf7", "sf8", "sf9", "sf10", "sf11", "sf12"]

#: Outcome of a check: within the limit, at the limit (within it by a small margin only), or not
#: allowed.
Standing = Literal["within", "at the limit", "not allowed"]

#: An action on a running network. Nodes are counted from 1.
ThreadAction = dict[str, object] | Literal["heal"]

#: Message timing.
ThreadTraffic = Literal["periodic", "back-to-back", "saturated", "none"]

#: Topology of a network.
Topology = Literal["one-hop", "chain", "star", "tree", "placed"]

#: Traffic that each trigger starts.
Traffic = Literal[
    "trigger", "echo", "both", "rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"
]

#: Program that sends the trains.
TrainTraffic = Literal["back-to-back"]

#: Tunnel profile by its name on the command line.
Tunnel = Literal["tunnel", "naive"]

#: Virtual time.
Virtual = Literal["virtual"]

#: Direction of a run with traffic in both directions.
Way = Literal["there", "back"]

#: Condition in which two runs differ.
What = Literal["link", "size", "traffic", "way", "phase", "period_ns", "setting", "version"]

#: Part of a train that loses messages.
Which = Literal["earlier", "later", "any"]


class AdviceStep(TypedDict):
    """One change to make, or a remark on the changes."""

    #: Kind of the step.
    kind: Literal["free", "trade", "note", "method"]
    #: Relation to the other steps, such as "best change", "alternative" or "aligned". Empty for
    #: a note.
    lead: str
    #: Command-line options of the change. Empty for a note.
    settings: str
    #: Measured effect of the change, or the text of the note.
    text: str


class Alignment(TypedDict):
    """A trigger that follows a transmission of its link after a fixed offset."""

    #: Time from the start of a transmission to the trigger, ns.
    offset_ns: int
    #: Median latency with triggers at random times, then with aligned triggers, ns.
    p50_ns: list[float]
    #: 99 % quantile of the latency with triggers at random times, then with aligned triggers,
    #: ns.
    p99_ns: list[float]


class BoardItem(TypedDict):
    """Setting or counter of a board."""

    #: Name of the setting or counter.
    name: str
    #: Value, in the unit.
    value: int
    #: Unit of `value`, `lowest` and `highest`. Empty for a plain number.
    unit: str
    #: Lowest permitted value.
    lowest: int
    #: Highest permitted value.
    highest: int


class Trial(TypedDict):
    """One train."""

    #: Random seed.
    seed: int
    #: Messages that arrived.
    delivered: int
    #: Lost messages that were reported to the sending program.
    refused: int
    #: Messages passed to the link, including messages sent again.
    handed: int
    #: Time from the start of the first message to the last arrival, ns.
    elapsed_ns: int


class CampaignColumn(TypedDict):
    """A column of the table, with one row per point of each line."""

    #: Heading with the unit. Empty for the column of line names.
    head: str
    #: Key in an exported file, with the unit of the values.
    key: str
    #: Values. Null means unknown.
    values: list[int | float | float | str | None]
    #: The values as text.
    texts: list[str]


class CampaignPublished(TypedDict):
    """A published result with which the campaign is compared."""

    #: Source document, by its key in `links/sources.toml`.
    cite: str
    #: Location in the document.
    at: str
    #: The published result, in words.
    says: str


class CampaignCapture(TypedDict):
    """A capture file of a link."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: File name, relative to the folder of captures.
    file: str


class CampaignPlace(TypedDict):
    """A point on a line."""

    #: Index of the point in the list of measured points.
    point: int
    #: Position on the horizontal axis, in the unit of the axis.
    x: float | str
    #: Position in words.
    position: str


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


_Overhead = TypedDict("_Overhead", {"p99.9": NotRequired[float]})


class Overhead(_Overhead):
    """Latency minus the wire time of the message bits, ns."""

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


class CapacityGroup(TypedDict):
    """Results for a group of devices with equal frames."""

    #: Name: a spreading factor such as "SF7", or "all".
    name: str
    #: Number of devices.
    devices: int
    #: Number of devices from which no receiver would receive 99 % of the frames, even without
    #: interference.
    out_of_range: int
    #: Airtime of a frame, ns.
    airtime_ns: int
    #: Share of the time during which a device sends, on all channels, without retries.
    duty_cycle: float
    #: Load G: mean number of frames on the air per channel, without retries.
    load: float
    #: Messages sent.
    sent: int
    #: Messages that at least one receiver received.
    delivered: int
    #: Delivery ratio of the messages.
    delivered_share: float
    #: Delivery ratio that the formula predicts.
    predicted_share: float


class CapacityQuantiles(TypedDict):
    """Quantiles of a duration."""

    #: Median, ns.
    p50_ns: int
    #: 99th percentile, ns.
    p99_ns: int
    #: Maximum, ns.
    max_ns: int


class Overload(TypedDict):
    """Offered and carried message rate of an overloaded link."""

    #: Offered message rate, 1/s.
    offered_per_s: float
    #: Carried message rate, 1/s.
    carried_per_s: float


class Term(TypedDict):
    """One term of a lower bound: of a latency, or of the cycle of a saturated link."""

    #: Name of the activity, such as `air`.
    name: str
    #: Number of times that the term occurs.
    count: int
    #: Duration of each occurrence, ns.
    each_ns: int
    #: Document, formula or constant from which the duration follows.
    source: str


class Difference(TypedDict):
    """A value in two runs, in ns or as a share."""

    #: Value in the first run.
    a: float
    #: Value in the second run.
    b: float
    #: Second minus first.
    difference: float
    #: The 95 % confidence interval of the difference: low, high. An unbounded side is null.
    interval95: list[float | None]


class Changed(TypedDict):
    """Results of a run with another value of a constant."""

    #: Value, in the unit of the constant.
    value: bool | int | float | str
    #: Median, ns. Null if nothing arrived.
    p50_ns: float | None
    #: 99 % quantile, ns. Null if nothing arrived.
    p99_ns: float | None
    #: Delivery ratio.
    delivery: float | None
    #: Reason why the bench rejects the value. Null if it accepts the value.
    refused: str | None
    #: Change of the median and of the 99 % quantile in words, and the delivery ratio if it
    #: changes.
    text: str


class ChangedCharge(TypedDict):
    """Charge and current of one end of a link, before and after a change."""

    #: Charge that a message adds to the idle charge, nC: before, after.
    marginal_nc: list[float]
    #: Idle current, nA: before, after.
    idle_na: list[float]


class Channel(TypedDict):
    """One channel of a converted capture."""

    #: Name of the channel.
    name: str
    #: Number of edges.
    edges: int


class Wire(TypedDict):
    """One channel of a capture, or one stream of a sniffer recording."""

    #: Index from 0. `--trigger` and `--completion` accept it instead of the name.
    position: int
    #: Name of the channel.
    name: str
    #: First observed level: true for high. Null if the level was never observed.
    initial: bool | None
    #: Number of edges.
    edges: int
    #: Number of rising edges.
    rises: int
    #: Rising edges per second of observation.
    rate_hz: float | None
    #: Share of the time for which the channel is high.
    high: float | None
    #: Shortest complete high pulse, ns.
    shortest_high_ns: int | None
    #: Shortest complete low pulse, ns.
    shortest_low_ns: int | None


class ComparedCharge(TypedDict):
    """Charge and current of one end in both runs."""

    #: Charge that one message adds to the idle charge, nC: first run, second run. Null without
    #: messages.
    marginal_nc: list[float | None]
    #: Idle current, nA: first run, second run.
    idle_na: list[float]


class Configuration(TypedDict):
    """A configuration: all runs that differ only in their random seed."""

    #: Number of the configuration in the dataset.
    configuration: int
    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Parameters by name, each value in the unit of its parameter. An invalid value is the text
    #: that was given.
    settings: dict[str, bool | int | float | str]
    #: Number of replications.
    runs: int
    #: Reason why the link cannot be run with these settings. Null if it can.
    problem: str | None
    #: Triggers of all replications.
    triggers: int
    #: Completed transfers of all replications.
    delivered: int
    #: Lost transfers of all replications.
    lost: int
    #: Means of the other results over the replications, by column of the dataset. Null if no
    #: replication has the result.
    means: dict[str, float | None]


class PulsePerSecond(TypedDict):
    """The pulse-per-second signal of a capture, and the clock of the capture.
    `interpolation_ns`, `gap_ns` and `extrapolation_ns` are errors of the conversion to the
    time base of the pulses. Each of these errors is the largest difference between the time
    of a pulse and the time that the conversion computes for this pulse from the other
    pulses.
    """

    #: The file that was read.
    source: str
    #: Name of the channel.
    channel: str
    #: Number of pulses.
    pulses: int
    #: Number of missing pulses between the first and the last one.
    missing: int
    #: Number of rising edges that are not pulses.
    spurious: int
    #: First missing pulse, seconds after the first pulse. Null if none is missing.
    first_missing_s: int | None
    #: Longest time between two pulses, s.
    longest_gap_s: int
    #: Mean frequency error of the clock of the capture, ppm. Positive if it runs fast.
    ppm: float
    #: Smallest and largest frequency error between two pulses, ppm.
    ppm_range: list[float]
    #: Standard deviation of the pulses about the clock, ns, caused by the receiver and the
    #: sampling together. Null without three consecutive pulses.
    jitter_ns: float | None
    #: Largest error halfway between two pulses that are two seconds apart, ns. Null without
    #: three consecutive pulses.
    interpolation_ns: float | None
    #: Largest error in the middle of a gap as long as the longest one, ns. Null without a gap,
    #: or if the pulses are never uninterrupted for so long.
    gap_ns: float | None
    #: Largest error one second before the first or after the last pulse, ns. Null without three
    #: pulses.
    extrapolation_ns: float | None
    #: Second of the first pulse since 1970 in UTC, from the recorded start. Null if no start is
    #: recorded.
    first_pulse_unix_s: int | None
    #: Recorded start minus the nearest start that agrees with the pulses, ns. Null if no start
    #: is recorded.
    clock_error_ns: int | None
    #: Edges that are left out because they are more than a second before the first or after the
    #: last pulse.
    left_out: int


class Late(TypedDict):
    """Emulator scheduling delay: time from the arrival of a packet on the bench to its
    delivery, ns. Programs observe the sum of the latency and this delay. Quantiles have a
    relative resolution of 1/16.
    """

    #: Number of delivered packets or pieces of a stream.
    n: int
    #: Median, ns.
    p50: int
    #: 99 % quantile, ns.
    p99: int
    #: Largest, ns.
    max: int
    #: Number of deliveries with a delay above 1 ms.
    marked: int


class Episodes(TypedDict):
    """Runs of lost messages (loss episodes, RFC 6534)."""

    #: Number of episodes.
    n: int
    #: Mean length, messages.
    mean: float
    #: Length of the longest episode, messages.
    longest: int


class Fate(TypedDict):
    """Outcome of the triggers that were used."""

    #: Number of triggers.
    triggers: int
    #: Completed transfers, late ones included.
    delivered: int
    #: Transfers without a completion before the end of their window.
    lost: int


class Fitted(TypedDict):
    """A fitted parameter."""

    #: Name of the parameter.
    name: str
    #: Value that fits best.
    value: bool | int | float | str
    #: Unit. Empty for a plain number.
    unit: str


class MatchEvidence(TypedDict):
    """Misfit of a profile by component, each from 0 to 1."""

    #: Misfit of the median latency.
    place: float
    #: Misfit of the spread of the latencies.
    variation: float
    #: Misfit of the correlation between consecutive latencies.
    order: float
    #: Misfit of the loss ratio.
    lost: float
    #: Misfit of the share of completions that follow the clock found in the capture.
    clock: float
    #: Misfit of the lattice: the common step of which all latencies are multiples.
    lattice: float


class TriedSetting(TypedDict):
    """Effect of one parameter on the match, over its plausible values."""

    #: Name of the parameter.
    name: str
    #: Value that fits best.
    value: bool | int | float | str
    #: Unit. Empty for a plain number.
    unit: str
    #: Value in the profile.
    own: bool | int | float | str
    #: Distance between bench and capture with the value that fits best.
    distance: float
    #: Distance between bench and capture with the value in the profile.
    own_distance: float
    #: Distance between bench and capture with the second-best value.
    next_distance: float
    #: The comparison in words.
    text: str


class Life(TypedDict):
    """Battery life."""

    #: Description of the battery.
    about: str
    #: Capacity, mAh.
    capacity_mah: float
    #: Time until the capacity is used up, years. Includes self-discharge.
    years: float
    #: Peak current of the end, and the largest pulse current that the battery can supply, mA.
    #: Null if the battery can supply the peak current.
    overloaded_ma: list[float] | None


class Index(TypedDict):
    """Share of the variance of a metric that a parameter explains."""

    #: Name of the parameter, or `chance` for the random seed.
    name: str
    #: First-order index: without interactions.
    first: float
    #: The 95 % confidence interval of this index.
    first_interval95: list[float]
    #: Total index: with all interactions.
    total: float
    #: The 95 % confidence interval of this index.
    total_interval95: list[float]


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

    #: Number of locations that meet the requirement.
    count: int
    #: Share of all locations that meet the requirement.
    ratio: float
    #: The 95 % confidence interval of the share (Clopper–Pearson).
    interval95: list[float]


class Key(TypedDict):
    """A generated key."""

    #: File that contains the key.
    target: str


class Label(TypedDict):
    """The label of a run."""

    #: Link profile.
    link: str
    #: Kind of latency, such as a round trip. Null for a one-way message.
    traffic: str | None
    #: Payload with its unit. Null if the link has no messages.
    size: str | None
    #: Conditions that differ among the runs. Ends with the seed if only the seed differs.
    differing: list[str]
    #: Constants that differ from the profile, and phase and period if they are not at their
    #: default.
    head: list[str]


class LabelColumn(TypedDict):
    """A condition that differs among runs."""

    #: Name of the constant, or kind of stimulus option.
    name: str
    #: Value in each run. Null if the run has no such constant, or if a stimulus option is at
    #: its default.
    values: list[str | None]


class Naive(TypedDict):
    """Latencies of a naive pairing: each trigger with the next completion, however late."""

    #: Number of transfers.
    transfers: int
    #: Median, ns.
    p50: float
    #: Maximum, ns.
    max: int


class Metric(TypedDict):
    """A metric of a setting."""

    #: Name of the metric.
    name: str
    #: Unit. Empty for a share.
    unit: str
    #: Value, in the unit. Null if too few messages arrive.
    value: float | None
    #: The 95 % confidence interval.
    interval95: list[float | None]


class PlaceShares(TypedDict):
    """Quantiles of the delivery ratio over the simulated locations."""

    #: 10 % quantile.
    p10: float
    #: Median.
    p50: float
    #: 90 % quantile.
    p90: float


class Proportion(TypedDict):
    """Part of the messages with a known outcome."""

    #: Number of messages.
    count: int
    #: Share of these messages.
    ratio: float
    #: The 95 % confidence interval of the share (Wilson).
    interval95: list[float]


class QuantileError(TypedDict):
    """A latency quantile in the capture and on the bench."""

    #: Quantile of the capture, ns.
    captured_ns: float
    #: Quantile of the bench, ns.
    virtual_ns: float
    #: Bench minus capture, ns.
    error_ns: float
    #: Bench minus capture, as a share of the captured quantile.
    error: float


class Reflected(TypedDict):
    """Summary that a reflector prints when it ends."""

    #: Address on which it listened.
    target: str
    #: Number of requests with a response.
    answered: int
    #: Packets that are not requests.
    ignored: int
    #: Number of requests or connections rejected because of a limit.
    limited: int


class Reported(TypedDict):
    """A report that contains a run."""

    #: Name of the run.
    source: str
    #: Output file.
    report: str


class Requirement(TypedDict):
    """A requirement of a tunnel on this computer."""

    #: Name of the check.
    name: str
    #: Whether a tunnel requires this check to pass.
    needed: bool
    #: Whether the check passed.
    ok: bool
    #: Detected value, and the place where it was detected.
    found: str
    #: How to fix the problem. Null without a problem.
    mend: str | None


class RpcTest(TypedDict):
    """A functional test."""

    #: Name of the test.
    test: str
    #: Whether the test passed.
    passed: bool
    #: Time from the call to its response on the clock of the transport, ns. Null means no
    #: response.
    latency_ns: int | None
    #: Description of the failure. Null if there is none.
    problem: str | None


class Settable(TypedDict):
    """A parameter that can be set."""

    #: Unit. Empty for a plain number.
    unit: str
    #: Description.
    about: str
    #: Permitted words of a parameter whose value is a word. Empty for other parameters.
    choices: list[str]
    #: Smallest and largest permitted number, in the unit. Null if the value is not a number.
    between: list[float] | None


class SetupRecording(TypedDict):
    """Recording options. Absent options are not set."""

    #: Address of the instrument.
    instrument: NotRequired[str]
    #: Channels, by the instrument's names.
    channels: NotRequired[list[str]]
    #: Sample rate, Hz.
    rate_hz: NotRequired[int]
    #: Duration, ns.
    lasting: NotRequired[int]
    #: Logic threshold, V.
    threshold_v: NotRequired[float]
    #: Trigger channel, by name or by index from 0.
    trigger: NotRequired[str]
    #: Completion channel, by name or by index from 0.
    completion: NotRequired[str]
    #: Channels that are active low.
    invert: NotRequired[list[str]]
    #: Minimum low time before a trigger, ns.
    min_low_ns: NotRequired[int]
    #: Maximum delay of a completion after its trigger if later triggers come in between, ns.
    overlap_ns: NotRequired[int]
    #: Channel of a pulse-per-second signal, by name or by index from 0.
    pps: NotRequired[str]
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
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Repetition, counted from 1.
    repetition: int
    #: Command that prepares the board. Empty without a command.
    prepare: list[str]
    #: Lines that prepare the board.
    setup: list[str]
    #: Line that starts the messages. Null if a command or a board with an image of airlag
    #: starts them.
    go: str | None
    #: Command that starts the messages. Empty if a line or a board with an image of airlag
    #: starts them.
    command: list[str]
    #: Settings of the boards with an image of airlag, in their units. Empty without such a
    #: board.
    settings: dict[str, int]


class SniffedConnection(TypedDict):
    """Bluetooth LE connection."""

    #: Access address, hexadecimal.
    access_address: str
    #: Mean interval between anchor points, ns. Null if the recording has too few connection
    #: events.
    interval_ns: float | None
    #: Connection interval that the CONNECT_IND states, ns. Null if the recording has no
    #: CONNECT_IND.
    stated_interval_ns: int | None
    #: Connection events with a packet in the recording.
    events: int
    #: Connection events without a packet in the recording. The sniffer missed the packets, or
    #: the central skipped the event.
    events_missed: int
    #: Number of anchor points that are not a whole number of intervals after the previous one.
    off_grid: int


class ThreadRange(TypedDict):
    """Spread of a result over networks with different random seeds."""

    #: Smallest.
    min: float
    #: Median.
    median: float
    #: Largest.
    max: float


class ThreadState(TypedDict):
    """State of a running network."""

    #: Time since the network formed, ns.
    now_ns: int
    #: For each node: role (disabled, detached, child, router, leader).
    roles: list[str]
    #: For each node: whether it is running. False after the node was killed.
    alive: list[bool]


class Tried(TypedDict):
    """A setting that was tried during the search."""

    #: All settings, in the syntax of `--set`.
    settings: dict[str, str]
    #: Value of each objective and limit, in its unit.
    values: dict[str, float | None]
    #: Whether the setting met the limits during the search.
    kept: bool
    #: Reason why the link cannot be run with this setting. Null if it can.
    refused: str | None


class Turned(TypedDict):
    """A parameter that differs from the profile."""

    #: Name of the parameter.
    name: str
    #: Value in the profile. Null if the profile does not have the parameter.
    profile: str | None
    #: Value in the syntax of `--set`.
    value: str
    #: Cost that no metric shows. Empty if there is none.
    gives_up: str


class TunnelDrops(TypedDict):
    """Packets that one end of a tunnel dropped, by reason."""

    #: Packets dropped because they were in the queue for too long.
    late: int
    #: Packets dropped because the queues were full.
    full: int
    #: Packets that were sent but not acknowledged when the other end restarted. They may have
    #: arrived.
    restart: int


class TunnelTraffic(TypedDict):
    """Traffic of one direction."""

    #: Number of packets.
    packets: int
    #: Number of bytes.
    bytes: int
    #: Mean rate over the whole run, kbit/s.
    kbps: float


class FarClock(TypedDict):
    """Offset, skew and steps of the far clock."""

    #: Relation to the near clock.
    kind: ClockKind
    #: Offset of the far clock in the middle of the session, ns. Null without a response.
    offset_ns: int | None
    #: Largest error of the offset, ns. Each one-way delay has the same uncertainty. Null
    #: without a response, and if a clock is not synchronized as declared.
    offset_uncertainty_ns: int | None
    #: Skew of the far clock, parts per million. Positive if the far clock runs faster. Null
    #: with fewer than two responses, and if the skew was not estimated.
    skew_ppm: float | None
    #: Steps of the far clock, as times since the start of the session, ns.
    steps_ns: list[int]


class Finding(TypedDict):
    """One finding of a run."""

    #: Name of the finding.
    name: FindingName
    #: Values on which the finding is based. Each key ends in its unit.
    evidence: dict[str, int | float | list[int]]
    #: Description of the problem.
    message: str
    #: Recommended action.
    advice: str


class Citation(TypedDict):
    """A location in a source document."""

    #: Key in `links/sources.toml`.
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
    #: URL.
    url: str
    #: Values taken from the document.
    taken: str
    #: Values that were checked a second time, and where.
    checked: str | None
    #: Values from the document that could not be checked.
    unchecked: str | None
    #: Clause, table, page or file.
    at: str


class Source(TypedDict):
    """A source document of constants."""

    #: Key in `links/sources.toml`.
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
    #: URL.
    url: str
    #: Values taken from the document.
    taken: str
    #: Values that were checked a second time, and where.
    checked: str | None
    #: Values from the document that could not be checked.
    unchecked: str | None


_IntervalNsQuantiles = TypedDict("_IntervalNsQuantiles", {"p99.9": NotRequired[IntervalNs]})


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


class QuantileOfAll(TypedDict):
    """A quantile over all messages. A lost message counts as slower than any delivered one."""

    #: Value, ns. Null if it falls on a lost message.
    ns: float | None
    #: The 95 % confidence interval, ns.
    interval95: IntervalNs


class Limit(TypedDict):
    """A limit on a metric."""

    #: Name of the metric, such as `p99`.
    metric: str
    #: Direction of the limit.
    bound: LimitBound
    #: The limit, in the unit.
    value: float
    #: Unit. Empty for a share.
    unit: str


class LinkName(TypedDict):
    """Entry of a link profile in a list."""

    #: Name of the profile.
    name: str
    #: Kind of link.
    kind: str
    #: Transmission medium. Null if the link has no medium.
    medium: Medium | None
    #: Description.
    about: str
    #: Whether the profile is current good practice. False for a profile of one published
    #: firmware.
    good_practice: bool


class Stimulus(TypedDict):
    """Trigger timing of a virtual run."""

    #: Time between triggers, ns.
    period_ns: int
    #: Phase of the triggers.
    phase: Phase
    #: Longest latency of a few messages sent one at a time, ns. Null if none arrived.
    service_ns: int | None
    #: Time from a transmission of the link to the trigger, ns. Only with aligned phase.
    offset_ns: NotRequired[int]


class InState(TypedDict):
    """Time and charge of a part in one power state."""

    #: Power state of the part.
    state: PowerState
    #: Time in the state, ns.
    ns: int
    #: Current in the state, nA.
    current_na: int
    #: Charge in the state, nC.
    nc: float


class CampaignWork(TypedDict):
    """One run of a campaign."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Number of triggers or messages.
    count: int
    #: Time between triggers, ns. Null means 200 ms, or longer if the link needs it.
    period_ns: int | None
    #: Phase of the triggers.
    phase: Phase
    #: Random seed.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Traffic.
    traffic: Program
    #: Number of trains.
    trials: int
    #: Pace: shortest time between two messages of a train, ns. Null means that messages are
    #: sent back to back.
    pace_ns: int | None
    #: Whether missing messages of a train are retransmitted.
    repeat: bool
    #: Offered load as a share of the saturated goodput.
    utilisation: float | None
    #: Name of the line in the chart. Null without a question.
    series: str | None
    #: Quantity of the horizontal axis. Null without a question.
    x: str | None
    #: Position on the axis, in the unit of the axis. Times are in ns. Null without a question.
    at: float | str | None


class Criterion(TypedDict):
    """A requirement, and the verdict of a candidate on it."""

    #: Name of the requirement.
    name: CriterionName
    #: Whether the requirement is met.
    verdict: RecommendVerdict
    #: Value that the candidate achieves. Null if unknown. If a range is required, latency and
    #: delivery are the values at the deciding location. The deciding location is the simulated
    #: location at the quantile that corresponds to the required share of locations.
    value: float | None
    #: Required limit of the value. Null if the requirement has no limit.
    limit: float | None
    #: Unit of value, limit and distance.
    unit: str
    #: Absolute difference between value and limit. Null if one of them is null.
    distance: float | None
    #: The verdict in words.
    reason: str


class Task(TypedDict):
    """Requirements on a link."""

    #: Payload, bytes. Null if no link has messages.
    size: int | None
    #: Deadline, ns.
    deadline_ns: int
    #: Percent of all messages that must meet the deadline, 50 to 99.99.
    percentile: float
    #: Largest loss ratio over all messages, 0.0001 to 0.5.
    max_loss: float
    #: Distance between the radios, with its unit. Null means that the radios are side by side.
    range: str | None
    #: Propagation environment, such as `office`. Null without a range.
    environment: str | None
    #: Share of the simulated locations that must meet the requirements. Only with a range.
    places_share: float
    #: Other networks on the air, such as `wifi:30%@ch6`. Empty without other networks.
    neighbours: list[str]
    #: Processor of both boards, for the computation of currents. Null means the processor of
    #: the measured boards.
    processor: str | None
    #: Settings for all links that have these parameters, in the syntax of `--set`.
    settings: dict[str, str]
    #: Time between messages, ns. Null means a time derived from the latency of each link.
    period_ns: int | None
    #: Random seed.
    seed: int
    #: Names of the profiles to choose from. Empty means all profiles.
    links: list[str]
    #: Whether an empty `links` includes wired links.
    wired: bool
    #: Whether to tune settings that have a cost besides latency.
    trade: bool
    #: Region whose regulatory limits the link must meet. Null means no such requirement.
    region: Region | None
    #: Largest charge per message at the sender, nC. Null means no limit.
    max_charge_nc: float | None
    #: Battery of the sender. Null means CR2032 if a battery life is required, and otherwise no
    #: battery.
    battery: str | None
    #: Required battery life, years. Null means no requirement.
    battery_years: float | None
    #: Message rate for the battery life, 1/s. Null means one message per `period_ns`, or one
    #: per minute without a period.
    per_second: float | None
    #: Work budget of the search, seconds of one core, 0.1 to 1,000,000. Work is counted in
    #: simulated events, so the same budget and seed give the same answer on every machine.
    budget_s: float


class PublishedPlatform(TypedDict):
    """A platform and its published results."""

    #: The platform.
    name: RpcPlatform
    #: Its link profile.
    link: str
    #: Published result by benchmark. Null if there is none.
    published: dict[str, float | None]
    #: Unit by benchmark.
    units: dict[str, RpcUnit]
    #: Benchmarks on which constants of its link are calibrated.
    fitted_on: list[str]
    #: Contradiction between the published figures and the timing of the link. Null if there is
    #: none.
    disagrees: str | None


class LeftOutConstant(TypedDict):
    """A constant that can be neither halved nor doubled."""

    #: Name of the parameter.
    name: str
    #: Value, in its unit.
    value: bool | int | float | str
    #: Unit. Empty for a plain number.
    unit: str
    #: Kind of source of the value.
    source: SensitiveSource
    #: Reason why it is left out.
    why: LeftOutReason


_Item = TypedDict("_Item", {"class": SliceClass})


class Item(_Item):
    """Time that a run spends on one activity. A transfer without the activity counts as 0."""

    #: Name of the activity.
    name: str
    #: Sum over all completed transfers, ns.
    total_ns: int
    #: Mean over all completed transfers, ns.
    mean_ns: float
    #: Median over all completed transfers, ns.
    p50_ns: float
    #: 99 % quantile over all completed transfers, ns.
    p99_ns: float


_Part = TypedDict("_Part", {"class": SliceClass})


class Part(_Part):
    """Time spent on one activity."""

    #: Name of the activity, such as `air`.
    name: str
    #: Duration, ns.
    ns: int


_SliceCharge = TypedDict("_SliceCharge", {"class": SliceClass})


class SliceCharge(_SliceCharge):
    """Charge of an end during one activity."""

    #: Name of the activity.
    name: str
    #: Mean per message, nC.
    mean_nc: float


class Check(TypedDict):
    """One quantity checked against one limit."""

    #: Name of the quantity.
    quantity: str
    #: Its value, in the unit.
    value: float
    #: Direction of the limit.
    bound: Bound
    #: The limit, in the unit. Null if the bound is `never`: no value is allowed.
    limit: float | None
    #: Unit of value and limit. Empty for a plain number.
    unit: str
    #: Document, version, date and clause of the limit.
    clause: str
    #: Whether the limit was read in the document itself. False if it was read in a secondary
    #: source.
    confirmed: bool
    #: Outcome of the check.
    standing: Standing
    #: How many times less often messages must be sent to meet the limit. Null if the limit is
    #: met, or if a lower message rate is not enough.
    rarer: float | None
    #: Power reduction that meets the limit, dB. Null if the limit is met, or if lower power is
    #: not enough.
    quieter_db: float | None


class ThreadOutcome(TypedDict):
    """A step and its outcome."""

    #: Start of the step, as time since the network formed and sending began, ns.
    begin_ns: int
    #: End of the step, ns.
    end_ns: int
    #: The action.
    do: ThreadAction
    #: Number of the added node. Null for other steps.
    node: int | None
    #: Response lines of a command. Null for other steps.
    lines: list[str] | None
    #: Round-trip time of each echo request, ns, or null without a response. Null for other
    #: steps.
    rtt_ns: list[int | None] | None
    #: Description of the step and its outcome, in words.
    text: str


class ThreadStep(TypedDict):
    """A timed action on a network."""

    #: Time since the network formed and sending began, ns. A step starts later if the previous
    #: step takes longer.
    at_ns: int
    #: The action.
    do: ThreadAction


class ThreadFormed(TypedDict):
    """Properties of a newly formed network."""

    #: Topology of the network.
    topology: Topology
    #: Position of each node, x and y, m.
    positions_m: list[list[float]]
    #: For each node: time from switch-on until the node has its role in the network, ns.
    attach_ns: list[int]
    #: Time until the last node has its role, ns.
    formed_ns: int


class Streams(TypedDict):
    """Result of iperf3 for one direction."""

    #: Direction. The forward direction is from the first end to the second.
    way: Way
    #: User data that entered the send buffers, kbit/s.
    sent_kbps: float
    #: User data at the receiver, kbit/s.
    received_kbps: float
    #: User data sent, bytes.
    sent_bytes: int
    #: User data received, bytes.
    received_bytes: int
    #: Retransmitted segments. Null for UDP.
    retransmits: int | None
    #: Datagrams sent. Null for TCP.
    datagrams: int | None
    #: Lost datagrams. Null for TCP.
    datagrams_lost: int | None


class Differing(TypedDict):
    """One condition in which two runs differ."""

    #: Name of the condition. Values of `size` are in bytes. `version` is the version of airlag.
    what: What
    #: Name of the parameter. Null if the condition is not a setting.
    setting: str | None
    #: Value in the first run. Null means the value in the profile.
    a: str | int | None
    #: Value in the second run. Null means the value in the profile.
    b: str | int | None


class Position(TypedDict):
    """Position of the lost messages: 0 is the first message of a train, 1 the last."""

    #: Mean position of the lost messages.
    mean: float
    #: Interval that contains this mean with a probability of 95 % if losses are independent.
    independent: list[float]
    #: Probability of a mean at least this far from the middle if losses are independent.
    p: float
    #: Part of the train that loses messages, at 95 % confidence.
    which: Which
    #: Whether losses depend on the position, in words.
    text: str


class Board(TypedDict):
    """Board on a serial line."""

    #: Path of the serial device, such as `/dev/ttyACM0`.
    device: str
    #: Name of the board.
    board: str
    #: Name of the firmware image on the board.
    image: str
    #: Version of airlag from which this image was built.
    airlag: str
    #: Version of the control protocol.
    protocol: int
    #: End of the link that the board serves, from its setting `role`. Null if the image does
    #: not have this setting.
    role: BoardRole | None
    #: State of the board.
    state: BoardState
    #: Settings, in the order of the board.
    settings: list[BoardItem]
    #: Counters of the current or last run, in the order of the board.
    counters: list[BoardItem]


class CampaignAsked(TypedDict):
    """The question of a campaign."""

    #: Heading of its page.
    title: str
    #: The question in words.
    text: str
    #: Quantity of the horizontal axis: `size`, an option of the traffic, or a parameter of the
    #: profiles.
    x: str
    #: Quantity of the vertical axis.
    y: Measure
    #: Published results on the same question.
    published: list[CampaignPublished]


class CampaignLine(TypedDict):
    """A line of the chart, with its points from left to right."""

    #: Name that distinguishes the line from the others.
    name: str
    #: Points of the line. Numbers are ascending. Categories keep the order of the file.
    places: list[CampaignPlace]


class CapacityPoint(TypedDict):
    """Results for one number of devices."""

    #: Number of devices.
    devices: int
    #: Messages sent. A message of a tag is an advertising event.
    sent: int
    #: Messages that at least one receiver received.
    delivered: int
    #: Delivery ratio of the messages.
    delivered_share: float
    #: Groups of devices with equal frames: one, or one per spreading factor, ascending.
    groups: list[CapacityGroup]
    #: Number of frames received, as the sum over the receivers. Several of these frames may
    #: carry the same message. Null for `ieee802154`.
    receptions: int | None
    #: Time from the creation of a message to its reception. Null unless the network is
    #: `ieee802154`.
    latency: CapacityQuantiles | None
    #: Time from one received message of a device to the next. Null unless the network is `ble`.
    update_interval: CapacityQuantiles | None
    #: Number of tags from which no message was received. Null unless the network is `ble`.
    never_received: int | None
    #: Frames on the air per message, with retries. Null unless the network is `ieee802154`.
    frames_per_message: float | None
    #: Share of messages that devices dropped because every assessment found the channel busy.
    #: Null unless the network is `ieee802154`.
    channel_access_failure_share: float | None


class Causes(TypedDict):
    """Causes of losses and delays, as the bench recorded them."""

    #: Triggers at which the sending board was busy with an earlier message.
    not_taken: int
    #: Messages that the link gave up after its last retry.
    given_up: int
    #: Number of retransmitted frames. 0 if the link model does not count them.
    retries: int
    #: Offered and carried message rate. Null if the link carries the offered rate.
    overload: Overload | None
    #: Events that may explain lost messages: number of occurrences by name.
    events: dict[str, int]
    #: Whether a peer delays its TCP acknowledgements.
    delays_acks: bool
    #: Whether a radio sleeps between Wi-Fi beacons.
    sleeps_between_beacons: bool


class Ceiling(TypedDict):
    """Shortest possible cycle of an endless stream of messages. It gives the upper bound of the
    goodput.
    """

    #: Number of messages that the link sends in one cycle. A cycle lasts from the start of one
    #: group of messages to the start of the next group.
    messages: int
    #: Sum of the terms, ns.
    ns: int
    #: Terms whose sum is the lower bound: times on the medium, and gaps that the hardware or
    #: the protocol requires.
    terms: list[Term]
    #: Features of real links of this kind that change the goodput, but that airlag does not
    #: simulate, such as rate control.
    without: list[str]


class Floor(TypedDict):
    """Lower bound of the latency, without software cost and loss."""

    #: Sum of the terms, ns.
    ns: int
    #: Terms whose sum is the lower bound: times on the medium, and gaps that the hardware or
    #: the protocol requires.
    terms: list[Term]


class Within(TypedDict):
    """Effect of a constant within its bounds."""

    #: Largest change of the median or the 99 % quantile, as a share. Null means that nothing
    #: arrives.
    effect: float | None
    #: Results at the lower bound. Null if the profile has this value.
    lowest: Changed | None
    #: Results at the upper bound. Null if the profile has this value.
    highest: Changed | None


class ChangedChargeEnds(TypedDict):
    """One value for each end of a link. An end without current data is absent."""

    #: The end that sends.
    sender: NotRequired[ChangedCharge]
    #: The end that receives.
    receiver: NotRequired[ChangedCharge]


class Channels(TypedDict):
    """The channels of a capture."""

    #: The file that was read.
    source: str
    #: Time from the first to the last observed instant, ns.
    duration_ns: int
    #: Sample rate, Hz. Null if the capture does not state it.
    sample_rate_hz: float | None
    #: The channels, in the order of the capture.
    channels: list[Wire]


class ComparedChargeEnds(TypedDict):
    """One value for each end of a link. An end without current data is absent."""

    #: The end that sends.
    sender: NotRequired[ComparedCharge]
    #: The end that receives.
    receiver: NotRequired[ComparedCharge]


class Swept(TypedDict):
    """Summary of a dataset."""

    #: Name of the sweep.
    name: str
    #: Folder of the dataset.
    folder: str
    #: Link profiles.
    links: list[str]
    #: Number of configurations.
    configurations: int
    #: Number of replications per configuration. With a stop criterion, the largest number.
    replications: int
    #: Number of rows in the dataset.
    runs: int
    #: Number of rows that were complete before this command started.
    before: int
    #: Number of rows whose combination of settings cannot be run.
    problems: int
    #: Whether all runs are complete.
    complete: bool
    #: The first 1000 configurations.
    table: list[Configuration]


class Converted(TypedDict):
    """A capture in another format."""

    #: Input file.
    source: str
    #: Output file.
    target: str
    #: Channels of the capture.
    channels: list[Channel]
    #: The pulse-per-second signal of each input file. Absent unless edge times were converted
    #: to the time base of these pulses.
    time_base: NotRequired[list[PulsePerSecond]]


class FedEnd(TypedDict):
    """Mean current of an end at a message rate, and its battery life."""

    #: Mean current, nA. Null without messages.
    average_na: float | None
    #: Battery life. Null without a battery.
    life: Life | None


class Indexed(TypedDict):
    """Variation of a metric over the parameter space, and the share of each parameter."""

    #: Name of the metric, such as `p99`.
    metric: str
    #: Unit. Empty for a share.
    unit: str
    #: Mean of the metric over the parameter space, in the unit.
    mean: float
    #: Standard deviation of the metric over the parameter space, in the unit. 0 for a constant
    #: metric.
    standard_deviation: float
    #: Indices of each parameter, largest total index first. Empty if the metric is constant.
    indices: list[Index]


class Labels(TypedDict):
    """The labels of runs."""

    #: Label of each run, in the order of the question.
    labels: list[Label]
    #: Constants and stimulus options that differ, without link, payload and seed.
    columns: list[LabelColumn]


class Places(TypedDict):
    """Variation between the simulated locations of a run. Each location has equal weight."""

    #: Number of locations.
    count: int
    #: Quantiles of the delivery ratio over the locations.
    shares: PlaceShares
    #: Mean of the delivery ratios of the locations.
    mean: float
    #: The 95 % confidence interval of the mean.
    mean_interval95: list[float]
    #: Locations that meet the requirement.
    keep: Keep


class QuantileErrors(TypedDict):
    """Error of each latency quantile."""

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


class SetupPlan(TypedDict):
    """The runs of a real bench."""

    #: Recording options.
    recording: SetupRecording
    #: Serial console of the triggering board, such as `/dev/ttyUSB0?baud=115200`. Null without
    #: a console.
    console: str | None
    #: Expected start of the board's response to each line. Null if no response is expected.
    expected: str | None
    #: Serial device of the sending board, if this board has an image of airlag. Null if a line
    #: or a command starts the messages.
    sender: str | None
    #: Serial device of the receiving board, if airlag sets this board up too. Null otherwise.
    receiver: str | None
    #: Time limit for responses and commands, ns.
    timeout_ns: int
    #: Number of triggers per run.
    count: int
    #: Time between triggers, ns.
    period_ns: int
    #: Random seed of the run order.
    seed: int
    #: Time between two runs, ns.
    pause_ns: int
    #: Recording time before the first trigger, ns.
    lead_ns: int
    #: Duration of each recording, ns.
    lasting_ns: int
    #: The runs, in random order.
    works: list[SetupWork]


class ThreadSpread(TypedDict):
    """Spread of the results over the random seeds. A result is null if one of the networks does
    not have it.
    """

    #: Time until the last node has its role, ns.
    formed_ns: ThreadRange | None
    #: Delivery ratio.
    delivered_share: ThreadRange | None
    #: Goodput, kbit/s.
    goodput_kbps: ThreadRange | None
    #: Median latency, ns.
    p50_ns: ThreadRange | None
    #: 99 % quantile of latency, ns.
    p99_ns: ThreadRange | None


class TunedSetting(TypedDict):
    """A setting measured on fresh seeds."""

    #: All settings, in the syntax of `--set`.
    settings: dict[str, str]
    #: Parameters that differ from the profile.
    turned: list[Turned]
    #: Metrics. Empty if the link cannot be run with this setting.
    metrics: list[Metric]
    #: Reason why the setting is not returned. Null means that it meets every limit at 95 %
    #: confidence.
    refused: str | None


class TunnelEnd(TypedDict):
    """Statistics of one end of a tunnel over its whole run."""

    #: Name of the network interface.
    interface: str
    #: Time for which this end ran, ns.
    elapsed_ns: int
    #: Whether a session with the other end existed at the end.
    up: bool
    #: Traffic that the other end acknowledged.
    sent: TunnelTraffic
    #: Traffic from the other end.
    received: TunnelTraffic
    #: Bytes that were still queued at the end.
    waiting_bytes: int
    #: MTU of this end, bytes.
    mtu: int
    #: MTU of the other end, bytes. Null if no frame of the other end was received.
    peer_mtu: int | None
    #: Number of sessions: the first, and one for each rekeying and each restart of an end.
    sessions: int
    #: Packets that programs on this computer sent through the tunnel: acknowledged, dropped, or
    #: not yet acknowledged.
    offered: int
    #: Packets that were dropped, by reason.
    dropped: TunnelDrops
    #: Frames sent.
    frames: int
    #: Retransmitted frames.
    repeated: int
    #: Bursts of frames.
    bursts: int
    #: Bursts without a response.
    unanswered: int
    #: Share of bursts without a response. A running tunnel reports it over the last second, a
    #: finished one over the whole run. It includes losses in both directions. Null without
    #: bursts.
    burst_loss: float | None
    #: Packets that were received completely, but failed authentication.
    broken: int
    #: Received frames that were invalid, or that came from a sender without the key.
    garbage: int


class Across(TypedDict):
    """A finding from several runs together."""

    #: Indices of the runs with this finding among the given runs.
    runs: list[int]
    #: The finding.
    finding: Finding


_Parameter = TypedDict("_Parameter", {"from": str})


class Parameter(_Parameter):
    """One constant of a link."""

    #: Value, in the unit.
    value: bool | int | float | str
    #: Unit. Empty for a plain number.
    unit: str
    #: Kind of source of the value.
    source: Origin
    #: Source document.
    cite: Citation | None
    #: Capture to which the value is fitted. Null for a value from another source.
    capture: str | None
    #: Reason for an assumption, or another remark. Null without a remark.
    note: str | None
    #: Lower and upper bound of the true value, in the unit, if all other constants are as
    #: stated. Null if unknown.
    bound: list[bool | int | float | str] | None
    #: Description.
    about: str
    #: Permitted words of a parameter whose value is a word. Empty for other parameters.
    choices: list[str]
    #: Smallest and largest permitted number, in the unit. Null if the value is not a number.
    between: list[float] | None


_Published = TypedDict("_Published", {"from": str})


class Published(_Published):
    """A published result for a link."""

    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Median latency, ms.
    median_ms: float
    #: Source document.
    cite: Citation


_Latency = TypedDict("_Latency", {"p99.9": NotRequired[float]})


class Latency(_Latency):
    """Latencies of the completed transfers, ns. Quantiles interpolate linearly between the
    closest ranks (type 7).
    """

    #: Number of completed transfers.
    n: int
    #: Smallest latency, ns.
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
    #: Largest latency, ns.
    max: int
    #: Mean latency, ns.
    mean: float
    #: Standard deviation (n - 1), ns. Null for a single latency.
    std: float | None
    #: The 95 % confidence interval of each quantile, ns.
    interval95: IntervalNsQuantiles
    #: Jitter. Absent for a single latency.
    jitter: NotRequired[Jitter]


class PartCharge(TypedDict):
    """Charge of one part of an end."""

    #: Name of the part on the bench.
    name: str
    #: Key of the part in `links/parts.toml`.
    part: str
    #: Description of the part, with its supply voltage.
    about: str
    #: Time and charge in each power state that the part entered.
    states: list[InState]
    #: Number of times the part left power down or sleep.
    wakes: int
    #: Charge of one wake-up, nC.
    wake_nc: int
    #: Total charge, nC.
    nc: float


class Timeline(TypedDict):
    """Latency budget of one transfer. The parts add up to the latency."""

    #: Position among the completed transfers, from 0.
    index: int
    #: Time from trigger to completion, ns.
    latency_ns: int
    #: Time spent in the measurement setup, ns: detecting the trigger and driving the strobe.
    fixture_ns: int
    #: Parts of the latency in time order.
    parts: list[Part]


class MessageCharge(TypedDict):
    """Charge of an end from trigger to completion."""

    #: Mean per message, nC. Equals the sum of the items.
    message_nc: float
    #: Activities in the order in which they occur in a message.
    items: list[SliceCharge]


class Ruling(TypedDict):
    """A rule, with the checks of its limits."""

    #: Name of the rule.
    rule: str
    #: Outcome of the worst check.
    standing: Standing
    #: One check for each limit.
    checks: list[Check]


class Burst(TypedDict):
    """Trains of back-to-back messages, and their outcome."""

    #: Link profile.
    link: str
    #: Payload, bytes.
    size: int
    #: Random seed of the first train. Later trains use consecutive seeds.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: The sending program.
    traffic: TrainTraffic
    #: Number of messages per train.
    count: int
    #: Pace: shortest time between two messages, ns. Null means that messages are sent back to
    #: back.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Delivery ratio.
    delivery: float
    #: The 95 % confidence interval of the delivery ratio, from the variation between trains.
    #: Null for a single train.
    delivery_interval: list[float] | None
    #: Goodput, kbit/s: delivered user data divided by the time from the start of a train to its
    #: last arrival.
    goodput_kbps: float
    #: Number of frames per message, all of which must arrive. Null if the link does not
    #: fragment.
    fragments: int | None
    #: For each position in a train: number of trains in which the message at this position was
    #: lost.
    lost_at: list[int]
    #: Position of the lost messages in their train. Null if nothing or everything was lost.
    position: Position | None
    #: Outcome of each train.
    trials: list[Trial]
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]


class Remedy(TypedDict):
    """Results of the same trains with a remedy, and the cost of the remedy in goodput."""

    #: Pace: shortest time between two messages, ns. Null means that messages are sent back to
    #: back.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Delivery ratio.
    delivery: float
    #: The 95 % confidence interval of the delivery ratio, from the variation between trains.
    #: Null for a single train.
    delivery_interval: list[float] | None
    #: Goodput, kbit/s: delivered user data divided by the time from the start of a train to its
    #: last arrival.
    goodput_kbps: float
    #: Number of frames per message, all of which must arrive. Null if the link does not
    #: fragment.
    fragments: int | None
    #: For each position in a train: number of trains in which the message at this position was
    #: lost.
    lost_at: list[int]
    #: Position of the lost messages in their train. Null if nothing or everything was lost.
    position: Position | None
    #: Outcome of each train.
    trials: list[Trial]
    #: Goodput as a share of the goodput of the original trains.
    goodput_share: float
    #: Command-line options of the remedy.
    options: str
    #: Effect of the remedy in words.
    text: str


class CampaignPlan(TypedDict):
    """The runs of a campaign."""

    #: Name of the campaign, and of its report.
    name: str
    #: Runs in the order of the file, without duplicates.
    works: list[CampaignWork]
    #: Capture files of the same links.
    captures: list[CampaignCapture]
    #: The question of the campaign. Null if the campaign only lists its runs in a table.
    question: CampaignAsked | None


class CampaignAnswer(TypedDict):
    """The answer of a campaign."""

    #: Title of the horizontal axis, with its unit.
    across: str
    #: Name of the quantity on the vertical axis.
    measure: str
    #: Unit of all times in the texts.
    time_unit: str
    #: Lines in the order of the file.
    lines: list[CampaignLine]
    #: Columns of the table.
    columns: list[CampaignColumn]
    #: Whether the quantiles cover only delivered messages. Lost messages have no latency.
    of_delivered: bool
    #: Results in sentences: each line, the differences between lines, and published results.
    sentences: list[str]


class Capacity(TypedDict):
    """Share of messages that a network delivers, by number of devices."""

    #: Type of network.
    network: CapacityNetwork
    #: Numbers of devices. Each number is simulated as a separate network.
    devices: list[int] | None
    #: Payload, bytes. For `lorawan`, the frame is 13 bytes longer; for `ble`, advertising data.
    size: int | None
    #: Time between two messages of a device, ns. For `ble`, the advertising interval.
    period_ns: int | None
    #: Time during which devices send, ns.
    duration_ns: int | None
    #: Number of receivers: gateways of `lorawan`, scanners of `ble`, one coordinator of
    #: `ieee802154`. The first receiver is in the centre; the others are distributed evenly over
    #: the area.
    gateways: int | None
    #: Radius of the disc over which devices are distributed, m.
    radius_m: float | None
    #: Path loss exponent beyond 1 m.
    path_loss_exponent: float | None
    #: Shadowing: standard deviation of the path loss about its mean, dB.
    shadowing_db: float | None
    #: Transmit power of a device, dBm.
    tx_power_dbm: float | None
    #: Gain of both antennas together, dB.
    antenna_gain_db: float | None
    #: Number of 125 kHz channels of `lorawan`. The three default channels of EU863-870, then
    #: 867.1 to 867.9 MHz.
    channels: int | None
    #: Spreading factors of `lorawan`.
    spreading_factors: SpreadingFactors | None
    #: Scan interval of `ble`: time after which a scanner changes the channel, ns.
    scan_interval_ns: int | None
    #: Scan window of `ble`: time for which a scanner listens in each scan interval, ns.
    scan_window_ns: int | None
    #: Whether frames of `ieee802154` are acknowledged, and retried up to three times.
    acknowledged: bool | None
    #: Rule for overlapping frames.
    reception: Reception
    #: Random seed.
    seed: int | None
    #: Formula of `predicted_share`.
    formula: Formula
    #: One entry per number of devices, in the order of the question.
    points: list[CapacityPoint]


class SensitiveConstant(TypedDict):
    """Effect of one assumed or calibrated constant on the latency."""

    #: Name of the parameter.
    name: str
    #: Value, in its unit.
    value: bool | int | float | str
    #: Unit. Empty for a plain number.
    unit: str
    #: Kind of source of the value.
    source: SensitiveSource
    #: Lower and upper bound of the true value, in the unit. Null if not known.
    bound: list[bool | int | float | str] | None
    #: Largest change of the median or the 99 % quantile, as a share. Null means that nothing
    #: arrives.
    effect: float | None
    #: Largest effect within the uncertainty of the constant: at its bounds or, if it has none,
    #: at half and double the value. Null means that nothing arrives.
    worth: float | None
    #: Whether a quantile changes by more than 0.1 of its value within this uncertainty, and by
    #: more than another seed changes it. Such a constant needs a better source.
    open: bool
    #: Results at half the value, limited to the valid range. Null if this is the value itself.
    halved: Changed | None
    #: Results at twice the value, limited to the valid range. Null if this is the value itself.
    doubled: Changed | None
    #: Results at the bounds. Null without bounds.
    within: Within | None


class Change(TypedDict):
    """A set of parameter changes, and their measured effect."""

    #: Parameters to set, in the syntax of --set.
    settings: dict[str, str]
    #: Median latency, ns.
    p50_ns: Difference
    #: 99 % quantile of the latency, ns.
    p99_ns: Difference
    #: Delivery ratio. Null if no outcome is known.
    delivery: Difference | None
    #: Lower bound of the latency with these settings, ns.
    floor_ns: int
    #: Disadvantages of the change, in words.
    costs: list[str]
    #: Charge and current by end. An end without current data is absent.
    charges: ChangedChargeEnds


class Comparison(TypedDict):
    """Comparison of the second run with the first."""

    #: Source of the first run.
    a: str
    #: Source of the second run.
    b: str
    #: Conditions that are known for both runs and differ.
    differs: list[Differing]
    #: Whether the measured differences can be attributed to the links.
    comparable: bool
    #: Reasons why the runs are not comparable, one sentence each.
    obstacles: list[str]
    #: Other possible causes of a difference, one sentence each.
    notes: list[str]
    #: Latency at the quantiles p50, p95 and p99, ns. Empty if one run delivered nothing.
    latency_ns: dict[str, Difference]
    #: Delivery ratio. Null if no outcome is known.
    delivery: Difference | None
    #: Probability that a transfer of the second run is faster than one of the first.
    b_quicker: float | None
    #: p-value of `b_quicker` if both runs have the same distribution (Mann–Whitney).
    p: float | None
    #: Largest distance between the distribution functions of the latencies
    #: (Kolmogorov–Smirnov).
    ks: float | None
    #: Charge by end. Contains only ends with current data in both runs.
    charge: ComparedChargeEnds


class Fed(TypedDict):
    """Mean currents and battery life at a message rate."""

    #: Name of the battery. Null without a battery.
    battery: str | None
    #: Message rate, 1/s.
    per_second: float
    #: The end that sends.
    sender: NotRequired[FedEnd]
    #: The end that receives.
    receiver: NotRequired[FedEnd]


class Indices(TypedDict):
    """Sobol sensitivity indices of each parameter over the whole parameter space."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Random seed.
    seed: int
    #: Range of each parameter.
    over: dict[str, str]
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Number of messages per run.
    count: int
    #: Number of runs.
    runs: int
    #: Results for each metric.
    metrics: list[Indexed]


class Apart(TypedDict):
    """Distance between the radios of a run, and the effect of this distance."""

    #: Distance between the antennas, m.
    range_m: float
    #: Propagation environment between the antennas, such as `office`.
    environment: str | None
    #: Standard deviation of the path loss over locations, dB.
    shadowing_db: float
    #: Fade margin: mean signal level minus the level at which 1 % of the frames are lost, dB.
    #: Null if no frame was sent.
    fade_margin_db: float | None
    #: Delivery ratio that a location must reach to be counted in `places.keep`.
    delivered: float
    #: Variation between locations. Null for a single location.
    places: Places | None
    #: The distance and its effect in words, one line each.
    text: list[str]


class MatchCandidate(TypedDict):
    """One link profile compared with a capture."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Kolmogorov–Smirnov distance between the latency distributions of capture and bench, 0 to
    #: 1.
    ks: float
    #: Largest `ks` to expect by chance: two samples of this size from one distribution exceed
    #: it with a probability of 5 %.
    ks_chance: float
    #: Difference between the latencies of capture and bench: 0.012 means that 98.8 % of the
    #: latencies agree within 1.2 %.
    distance: float
    #: Kolmogorov–Smirnov distance after the bench latencies are shifted onto those of the
    #: capture. It compares only the shapes of the distributions.
    shape: float
    #: Whether the profile explains the capture: the medians are close, the total misfit is at
    #: most `tolerance`, and `ks` is at most a fixed multiple of `ks_chance`.
    explains: bool
    #: Verdict in a sentence, with the largest misfit.
    verdict: str
    #: Component with the largest misfit, in words.
    contradiction: str
    #: `ks`, `ks_chance` and `distance` in words.
    agreement: str
    #: Number of free parameters, and the fitted values, in words.
    fitting: str
    #: Misfit by component.
    evidence: MatchEvidence
    #: Largest total misfit with which a profile explains a capture.
    tolerance: float
    #: Difference between bench and capture at each latency quantile.
    quantile_error: QuantileErrors
    #: Number of free parameters: quantities that the profile leaves open, such as clock phases.
    free: int
    #: Free parameters that were fitted because they improve the match.
    fitted: list[Fitted]
    #: Outcomes in the capture of the triggers that were used.
    captured: Fate
    #: Outcomes on the virtual bench of the same triggers.
    virtual: Fate
    #: Parameters that differ from the profile, by name.
    settings: dict[str, bool | int | float | str]
    #: Total misfit plus the cost of free parameters; less is better. Null outside a ranking.
    score: float | None
    #: Smallest and largest payload that explain the capture about as well as `size`, bytes. The
    #: posterior odds against any other payload are at least 20 to 1. Null, except for the best
    #: match of a ranking with an unknown payload.
    size_interval: list[int] | None


class Tuned(TypedDict):
    """The outcome of tuning a link."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Random seed.
    seed: int
    #: Metrics to minimise.
    minimise: list[str]
    #: Metrics to maximise.
    maximise: list[str]
    #: Limits that the settings must meet.
    limits: list[Limit]
    #: Region whose regulatory limits all settings meet. Null without such a requirement.
    region: Region | None
    #: Number of messages per run.
    count: int
    #: Number of runs of the search.
    runs: int
    #: Number of seeds on which the selected settings are re-measured.
    fresh_seeds: int
    #: Number of combinations of values in the parameter space. Null means infinite.
    combinations: int | None
    #: Results of the unchanged link.
    untuned: TunedSetting
    #: The best setting, or the Pareto front. Empty means that no setting meets the limits.
    found: list[TunedSetting]
    #: Selected settings that do not meet the limits at 95 % confidence on fresh seeds.
    turned_down: list[TunedSetting]
    #: Settings in the order tried.
    tried: list[Tried]


class Link(TypedDict):
    """A link profile: every constant with its unit and its source."""

    #: Name of the profile.
    name: str
    #: Kind of link.
    kind: str
    #: Transmission medium. Null if the link has no medium.
    medium: Medium | None
    #: Description.
    about: str
    #: Whether the profile is current good practice. False for a profile of one published
    #: firmware.
    good_practice: bool
    #: Constants by name.
    parameters: dict[str, Parameter]
    #: Published results.
    published: list[Published]


class CampaignPoint(TypedDict):
    """One measured run of a campaign with a question: one point of a line in the chart."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Random seed.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Traffic.
    traffic: Program
    #: Name of the line in the chart.
    series: str
    #: Quantity of the horizontal axis.
    x: str
    #: Position of the point on the axis, in the unit of the axis. Times are in ns.
    at: float | str
    #: Messages with a known outcome.
    sent: int
    #: Messages that did not arrive.
    lost: int
    #: Latency. Null if nothing arrived, and for traffic without a latency.
    latency_ns: Latency | None
    #: Time between consecutive arrivals of saturated traffic. Null for other traffic.
    gap_ns: Latency | None
    #: Time from the first message of a train to its last arrival. Null for other traffic.
    completion_ns: Latency | None
    #: Mean position of the lost messages in their train, from 0 to 1. Null without losses.
    lost_position: float | None
    #: Delivered user data, kbit/s. Null if the triggers determine the rate.
    goodput_kbps: float | None
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]


class Goodput(TypedDict):
    """Saturated goodput of a link, with its time budget."""

    #: Link profile.
    link: str
    #: Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    size: int
    #: Random seed.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Delivered user data, kbit/s. For a link that sends in bursts, only whole bursts are
    #: counted.
    goodput_kbps: float
    #: Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s.
    #: Null if these take no time.
    ceiling_kbps: float | None
    #: Messages that arrived during the measurement.
    delivered: int
    #: Messages that did not arrive although a later one did.
    lost: int
    #: Duration of the measurement, ns: from the first arrival after the warm-up to the last
    #: arrival.
    elapsed_ns: int
    #: Traffic that saturates the link: one-way messages, or remote procedure calls of one
    #: method.
    traffic: Carried
    #: Interval between consecutive arrivals, ns. Null for fewer than two messages.
    gap_ns: Latency | None
    #: Part of the measured time that each activity took, longest first.
    spent: list[Part]
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Derivation of `ceiling_kbps`.
    ceiling: Ceiling


class LoadPoint(TypedDict):
    """Steady-state results at one offered load."""

    #: Offered user data, kbit/s.
    offered_kbps: float
    #: Delivered user data, kbit/s.
    goodput_kbps: float
    #: Offered load as a share of the saturated goodput.
    utilisation: float
    #: Mean queue length over time, messages.
    queue_mean: float
    #: Number of messages offered.
    offered: int
    #: Offered messages that did not arrive.
    lost: int
    #: Lost messages that were dropped because the queue was full.
    refused: int
    #: Latency from entry into the queue to the other board. Null if nothing arrived.
    latency_ns: Latency | None
    #: Total charge drawn by each end per delivered message, nC. An end without current data is
    #: absent.
    delivered_nc: dict[str, float]


class RealLoad(TypedDict):
    """One load on real sockets, in real time."""

    #: Clock of the measurement.
    clock: RealClock
    #: Tunnel profile.
    profile: Tunnel
    #: Rate of the radio, kbit/s.
    rate_kbps: float | None
    #: Frame loss ratio on the air.
    frame_loss: float | None
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Random seed.
    seed: int
    #: Size of an IP packet of the bulk flow, bytes: the MTU of the tunnel.
    packet: int
    #: Duration of the load, ns.
    window_ns: int
    #: Offered user data of the bulk flow, kbit/s. Null for TCP.
    offered_kbps: float | None
    #: Delivered user data of the bulk flow within the duration, kbit/s.
    goodput_kbps: float
    #: Offered packets of the bulk flow. Null for TCP.
    offered: int | None
    #: Lost packets of the bulk flow: rejected by a full queue, dropped from a queue, or lost on
    #: the air. Null for TCP.
    lost: int | None
    #: Offered packets of the sparse flow, 64 bytes every 100 ms.
    sparse_offered: int
    #: Lost packets of the sparse flow.
    sparse_lost: int
    #: Latency of the sparse flow. Null if nothing arrived.
    sparse_latency_ns: Latency | None
    #: Time from the end of the load to the last arrival of the bulk flow, ns. The published
    #: measurement calls this time the latency. Null if nothing arrived.
    completion_excess_ns: int | None
    #: Protocol of the bulk flow.
    protocol: Protocol
    #: Number of parallel iperf3 streams in each direction.
    parallel: int
    #: Whether the bulk flow runs in both directions at once.
    both_ways: bool
    #: Each direction of the bulk flow.
    streams: list[Streams]
    #: Wall time of iperf3, including its control connection, ns.
    took_ns: int
    #: Emulator scheduling delay. Null if it was stopped early.
    late_ns: Late | None


class RpcBenchmark(TypedDict):
    """A benchmark on one platform."""

    #: The platform.
    platform: RpcPlatform
    #: Name of the benchmark.
    benchmark: str
    #: Published result for this platform and its link. Null if there is none.
    published: float | None
    #: Measured result. Null if a call failed.
    measured: float | None
    #: Unit of both results.
    unit: RpcUnit
    #: Whether constants of the link are calibrated on this benchmark.
    fitted: bool
    #: Number of measured calls, without warm-up calls.
    calls: int
    #: Number of measured calls with a response.
    answered: int
    #: Latency of a call. Null if only the total time of all calls was measured.
    latency_ns: Latency | None
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Improvement that this row measures. Absent without `--gains`.
    gain: NotRequired[str]


class SniffedStream(TypedDict):
    """Frames from one sender to one receiver."""

    #: Sender and receiver. For a connection, the access address precedes them.
    name: str
    #: Radio.
    radio: SniffedRadio
    #: Distinct frames with a payload.
    frames: int
    #: Transmissions of these frames in the recording.
    transmissions: int
    #: Retransmissions of these frames in the recording.
    retransmissions: int
    #: Packets that the sniffer received damaged.
    damaged: int
    #: Packets that the sniffer missed. Later packets show that they were sent. This count is a
    #: lower bound.
    missed: int
    #: Acknowledgements that the sniffer missed. The sender's next frame shows that the sender
    #: received them.
    acks_missed: int
    #: Unacknowledged frames whose delivery cannot be determined from the recording.
    unresolved: int
    #: Time from the first bit of the first transmission to the last bit of the delivered
    #: transmission. Null if no transfer has a known latency.
    latency_ns: Latency | None
    #: Time from the first bit of the first transmission to the first bit of the
    #: acknowledgement. Null if no transfer has a known latency.
    acknowledged_ns: Latency | None


class ThreadFlow(TypedDict):
    """Messages from one node to another."""

    #: Sender. Node 1 is the leader.
    from_node: int
    #: Receiver.
    to_node: int
    #: Number of hops between them.
    hops: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: Messages dropped because the sender had no free message buffer.
    refused: int
    #: Messages that were accepted but did not arrive.
    lost: int
    #: Messages that arrived more than once.
    duplicates: int
    #: Time from the first attempt of the sending program to the arrival at the receiving
    #: program. Null if nothing arrived.
    latency_ns: Latency | None


class ThreadSeed(TypedDict):
    """Results of one of several networks that differ in their random seed."""

    #: Random seed.
    seed: int
    #: Time until the last node has its role, ns.
    formed_ns: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: Goodput between the first and the last arrival, kbit/s. Null for fewer than two arrivals.
    goodput_kbps: float | None
    #: Latency over all flows. Null if nothing arrived.
    latency_ns: Latency | None


class VirtualLoad(TypedDict):
    """One load in virtual time."""

    #: Clock of the measurement.
    clock: Virtual
    #: Tunnel profile.
    profile: Tunnel
    #: Rate of the radio, kbit/s.
    rate_kbps: float | None
    #: Frame loss ratio on the air.
    frame_loss: float | None
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Random seed.
    seed: int
    #: Size of an IP packet of the bulk flow, bytes: the MTU of the tunnel.
    packet: int
    #: Duration of the load, ns.
    window_ns: int
    #: Offered user data of the bulk flow, kbit/s. Null for TCP.
    offered_kbps: float | None
    #: Delivered user data of the bulk flow within the duration, kbit/s.
    goodput_kbps: float
    #: Offered packets of the bulk flow. Null for TCP.
    offered: int | None
    #: Lost packets of the bulk flow: rejected by a full queue, dropped from a queue, or lost on
    #: the air. Null for TCP.
    lost: int | None
    #: Offered packets of the sparse flow, 64 bytes every 100 ms.
    sparse_offered: int
    #: Lost packets of the sparse flow.
    sparse_lost: int
    #: Latency of the sparse flow. Null if nothing arrived.
    sparse_latency_ns: Latency | None
    #: Time from the end of the load to the last arrival of the bulk flow, ns. The published
    #: measurement calls this time the latency. Null if nothing arrived.
    completion_excess_ns: int | None
    #: Saturated goodput of the tunnel, kbit/s.
    limit_kbps: float
    #: Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s.
    ceiling_kbps: float | None
    #: Latency of the bulk flow. Null if nothing arrived.
    bulk_latency_ns: Latency | None


class EndCharge(TypedDict):
    """Charge and current of one end."""

    #: Charge that one message adds to the idle charge, nC. Null without messages. Negative if a
    #: listening radio draws less during a message.
    marginal_nc: float | None
    #: 95 % interval of `marginal_nc`. Only for a measured current.
    marginal_interval95_nc: NotRequired[list[float]]
    #: Idle current, nA. A measured value may be negative because of the instrument's offset.
    idle_na: float
    #: Mean current, nA.
    average_na: float
    #: Peak current of the end: largest sum of the currents of its parts, nA.
    peak_na: int
    #: Total charge, nC.
    total_nc: float
    #: Duration of the observation, ns.
    elapsed_ns: int
    #: Charge of each part of the end. Empty for a measured current.
    parts: list[PartCharge]


class Budget(TypedDict):
    """Latency budget of a run."""

    #: Number of completed transfers.
    n: int
    #: Sum of the latencies, ns. Equals the sum of the item totals.
    total_ns: int
    #: Mean latency, ns.
    mean_ns: float
    #: Part of the mean latency that is spent in the measurement setup, ns.
    fixture_ns: float
    #: Activities in the order in which they occur in a transfer.
    items: list[Item]
    #: A transfer with the median latency.
    median: Timeline
    #: A transfer whose latency is the 99 % quantile.
    p99: Timeline
    #: Share of the measurement setup in the median transfer, in words.
    fixture_text: str


class SlicesCharge(TypedDict):
    """Charge of both ends from trigger to completion."""

    #: The end that sends.
    sender: NotRequired[MessageCharge]
    #: The end that receives.
    receiver: NotRequired[MessageCharge]


class Verdict(TypedDict):
    """Verdict on the transmissions of one radio in one band."""

    #: Lower and upper edge of the band, kHz. Outside of all bands: lowest and highest frequency
    #: used.
    band_khz: list[int]
    #: Time on air in the band, as a share of all time.
    airtime: float
    #: The rule that permits most.
    kindest: Ruling
    #: The other rules that may apply.
    others: list[Ruling]


class ExplainedBurst(TypedDict):
    """Results of trains of back-to-back messages, with causes of losses and remedies."""

    #: Link profile.
    link: str
    #: Payload, bytes.
    size: int
    #: Random seed of the first train. Later trains use consecutive seeds.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: The sending program.
    traffic: TrainTraffic
    #: Number of messages per train.
    count: int
    #: Pace: shortest time between two messages, ns. Null means that messages are sent back to
    #: back.
    pace_ns: int | None
    #: Whether missing messages were sent again until all had arrived.
    repeat: bool
    #: Delivery ratio.
    delivery: float
    #: The 95 % confidence interval of the delivery ratio, from the variation between trains.
    #: Null for a single train.
    delivery_interval: list[float] | None
    #: Goodput, kbit/s: delivered user data divided by the time from the start of a train to its
    #: last arrival.
    goodput_kbps: float
    #: Number of frames per message, all of which must arrive. Null if the link does not
    #: fragment.
    fragments: int | None
    #: For each position in a train: number of trains in which the message at this position was
    #: lost.
    lost_at: list[int]
    #: Position of the lost messages in their train. Null if nothing or everything was lost.
    position: Position | None
    #: Outcome of each train.
    trials: list[Trial]
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Where most messages were lost.
    cause: Cause
    #: The cause in words.
    cause_text: str
    #: Send interval and arrival interval in words. Null if one of them is unknown.
    rate_text: str | None
    #: Messages in flight along the train, in words. Null for a train of fewer than five
    #: messages.
    queue_text: str | None
    #: Lost messages that were reported to the sending program.
    refused: int
    #: Lost messages that were not reported to the sending program.
    on_the_way: int
    #: Mean time between sent messages, ns. Null for trains of a single message.
    handed_every_ns: float | None
    #: Mean time between arrivals, ns. Null if no train has two arrivals.
    arrived_every_ns: float | None
    #: For each position in a train: mean number of messages in flight when the message at this
    #: position was sent, including this message. Lost messages are not counted.
    under_way: list[float]
    #: Results of the same trains with a remedy: with a pace, with selective repeat, or with
    #: both.
    remedies: list[Remedy]


class Sensitivity(TypedDict):
    """Sensitivity of a link: each assumed or calibrated constant halved and doubled."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Random seed of every run.
    seed: int
    #: Number of triggers per run.
    count: int
    #: Median, ns. Null if nothing arrived.
    p50_ns: float | None
    #: 99 % quantile, ns. Null if nothing arrived.
    p99_ns: float | None
    #: Delivery ratio.
    delivery: float | None
    #: Largest change of the median over four other seeds, as a share. Null means that nothing
    #: arrives.
    chance_p50: float | None
    #: Largest change of the 99 % quantile over four other seeds, as a share. Null means that
    #: nothing arrives.
    chance_p99: float | None
    #: `chance_p50` and `chance_p99` in words. Null if nothing arrives.
    chance_text: str | None
    #: Constants, largest effect first.
    constants: list[SensitiveConstant]
    #: Assumed and calibrated constants that can be neither halved nor doubled.
    left_out: list[LeftOutConstant]


_Advice = TypedDict("_Advice", {"for": Aim})


class Advice(_Advice):
    """Recommended changes, with their measured effect."""

    #: Single changes without a cost, largest gain first.
    single: list[Change]
    #: Single changes with a cost, largest gain first.
    trades: list[Change]
    #: Cumulative changes. The first entry is the best single change. Each further entry adds
    #: the best further change.
    combined: list[Change]
    #: Effect of a trigger that is aligned with the transmissions of the link. Null if the link
    #: does not transmit on its own schedule, or if the gain is below 10 %.
    alignment: Alignment | None
    #: Number of runs that were made to find the advice.
    tried: int
    #: Number of these runs that measured the selected changes again, with the seed of the
    #: explained run.
    measured: int
    #: Random seed of the runs from which the changes were selected.
    choice_seed: int
    #: The advice in words, best first. Lists only the best value of each parameter.
    steps: list[AdviceStep]


class MatchedCapture(TypedDict):
    """A capture compared with one link profile."""

    #: File name of the capture.
    source: str
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Kolmogorov–Smirnov distance between the latency distributions of capture and bench, 0 to
    #: 1.
    ks: float
    #: Largest `ks` to expect by chance: two samples of this size from one distribution exceed
    #: it with a probability of 5 %.
    ks_chance: float
    #: Difference between the latencies of capture and bench: 0.012 means that 98.8 % of the
    #: latencies agree within 1.2 %.
    distance: float
    #: Kolmogorov–Smirnov distance after the bench latencies are shifted onto those of the
    #: capture. It compares only the shapes of the distributions.
    shape: float
    #: Whether the profile explains the capture: the medians are close, the total misfit is at
    #: most `tolerance`, and `ks` is at most a fixed multiple of `ks_chance`.
    explains: bool
    #: Verdict in a sentence, with the largest misfit.
    verdict: str
    #: Component with the largest misfit, in words.
    contradiction: str
    #: `ks`, `ks_chance` and `distance` in words.
    agreement: str
    #: Number of free parameters, and the fitted values, in words.
    fitting: str
    #: Misfit by component.
    evidence: MatchEvidence
    #: Largest total misfit with which a profile explains a capture.
    tolerance: float
    #: Difference between bench and capture at each latency quantile.
    quantile_error: QuantileErrors
    #: Number of free parameters: quantities that the profile leaves open, such as clock phases.
    free: int
    #: Free parameters that were fitted because they improve the match.
    fitted: list[Fitted]
    #: Outcomes in the capture of the triggers that were used.
    captured: Fate
    #: Outcomes on the virtual bench of the same triggers.
    virtual: Fate
    #: Parameters that differ from the profile, by name.
    settings: dict[str, bool | int | float | str]
    #: Total misfit plus the cost of free parameters; less is better. Null outside a ranking.
    score: float | None
    #: Smallest and largest payload that explain the capture about as well as `size`, bytes. The
    #: posterior odds against any other payload are at least 20 to 1. Null, except for the best
    #: match of a ranking with an unknown payload.
    size_interval: list[int] | None


class ExplainedCapture(TypedDict):
    """A capture with the profile that explains it best."""

    #: File name of the capture.
    source: str
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Kolmogorov–Smirnov distance between the latency distributions of capture and bench, 0 to
    #: 1.
    ks: float
    #: Largest `ks` to expect by chance: two samples of this size from one distribution exceed
    #: it with a probability of 5 %.
    ks_chance: float
    #: Difference between the latencies of capture and bench: 0.012 means that 98.8 % of the
    #: latencies agree within 1.2 %.
    distance: float
    #: Kolmogorov–Smirnov distance after the bench latencies are shifted onto those of the
    #: capture. It compares only the shapes of the distributions.
    shape: float
    #: Whether the profile explains the capture: the medians are close, the total misfit is at
    #: most `tolerance`, and `ks` is at most a fixed multiple of `ks_chance`.
    explains: bool
    #: Verdict in a sentence, with the largest misfit.
    verdict: str
    #: Component with the largest misfit, in words.
    contradiction: str
    #: `ks`, `ks_chance` and `distance` in words.
    agreement: str
    #: Number of free parameters, and the fitted values, in words.
    fitting: str
    #: Misfit by component.
    evidence: MatchEvidence
    #: Largest total misfit with which a profile explains a capture.
    tolerance: float
    #: Difference between bench and capture at each latency quantile.
    quantile_error: QuantileErrors
    #: Number of free parameters: quantities that the profile leaves open, such as clock phases.
    free: int
    #: Free parameters that were fitted because they improve the match.
    fitted: list[Fitted]
    #: Outcomes in the capture of the triggers that were used.
    captured: Fate
    #: Outcomes on the virtual bench of the same triggers.
    virtual: Fate
    #: Parameters that differ from the profile, by name.
    settings: dict[str, bool | int | float | str]
    #: Total misfit plus the cost of free parameters; less is better. Null outside a ranking.
    score: float | None
    #: Smallest and largest payload that explain the capture about as well as `size`, bytes. The
    #: posterior odds against any other payload are at least 20 to 1. Null, except for the best
    #: match of a ranking with an unknown payload.
    size_interval: list[int] | None
    #: Compared combinations of profile and payload, best match first. Combinations that were
    #: compared with only the first triggers of the capture come last.
    ranking: list[MatchCandidate]
    #: Number of combinations of profile and payload that cannot produce the latencies of the
    #: capture.
    impossible: int
    #: Number of combinations of profile and payload that can produce the latencies of the
    #: capture, but whose latencies have a different spread, whatever the values of the free
    #: parameters.
    unlike: int
    #: Confidence that the best match names the right kind of link. Null if no profile explains
    #: the capture.
    certainty: Certainty | None
    #: `certainty` in words. Null if no profile explains the capture.
    certainty_text: str | None
    #: Probability that the best match names the right kind of link, 0 to 1. Null if no profile
    #: explains the capture.
    odds: float | None
    #: Nearest profile whose kind of link differs from that of the best match. Kinds that
    #: interoperate count as one. Null if there is none.
    next: str | None
    #: Parameters of the best match that affect its distance, each with the value that fits
    #: best.
    tried: list[TriedSetting]
    #: Reason why no profile explains the capture. Null if one does.
    reason: str | None


class UnexplainedCapture(TypedDict):
    """A capture that no profile explains."""

    #: File name of the capture.
    source: str
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Payload, bytes. Null if unknown.
    size: int | None
    #: Changed profile parameters of a saved virtual run: value by name. Absent for captures.
    settings: NotRequired[dict[str, str]]
    #: Always null.
    link: None
    #: Always null.
    ks: None
    #: Always null.
    quantile_error: None
    #: Always null.
    fitted: None
    #: Always null.
    evidence: None
    #: Compared combinations of profile and payload, best match first. Combinations that were
    #: compared with only the first triggers of the capture come last.
    ranking: list[MatchCandidate]
    #: Number of combinations of profile and payload that cannot produce the latencies of the
    #: capture.
    impossible: int
    #: Number of combinations of profile and payload that can produce the latencies of the
    #: capture, but whose latencies have a different spread, whatever the values of the free
    #: parameters.
    unlike: int
    #: Confidence that the best match names the right kind of link. Null if no profile explains
    #: the capture.
    certainty: Certainty | None
    #: `certainty` in words. Null if no profile explains the capture.
    certainty_text: str | None
    #: Probability that the best match names the right kind of link, 0 to 1. Null if no profile
    #: explains the capture.
    odds: float | None
    #: Nearest profile whose kind of link differs from that of the best match. Kinds that
    #: interoperate count as one. Null if there is none.
    next: str | None
    #: Parameters of the best match that affect its distance, each with the value that fits
    #: best.
    tried: list[TriedSetting]
    #: Reason why no profile explains the capture. Null if one does.
    reason: str | None


class Load(TypedDict):
    """Latency, queueing and loss of a link as functions of the offered load."""

    #: Link profile.
    link: str
    #: Payload, bytes. For `rpc-stream` and `rpc-upload`: number of items per call.
    size: int
    #: Random seed.
    seed: int
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Delivered user data, kbit/s. For a link that sends in bursts, only whole bursts are
    #: counted.
    goodput_kbps: float
    #: Upper bound of the goodput, computed from frame durations and mandatory gaps, kbit/s.
    #: Null if these take no time.
    ceiling_kbps: float | None
    #: Messages that arrived during the measurement.
    delivered: int
    #: Messages that did not arrive although a later one did.
    lost: int
    #: Duration of the measurement, ns: from the first arrival after the warm-up to the last
    #: arrival.
    elapsed_ns: int
    #: Traffic that saturates the link: one-way messages, or remote procedure calls of one
    #: method.
    traffic: Carried
    #: Capacity of the queue in front of the link, messages.
    queue: int
    #: Arrival process of the messages at the queue.
    arrivals: Arrivals
    #: Results at each offered load, lightest load first.
    points: list[LoadPoint]
    #: Knee: goodput at the largest load that the link carries, kbit/s. The link carries a load
    #: if the delivery ratio is at least 98 % of the best delivery ratio of all loads. Null if
    #: it carries all loads, or not even the lightest.
    knee_kbps: float | None


class Sniff(TypedDict):
    """Connections and streams in a sniffer recording."""

    #: Packets in the file.
    packets: int
    #: Packets of link types that are not supported.
    unsupported: int
    #: Packets that could not be decoded.
    undecoded: int
    #: Bluetooth LE connections, in the order of their first packets.
    connections: list[SniffedConnection]
    #: Streams of frames from one sender to one receiver, in the order of their first frames.
    streams: list[SniffedStream]
    #: Index of the stream in `streams` whose frames are the transfers of the run.
    selected: int


class Network(TypedDict):
    """Load on a Thread network, and its outcome over the networks of all seeds."""

    #: Topology of the network.
    topology: Topology
    #: Number of nodes. Each node is a process.
    nodes: int
    #: Number of hops of the longest path to node 1.
    hops: int
    #: Position of each node at switch-on, x and y, m.
    positions_m: list[list[float]]
    #: Distance up to which a frame is received, m. Ignored if the settings contain an
    #: environment.
    reach_m: float
    #: Distance up to which a frame keeps the channel busy, m.
    sensed_m: float
    #: Link profile of the boards of the nodes. Null means boards whose software takes no time.
    boards: str | None
    #: Changed profile parameters, by name. Values are text in the syntax of `--set`.
    settings: dict[str, str]
    #: Random seed of the first network.
    seed: int
    #: Direction of the messages.
    direction: Direction
    #: Message timing.
    traffic: ThreadTraffic
    #: Payload, bytes.
    size: int
    #: Number of messages per flow.
    count: int
    #: Time between the messages of a flow, ns. 0 if the flow is not periodic.
    period_ns: int
    #: Poll period of sleepy children, ns. Null means no sleepy children.
    poll_period_ns: int | None
    #: Frame loss ratio of each path.
    frame_loss: float
    #: Mean length of a loss burst, frames.
    loss_burst: float
    #: For each node of the first network: time from switch-on until the node has its role
    #: (leader, router, child), ns.
    attach_ns: list[int]
    #: Time until the last node of the first network has its role, ns.
    formed_ns: int
    #: Messages sent.
    sent: int
    #: Messages that arrived.
    delivered: int
    #: Messages dropped because the sender had no free message buffer.
    refused: int
    #: Messages that were accepted but did not arrive.
    lost: int
    #: Goodput between the first and the last arrival, kbit/s: mean over the networks. Null for
    #: fewer than two arrivals.
    goodput_kbps: float | None
    #: Latency over all flows. Null if nothing arrived.
    latency_ns: Latency | None
    #: Frames on the air during the load, excluding acknowledgement frames.
    frames: int
    #: Number of retransmitted frames.
    retries: int
    #: Transmitted frames that were not acknowledged.
    no_acks: int
    #: Channel assessments that found the channel busy.
    busy: int
    #: Frames dropped because a radio co-processor had no free buffer.
    co_processor_full: int
    #: One flow for each leaf node.
    flows: list[ThreadFlow]
    #: Outcomes of the steps in the first network.
    steps: list[ThreadOutcome]
    #: For each node of the first network: role at the end (disabled, detached, child, router,
    #: leader).
    roles: list[str]
    #: Results for each random seed.
    by_seed: list[ThreadSeed]
    #: Spread of the results over the networks.
    spread: ThreadSpread
    #: Formation of the first network, in words.
    formation_text: str
    #: Activity on the air, in words.
    radio_text: str
    #: Spread of the results, in words.
    spread_text: str


#: One load on one tunnel.
TunnelLoad = VirtualLoad | RealLoad


class Charge(TypedDict):
    """Charge and current of both ends."""

    #: The end that sends.
    sender: NotRequired[EndCharge]
    #: The end that receives.
    receiver: NotRequired[EndCharge]


class Radio(TypedDict):
    """Verdict on one radio."""

    #: Name of the radio on the air.
    name: str
    #: Time on air, as a share of all time.
    airtime: float
    #: One verdict for each band, worst first.
    verdicts: list[Verdict]


#: A capture with the outcome of a match.
Matched = MatchedCapture | ExplainedCapture | UnexplainedCapture


class EmulatedRun(TypedDict):
    """One direction of an emulated link, and the emulator scheduling delay."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Packets dropped because the queue was full, or because they are longer than a message.
    refused: int
    #: Bytes received from the sending program.
    bytes_in: int
    #: Bytes delivered to the receiving program.
    bytes_out: int
    #: Scheduling delay of the emulator, over both directions.
    late_ns: Late
    #: Virtual time that elapsed, ns.
    elapsed_ns: int


class LessonRun(TypedDict):
    """One capture of the demonstration, paired in two ways."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: The naive pairing.
    naive: Naive


class Probed(TypedDict):
    """A session of probes: its round trips, one-way delays and losses."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Round-trip delay (RFC 2681). The residence time at the reflector is subtracted if the
    #: reflector reports it. Null without a response.
    round_trip_ns: Latency | None
    #: One-way delay to the far end (RFC 7679). Its uncertainty is that of the clock offset.
    #: Null if the far end sends no timestamps.
    forward_ns: Latency | None
    #: One-way delay from the far end, with the same uncertainty. Null if the far end sends no
    #: timestamps.
    return_ns: Latency | None
    #: Residence time at the reflector. Null if the far end sends no timestamps.
    residence_ns: Latency | None
    #: Requests that did not reach the far end (RFC 7680).
    lost_forward: int
    #: Responses that were lost on the return path.
    lost_return: int
    #: Losses in an unknown direction: after the last response, or without a count from the
    #: reflector.
    lost_unknown: int
    #: Loss episodes. Null if nothing was lost.
    loss_episodes: Episodes | None
    #: Number of duplicate responses (RFC 5560).
    duplicates: int
    #: Responses that arrived after the response to a later request (RFC 4737).
    reordered: int
    #: Responses that arrived after the timeout. Their requests count as lost.
    too_late: int
    #: Requests that were sent more than 50 us late.
    late_sends: int
    #: Delay of each request after its scheduled send time.
    send_delay_ns: Latency | None
    #: Round-trip time of the program that passes messages between prober and link, measured in
    #: a loopback without the link. Each round trip of the session includes such a time. Null if
    #: the prober accesses the link itself.
    carrier_round_trip_ns: Latency | None
    #: Offset, skew and steps of the far clock.
    clock: FarClock


class RealRun(TypedDict):
    """A run of a real bench, compared with the virtual bench."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Name of the run, and of its file.
    name: str
    #: Repetition, counted from 1.
    repetition: int
    #: Whether a signal ended the run before all messages were sent. Such a run is not compared
    #: with the virtual bench.
    interrupted: bool
    #: Counters of the boards after the run: for each end, value by name. Null without boards
    #: that have a firmware image of airlag.
    counters: dict[str, dict[str, int]] | None
    #: Comparison with the link profile. Null if run and profile cannot be compared.
    match: MatchCandidate | None
    #: Charge and current on the virtual bench. Null without a measured current.
    virtual_charge: Charge | None


class RecommendedRun(TypedDict):
    """Results of a candidate on the bench."""

    #: Messages sent.
    triggers: int
    #: Messages with a known outcome.
    n: int
    #: Messages that met the deadline.
    in_time: Proportion
    #: Lost messages.
    lost: Proportion
    #: Median latency.
    p50_ns: QuantileOfAll
    #: Latency at the required percentile.
    quantile_ns: QuantileOfAll
    #: Longest latency of a few messages sent one at a time, ns.
    service_ns: int | None
    #: Largest slice of the message whose latency is the required percentile: the activity that
    #: takes the most time.
    largest: Part | None
    #: Fade margin at the deciding location, dB: signal level minus the level at which 1 % of
    #: frames are lost. The deciding location is the simulated location at the quantile that
    #: corresponds to the required share of locations.
    fade_margin_db: float | None
    #: Time between the messages, ns.
    period_ns: int
    #: Charge and current of both ends. Null without current data, and if charge and current are
    #: not limited.
    charge: Charge | None


class Recorded(TypedDict):
    """A recorded run."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: The pulse-per-second signal on the channel of `--pps`. Absent without this option.
    pps: NotRequired[PulsePerSecond]


class Run(TypedDict):
    """One run: a capture, a saved run, or a run on the virtual bench."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]


class Law(TypedDict):
    """Verdict of a region on the transmissions of one run of a link. For information only. Not
    legal advice.
    """

    #: Region whose rules were checked.
    region: Region
    #: Outcome for the worst radio.
    standing: Standing
    #: Whether no limit is exceeded.
    allowed: bool
    #: Largest time on air of a radio, as a share of all time.
    airtime: float
    #: The limit that decides the outcome, with its clause.
    reason: str
    #: For each other rule that does not allow the transmissions: the limit that they exceed.
    otherwise: list[str]
    #: Verdicts by radio, worst first.
    radios: list[Radio]


class CampaignRun(TypedDict):
    """One run of a campaign, with known results of the real link."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Causes of losses and delays.
    causes: Causes
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Wire time of the message bits, ns. Null for a radio.
    wire_ns: int | None
    #: Latency minus `wire_ns`. Null for a radio, and if no transfer completed.
    overhead_ns: Overhead | None
    #: Regulatory verdict of the requested region. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life. Absent unless the request has a message rate or a
    #: battery.
    fed: NotRequired[Fed]
    #: Published median latency of the unchanged profile, ns. Null without a published median.
    published_ns: int | None
    #: Document and section of the published median. Null without a published median.
    published_from: str | None
    #: Latency of the capture of this link. Null without a capture.
    captured_ns: Latency | None
    #: Latency of the virtual bench at the trigger times of the capture. Null without a capture.
    matched_ns: Latency | None
    #: Lower bound of the latency of any program on the link, ns.
    floor_ns: int | None


class ExplainedRun(TypedDict):
    """One run on the virtual bench, with its latency budget."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Causes of losses and delays.
    causes: Causes
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Wire time of the message bits, ns. Null for a radio.
    wire_ns: int | None
    #: Latency minus `wire_ns`. Null for a radio, and if no transfer completed.
    overhead_ns: Overhead | None
    #: Regulatory verdict of the requested region. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life. Absent unless the request has a message rate or a
    #: battery.
    fed: NotRequired[Fed]
    #: Latency budget. Null if no transfer completed.
    budget: Budget | None
    #: Lower bound of the latency.
    floor: Floor
    #: Lower bound compared with the median, in words. Null if no transfer completed.
    floor_text: str | None
    #: Published results of this remote procedure call over this link, in words.
    published: list[str]
    #: Advice. Null if none was requested, or if no transfer completed.
    advice: Advice | None
    #: Charge by activity. Null if no end has current data.
    slices_charge: SlicesCharge | None


class Recommended(TypedDict):
    """A profile with settings, and its verdict."""

    #: Link profile.
    link: str
    #: Payload, bytes. Null if the link has no messages.
    size: int | None
    #: Settings in the syntax of `--set`: first the settings required of all links, then the
    #: settings of this candidate.
    settings: dict[str, str]
    #: Whether the profile is current good practice. False for a profile of a published
    #: measurement.
    good_practice: bool
    #: Whether `settings` contains more than the settings required of all links.
    tuned: bool
    #: Names of the settings beyond those required of all links.
    tuned_settings: list[str]
    #: Disadvantages of these settings other than latency, in words.
    gives_up: list[str]
    #: Whether the candidate meets all requirements.
    verdict: RecommendVerdict
    #: Reason for the verdict, in words.
    reason: str
    #: Verdict on each requirement.
    criteria: list[Criterion]
    #: Lower bound of the latency, ns. Null if not known.
    floor_ns: int | None
    #: Results on the virtual bench. Null if the candidate was not simulated.
    seen: RecommendedRun | None
    #: Regulatory verdict of the required region. Null without a required region, and for a link
    #: without a radio.
    law: Law | None
    #: Command line that reproduces the result.
    command: list[str]


class VirtualRun(TypedDict):
    """One run on the virtual bench."""

    #: File name of the capture, or link profile of a virtual run.
    source: str
    #: Link profile. Null if unknown.
    link: str | None
    #: Payload, bytes. Null if unknown, or if the link has no messages.
    size: int | None
    #: Random seed. Null if unknown.
    seed: int | None
    #: Names of the trigger and completion channels. Null for a run without edges.
    channels: list[str] | None
    #: Number of triggers: delivered, lost and censored.
    triggers: int
    #: Completed transfers, including late ones.
    delivered: int
    #: Transfers that completed after the next trigger.
    late: int
    #: Transfers without a completion before the end of their window.
    lost: int
    #: Transfers whose window is cut off by the end of the capture or by a gap.
    censored: int
    #: Completions without a trigger.
    spurious: int
    #: Rising edges of the trigger channel that do not count as triggers, because the channel
    #: was low for too short a time before them.
    glitches: int
    #: Delivery ratio. Null if no outcome is known.
    delivery: Delivery | None
    #: Latency statistics. Null if no transfer completed.
    latency_ns: Latency | None
    #: Findings, in the order in which a report lists them.
    findings: list[Finding]
    #: Distance between the radios. Absent if the radios are side by side.
    apart: NotRequired[Apart]
    #: Traffic that each trigger starts. Absent for one-way messages.
    traffic: NotRequired[Traffic]
    #: Direction of the messages. Absent unless the traffic has both directions.
    way: NotRequired[Way]
    #: Trigger timing. Absent for captures, and if other programs generate the traffic.
    stimulus: NotRequired[Stimulus]
    #: Profile parameters that were changed: value by name, in the unit of the parameter. Absent
    #: for captures.
    settings: NotRequired[dict[str, str]]
    #: Missed messages, if a deadline is given. Null if no outcome is known.
    deadline: NotRequired[Deadline | None]
    #: Charge and current. Null on the virtual bench if no end has current data. Absent for
    #: captures without a measured current.
    charge: NotRequired[Charge | None]
    #: Connections and streams of a sniffer recording. Absent for other captures and for virtual
    #: runs.
    sniff: NotRequired[Sniff]
    #: Causes of losses and delays.
    causes: Causes
    #: Events that the link model counts, such as `retry`: number of occurrences by name.
    incidents: dict[str, int]
    #: Wire time of the message bits, ns. Null for a radio.
    wire_ns: int | None
    #: Latency minus `wire_ns`. Null for a radio, and if no transfer completed.
    overhead_ns: Overhead | None
    #: Regulatory verdict of the requested region. Null for a link without a radio.
    law: NotRequired[Law | None]
    #: Mean currents and battery life. Absent unless the request has a message rate or a
    #: battery.
    fed: NotRequired[Fed]


#: One entry of a campaign.
Campaign = CampaignRun | CampaignPoint

#: One entry of `airlag explain`.
Explained = ExplainedRun | ExplainedBurst


class Recommendation(TypedDict):
    """Requirements, and the verdict on each candidate."""

    #: The requirements.
    task: Task
    #: The requirements in words, one phrase each.
    requirements: list[str]
    #: The best configuration of each link, best link first.
    candidates: list[Recommended]
    #: Number of profiles considered.
    contenders: int
    #: Whether the search finished within its budget.
    complete: bool
    #: Work spent on the search, in seconds of one core.
    work_s: float


#: One entry of `airlag run`.
Ran = VirtualRun | Burst | RealRun
