"""``airlag tunnel bench --json``: what becomes of a load over IP tunnels."""

from typing import Annotated, Literal, TypedDict

from airlag.json_types.emulation import Late
from airlag.json_types.run import Count, Latency, Nonnegative, Share, Way

Tunnel = Literal["tunnel", "naive"]
Protocol = Literal["udp", "tcp"]


class LoadedTunnel(TypedDict):
    """What became of one load, whichever clock it ran by."""

    profile: Annotated[Tunnel, "Which tunnel: link profile tunnel, or tunnel-naive."]
    rate_kbps: Annotated[Nonnegative | None, "Rate of the radio, kbit/s."]
    frame_loss: Annotated[Share | None, "Share of frames lost on the air."]
    settings: Annotated[dict[str, str], "Constants that differ from the profile, as given."]
    seed: Annotated[Count, "Root seed."]
    packet: Annotated[Count, "Bytes of an IP packet of the bulk: the longest the tunnel takes."]
    window_ns: Annotated[Count, "For how long was offered, ns."]
    offered_kbps: Annotated[
        Nonnegative | None, "User data of the bulk that was offered, kbit/s; null of TCP."
    ]
    goodput_kbps: Annotated[Nonnegative, "User data of the bulk that came in that time, kbit/s."]
    offered: Annotated[Count | None, "Packets of the bulk that were offered; null of TCP."]
    lost: Annotated[
        Count | None,
        "Of these, those that never came: refused by a queue, dropped by one, lost. Null of TCP.",
    ]
    sparse_offered: Annotated[Count, "Packets of the sparse flow, 64 bytes each 100 ms."]
    sparse_lost: Annotated[Count, "Of these, those that never came."]
    sparse_latency_ns: Annotated[
        Latency | None, "Of the sparse packets that came, ns; null if none did."
    ]
    completion_excess_ns: Annotated[
        Count | None,
        "What the published measurement calls latency: from the end of that time to the last of "
        "the bulk that came, ns; null if nothing did.",
    ]


class VirtualLoad(LoadedTunnel):
    """One load in virtual time."""

    clock: Literal["virtual"]
    limit_kbps: Annotated[
        Nonnegative, "User data the tunnel carries when its sender waits for it, kbit/s."
    ]
    ceiling_kbps: Annotated[Nonnegative | None, "What the formulas of the link allow, kbit/s."]
    bulk_latency_ns: Annotated[
        Latency | None, "Of the packets of the bulk that came, ns; null if none did."
    ]


class Streams(TypedDict):
    """What iperf3 tells of one way."""

    way: Annotated[Way, "There: from the first end to the second."]
    sent_kbps: Annotated[
        Nonnegative, "User data that entered the sender's buffers, as it counts it, kbit/s."
    ]
    received_kbps: Annotated[Nonnegative, "User data the receiver had, as it counts it, kbit/s."]
    sent_bytes: Count
    received_bytes: Count
    retransmits: Annotated[Count | None, "Segments TCP sent again; null of UDP."]
    datagrams: Annotated[Count | None, "Datagrams sent; null of TCP."]
    datagrams_lost: Annotated[Count | None, "Of these, those the receiver missed; null of TCP."]


class RealLoad(LoadedTunnel):
    """One load on real sockets, in real time."""

    clock: Literal["real"]
    protocol: Protocol
    parallel: Annotated[Count, "Streams of iperf3 at once, each way."]
    both_ways: Annotated[bool, "Whether the bulk went both ways at once."]
    streams: Annotated[list[Streams], "Each way of the bulk."]
    took_ns: Annotated[Count, "Wall time iperf3 took, its own connection included, ns."]
    late_ns: Annotated[
        Late | None, "How late the emulation itself was; null where it was stopped early."
    ]
