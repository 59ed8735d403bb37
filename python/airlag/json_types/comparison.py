"""What differs between two runs, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import QuantileName, Share

Interval = Annotated[
    list[float | None],
    "95 % interval: low, high; null: not bounded.",
    ("minItems", 2),
    ("maxItems", 2),
]


class Difference(TypedDict):
    """One number of two runs: ns, or a share."""

    a: float
    b: float
    difference: Annotated[float, "b less a."]
    interval95: Interval


What = Literal["link", "size", "traffic", "way", "phase", "period_ns", "setting", "version"]


class Differing(TypedDict):
    """One thing in which two runs were asked for otherwise."""

    what: Annotated[What, "In what; size in bytes, version of airlag."]
    setting: Annotated[str | None, "Of a setting: which constant."]
    a: Annotated[str | int | None, "In the first run; null: as in the profile."]
    b: Annotated[str | int | None, "In the other."]


class Differences(TypedDict):
    """What differs between two sets of transfers."""

    differs: Annotated[list[Differing], "What is known of both and is not the same."]
    comparable: Annotated[bool, "Whether differences of numbers are differences of links."]
    obstacles: Annotated[list[str], "Why not, one sentence each."]
    notes: Annotated[list[str], "What may have moved the numbers besides."]
    latency_ns: Annotated[
        dict[QuantileName, Difference],
        "By quantile: p50, p95, p99; empty when one of them delivered nothing.",
    ]
    delivery: Annotated[Difference | None, "Of the delivery ratio; null when no fate is known."]
    b_quicker: Annotated[Share | None, "Probability that a transfer of b is quicker than one of a."]
    p: Annotated[
        Share | None,
        "Probability of a value as far from 0.5 if both were of one distribution "
        "(Mann and Whitney).",
    ]
    ks: Annotated[
        Share | None, "Largest distance of the distribution functions (Kolmogorov and Smirnov)."
    ]


class Charges(TypedDict):
    """What an end draws in the first run and in the other."""

    marginal_nc: Annotated[
        list[float | None],
        "What a message adds, nC; null without messages.",
        ("minItems", 2),
        ("maxItems", 2),
    ]
    idle_na: Annotated[list[float], "While nobody sends, nA.", ("minItems", 2), ("maxItems", 2)]


class Comparison(Differences):
    """A run held against the first one."""

    charge: Annotated[dict[str, Charges], "By end; without one that is not listed of both."]

    a: Annotated[str, "Source of the first run."]
    b: Annotated[str, "Source of the other."]
