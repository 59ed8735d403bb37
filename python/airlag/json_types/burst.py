"""Trains of messages back to back, as ``--json`` prints them."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count, Nonnegative


class Trial(TypedDict):
    """One train."""

    seed: Annotated[Count, "Root seed."]
    delivered: Annotated[Count, "Messages that arrived."]
    refused: Annotated[Count, "Messages that the sending program knew to be lost."]
    handed: Annotated[Count, "How often a message was handed over, repeats included."]
    elapsed_ns: Annotated[Count, "From the beginning of the first message to the last arrival, ns."]


Cause = Literal["none", "refused", "on-the-way"]
Which = Literal["earlier", "later", "any"]


class Position(TypedDict):
    """Where the lost messages were: 0 is the first of a train, 1 the last."""

    mean: Annotated[float, "Mean position of the lost messages."]
    independent: Annotated[
        list[float], "Between these it is with 95 % probability if losses are independent."
    ]
    p: Annotated[Nonnegative, "Probability that independent losses are as far from the middle."]
    which: Annotated[
        Which,
        "Which are lost, with 95 % confidence; any: as independent losses would be.",
    ]


class Burst(TypedDict):
    """Trains of messages back to back, and which of them arrived."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count, "Payload, bytes."]
    seed: Annotated[Count, "Root seed of the first train; the others count on from it."]
    settings: Annotated[dict[str, str], "Constants that differ from the profile, as given."]
    traffic: Annotated[str, "back-to-back."]
    count: Annotated[Count, "Messages of a train."]
    pace_ns: Annotated[Count | None, "From one message to the next at least, ns; null: none."]
    repeat: Annotated[bool, "Whether what lacked was sent again until all was there."]
    delivery: Annotated[Nonnegative, "Messages that arrived, as a part of all."]
    delivery_interval: Annotated[
        list[float] | None,
        "95 % confidence interval, by how much trains differ; null of a single train.",
    ]
    goodput_kbps: Annotated[
        Nonnegative, "User data that arrived, kbit/s of the time until the last of a train did."
    ]
    fragments: Annotated[
        Count | None,
        "Frames the link cuts a message into, any of which loses it; null where it cuts none.",
    ]
    lost_at: Annotated[list[Count], "Trains in which the message at each position was lost."]
    position: Annotated[
        Position | None, "Where losses were; null if nothing was lost, or everything."
    ]
    trials: Annotated[list[Trial], "Each train."]
    incidents: Annotated[dict[str, Count], "How often what has a name of its own happened."]


class Remedy(TypedDict):
    """The same trains sent in another way, and what that costs."""

    pace_ns: Annotated[Count | None, "From one message to the next at least, ns; null: none."]
    repeat: Annotated[bool, "Whether what lacks is sent again until all is there."]
    delivery: Annotated[Nonnegative, "Messages that arrived, as a part of all."]
    goodput_kbps: Annotated[Nonnegative, "User data that arrived, kbit/s."]
    goodput_share: Annotated[Nonnegative, "That as a part of the goodput of the trains explained."]


class ExplainedBurst(Burst):
    """Trains of messages back to back, why some did not arrive, and what makes them."""

    cause: Annotated[
        Cause,
        "Where most were lost: refused by a full queue, so that their program knew, or on the way.",
    ]
    refused: Annotated[Count, "Lost messages of which the sending program knew."]
    on_the_way: Annotated[Count, "Lost messages of which it did not."]
    handed_every_ns: Annotated[
        Nonnegative | None, "From one message handed over to the next on average, ns."
    ]
    arrived_every_ns: Annotated[Nonnegative | None, "From one arrival to the next on average, ns."]
    under_way: Annotated[
        list[Nonnegative],
        "By position: messages handed over by then that arrived later, on average over the trains.",
    ]
    remedies: Annotated[list[Remedy], "The same trains paced, repeated, and both."]
