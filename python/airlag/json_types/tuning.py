"""A link tuned, and what a parameter is worth over a whole space, as ``--json`` prints them."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.law import Region
from airlag.json_types.run import Count

#: An end is null where nothing bounds it.
Interval = Annotated[
    list[float | None],
    "95 % interval: low, high, in the unit; null: not bounded.",
    ("minItems", 2),
    ("maxItems", 2),
]


class Limit(TypedDict):
    """What a setting has to keep."""

    metric: str
    bound: Literal["at most", "at least"]
    value: Annotated[float, "In the unit."]
    unit: Annotated[str, "Empty for a share."]


class Turned(TypedDict):
    """A parameter that is set otherwise."""

    name: str
    profile: Annotated[str | None, "What the link as it is has; null where that is none."]
    value: Annotated[str, "As --set takes it."]
    gives_up: Annotated[str, "What it costs that no metric shows; empty: nothing."]


class Metric(TypedDict):
    """How a setting does."""

    name: str
    unit: Annotated[str, "Empty for a share."]
    value: Annotated[float | None, "In the unit; null where too few arrive."]
    interval95: Interval


class Setting(TypedDict):
    """A setting under fresh seeds."""

    settings: Annotated[dict[str, str], "All that is set, as --set takes it."]
    turned: Annotated[list[Turned], "What differs from the link as it is."]
    metrics: Annotated[list[Metric], "Empty where it cannot be had."]
    refused: Annotated[str | None, "Why it is not returned; null: it surely keeps every limit."]


class Tried(TypedDict):
    """A setting that was tried while choosing."""

    settings: dict[str, str]
    values: Annotated[dict[str, float | None], "By metric that is asked for, in its unit."]
    kept: Annotated[bool, "Whether it kept the limits then."]
    refused: Annotated[str | None, "Why it cannot be had; null where it can."]


class Tuned(TypedDict):
    """What came of tuning a link."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    seed: Annotated[Count, "Root seed."]
    minimise: Annotated[list[str], "Metrics that are to become small."]
    maximise: Annotated[list[str], "Metrics that are to become large."]
    limits: list[Limit]
    region: Annotated[Region | None, "Whose rules it keeps; null: nobody's."]
    count: Annotated[Count, "Messages of each run."]
    runs: Annotated[Count, "Benches run for choosing."]
    fresh_seeds: Annotated[Count, "Seeds that what was chosen is measured under."]
    combinations: Annotated[Count | None, "Settings there are; null: without end."]
    untuned: Annotated[Setting, "The link as it is."]
    found: Annotated[list[Setting], "The best one, or the front; empty: nothing keeps the limits."]
    turned_down: Annotated[list[Setting], "Chosen, but not sure to hold under fresh seeds."]
    tried: Annotated[list[Tried], "In the order tried."]


class Index(TypedDict):
    """What part of the variance of a metric a parameter makes."""

    name: Annotated[str, "The parameter; chance: what the seed makes."]
    first: Annotated[float, "By itself."]
    first_interval95: Interval
    total: Annotated[float, "With all that it does together with others."]
    total_interval95: Interval


class Indexed(TypedDict):
    """A metric over a whole space."""

    metric: str
    unit: Annotated[str, "Empty for a share."]
    mean: Annotated[float, "Over the space."]
    standard_deviation: Annotated[float, "Over the space; 0: nothing moves it."]
    indices: Annotated[list[Index], "The largest total first; empty where nothing moves it."]


class Indices(TypedDict):
    """What each parameter is worth over a whole space."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    seed: Annotated[Count, "Root seed."]
    over: Annotated[dict[str, str], "By parameter, what it may be."]
    settings: dict[str, str]
    count: Annotated[Count, "Messages of each run."]
    runs: Annotated[Count, "Benches run."]
    metrics: list[Indexed]
