"""iperf3 between two network namespaces: options and results."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from airlag._airlag import LinkError, iperf_error, iperf_results
from airlag.core.children import child

if TYPE_CHECKING:
    from airlag.core.types import Protocol, Streams

PORT = 5201
#: Error of iperf3 while its server is starting.
_NOT_YET = "unable to connect to server"
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Load:
    """Traffic that iperf3 sends."""

    #: ``udp`` or ``tcp``.
    protocol: Protocol
    #: User data per stream, kbit/s; ``None``: unlimited TCP.
    kbps: float | None
    #: Bytes per datagram; TCP ignores it.
    payload: int
    #: Duration, ns.
    window_ns: int
    #: Parallel streams per direction.
    parallel: int = 1
    #: Send from the server to the client only.
    back: bool = False
    #: Send in both directions at once.
    both_ways: bool = False

    def options(self) -> list[str]:
        """Returns command-line options."""
        words = ["-t", f"{self.window_ns / 1e9:g}", "-P", str(self.parallel)]
        if self.protocol == "udp":
            words += ["-u", "-l", str(self.payload)]
        if self.kbps is not None:
            words += ["-b", str(round(self.kbps * 1000))]
        words += ["-R"] if self.back else []
        return [*words, *(["--bidir"] if self.both_ways else [])]

    def answer(self, by_client: str, by_server: str, took_ns: int) -> Answer:
        """Builds the answer from the output of both ends."""
        text = iperf_results(
            by_client,
            by_server,
            is_udp=self.protocol == "udp",
            window_ns=self.window_ns,
            back=self.back,
            both_ways=self.both_ways,
        )
        return Answer(**json.loads(text), took_ns=took_ns)


@dataclass(frozen=True, slots=True)
class Answer:
    """Results of iperf3."""

    #: Counts of sender and receiver, by direction.
    streams: Sequence[Streams]
    #: Receiver's goodput of the first direction within the window, kbit/s.
    within_kbps: float
    #: Wall-clock time of the client including its connection, ns.
    took_ns: int


def measure(client: Sequence[str], server: Sequence[str], host: str, load: Load) -> Answer:
    """Runs iperf3 once; raises :class:`LinkError` if it fails.

    ``client`` and ``server`` are command prefixes, such as ``ip netns exec NAME``; ``host`` is the
    server's address.
    """
    with _started([*server, "iperf3", "-s", "-1", "-p", str(PORT), "-J"]) as listening:
        words = [*client, "iperf3", "-c", host, "-p", str(PORT), "-J", *load.options()]
        by_client, took_ns = _connected(words, load)
        try:
            by_server = listening.communicate(timeout=_PATIENCE_S)[0]
        except subprocess.TimeoutExpired:
            _failed("its server does not terminate")
    return load.answer(by_client, by_server, took_ns)


def _connected(words: Sequence[str], load: Load) -> tuple[str, int]:
    """Retries the client until its server is up; returns its output and duration, ns."""
    until = time.monotonic() + _PATIENCE_S
    # A queue of half a minute delays the closing of the connection.
    patience = load.window_ns / 1e9 + 150
    while True:
        begin = time.monotonic_ns()
        with _started(words) as client:
            try:
                out = client.communicate(timeout=patience)[0]
            except subprocess.TimeoutExpired:
                _failed(f"it does not terminate within {patience:g} s")
        took_ns = time.monotonic_ns() - begin
        error = iperf_error(out)
        if error is None:
            return out, took_ns
        if _NOT_YET not in error or time.monotonic() > until:
            _failed(error)
        time.sleep(0.1)


def _started(words: Sequence[str]) -> AbstractContextManager[subprocess.Popen[str]]:
    return child(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _failed(why: str) -> NoReturn:
    raise LinkError(f"iperf3 failed: {why[:200]}")
