"""Thread networks of OpenThread nodes in virtual time, one process per node.

>>> from airlag.questions.thread import ThreadLoad, network
>>> network(ThreadLoad(topology="chain", nodes=4, traffic="periodic")).delivered

Build the node program once: ``make openthread``. :func:`airlag.thread` is an interactive network.
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

#: Environment variable with the folder of the node program; default: that of ``make openthread``.
FOLDER_VARIABLE = "AIRLAG_OPENTHREAD"


@dataclass(frozen=True, slots=True)
class Network(records.Network):
    """Traffic results of a network."""

    #: Capture file of the frames on the air, if requested.
    pcapng: bytes | None
    #: Frames omitted from ``pcapng`` for lack of space.
    frames_left_out: int


def folder() -> Path:
    """Folder of the node program."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(__file__).parents[3] / "target" / "openthread"


def network(request: ThreadLoad, *, sniff: bool = False) -> Network:
    """Forms a network, waits until every node has its role, and sends messages.

    With ``sniff``, frames on the air are captured. Raises :class:`LinkError` if the program of the
    nodes was not built, or if the network or a step of the script is invalid.
    """
    reply = reply_to("thread", folder=str(folder()), sniff=sniff, **request.to_json())
    frames = reply.frames[0] if reply.frames else None
    pcapng, over_limit = (None, 0) if frames is None else (frames[0], frames[3])
    return Network(loads(reply), pcapng, over_limit)


def script(path: Path) -> list[ThreadStep]:
    """Reads a script: a TOML file of ``[[step]]`` tables, each with ``at`` and ``do``.

    Raises :class:`LinkError`.
    """
    return plan_file.read(path, lambda text, _: ask("thread-script", file=text), LinkError)
