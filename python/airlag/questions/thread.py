"""Thread networks of OpenThread's own nodes, one process a node, in virtual time.

>>> from airlag.questions.thread import Request, network
>>> network(Request(topology="chain", nodes=4)).delivered

The nodes are built once, by ``make openthread``. :func:`airlag.thread` is a network that a program
changes as it runs.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from airlag._airlag import LinkError
from airlag.core import records
from airlag.core.answered import loads, reply_to
from airlag.core.quantity import parse_duration
from airlag.core.types import Direction, ThreadTraffic
from airlag.core.types import Topology as Topology

#: Names the folder of the nodes; otherwise they are where ``make openthread`` puts them.
FOLDER_VARIABLE = "AIRLAG_OPENTHREAD"


@dataclass(frozen=True, slots=True)
class Request:
    """A network, its load and its script; ``ThreadQuestion`` of the core has what each means."""

    topology: Topology = "one-hop"
    nodes: int = 2
    hops: int = 2
    positions_m: Sequence[tuple[float, float]] = ()
    reach_m: float = 100.0
    sensed_m: float | None = None
    direction: Direction = "up"
    traffic: ThreadTraffic = "periodic"
    size: int = 79
    count: int = 100
    period_ns: int = 1_000_000_000
    poll_period_ns: int | None = None
    frame_loss: float = 0.0
    loss_burst: float = 1.0
    boards: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    steps: Sequence[Mapping[str, Any]] = ()
    seed: int = 1
    seeds: int = 1


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
    nodes, or there can be no such network or step.
    """
    reply = reply_to("thread", folder=str(folder()), sniff=sniff, **asdict(request))
    frames = reply.frames[0] if reply.frames else None
    pcapng, over_limit = (None, 0) if frames is None else (frames[0], frames[3])
    return Network(loads(reply), request, pcapng, over_limit)


def script(path: Path) -> list[dict[str, Any]]:
    """Steps of a script: a TOML file of ``[[step]]`` tables, each with ``at`` and ``do``.

    Raises :class:`LinkError`.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LinkError(f"{path}: {error}") from None
    steps = document.pop("step", None)
    if not isinstance(steps, list) or not all(isinstance(each, dict) for each in steps):
        raise LinkError(f"{path}: it has no [[step]]; each has at and do")
    if document:
        raise LinkError(
            f"{path}: {next(iter(document))!r} is no part of a script; only [[step]] is"
        )
    return [in_ns(each, f"{path}: step {nth}") for nth, each in enumerate(steps, 1)]


def in_ns(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The same with durations such as ``at = "10s"`` in nanoseconds, as the core takes them."""
    made: dict[str, Any] = {}
    for key, value in table.items():
        if key in ("at", "interval", "timeout"):
            try:
                made[f"{key}_ns"] = parse_duration(str(value))
            except ValueError as error:
                raise LinkError(f"{where}: {key}: {error}") from None
        else:
            made[key] = in_ns(value, where) if isinstance(value, dict) else value
    return made
