"""Real-time emulation of a link between unmodified programs.

:func:`ports` opens the endpoints; :func:`emulate` transfers data between them until stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from airlag import _airlag
from airlag._airlag import Ports
from airlag.questions.analysis import run_of_journal
from airlag.questions.bench import WAYS, differing
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core import types

__all__ = [
    "Emulation",
    "Ports",
    "Task",
    "Way",
    "connections",
    "emulate",
    "interfaces",
    "journals_in",
    "ports",
]

#: Progress callback: virtual time, ns; per direction, packets offered, delivered and queued.
OnProgress = Callable[[int, Sequence[Sequence[int]]], None]


@dataclass(frozen=True, slots=True)
class Task:
    """Options of an emulation."""

    #: Link profile.
    link: str
    #: Configured payload size of the link, bytes; packets may differ.
    size: int
    #: Changed constants of the profile.
    settings: Mapping[str, str]
    #: Random seed.
    seed: int = 1
    #: Queue length of each board, packets.
    queue: int = 64
    #: Virtual seconds per real second.
    speed: float = 1.0
    #: Virtual duration, ns; ``None``: until stopped.
    lasting_ns: int | None = None
    #: Whether to capture every frame on the air.
    sniff: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """Results of one direction."""

    #: Packets as transfers of a run; empty for a serial port.
    run: Run
    #: Packets dropped because of a full queue or excessive length.
    refused: int
    #: Bytes received from one program, and delivered to the other.
    bytes_in: int
    bytes_out: int

    def to_json(self, late_ns: types.Late, elapsed_ns: int) -> types.EmulatedRun:
        """Returns one object of the documented array."""
        return {
            **self.run.to_json(),
            "incidents": dict(self.run.config["incidents"]),
            "refused": self.refused,
            "bytes_in": self.bytes_in,
            "bytes_out": self.bytes_out,
            "late_ns": late_ns,
            "elapsed_ns": elapsed_ns,
        }


@dataclass(frozen=True, slots=True)
class Emulation:
    """Results of an emulation."""

    #: Forward and return direction.
    ways: Sequence[Way]
    #: Scheduling delay of the emulator.
    late_ns: types.Late
    #: Elapsed virtual time, ns.
    elapsed_ns: int
    #: Capture file of the frames on the air, if requested.
    pcapng: bytes | None

    def to_json(self) -> list[types.EmulatedRun]:
        """Returns the documented array: forward, return."""
        return [way.to_json(self.late_ns, self.elapsed_ns) for way in self.ways]


def ports(listen: str | None = None, to: str | None = None) -> Ports:
    """Opens endpoints: UDP between two addresses or, by default, two serial ports."""
    if listen is None or to is None:
        return Ports.serial()
    return Ports.udp(listen, to)


def connections(task: Task, listen: str, to: str) -> Ports:
    """Opens two TCP endpoints, given as ``host:port``, over an emulated link that uses TCP.

    Each end of the emulated link has its own TCP stack (smoltcp), which retransmits over the link.

    Raises :class:`LinkError`.
    """
    return Ports.tcp((listen, to), task.link, task.size, dict(task.settings), task.speed)


def interfaces(task: Task) -> Ports:
    """Opens two TUN interfaces with the MTU of the emulated link (Linux only).

    :func:`airlag.core.namespaces.hosts` moves the interfaces into two network namespaces.

    Raises :class:`LinkError`.
    """
    return Ports.tun(task.link, task.size, dict(task.settings))


def journals_in(folder: Path) -> list[Path]:
    """Files in which :func:`emulate` records the two directions."""
    return [folder / f"{way}.journal" for way in WAYS]


def emulate(
    task: Task,
    between: Ports,
    on_progress: OnProgress | None = None,
    journals: Sequence[Path] | None = None,
    *,
    force: bool = False,
) -> tuple[Emulation, BaseException | None]:
    """Transfers data between two ports over an emulated link, for the duration stated in ``task``.

    Packets are recorded in ``journals``, one file per direction. :func:`airlag.analyze` can read
    these files even if the process was killed. Default: unnamed temporary files. ``force`` replaces
    existing files. Returns the results and, if a signal ended the emulation, the exception that the
    signal handler raised. Raises :class:`LinkError`.
    """
    about = {
        "link": task.link,
        "size": task.size,
        "seed": task.seed,
        "settings": differing(task.link, task.settings),
        "speed": f"{task.speed:g}",
    }
    there, back = [
        (path, json.dumps({**about, "way": way}))
        for path, way in zip(journals or (None, None), WAYS, strict=True)
    ]
    raw, stopped = _airlag.emulate_link(
        task.link,
        between,
        (there, back),
        force=force,
        size=task.size,
        room=task.queue,
        speed=task.speed,
        lasting_ns=task.lasting_ns,
        seed=task.seed,
        settings=dict(task.settings),
        sniff=task.sniff,
        on_progress=on_progress,
    )
    # Events are counted per link; with traffic in both directions, they belong to neither alone.
    alone = not all(len(way["transfers"]) for way in raw["ways"])
    ways = [
        Way(run_of_journal(way, alone=alone), way["refused"], way["bytes_in"], way["bytes_out"])
        for way in raw["ways"]
    ]
    first = raw["ways"][0]
    emulation = Emulation(tuple(ways), first["late_ns"], first["elapsed_ns"], raw["pcapng"])
    return emulation, stopped
