"""Runs of a campaign that answers a question, as ``--json`` prints them."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.run import Count, Latency, Nonnegative

Program = Literal["trigger", "echo", "back-to-back", "goodput", "load"]
Measure = Literal["latency", "gap", "completion", "goodput", "delivery"]


class Answered(TypedDict):
    """One run of a campaign that answers a question: a point of a line."""

    link: Annotated[str, "Link profile."]
    size: Annotated[Count | None, "Payload, bytes; null where there is no message."]
    seed: Annotated[Count, "Root seed."]
    settings: Annotated[dict[str, str], "Constants that were set, as given."]
    traffic: Annotated[Program, "What the boards did."]
    series: Annotated[str, "Line of the chart."]
    x: Annotated[str, "What is across."]
    at: Annotated[
        float | str, "Where the point stands across, in the unit of what is; times in ns."
    ]
    sent: Annotated[Count, "Messages whose fate is known."]
    lost: Annotated[Count, "Of these, those that did not arrive."]
    latency_ns: Annotated[
        Latency | None, "Null where nothing arrived, and of traffic that tells no latency."
    ]
    gap_ns: Annotated[
        Latency | None, "From one arrival to the next, of messages that never wait; else null."
    ]
    completion_ns: Annotated[
        Latency | None, "From the first message of a train to the last arrival; else null."
    ]
    lost_position: Annotated[
        Nonnegative | None,
        "Mean place of the lost messages in their train, from 0 to 1; null where none was lost.",
    ]
    goodput_kbps: Annotated[
        Nonnegative | None,
        "User data that arrived, kbit/s; null where triggers space the messages.",
    ]
    incidents: Annotated[dict[str, Count], "How often what has a name of its own happened."]
