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


class Constant(TypedDict):
    """What a constant is worth."""

    name: str
    value: Value
    unit: str
    source: Origin
    effect: Annotated[
        float | None,
        "Largest change of the median or the 99 % quantile, as a share; null: nothing arrives.",
    ]
    halved: Annotated[Changed | None, "Null where the range leaves only its own value."]
    doubled: Annotated[Changed | None, "Null where the range leaves only its own value."]


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
    constants: Annotated[list[Constant], "The largest effect first."]
    left_out: Annotated[list[LeftOut], "Assumed and calibrated constants without half and double."]
