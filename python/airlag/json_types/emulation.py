"""``airlag emulate --json``: what went over a link in real time."""

from typing import Annotated, TypedDict

from airlag.json_types.run import Count, Run


class Late(TypedDict):
    """From a packet being there on the bench to it being handed over, ns.

    What we add ourselves: a program sees the latency and this. Quantiles to one part in sixteen.
    """

    n: Annotated[Count, "Packets, or pieces of a stream, that were handed over."]
    p50: Count
    p99: Count
    max: Count
    marked: Annotated[Count, "How many were later than 1 ms."]


class EmulatedRun(Run):
    """What went one way, and how late we were."""

    incidents: Annotated[dict[str, Count], "How often what has a name of its own happened."]
    refused: Annotated[Count, "Packets that found the queue full, or that no message holds."]
    bytes_in: Annotated[Count, "Bytes that came from one program."]
    bytes_out: Annotated[Count, "Bytes that the other was given."]
    late_ns: Annotated[Late, "Of both ways together."]
    elapsed_ns: Annotated[Count, "Virtual time that went by, ns."]
