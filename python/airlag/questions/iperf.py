"""iperf3 between two network namespaces: options and results."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from airlag._airlag import LinkError

if TYPE_CHECKING:
    from airlag.core.types import Protocol, Streams, Way

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
    with subprocess.Popen(
        [*server, "iperf3", "-s", "-1", "-p", str(PORT), "-J"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as listening:
        try:
            words = [*client, "iperf3", "-c", host, "-p", str(PORT), "-J", *load.options()]
            by_client, took_ns = _connected(words, load)
            by_server = _document(listening.communicate(timeout=_PATIENCE_S)[0])
        except subprocess.TimeoutExpired:
            _failed("its server does not terminate")
        finally:
            listening.kill()
    try:
        return _answer(by_client, by_server, load, took_ns)
    except KeyError as absent:
        _failed(f"its output lacks {absent}; use iperf3 3.9 or newer")


def _connected(words: Sequence[str], load: Load) -> tuple[Mapping[str, Any], int]:
    """Client's output once its server is up, and the client's duration, ns."""
    until = time.monotonic() + _PATIENCE_S
    # Closing a connection behind a queue of half a minute is slow.
    patience = load.window_ns / 1e9 + 150
    while True:
        begin = time.monotonic_ns()
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as client:
            try:
                out = client.communicate(timeout=patience)[0]
            except subprocess.TimeoutExpired:
                _failed(f"it does not terminate within {patience:g} s")
            finally:
                client.kill()
        took_ns = time.monotonic_ns() - begin
        report = _document(out)
        error = report.get("error")
        if error is None:
            return report, took_ns
        if _NOT_YET not in str(error) or time.monotonic() > until:
            _failed(str(error))
        time.sleep(0.1)


def _document(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        _failed("it prints no JSON; use iperf3 3.9 or newer")
    return found if isinstance(found, dict) else {}


def _failed(why: str) -> NoReturn:
    raise LinkError(f"iperf3 failed: {why[:200]}")


def _answer(
    by_client: Mapping[str, Any], by_server: Mapping[str, Any], load: Load, took_ns: int
) -> Answer:
    end = by_client["end"]
    first: Way = "back" if load.back else "there"
    ways: list[tuple[Way, str]] = [(first, "")]
    if load.both_ways:
        ways.append(("back", "_bidir_reverse"))
    streams = [_way(end, way, suffix, load.protocol) for way, suffix in ways]
    # The receiver of the first direction reports its intervals.
    receiver = by_client if load.back else by_server
    return Answer(streams, _within_kbps(receiver, load), took_ns)


def _way(end: Mapping[str, Any], way: Way, suffix: str, protocol: Protocol) -> Streams:
    """One direction from the client's summary, which contains the counts of both ends."""
    sent, received = end["sum_sent" + suffix], end["sum_received" + suffix]
    is_udp = protocol == "udp"
    return {
        "way": way,
        "sent_kbps": sent["bits_per_second"] / 1000,
        "received_kbps": received["bits_per_second"] / 1000,
        "sent_bytes": sent["bytes"],
        "received_bytes": received["bytes"],
        "retransmits": None if is_udp else sent.get("retransmits"),
        "datagrams": sent["packets"] if is_udp else None,
        "datagrams_lost": received["lost_packets"] if is_udp else None,
    }


def _within_kbps(receiver: Mapping[str, Any], load: Load) -> float:
    """Goodput within the window from the receiver's intervals of one second."""
    bits, window_s = 0.0, load.window_ns / 1e9
    for interval in receiver["intervals"]:
        for stream in interval["streams"]:
            span = stream["end"] - stream["start"]
            if stream.get("sender") or span <= 0 or stream["start"] >= window_s:
                continue
            part = min(1.0, (window_s - stream["start"]) / span)
            bits += 8 * stream["bytes"] * part
    return bits / 1000 / window_s
