"""An emulation in a process of its own, between two hosts: for whoever measures what it carries.

:func:`carried` starts the process and puts its interfaces into namespaces; :func:`serve` is what
that process does. It reads its task as a line of JSON, tells its interfaces in one, carries until
it is interrupted, and tells in another how late it was.
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
from airlag.core.namespaces import Host, hosts
from airlag.questions import emulation

if TYPE_CHECKING:
    from airlag.core.types import Late

#: What both namespaces are called in front of ``-near`` and ``-far``.
NAME = "airlag-bench"
#: Third byte of their addresses: ``airlag emulate --tun`` has another.
_THIRD = 1
#: Bytes a link is set up for that is set up for a size, which no tunnel is.
_SIZE = 128
#: Seconds in which an emulation ends.
_PATIENCE_S = 10.0


@dataclass(slots=True)
class Carried:
    """Two hosts, and what is between them."""

    #: The two hosts.
    near: Host
    far: Host
    #: Longest packet between them, bytes.
    mtu: int
    #: How late the emulation was; ``None`` until it has ended, and where it told nothing.
    late_ns: Late | None = None


@contextmanager
def carried(
    link: str, settings: Mapping[str, str], seed: int, lasting_ns: int
) -> Iterator[Carried]:
    """Two hosts with a link between them, for at most so long; raises :class:`LinkError`."""
    program = "from airlag.questions.emulated_tun import serve; serve()"
    task = {"link": link, "settings": dict(settings), "seed": seed, "lasting_ns": lasting_ns}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Ctrl-C is ours: it ends when we say so.
        start_new_session=True,
    ) as process:
        try:
            if process.stdin is None or process.stdout is None:
                raise LinkError("the emulation has no pipes")
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.close()
            ready = _line(process.stdout)
            with hosts(NAME, ready["interfaces"], ready["mtu"], _THIRD) as (near, far):
                pair = Carried(near, far, ready["mtu"])
                yield pair
                # Its interfaces go with their namespaces, so it ends before them.
                process.send_signal(signal.SIGINT)
                pair.late_ns = _line(process.stdout)["late_ns"]
                process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise LinkError(f"the emulation of {link} does not end") from None
        finally:
            process.kill()


def _line(stream: IO[str]) -> dict[str, Any]:
    """The next line of the process; what was wrong, where it says so."""
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
    """Carries IP packets as the first line of standard input says."""
    asked = json.loads(sys.stdin.readline())
    task = emulation.Task(
        asked["link"],
        _SIZE,
        asked["settings"],
        asked["seed"],
        lasting_ns=asked["lasting_ns"],
    )
    try:
        between = emulation.interfaces(task)
        _tell({"interfaces": between.names, "mtu": between.mtu})
        done, _ = emulation.emulate(task, between)
    except LinkError as error:
        _tell({"error": str(error)})
        return
    _tell({"late_ns": done.late_ns})
