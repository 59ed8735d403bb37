"""A run as ``--json`` prints it: what arrived, how long it took, what is odd."""

from typing import Annotated, Literal, NotRequired, TypedDict

from airlag.json_types.charge import Charge, Fed
from airlag.json_types.law import Law

Count = Annotated[int, ("minimum", 0)]
Share = Annotated[float, ("minimum", 0), ("maximum", 1)]
Nonnegative = Annotated[float, ("minimum", 0)]
ShareInterval = Annotated[
    list[Share], "95 % interval: low, high.", ("minItems", 2), ("maxItems", 2)
]
#: An end is ``None`` where what arrived is too little to bound it.
IntervalNs = Annotated[
    list[int | None],
    "95 % interval: low, high, ns; null: not bounded.",
    ("minItems", 2),
    ("maxItems", 2),
]
#: ``p50``.
QuantileName = Annotated[str, ("pattern", r"^p[0-9.]+$")]

#: Quantiles that every latency has.
Percentile = Literal["p1", "p5", "p25", "p50", "p75", "p95", "p99"]
Phase = Literal["uniform", "frozen"]
#: Calls, by their name on the command line.
Call = Literal["rpc-echo", "rpc-read", "rpc-write", "rpc-stream", "rpc-upload"]
Traffic = Literal["trigger", "echo", "both"] | Call
Way = Literal["there", "back"]
FindingName = Literal[
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

_P999 = TypedDict("_P999", {"p99.9": NotRequired[Annotated[float, "From 1000 latencies on, ns."]]})


class Quantiles(_P999):
    """Quantiles, ns: linear interpolation between closest ranks (type 7)."""

    p1: float
    p5: float
    p25: float
    p50: float
    p75: float
    p95: float
    p99: float


class Jitter(TypedDict):
    """Absolute difference of one latency to the next, ns."""

    mean: Nonnegative
    p50: Nonnegative
    p99: Nonnegative


class Deadline(TypedDict):
    """What misses a deadline: messages that take longer, and messages that are lost."""

    deadline_ns: Annotated[int, ("minimum", 0)]
    n: Annotated[int, "Messages whose fate is known.", ("minimum", 1)]
    missed: Annotated[Count, "Of these, late or lost."]
    interval95: Annotated[ShareInterval, "Of the share that misses."]
    longest_run: Annotated[Count, "Most misses in a row."]


class Latency(Quantiles):
    """Latencies of the transfers that completed, ns."""

    n: Annotated[int, "Latencies.", ("minimum", 1)]
    min: int
    max: int
    mean: float
    std: Annotated[Nonnegative | None, "Standard deviation (n - 1); null for a single latency."]
    interval95: Annotated[dict[QuantileName, IntervalNs], "Of each quantile, where it may lie."]
    jitter: Annotated[NotRequired[Jitter], "Absent for a single latency."]


class Delivery(TypedDict):
    """How many arrive, of all whose fate is known."""

    ratio: Share
    interval95: Annotated[
        ShareInterval,
        "95 % interval (Wilson; of several places, one that contains how they differ).",
    ]


class PlaceShares(TypedDict):
    """Share of its messages that a place delivers."""

    p10: Annotated[Share, "One place in ten has this or less."]
    p50: Annotated[Share, "Half of all places."]
    p90: Annotated[Share, "Nine in ten."]


class Keep(TypedDict):
    """Places that do what is asked."""

    count: Count
    ratio: Share
    interval95: Annotated[ShareInterval, "95 % interval of their share (Clopper and Pearson)."]


class Places(TypedDict):
    """How the places differ at which a link was run; each counts once."""

    count: Annotated[int, "Places.", ("minimum", 1)]
    shares: PlaceShares
    mean: Annotated[Share, "Mean of these shares over places."]
    mean_interval95: Annotated[ShareInterval, "95 % interval of that over all places."]
    keep: Keep


class Apart(TypedDict):
    """How far apart the radios of a virtual run stand, and what that does."""

    range_m: Annotated[float, "Between the antennas, m."]
    environment: Annotated[str, "What is between them."]
    shadowing_db: Annotated[Nonnegative, "Standard deviation of places about the mean loss, dB."]
    fade_margin_db: Annotated[
        float | None,
        "What the mean signal has above the one with which 1 % of the frames are lost, dB; null: "
        "no frame was sent.",
    ]
    delivered: Annotated[Share, "What a place has to deliver to be counted in places.keep."]
    places: Annotated[Places | None, "Null where it is one place."]


class Finding(TypedDict):
    """One thing that is true of a run and matters."""

    name: FindingName
    evidence: Annotated[
        dict[str, int | float | list[int]], "The numbers it rests on; units are in the keys."
    ]
    message: Annotated[str, "What is the case.", ("minLength", 1)]
    advice: Annotated[str, "What to do about it.", ("minLength", 1)]


class Stimulus(TypedDict):
    """What triggered a virtual run."""

    period_ns: Annotated[Count, "From trigger to trigger, ns."]
    phase: Annotated[Phase, "What a trigger is to whatever ticks on the boards."]
    service_ns: Annotated[
        Count | None,
        "Longest latency of a few messages sent one at a time, ns; null when none arrived.",
    ]


class Transfers(TypedDict):
    """What became of the triggers of a run."""

    source: Annotated[str, "File name of the capture, or link profile of a virtual run."]
    seed: Annotated[Count | None, "Root seed, where known."]
    channels: Annotated[
        list[str] | None, "What trigger and completion are called; null where there are no edges."
    ]
    triggers: Annotated[Count, "Triggers seen: delivered, lost and censored."]
    delivered: Annotated[Count, "Transfers that completed, late ones included."]
    late: Annotated[Count, "Of these, those that completed after the next trigger."]
    lost: Annotated[Count, "Windows that closed without a completion."]
    censored: Annotated[Count, "Windows cut by the end of the capture or by a gap."]
    spurious: Annotated[Count, "Completions nobody asked for."]
    glitches: Annotated[Count, "Rises of the trigger wire after too short a low."]
    delivery: Annotated[Delivery | None, "Null when no fate is known."]
    latency_ns: Annotated[Latency | None, "Null when nothing completed."]
    findings: Annotated[list[Finding], "In the order reports list them."]
    apart: Annotated[NotRequired[Apart], "Absent where no radios stand apart."]
    traffic: Annotated[
        NotRequired[Traffic], "What was sent at a trigger; absent: a message one way."
    ]
    way: Annotated[NotRequired[Way], "Which of both ways this run is of."]
    stimulus: Annotated[
        NotRequired[Stimulus], "Absent of a capture, and where programs sent what they pleased."
    ]


class Run(Transfers):
    """One run: a capture, a saved run or a run of the virtual bench."""

    link: Annotated[str | None, "Link profile, where known."]
    size: Annotated[Count | None, "Payload, bytes, where known; null where there is no message."]
    settings: Annotated[
        NotRequired[dict[str, str]],
        "Constants that differ from the profile, each in the unit of its parameter; absent of a "
        "capture.",
    ]
    deadline: Annotated[
        NotRequired[Deadline | None], "With --deadline; null when no fate is known."
    ]


class Overhead(Quantiles):
    """Latency less what the bits of a message take on the wire, ns."""

    min: float
    max: float
    mean: float


class BenchFacts(TypedDict):
    """What is known of a virtual run besides what is known of any."""

    incidents: Annotated[dict[str, Count], "How often what has a name of its own happened."]
    wire_ns: Annotated[
        Count | None, "What the bits of a message take on the wire, ns; null for a radio."
    ]
    overhead_ns: Annotated[Overhead | None, "Null for a radio, and when nothing arrived."]
    fed: Annotated[NotRequired[Fed], "With --rate or --battery: currents, and how long it lasts."]
    charge: Annotated[Charge | None, "What it cost; null where nobody lists what its ends draw."]
    law: Annotated[
        NotRequired[Law | None], "With --region: what it says; null for a link without a radio."
    ]


class VirtualRun(Run, BenchFacts):
    """One run of the virtual bench."""


class Naive(TypedDict):
    """What a pairing says that takes the next completion, however late."""

    transfers: Count
    p50: Annotated[float, "Median, ns."]
    max: Annotated[int, "Maximum, ns."]


class LessonRun(Run):
    """One capture of the demonstration, read twice."""

    naive: Naive


class CampaignRun(VirtualRun):
    """One run of a campaign, beside what is known of the real link."""

    published_ns: Annotated[Count | None, "Published median of the profile as it is, ns."]
    published_from: Annotated[str | None, "Article and section it is from."]
    captured_ns: Annotated[Latency | None, "Of the capture, where it is at hand."]
    matched_ns: Annotated[Latency | None, "Of the bench at the capture's trigger times."]
    floor_ns: Annotated[Count | None, "What no program on the link can go below, ns."]
