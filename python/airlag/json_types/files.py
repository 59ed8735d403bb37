"""Which files a command wrote, as ``--json`` prints it."""

from typing import Annotated, TypedDict

from airlag.json_types.run import Count


class Channel(TypedDict):
    """One channel of a capture."""

    name: str
    edges: Annotated[Count, "How many it has."]


class Converted(TypedDict):
    """A capture in another format."""

    source: Annotated[str, "The file that was read."]
    target: Annotated[str, "The file that was written."]
    channels: list[Channel]


class Reported(TypedDict):
    """A run that was drawn."""

    source: Annotated[str, "The run."]
    report: Annotated[str, "The file that was written."]
