"""What is on each wire of a capture, as ``--json`` prints it."""

from typing import Annotated, TypedDict

from airlag.json_types.run import Count


class Wire(TypedDict):
    """One channel."""

    position: Annotated[Count, "What --trigger and --completion take besides the name."]
    name: str
    initial: Annotated[bool | None, "True: high when it was first observed; null: never observed."]
    edges: Count
    rises: Count
    rate_hz: Annotated[float | None, "Rises a second while it was observed."]
    high: Annotated[float | None, "Share of the time that it was high."]
    shortest_high_ns: Annotated[int | None, "Its shortest whole pulse, ns."]
    shortest_low_ns: Annotated[int | None, "Its shortest whole pause, ns."]


class Channels(TypedDict):
    """The channels of a capture."""

    source: Annotated[str, "The file that was read."]
    duration_ns: Annotated[int, "From its first instant to its last, ns."]
    sample_rate_hz: Annotated[float | None, "Samples a second, where the file tells."]
    channels: list[Wire]
