"""iperf3 between two network namespaces: what is asked of it, and what it answers."""

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
#: A connection that is refused: its server is not up yet.
_NOT_YET = "unable to connect to server"
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Load:
    """What iperf3 is to send."""

    #: ``udp`` or ``tcp``.
    protocol: Protocol
    #: User data of each stream, kbit/s; ``None``: as much as TCP sends.
    kbps: float | None
    #: Bytes of a datagram; TCP finds its own.
    payload: int
    #: For how long, ns.
    window_ns: int
    #: Streams at once, each way.
    parallel: int = 1
    #: From the server to the client alone.
    back: bool = False
    #: Both ways at once.
    both_ways: bool = False

    def options(self) -> list[str]:
        """As words of a command line."""
        words = ["-t", f"{self.window_ns / 1e9:g}", "-P", str(self.parallel)]
        if self.protocol == "udp":
            words += ["-u", "-l", str(self.payload)]
        if self.kbps is not None:
            words += ["-b", str(round(self.kbps * 1000))]
        words += ["-R"] if self.back else []
        return [*words, *(["--bidir"] if self.both_ways else [])]


@dataclass(frozen=True, slots=True)
class Answer:
    """What iperf3 told."""

    #: Each way: what the sender counted, and what the receiver did.
    streams: Sequence[Streams]
    #: What the first way's receiver had within the window, kbit/s.
    within_kbps: float
    #: Wall time of the client, its own connection included, ns.
    took_ns: int


def measure(client: Sequence[str], server: Sequence[str], host: str, load: Load) -> Answer:
    """Runs iperf3 once; raises :class:`LinkError` where it fails.

    ``client`` and ``server`` are words in front of either's command line, such as ``ip netns exec
    NAME``; ``host`` is the address of the server.
    """
    with subprocess.Popen(
        [*server, "iperf3", "-s", "-1", "-p", str(PORT), "-J"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as listening:
        try:
            words = [*client, "iperf3", "-c", host, "-p", str(PORT), "-J", *load.options()]
            told, took_ns = _connected(words, load)
            heard = _document(listening.communicate(timeout=_PATIENCE_S)[0])
        except subprocess.TimeoutExpired:
            _failed("its server does not end")
        finally:
            listening.kill()
    try:
        return _answer(told, heard, load, took_ns)
    except KeyError as absent:
        _failed(f"its answer has no {absent}; take iperf3 3.9 or newer")


def _connected(words: Sequence[str], load: Load) -> tuple[Mapping[str, Any], int]:
    """What the client tells, once its server is up; and how long that took, ns."""
    until = time.monotonic() + _PATIENCE_S
    # Behind half a minute of queue a connection is slow to end, too.
    patience = load.window_ns / 1e9 + 150
    while True:
        begin = time.monotonic_ns()
        with subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as client:
            try:
                out = client.communicate(timeout=patience)[0]
            except subprocess.TimeoutExpired:
                _failed(f"it does not end within {patience:g} s")
            finally:
                client.kill()
        took_ns = time.monotonic_ns() - begin
        told = _document(out)
        error = told.get("error")
        if error is None:
            return told, took_ns
        if _NOT_YET not in str(error) or time.monotonic() > until:
            _failed(str(error))
        time.sleep(0.1)


def _document(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        _failed("it prints no JSON; take iperf3 3.9 or newer")
    return found if isinstance(found, dict) else {}


def _failed(why: str) -> NoReturn:
    raise LinkError(f"iperf3 failed: {why[:200]}")


def _answer(told: Mapping[str, Any], heard: Mapping[str, Any], load: Load, took_ns: int) -> Answer:
    end = told["end"]
    first: Way = "back" if load.back else "there"
    ways: list[tuple[Way, str]] = [(first, "")]
    if load.both_ways:
        ways.append(("back", "_bidir_reverse"))
    streams = [_way(end, way, suffix, load.protocol) for way, suffix in ways]
    # Who receives the first way counts its intervals.
    receiver = told if load.back else heard
    return Answer(streams, _within_kbps(receiver, load), took_ns)


def _way(end: Mapping[str, Any], way: Way, suffix: str, protocol: Protocol) -> Streams:
    """One way, from the client's summary, in which each end's count is."""
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
    """What came within the window by the receiver's intervals, of a second each."""
    bits, window_s = 0.0, load.window_ns / 1e9
    for interval in receiver["intervals"]:
        for stream in interval["streams"]:
            span = stream["end"] - stream["start"]
            if stream.get("sender") or span <= 0 or stream["start"] >= window_s:
                continue
            part = min(1.0, (window_s - stream["start"]) / span)
            bits += 8 * stream["bytes"] * part
    return bits / 1000 / window_s
