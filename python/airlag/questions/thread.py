"""Thread networks of OpenThread's own nodes, one process a node, in virtual time.

>>> from airlag.questions.thread import ThreadLoad, network
>>> network(ThreadLoad(topology="chain", nodes=4, traffic="periodic")).delivered

The nodes are built once, by ``make openthread``. :func:`airlag.thread` is a network that a program
changes as it runs.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from airlag._airlag import LinkError
from airlag.core import plan_file, records
from airlag.core.answered import ask, loads, reply_to
from airlag.core.requests import ThreadLoad as ThreadLoad
from airlag.core.types import ThreadStep
from airlag.core.types import Topology as Topology

#: Names the folder of the nodes; otherwise they are where ``make openthread`` puts them.
FOLDER_VARIABLE = "AIRLAG_OPENTHREAD"


@dataclass(frozen=True, slots=True)
class Network(records.Network):
    """What a network carried."""

    #: Every frame on the air from the first on, if asked for.
    pcapng: bytes | None
    #: Frames for which ``pcapng`` had no room.
    frames_left_out: int


def folder() -> Path:
    """Where the nodes are looked for."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(__file__).parents[3] / "target" / "openthread"


def network(request: ThreadLoad, *, sniff: bool = False) -> Network:
    """Forms a network, waits until every node has its role, and sends messages through it.

    With ``sniff``, every frame on the air is kept. Raises :class:`LinkError` when nobody built the
    nodes, or there can be no such network or step.
    """
    reply = reply_to("thread", folder=str(folder()), sniff=sniff, **request.told())
    frames = reply.frames[0] if reply.frames else None
    pcapng, over_limit = (None, 0) if frames is None else (frames[0], frames[3])
    return Network(loads(reply), pcapng, over_limit)


def script(path: Path) -> list[ThreadStep]:
    """Steps of a script: a TOML file of ``[[step]]`` tables, each with ``at`` and ``do``.

    Raises :class:`LinkError`.
    """
    return plan_file.read(path, lambda text, _: ask("thread-script", file=text), LinkError)
