"""Goodput and load of a link, as ``--json`` prints them."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.explanation import Part
from airlag.json_types.run import Call, Count, Latency, Nonnegative

Arrivals = Literal["periodic", "poisson", "burst"]
#: What a link is asked to carry: messages, or calls.
Carried = Literal["trigger"] | Call


class Saturated(TypedDict):
    """What a link carries when its sender never waits."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count, "Payload, bytes, or items of a call that has items."]
    seed: Annotated[Count, "Root seed."]
    settings: Annotated[dict[str, str], "Constants that differ from the profile, as given."]
    goodput_kbps: Annotated[Nonnegative, "User data that arrived, kbit/s."]
    ceiling_kbps: Annotated[Nonnegative | None, "What the link's formulas allow, kbit/s."]
    delivered: Annotated[Count, "Messages that arrived while the watch ran."]
    lost: Annotated[Count, "Those that did not although a later one did."]
    elapsed_ns: Annotated[Count, "How long the watch ran, ns."]
    traffic: Annotated[Carried, "Messages, or calls of one kind."]


class Goodput(Saturated):
    """What a link carries when its sender never waits, and where the time goes."""

    gap_ns: Annotated[
        Latency | None, "From one arrival to the next, ns; null where fewer than two messages came."
    ]
    spent: Annotated[list[Part], "What that time went to, most first."]
    incidents: Annotated[dict[str, Count], "How often what has a name of its own happened."]


class Point(TypedDict):
    """What became of one load."""

    offered_kbps: Annotated[Nonnegative, "User data offered, kbit/s."]
    goodput_kbps: Annotated[Nonnegative, "User data that arrived, kbit/s."]
    utilisation: Annotated[
        Nonnegative, "Offered, as a part of what the link carries when it never waits."
    ]
    queue_mean: Annotated[Nonnegative, "Messages that waited, on average over time."]
    offered: Annotated[Count, "Messages."]
    lost: Annotated[Count, "Of these, those that did not arrive."]
    refused: Annotated[Count, "Of those, the ones that found the queue full."]
    latency_ns: Annotated[
        Latency | None, "From the queue to the other board; null when nothing arrived."
    ]
    delivered_nc: Annotated[
        dict[str, float],
        "What each end drew in all, by message that arrived, nC; without one that is not listed.",
    ]


class Load(Saturated):
    """A link under load."""

    queue: Annotated[Count, "Messages the queue in front of the link holds."]
    arrivals: Annotated[Arrivals, "When messages come."]
    points: Annotated[list[Point], "One a load, the lightest first."]
    knee_kbps: Annotated[
        Nonnegative | None,
        "The largest load that arrives, kbit/s; null when the points do not hold it.",
    ]
