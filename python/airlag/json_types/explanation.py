"""Where the time of a run went, the floor below it, and advice, as ``--json`` prints them."""

from typing import Annotated, Literal, NotRequired, TypedDict

from airlag.json_types.comparison import Difference
from airlag.json_types.run import Count, Nonnegative, VirtualRun

Aim = Literal["median", "tail"]
#: The bench itself, the medium, the other end's answer, a radio changing what it does, a bus, a
#: processor, a clock that has to come round, unknown.
SliceClass = Literal["fixture", "medium", "answer", "radio", "bus", "work", "wait", "other"]

_Class = TypedDict(
    "_Class", {"class": Annotated[SliceClass, "What kind of thing time is spent on."]}
)


class Part(_Class):
    """Time spent on one thing."""

    name: Annotated[str, "On what."]
    ns: Annotated[Count, "How long, ns."]


class Timeline(TypedDict):
    """One transfer; its parts add up to its latency."""

    index: Annotated[Count, "Which of the transfers that completed, from 0."]
    latency_ns: Annotated[Count, "From trigger to completion, ns."]
    fixture_ns: Annotated[Count, "What of it belongs to the bench, ns."]
    parts: Annotated[list[Part], "In time order."]


class Item(_Class):
    """What a run spent on one thing; transfers without it count as 0."""

    name: Annotated[str, "On what."]
    total_ns: Annotated[Count, "All transfers together, ns."]
    mean_ns: Annotated[float, "Of a transfer, ns."]
    p50_ns: Annotated[float, "Of a transfer, ns."]
    p99_ns: Annotated[float, "Of a transfer, ns."]


class Budget(TypedDict):
    """Where the time of a run went."""

    n: Annotated[Count, "Transfers that completed."]
    total_ns: Annotated[Count, "Their latencies together, ns: the sum of the items' totals."]
    mean_ns: Annotated[float, "Mean latency, ns."]
    fixture_ns: Annotated[float, "What of the mean belongs to the bench, ns."]
    items: Annotated[list[Item], "In the order transfers come to them."]
    median: Annotated[Timeline, "Half of all transfers take no longer."]
    p99: Annotated[Timeline, "99 % of all transfers take no longer."]


class Term(TypedDict):
    """One thing a link cannot do without."""

    name: str
    count: Annotated[Count, "How often."]
    each_ns: Annotated[Count, "How long each time, ns."]
    source: Annotated[str, "Which document, formula or constant says so."]


class Floor(TypedDict):
    """What a message takes when software costs nothing and nothing is lost."""

    ns: Annotated[Count, "The sum of its terms, ns."]
    terms: list[Term]


class Charges(TypedDict):
    """What an end draws, as the link is and changed."""

    marginal_nc: Annotated[
        list[float], "What a message adds, nC: before, after.", ("minItems", 2), ("maxItems", 2)
    ]
    idle_na: Annotated[
        list[float], "While nobody sends, nA: before, after.", ("minItems", 2), ("maxItems", 2)
    ]


class Change(TypedDict):
    """Settings, and what the bench says of them."""

    settings: Annotated[dict[str, str], "As --set takes them."]
    p50_ns: Difference
    p99_ns: Difference
    delivery: Annotated[Difference | None, "Of the delivery ratio; null when no fate is known."]
    floor_ns: Annotated[Count, "The floor with these settings, ns."]
    costs: Annotated[list[str], "What the gain costs, in words."]
    charges: Annotated[
        dict[str, Charges], "By end; without one whose parts nobody lists what they draw."
    ]


_For = TypedDict("_For", {"for": Annotated[Aim, "Which quantile was to become smaller."]})


class Advice(_For):
    """What to change, and what it is worth."""

    single: Annotated[list[Change], "Single changes that cost nothing, the largest gain first."]
    trades: Annotated[list[Change], "Single changes that gain at a cost."]
    combined: Annotated[list[Change], "The best change, with the best one added, and so on."]
    tried: Annotated[Count, "Benches that were run in all."]
    measured: Annotated[Count, "Of those, with what had been chosen, under the seed of the run."]
    choice_seed: Annotated[Count, "Seed of the benches on which it was chosen."]


class SliceCharge(_Class):
    """What an end drew while a slice lasted."""

    name: Annotated[str, "On what time was spent."]
    mean_nc: Annotated[Nonnegative, "Of a message, nC."]


class MessageCharge(TypedDict):
    """What an end draws from trigger to completion."""

    message_nc: Annotated[Nonnegative, "A message on average, nC: the sum of the items."]
    items: Annotated[list[SliceCharge], "In the order messages come to them."]


class SlicesCharge(TypedDict):
    """What both ends draw from trigger to completion."""

    sender: NotRequired[MessageCharge]
    receiver: NotRequired[MessageCharge]


class ExplainedRun(VirtualRun):
    """One run of the virtual bench, with where its time went."""

    budget: Annotated[Budget | None, "Null when nothing completed."]
    floor: Floor
    advice: Annotated[Advice | None, "Null when nothing completed."]
    slices_charge: Annotated[
        SlicesCharge | None, "What each slice costs; null where nobody lists what the ends draw."
    ]
