"""``airlag tunnel … --json``: a tunnel on this computer, and what it needs."""

from typing import Annotated, TypedDict

from airlag.json_types.run import Count, Nonnegative


class Carried(TypedDict):
    """What went one way."""

    packets: Count
    bytes: Count
    kbps: Annotated[Nonnegative, "Over all the time, kbit/s."]


class Tunnel(TypedDict):
    """One end of a tunnel, from the beginning to its end."""

    interface: Annotated[str, "What the network interface was called."]
    elapsed_ns: Annotated[Count, "How long it was up, ns."]
    up: Annotated[bool, "There was a session with the other end when it ended."]
    sent: Annotated[Carried, "What the other end confirmed."]
    received: Annotated[Carried, "What came from the other end."]
    waiting_bytes: Annotated[Count, "What still waited, bytes."]
    sessions: Annotated[Count, "Sessions that were begun: one, and one for each time an end was."]
    dropped: Annotated[Count, "Packets that had waited too long, or found no room."]
    frames: Annotated[Count, "Frames that were sent."]
    repeated: Annotated[Count, "Those of them that were sent again."]
    bursts: Annotated[Count, "Bursts of frames."]
    unanswered: Annotated[Count, "Bursts without an answer."]
    broken: Annotated[Count, "Packets that were not what had been sealed."]
    garbage: Annotated[Count, "What was heard and is no frame of a tunnel."]


class Check(TypedDict):
    """Something that a tunnel needs, or is better with."""

    name: str
    needed: Annotated[bool, "A tunnel cannot do without."]
    ok: Annotated[bool, "It is there and works."]
    found: Annotated[str, "What was found, and where."]
    mend: Annotated[str | None, "How to mend it; null: there is nothing to mend."]


class Key(TypedDict):
    """A key that was made."""

    target: Annotated[str, "The file that was written."]
