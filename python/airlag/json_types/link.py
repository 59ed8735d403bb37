"""A link profile and where its numbers are from, as ``--json`` prints it."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count

Origin = Literal["standard", "datasheet", "source", "calibrated", "assumed"]
Group = Literal["standard", "datasheet", "software", "article"]


class Source(TypedDict):
    """A document that constants are taken from."""

    key: str
    group: Group
    title: str
    author: str | None
    year: int | None
    version: str | None
    url: str
    taken: Annotated[str, "What was taken from it."]
    checked: Annotated[str | None, "How it was checked."]


class Citation(Source):
    """A document, and where in it."""

    at: str


class Settable(TypedDict):
    """What can be set of a link."""

    unit: Annotated[str, "May be empty."]
    about: Annotated[str, "What it is."]
    choices: Annotated[list[str], "Words it may be; empty where it is none but a number."]
    between: Annotated[
        list[float] | None, "Two ends in its unit between which a number lies; null: it is none."
    ]


_From = TypedDict("_From", {"from": Annotated[str, "Where it is from, in one line."]})


class Parameter(_From, Settable):
    """One constant of a link."""

    value: int | float | str | bool
    source: Annotated[Origin, "How sure the value is."]
    cite: Citation | None
    capture: Annotated[str | None, "The capture it is calibrated on."]
    note: Annotated[str | None, "Why it is assumed, or what else is to be said."]
    bound: Annotated[
        list[float] | None,
        "Two ends in its unit between which it may lie while the others stay; null: none is known.",
    ]


class Published(_From):
    """A figure that was published of the link."""

    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    median_ms: Annotated[float, "Median latency, ms."]
    cite: Citation


class Link(TypedDict):
    """A link profile: every constant with its unit and its source."""

    name: str
    kind: Annotated[str, "Which kind of link it is."]
    medium: Annotated[Literal["air", "wire"] | None, "Null where nothing carries messages."]
    about: Annotated[str, "What it is."]
    parameters: Annotated[dict[str, Parameter], "By name."]
    published: list[Published]
