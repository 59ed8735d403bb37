"""Loads of IP tunnels on real sockets: iperf3 and a sparse flow over a real-time emulation.

Two network namespaces represent the two computers of a tunnel. The virtual bench carries IP packets
between the namespaces in real time. Programs in a namespace only see a network interface.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core.children import child
from airlag.questions import iperf, sparse_flow
from airlag.questions.emulated_tun import HostPair, connected
from airlag.questions.iperf import Answer, Load
from airlag.questions.tunnel_bench import LINKS, Task, constants

if TYPE_CHECKING:
    from airlag.core.types import Protocol, RealLoad, Tunnel, Way

#: Default user data rates of the bulk, kbit/s: from below the goodput of the published tunnel to
#: above that of airlag's.
LOADS_KBPS = (50.0, 100.0, 200.0, 400.0, 800.0, 1600.0)
#: Required programs, and their packages.
PROGRAMS: Mapping[str, str] = {"ip": "iproute2", "iperf3": "iperf3"}
#: TUN device.
_TUN = Path("/dev/net/tun")
#: Port of the sparse flow.
_PORT = 5202
#: Maximum duration beyond a load's window, ns: several times a queue of half a minute.
_BEYOND_NS = 300_000_000_000


@dataclass(frozen=True, slots=True)
class Traffic:
    """Options of the bulk traffic."""

    #: ``udp`` runs at every load, ``tcp`` once.
    protocols: Sequence[Protocol] = ("udp", "tcp")
    #: ``there`` or ``back``; ``None``: both directions at once.
    way: Way | None = "there"
    #: Parallel streams per direction.
    parallel: int = 1

    def loads(self, task: Task, mtu: int) -> Iterator[Load]:
        """Yields every load of one tunnel."""
        for protocol in self.protocols:
            for kbps in (task.offered_kbps or LOADS_KBPS) if protocol == "udp" else (None,):
                yield Load(
                    protocol=protocol,
                    kbps=None if kbps is None else kbps / self.parallel,
                    payload=mtu - sparse_flow.HEADERS,
                    window_ns=task.window_ns,
                    parallel=self.parallel,
                    back=self.way == "back",
                    both_ways=self.way is None,
                )

    def count(self, task: Task) -> int:
        """Number of loads of all tunnels."""
        each = len(task.offered_kbps or LOADS_KBPS) * ("udp" in self.protocols)
        return len(list(task.each())) * (each + ("tcp" in self.protocols))


def missing() -> str | None:
    """Returns the first missing requirement with a fix; ``None`` if all are met."""
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            return f"the program {program} is missing; install {package}, or add --virtual"
    if not _TUN.exists():
        return f"there is no {_TUN}; load the kernel module tun, or add --virtual"
    if os.geteuid() != 0:
        return "interfaces and namespaces need root; run as root, or add --virtual"
    return None


def real(task: Task, traffic: Traffic) -> Generator[RealLoad]:
    """Runs every load on real sockets; raises :class:`LinkError`."""
    lack = missing()
    if lack is not None:
        raise LinkError(lack)
    for tunnel, settings in task.each():
        known = constants(tunnel, settings)
        for load in traffic.loads(task, int(known["mtu"])):
            yield _measured(tunnel, settings, known, load, task)


def _measured(
    tunnel: Tunnel,
    settings: Mapping[str, str],
    known: Mapping[str, float],
    load: Load,
    task: Task,
) -> RealLoad:
    """Runs one load over a new emulation, so that its queues start empty."""
    lasting_ns = load.window_ns + _BEYOND_NS
    with (
        connected(LINKS[tunnel], settings, task.seed, lasting_ns) as pair,
        _sparse(pair, load) as heard,
    ):
        answer = iperf.measure(pair.near.command(), pair.far.command(), pair.far.address, load)
    first = answer.streams[0]
    is_udp = load.protocol == "udp"
    sent = first["sent_bytes"] // load.payload if is_udp else None
    return {
        "clock": "real",
        "profile": tunnel,
        "rate_kbps": known["rate"],
        "frame_loss": known["frame_loss"],
        "settings": dict(settings),
        "seed": task.seed,
        "packet": pair.mtu,
        "window_ns": load.window_ns,
        "protocol": load.protocol,
        "parallel": load.parallel,
        "both_ways": load.both_ways,
        "offered_kbps": None if load.kbps is None else load.kbps * load.parallel,
        "goodput_kbps": answer.within_kbps,
        "offered": sent,
        "lost": None if sent is None else max(0, sent - first["received_bytes"] // load.payload),
        "sparse_offered": heard.sent,
        "sparse_lost": heard.sent - len(heard.took_ns),
        "sparse_latency_ns": _airlag.summary(np.asarray(heard.took_ns, dtype=np.int64)),
        "completion_excess_ns": _excess_ns(answer, load),
        "streams": list(answer.streams),
        "took_ns": answer.took_ns,
        "late_ns": pair.late_ns,
    }


def _excess_ns(answer: Answer, load: Load) -> int | None:
    """Excess duration of the transfer, ns, which the published measurement calls latency."""
    if not any(stream["received_bytes"] for stream in answer.streams):
        return None
    return max(0, answer.took_ns - load.window_ns)


@dataclass(slots=True)
class _SparseResult:
    """Outcome of the sparse flow: packets sent, and latencies of those received, ns."""

    sent: int = 0
    took_ns: Sequence[int] = ()


@contextmanager
def _sparse(pair: HostPair, load: Load) -> Iterator[_SparseResult]:
    """Runs a sparse flow in the direction of the bulk flow, until the bulk has arrived."""
    source, sink = (pair.far, pair.near) if load.back else (pair.near, pair.far)
    program = [sys.executable, "-I", "-S", str(sparse_flow.__file__)]
    heard = _SparseResult()
    hearing = sink.command(*program, "hear", str(_PORT))
    with child(hearing, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as receiver:
        try:
            if receiver.stdout is None or receiver.stdout.readline() != "ready\n":
                raise LinkError("the receiver of the sparse flow failed to start")
            words = ["send", sink.address, str(_PORT), str(load.window_ns)]
            sending = source.command(*program, *words)
            with child(sending, stdout=subprocess.PIPE, text=True) as sender:
                yield heard
                heard.sent = json.loads(sender.communicate()[0])
            heard.took_ns = json.loads(receiver.communicate()[0])
        except json.JSONDecodeError:
            raise LinkError("the sparse flow reported no result") from None
