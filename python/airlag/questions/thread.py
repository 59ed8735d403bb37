"""Thread networks of OpenThread's own nodes, one process a node, in virtual time.

>>> from airlag.questions.thread import Request, network
>>> network(Request(topology="chain", nodes=4)).delivered

The nodes are built once, by ``make openthread``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airlag import _airlag

if TYPE_CHECKING:
    from airlag.core import types
    from airlag.core.types import Direction, Latency, ThreadFlow, ThreadTraffic, Topology

#: Names the folder of the nodes; otherwise they are where ``make openthread`` puts them.
FOLDER_VARIABLE = "AIRLAG_OPENTHREAD"


@dataclass(frozen=True, slots=True)
class Request:
    """A network, and what is sent through it.

    Attributes
    ----------
    topology
        Who hears whom: everybody everybody, one behind the other, all node 1 alone, or a tree.
    nodes
        How many, 2 to 64.
    hops
        Levels of a tree below node 1.
    direction
        ``up``: each node at an end sends to node 1. ``down``: node 1 to each of them.
    traffic
        ``periodic``, or one after the other: what finds no message buffer is lost
        (``back-to-back``) or waits for one (``saturated``).
    size, count
        Payload in bytes, 1 to 1232, and messages of each flow.
    period_ns
        From message to message of periodic traffic, ns.
    poll_period_ns
        Nodes at the ends are sleepy children that ask their parent this often, ns; ``None``: they
        are not.
    frame_loss, loss_burst
        Share of frames each path loses once the network is formed, and how many in a row.
    boards
        Thread profile whose boards the nodes are, with node 1 as the border router; ``None``:
        boards on which software costs nothing.
    seed
        Root of every random number.
    """

    topology: Topology = "one-hop"
    nodes: int = 2
    hops: int = 2
    direction: Direction = "up"
    traffic: ThreadTraffic = "periodic"
    size: int = 79
    count: int = 100
    period_ns: int = 1_000_000_000
    poll_period_ns: int | None = None
    frame_loss: float = 0.0
    loss_burst: float = 1.0
    boards: str | None = None
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Flow:
    """Messages of one node to another.

    Attributes
    ----------
    sender, receiver
        Numbers of the nodes; 1 is the leader.
    hops
        Links between them.
    sent, delivered, refused, duplicates
        Messages handed over, those that came, those that found no buffer, those that came again.
    latency
        From the first attempt to hand a message over to the other program; ``None`` if none came.
    """

    sender: int
    receiver: int
    hops: int
    sent: int
    delivered: int
    refused: int
    duplicates: int
    latency: Latency | None

    @property
    def lost(self) -> int:
        """Messages that were taken and did not come."""
        return self.sent - self.delivered - self.refused

    def to_json(self) -> ThreadFlow:
        """As ``--json`` prints it."""
        return {
            "from_node": self.sender,
            "to_node": self.receiver,
            "hops": self.hops,
            "sent": self.sent,
            "delivered": self.delivered,
            "refused": self.refused,
            "lost": self.lost,
            "duplicates": self.duplicates,
            "latency_ns": self.latency,
        }


@dataclass(frozen=True, slots=True)
class Network:
    """What a network carried.

    Attributes
    ----------
    request
        What ran.
    attach_ns
        By node, from being switched on to its role, ns.
    formed_ns
        When all had theirs, ns.
    goodput_kbps
        User data from the first arrival to the last, kbit/s; ``None`` for fewer than two.
    latency
        Of all flows.
    flows
        By node at an end.
    frames, retries, no_acks, busy
        What the radios did meanwhile: frames without acknowledgements, those of them that were sent
        again, acknowledgements that did not come, looks at a busy channel.
    co_processor_full
        Frames that a radio co-processor had no room for.
    pcapng
        Every frame on the air from the first on, if asked for.
    frames_left_out
        Frames for which ``pcapng`` had no room.
    """

    request: Request
    attach_ns: Sequence[int]
    formed_ns: int
    goodput_kbps: float | None
    latency: Latency | None
    flows: Sequence[Flow]
    frames: int
    retries: int
    no_acks: int
    busy: int
    co_processor_full: int
    pcapng: bytes | None
    frames_left_out: int

    @classmethod
    def of(cls, request: Request, raw: Mapping[str, Any]) -> Network:
        """From what the compiled half gives."""
        flows = tuple(
            Flow(
                one["from"],
                one["to"],
                one["hops"],
                one["sent"],
                one["delivered"],
                one["refused"],
                one["duplicates"],
                one["latency_ns"],
            )
            for one in raw["flows"]
        )
        return cls(
            request=request,
            attach_ns=tuple(raw["attach_ns"]),
            formed_ns=raw["formed_ns"],
            goodput_kbps=raw["goodput_kbps"],
            latency=raw["latency_ns"],
            flows=flows,
            frames=raw["frames"],
            retries=raw["retries"],
            no_acks=raw["no_acks"],
            busy=raw["busy"],
            co_processor_full=raw["co_processor_full"],
            pcapng=raw.get("pcapng"),
            frames_left_out=raw.get("over_limit", 0),
        )

    @property
    def hops(self) -> int:
        """Links on the longest way to node 1."""
        return max(flow.hops for flow in self.flows)

    @property
    def sent(self) -> int:
        """Messages handed over."""
        return sum(flow.sent for flow in self.flows)

    @property
    def delivered(self) -> int:
        """Of these, those that came."""
        return sum(flow.delivered for flow in self.flows)

    @property
    def refused(self) -> int:
        """Of these, those for which the sender had no message buffer."""
        return sum(flow.refused for flow in self.flows)

    @property
    def lost(self) -> int:
        """Of these, those that were taken and did not come."""
        return sum(flow.lost for flow in self.flows)

    def to_json(self) -> types.Network:
        """As ``--json`` prints it."""
        asked = self.request
        return {
            "topology": asked.topology,
            "nodes": asked.nodes,
            "hops": self.hops,
            "boards": asked.boards,
            "seed": asked.seed,
            "direction": asked.direction,
            "traffic": asked.traffic,
            "size": asked.size,
            "count": asked.count,
            "period_ns": asked.period_ns if asked.traffic == "periodic" else 0,
            "poll_period_ns": asked.poll_period_ns,
            "frame_loss": asked.frame_loss,
            "loss_burst": asked.loss_burst,
            "attach_ns": list(self.attach_ns),
            "formed_ns": self.formed_ns,
            "sent": self.sent,
            "delivered": self.delivered,
            "refused": self.refused,
            "lost": self.lost,
            "goodput_kbps": self.goodput_kbps,
            "latency_ns": self.latency,
            "frames": self.frames,
            "retries": self.retries,
            "no_acks": self.no_acks,
            "busy": self.busy,
            "co_processor_full": self.co_processor_full,
            "flows": [flow.to_json() for flow in self.flows],
        }


def folder() -> Path:
    """Where the nodes are looked for."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(__file__).parents[3] / "target" / "openthread"


def network(request: Request, *, sniff: bool = False) -> Network:
    """Forms a network, waits until every node has its role, and sends messages through it.

    Parameters
    ----------
    request
        The network, and what is sent.
    sniff
        Keep every frame on the air, as the bytes of a ``.pcapng``.

    Raises
    ------
    LinkError
        When nobody built the nodes, or there can be no such network.
    """
    raw = _airlag.thread_network(
        folder(),
        topology=request.topology,
        nodes=request.nodes,
        hops=request.hops,
        direction=request.direction,
        size=request.size,
        count=request.count,
        period_ns=request.period_ns if request.traffic == "periodic" else 0,
        wait=request.traffic == "saturated",
        poll_period_ns=request.poll_period_ns,
        frame_loss=request.frame_loss,
        loss_burst=request.loss_burst,
        boards_of=request.boards,
        seed=request.seed,
        sniff=sniff,
    )
    return Network.of(request, raw)
