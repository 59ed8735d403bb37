"""Thread networks of OpenThread's own nodes, one process a node, in virtual time.

>>> from airlag.questions.thread import Request, network
>>> network(Request(topology="chain", nodes=4)).delivered

The nodes are built once, by ``make openthread``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from airlag import _airlag
from airlag.core import records, types
from airlag.core.types import Direction, ThreadTraffic, Topology

#: Names the folder of the nodes; otherwise they are where ``make openthread`` puts them.
FOLDER_VARIABLE = "AIRLAG_OPENTHREAD"
#: What the core reports under the same keys.
_CARRIED = (
    "attach_ns", "formed_ns", "goodput_kbps", "latency_ns", "frames", "retries", "no_acks", "busy",
    "co_processor_full",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """A network, and what is sent through it."""

    #: Who hears whom: everybody everybody, one behind the other, all node 1 alone, or a tree.
    topology: Topology = "one-hop"
    #: How many, 2 to 64.
    nodes: int = 2
    #: Levels of a tree below node 1.
    hops: int = 2
    #: ``up``: each node at an end sends to node 1. ``down``: node 1 to each of them.
    direction: Direction = "up"
    #: ``periodic``, or one after the other: what finds no message buffer is lost (``back-to-back``)
    #: or waits for one (``saturated``).
    traffic: ThreadTraffic = "periodic"
    #: Payload in bytes, 1 to 1232, and messages of each flow.
    size: int = 79
    count: int = 100
    #: From message to message of periodic traffic, ns.
    period_ns: int = 1_000_000_000
    #: Nodes at the ends are sleepy children that ask their parent this often, ns; ``None``: they
    #: are not.
    poll_period_ns: int | None = None
    #: Share of frames each path loses once the network is formed, and how many in a row.
    frame_loss: float = 0.0
    loss_burst: float = 1.0
    #: Thread profile whose boards the nodes are, with node 1 as the border router; ``None``: boards
    #: on which software costs nothing.
    boards: str | None = None
    #: Root of every random number.
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Network(records.Network):
    """What a network carried."""

    #: What ran.
    request: Request
    #: Every frame on the air from the first on, if asked for.
    pcapng: bytes | None
    #: Frames for which ``pcapng`` had no room.
    frames_left_out: int


def folder() -> Path:
    """Where the nodes are looked for."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(__file__).parents[3] / "target" / "openthread"


def network(request: Request, *, sniff: bool = False) -> Network:
    """Forms a network, waits until every node has its role, and sends messages through it.

    With ``sniff``, every frame on the air is kept. Raises :class:`LinkError` when nobody built the
    nodes, or there can be no such network.
    """
    asked = asdict(request)
    asked["period_ns"] = request.period_ns if request.traffic == "periodic" else 0
    bench = {key: value for key, value in asked.items() if key not in ("traffic", "boards")}
    wait = request.traffic == "saturated"
    raw = _airlag.thread_network(
        folder(), **bench, wait=wait, boards_of=request.boards, sniff=sniff
    )
    flows = [_flow(one) for one in raw["flows"]]
    sums = {key: sum(one[key] for one in flows) for key in ("sent", "delivered", "refused", "lost")}
    carried = {key: raw[key] for key in _CARRIED}
    hops = max(one["hops"] for one in flows)
    answer = {**asked, "hops": hops, **carried, **sums, "flows": flows}
    ordered = {key: answer[key] for key in types.Network.__annotations__}
    return Network(ordered, request, raw.get("pcapng"), raw.get("over_limit", 0))


def _flow(raw: Mapping[str, Any]) -> types.ThreadFlow:
    """A flow as ``--json`` prints it."""
    return {
        "from_node": raw["from"],
        "to_node": raw["to"],
        "hops": raw["hops"],
        "sent": raw["sent"],
        "delivered": raw["delivered"],
        "refused": raw["refused"],
        "lost": raw["sent"] - raw["delivered"] - raw["refused"],
        "duplicates": raw["duplicates"],
        "latency_ns": raw["latency_ns"],
    }
