"""What an assumption is worth, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count, Share

Value = bool | int | float | str
Origin = Literal["assumed", "calibrated"]
Why = Literal["zero", "a flag", "a choice", "a phase"]


class Changed(TypedDict):
    """A constant at another value, and what a run with it did."""

    value: Annotated[Value, "In the unit of the constant."]
    p50_ns: Annotated[float | None, "Median, ns; null when nothing arrived."]
    p99_ns: Annotated[float | None, "99 % quantile, ns; null when nothing arrived."]
    delivery: Annotated[Share | None, "Share of the messages that arrived."]
    refused: Annotated[str | None, "Why the bench does not take the value; null when it does."]


class Within(TypedDict):
    """What a constant is worth within its bound."""

    effect: Annotated[
        float | None,
        "Largest change of the median or the 99 % quantile, as a share; null: nothing arrives.",
    ]
    lowest: Annotated[Changed | None, "At the lower end; null where it is there already."]
    highest: Annotated[Changed | None, "At the upper end; null where it is there already."]


class Constant(TypedDict):
    """What a constant is worth."""

    name: str
    value: Value
    unit: str
    source: Origin
    bound: Annotated[list[float] | None, "As the profile has it; null: none is known."]
    effect: Annotated[
        float | None,
        "Largest change of the median or the 99 % quantile, as a share; null: nothing arrives.",
    ]
    worth: Annotated[
        float | None,
        "The effect as far as it may be wrong: within its bound, or by half and double.",
    ]
    open: Annotated[bool, "Worth more than 0.1, and more than another seed moves."]
    halved: Annotated[Changed | None, "Null where the range leaves only its own value."]
    doubled: Annotated[Changed | None, "Null where the range leaves only its own value."]
    within: Annotated[Within | None, "Null where it has no bound."]


class LeftOut(TypedDict):
    """A constant that has no half and no double."""

    name: str
    value: Value
    unit: str
    source: Origin
    why: Why


class Sensitivity(TypedDict):
    """What the assumptions of a link are worth."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    seed: Annotated[Count, "Root seed."]
    count: Annotated[Count, "Triggers of each run."]
    p50_ns: Annotated[float | None, "Median of the profile as it is, ns."]
    p99_ns: Annotated[float | None, "99 % quantile of the profile as it is, ns."]
    delivery: Annotated[Share | None, "Share of the messages that arrived."]
    chance_p50: Annotated[
        float | None,
        "Largest change of it that four other seeds make, as a share; null: nothing arrives.",
    ]
    chance_p99: Annotated[float | None, "The same of the 99 % quantile."]
    constants: Annotated[list[Constant], "The largest effect first."]
    left_out: Annotated[list[LeftOut], "Assumed and calibrated constants without half and double."]
