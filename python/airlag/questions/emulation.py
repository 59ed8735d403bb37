"""A link in real time, between programs that know nothing of it.

:func:`ports` opens what they talk to; :func:`emulate` carries what they say until it is told to
end.
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

#: Called with the virtual time, ns, and for each way what was offered, arrived and waits.
Told = Callable[[int, Sequence[Sequence[int]]], None]


@dataclass(frozen=True, slots=True)
class Task:
    """What is emulated."""

    #: Name of the profile.
    link: str
    #: Bytes of a packet, for what a link is set up with; others go, too.
    size: int
    #: Constants of the profile that are changed.
    settings: Mapping[str, str]
    #: Root of every random number.
    seed: int = 1
    #: Packets that wait at each board at most.
    queue: int = 64
    #: Virtual seconds in a second.
    speed: float = 1.0
    #: Virtual time, ns; ``None``: until somebody ends it.
    lasting_ns: int | None = None
    #: Keep every frame on the air.
    sniff: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """What went one way."""

    #: Its packets, as the transfers of any run; none of a serial port, which has no packets.
    run: Run
    #: Packets that found the queue full, or that no message holds.
    refused: int
    #: Bytes that came from one program, and that the other was given.
    bytes_in: int
    bytes_out: int

    def to_json(self, late_ns: types.Late, elapsed_ns: int) -> types.EmulatedRun:
        """One object of the documented array."""
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
    """What became of everything."""

    #: There, and back.
    ways: Sequence[Way]
    #: From a packet being there on the bench to it being handed over: what we add ourselves.
    late_ns: types.Late
    #: Virtual time that went by, ns.
    elapsed_ns: int
    #: Every frame on the air as a capture file, if asked for.
    pcapng: bytes | None

    def to_json(self) -> list[types.EmulatedRun]:
        """The documented array: there, and back."""
        return [way.to_json(self.late_ns, self.elapsed_ns) for way in self.ways]


def ports(listen: str | None = None, to: str | None = None) -> Ports:
    """Two ports for other programs: datagrams between two addresses, or two serial ports."""
    if listen is None or to is None:
        return Ports.serial()
    return Ports.udp(listen, to)


def connections(task: Task, listen: str, to: str) -> Ports:
    """Connections from one address to another, both ``host:port``, by TCP over the link.

    Each side is a host of its own with a TCP of its own (smoltcp), so that what the link loses is
    sent again between the two.

    Raises :class:`LinkError`.
    """
    return Ports.tcp((listen, to), task.link, task.size, dict(task.settings), task.speed)


def interfaces(task: Task) -> Ports:
    """Two network interfaces with the MTU of a link: TUN devices, as Linux has them.

    :func:`airlag.core.namespaces.hosts` gives each a host of its own.

    Raises :class:`LinkError`.
    """
    return Ports.tun(task.link, task.size, dict(task.settings))


def journals_in(folder: Path) -> list[Path]:
    """Files in which both ways are written down while they go, for :func:`emulate`."""
    return [folder / f"{way}.journal" for way in WAYS]


def emulate(
    task: Task,
    between: Ports,
    told: Told | None = None,
    journals: Sequence[Path] | None = None,
    *,
    force: bool = False,
) -> tuple[Emulation, BaseException | None]:
    """Carries what comes to either port to the other, for as long as the task says.

    What goes by is written to ``journals``, one file a way, which :func:`airlag.analyze` reads if
    the process is killed; by default to files without a name. Files that exist are refused without
    ``force``. Returns what became of it, and what a signal handler raised if that ended it. Raises
    :class:`LinkError`.
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
        told=told,
    )
    # Events are counted for the link: with traffic both ways, of neither way.
    alone = not all(len(way["transfers"]) for way in raw["ways"])
    ways = [
        Way(run_of_journal(way, alone=alone), way["refused"], way["bytes_in"], way["bytes_out"])
        for way in raw["ways"]
    ]
    first = raw["ways"][0]
    emulation = Emulation(tuple(ways), first["late_ns"], first["elapsed_ns"], raw["pcapng"])
    return emulation, stopped
