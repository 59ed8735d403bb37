"""Emulation of a link between two hosts, in a separate process, for traffic measurements.

:func:`connected` starts the process and moves the network interfaces of the process into
namespaces. :func:`serve`, the main function of the process, reads a task as a line of JSON, prints
the names of the interfaces, runs until interrupted, and then prints the scheduling delay.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from airlag._airlag import LinkError
from airlag.core.children import child
from airlag.core.namespaces import Host, hosts
from airlag.questions import emulation

if TYPE_CHECKING:
    from airlag.core.types import Late

#: Prefix of the namespaces, before ``-near`` and ``-far``.
NAME = "airlag-bench"
#: Third byte of the addresses; ``airlag emulate --tun`` uses another.
_THIRD = 1
#: Configured payload size, bytes; tunnels do not use it.
_SIZE = 128
#: Time limit for termination, s.
_PATIENCE_S = 10.0


@dataclass(slots=True)
class HostPair:
    """Two hosts connected by an emulated link."""

    #: The two hosts.
    near: Host
    far: Host
    #: Maximum packet size, bytes.
    mtu: int
    #: Scheduling delay of the emulation; ``None`` until its end, or if not reported.
    late_ns: Late | None = None


@contextmanager
def connected(
    link: str, settings: Mapping[str, str], seed: int, lasting_ns: int
) -> Iterator[HostPair]:
    """Connects two hosts for at most a given time; raises :class:`LinkError`."""
    program = "from airlag.questions.emulated_tun import serve; serve()"
    task = {"link": link, "settings": dict(settings), "seed": seed, "lasting_ns": lasting_ns}
    with child(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A new session keeps Ctrl-C from interrupting it early.
        start_new_session=True,
    ) as process:
        try:
            if process.stdin is None or process.stdout is None:
                raise LinkError("the emulation has no pipes")
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.close()
            ready = _line(process.stdout)
            with hosts(NAME, ready["interfaces"], ready["mtu"], _THIRD) as (near, far):
                pair = HostPair(near, far, ready["mtu"])
                yield pair
                # Stop before the namespaces, and with them the interfaces, are deleted.
                process.send_signal(signal.SIGINT)
                pair.late_ns = _line(process.stdout)["late_ns"]
                process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise LinkError(f"the emulation of {link} does not terminate") from None


def _line(stream: IO[str]) -> dict[str, Any]:
    """Reads the next line from the process; if the line is an error, raises it."""
    text = stream.readline()
    if not text:
        raise LinkError("the emulation ended too early")
    said: dict[str, Any] = json.loads(text)
    if "error" in said:
        raise LinkError(str(said["error"]))
    return said


def _tell(said: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def serve() -> None:
    """Forwards IP packets according to the first line of standard input."""
    task = emulation.Task(size=_SIZE, **json.loads(sys.stdin.readline()))
    try:
        between = emulation.interfaces(task)
        _tell({"interfaces": between.names, "mtu": between.mtu})
        done, _ = emulation.emulate(task, between)
    except LinkError as error:
        _tell({"error": str(error)})
        return
    _tell({"late_ns": done.late_ns})
