"""What a message costs either end, as ``--json`` prints it."""

from typing import Annotated, Literal, NotRequired, TypedDict

#: What a part does, as far as its current depends on it.
State = Literal[
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

_Nonnegative = Annotated[float, ("minimum", 0)]
_Count = Annotated[int, ("minimum", 0)]


class InState(TypedDict):
    """How long a part was in a state, and what it drew there."""

    state: State
    ns: Annotated[_Count, "How long, ns."]
    current_na: Annotated[_Count, "What it draws there, nA."]
    nc: Annotated[_Nonnegative, "The one times the other, nC."]


class Spent(TypedDict):
    """What one part of an end drew."""

    name: Annotated[str, "What it is called on the bench."]
    part: Annotated[str, "Its entry of links/parts.toml."]
    about: Annotated[str, "What it is, and at which voltage."]
    states: list[InState]
    wakes: Annotated[_Count, "How often it left power down or sleep."]
    wake_nc: Annotated[_Nonnegative, "What that takes each time, nC."]
    nc: Annotated[_Nonnegative, "All of it, nC."]


class EndCharge(TypedDict):
    """What one end drew."""

    marginal_nc: Annotated[
        float | None,
        "What a message adds to what is drawn anyway, nC; null without messages. Below 0 where a "
        "radio that listens does something cheaper meanwhile.",
    ]
    idle_na: Annotated[_Nonnegative, "Drawn while nobody sends, nA."]
    average_na: Annotated[_Nonnegative, "Drawn on average, nA."]
    peak_na: Annotated[_Count, "The most its parts draw at once, nA."]
    total_nc: Annotated[_Nonnegative, "Drawn in all, nC."]
    elapsed_ns: Annotated[_Count, "For so long, ns."]
    parts: list[Spent]


class Charge(TypedDict):
    """What both ends drew; one whose parts are not listed is left out."""

    sender: NotRequired[EndCharge]
    receiver: NotRequired[EndCharge]


class Life(TypedDict):
    """How long a battery lasts."""

    about: Annotated[str, "What it is."]
    capacity_mah: Annotated[_Nonnegative, "What is in it, mAh."]
    years: Annotated[_Nonnegative, "Until that is used up; what it loses by itself counts."]
    overloaded_ma: Annotated[
        list[float] | None,
        "What is drawn at once and the most it gives, mA; null where it gives it.",
    ]


class FedEnd(TypedDict):
    """What an end draws at a rate, and for how long a battery gives it."""

    average_na: Annotated[float | None, "Drawn on average, nA; null without messages."]
    life: Annotated[Life | None, "Null where no battery is asked about."]


class Fed(TypedDict):
    """What is asked with ``--rate`` and ``--battery``."""

    battery: Annotated[str | None, "Which battery; null: none."]
    per_second: Annotated[float, "Messages a second.", ("minimum", 0)]
    sender: NotRequired[FedEnd]
    receiver: NotRequired[FedEnd]
