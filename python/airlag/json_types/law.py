"""What a region says of a run, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

Region = Literal["eu", "us"]
Standing = Literal["within", "at the limit", "not allowed"]

Portion = Annotated[float, ("minimum", 0)]


class Check(TypedDict):
    """One quantity against one limit."""

    quantity: Annotated[str, "What it is."]
    value: Annotated[float, "In the unit."]
    bound: Annotated[
        Literal["at most", "at least", "never"], "On which side of the limit it has to be."
    ]
    limit: Annotated[float | None, "In the unit; null: there is no value that would do."]
    unit: Annotated[str, "Of both; empty for a number."]
    clause: Annotated[str, "Document, version, date, place."]
    confirmed: Annotated[bool, "Whether the limit was read in a document."]
    standing: Standing
    rarer: Annotated[float | None, "How many times rarer messages would be allowed."]
    quieter_db: Annotated[float | None, "How much less power would be allowed, dB."]


class Ruling(TypedDict):
    """A rule, and how each of its limits is kept."""

    rule: str
    standing: Standing
    checks: list[Check]


class Verdict(TypedDict):
    """What a region says of what one radio sent in one of its bands."""

    band_khz: Annotated[
        list[int], "Both edges, kHz; of what lies in none, where it was.", ("minItems", 2)
    ]
    airtime: Annotated[Portion, "Time spent sending there, as a share of all."]
    kindest: Annotated[Ruling, "The rule that allows most."]
    others: Annotated[list[Ruling], "The other rules that might."]


class Radio(TypedDict):
    """What a region says of one radio."""

    name: Annotated[str, "What it is called on the air."]
    airtime: Annotated[Portion, "Time spent sending, as a share of all."]
    verdicts: Annotated[list[Verdict], "The worst first."]


class Law(TypedDict):
    """What a region says of a link, as it was run. Information, not legal advice."""

    region: Region
    standing: Annotated[Standing, "Of the worst radio."]
    allowed: bool
    airtime: Annotated[Portion, "Of the radio that sends most, as a share of all."]
    reason: Annotated[str, "What decides, with the clause, in words."]
    otherwise: Annotated[list[str], "Why the other rules do not allow it either, in words."]
    radios: Annotated[list[Radio], "The worst first."]
