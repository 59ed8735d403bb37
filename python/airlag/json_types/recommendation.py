"""Which link to choose for a deadline, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.charge import Charge
from airlag.json_types.explanation import Part
from airlag.json_types.law import Law, Region
from airlag.json_types.run import Count, IntervalNs, Places, Share, ShareInterval

Verdict = Literal["passes", "close", "range-unknown", "fails"]


class Task(TypedDict):
    """What a link is wanted for."""

    size: Annotated[Count | None, "Payload, bytes; null where no link has a message."]
    deadline_ns: Annotated[Count, "The longest time that will do, ns."]
    percentile: Annotated[float, "Percent of all messages that must keep it."]
    max_loss: Annotated[Share, "Share of all messages that may be lost."]
    range: Annotated[str | None, "How far apart the radios stand; null: beside each other."]
    environment: Annotated[str | None, "What is between them; null without a range."]
    places_share: Annotated[Share, "Share of places that must keep it, with a range."]
    neighbours: Annotated[list[str], "Who else is on the air; empty: nobody."]
    processor: Annotated[
        str | None, "On both boards, for what they draw; null: as it was measured."
    ]
    period_ns: Annotated[Count | None, "From message to message, ns; null: as the link needs."]
    seed: Annotated[Count, "Root seed."]
    links: Annotated[list[str], "Profiles to choose from; empty: all."]
    wired: Annotated[bool, "Those with a wire too."]
    trade: Annotated[bool, "Tune also what gives up something no latency shows."]
    region: Annotated[Region | None, "Whose rules it has to keep; null: nobody's."]
    max_charge_nc: Annotated[
        float | None, "What a message may cost its sender, nC; null: anything."
    ]
    battery: Annotated[str | None, "What feeds the sender; null: the usual one."]
    battery_years: Annotated[float | None, "How long it has to last, years; null: any time."]
    per_second: Annotated[float, "Messages a second meanwhile."]


class Quantile(TypedDict):
    """A quantile of all messages, a lost one taking longer than any."""

    ns: Annotated[float | None, "Null where so many never arrive."]
    interval95: IntervalNs


class Proportion(TypedDict):
    """Some of the messages whose fate is known."""

    count: Count
    ratio: Share
    interval95: Annotated[
        ShareInterval,
        "95 % interval (Wilson; of several places, one that contains how they differ).",
    ]


class Seen(TypedDict):
    """What the bench saw of a candidate."""

    triggers: Annotated[Count, "Messages sent."]
    n: Annotated[Count, "Those of them whose fate is known."]
    in_time: Annotated[Proportion, "Completed within the deadline."]
    lost: Proportion
    p50_ns: Quantile
    quantile_ns: Annotated[Quantile, "The percentile that was asked for."]
    latency: Annotated[Verdict, "Whether the percentile keeps the deadline."]
    loss: Annotated[Verdict, "Whether few enough are lost."]
    service_ns: Annotated[Count | None, "Longest latency of a few messages sent one at a time, ns."]
    largest: Annotated[Part | None, "What the message at the percentile spent the most time on."]
    places: Annotated[
        Places | None, "Of the share that is in time at each place; null where places are alike."
    ]
    fade_margin_db: Annotated[
        float | None,
        "What the mean signal has above the one with which 1 % of the frames are lost, dB.",
    ]
    charge: Annotated[Charge | None, "What messages cost; null where nobody lists it."]


class Candidate(TypedDict):
    """A profile with some settings, and how it does."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    settings: Annotated[dict[str, str], "What is set, as --set takes it."]
    tuned: Annotated[bool, "Whether any of the settings tunes the link."]
    gives_up: Annotated[list[str], "What these cost that no latency shows."]
    verdict: Verdict
    reason: Annotated[str, "Why, in words."]
    floor_ns: Annotated[Count | None, "What a message takes at least, ns; null: not known."]
    seen: Annotated[Seen | None, "Null where the bench was not run."]
    law: Annotated[Law | None, "What the region says; null without one."]
    command: Annotated[list[str], "The command line that runs it again."]


class Recommendation(TypedDict):
    """A task, and every candidate for it."""

    task: Task
    candidates: Annotated[list[Candidate], "The best first."]
