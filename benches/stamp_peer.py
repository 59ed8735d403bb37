"""STAMP between airlag and stamp-suite, each as sender and as reflector, on loopback.

Programs take turns, round by round. For each pair of sender and reflector it prints how many of the
messages were answered and the median round trip in a table in Markdown. Ends with 1 where an answer
is missing, is counted twice or is not recognized, or where the offset of the far clock, which is 0
on one machine, is outside of its stated interval.

Run it with ``python benches/stamp_peer.py [ROUNDS]``; it needs stamp-suite 1
(``cargo install stamp-suite --locked``).
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

from probe_peers import AIRLAG, free_port, output, reflecting, serving

COUNT = 200


@dataclass(slots=True)
class Pair:
    """Sessions of one sender with one reflector."""

    name: str
    answered: int = 0
    sent: int = 0
    median_us: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def ours(pair: Pair, port: str) -> None:
    """A session of ``airlag probe``."""
    words = ["--count", str(COUNT), "--period", "5ms", "--size", "80", "--json"]
    answer = json.loads(output(*AIRLAG, "probe", f"udp://127.0.0.1:{port}", *words))
    pair.sent += answer["triggers"]
    pair.answered += answer["delivered"]
    pair.median_us.append(answer["round_trip_ns"]["p50"] / 1e3)
    clock = answer["clock"]
    # Time stamps are truncated to whole nanoseconds.
    if abs(clock["offset_ns"]) > clock["offset_uncertainty_ns"] + 2:
        pair.wrong.append(f"the offset is {clock['offset_ns']} ns")
    if answer["duplicates"]:
        pair.wrong.append("answers are counted twice")


def theirs(pair: Pair, port: str) -> None:
    """A session of stamp-suite."""
    words = ["-r", "127.0.0.1", "-p", port, "-S", "127.0.0.1", "-c", str(COUNT), "-d", "5"]
    text = output("stamp-suite", *words, "-L", "1", "--output-format", "json")
    summary = json.loads(text.splitlines()[-1])
    pair.sent += summary["packets_sent"]
    pair.answered += summary["packets_received"]
    pair.median_us.append(summary["median_rtt_ms"] * 1e3)
    counts = summary["measurements"]
    if counts["unknown_replies"] or counts["duplicate_replies"]:
        pair.wrong.append("replies are unknown or duplicates")
    if min(summary["owd"]["forward_min_ms"], summary["owd"]["reverse_min_ms"]) <= 0:
        pair.wrong.append("a one-way delay is not positive on one clock")


def rows(pairs: list[Pair]) -> Iterator[str]:
    """The table."""
    yield "| sender, reflector | answered | median round trip, µs |"
    yield "|---|---:|---:|"
    for pair in pairs:
        median = statistics.median(pair.median_us)
        yield f"| {pair.name} | {pair.answered} of {pair.sent} | {median:.0f} |"


def main(words: list[str]) -> int:
    """Measures the rounds."""
    rounds = int(words[0]) if words else 5
    pairs = [
        Pair("airlag probe, stamp-suite"),
        Pair("airlag probe, stamp-suite that counts"),
        Pair("stamp-suite, airlag reflect"),
        Pair("airlag probe, airlag reflect"),
    ]
    ports = [free_port(), free_port()]
    with ExitStack() as stack:
        for port, more in zip(ports, ([], ["--stateful-reflector"]), strict=True):
            command = ["stamp-suite", "-i", "-S", "127.0.0.1", "-o", port, *more]
            stack.enter_context(serving(*command))
        ports += [stack.enter_context(reflecting("udp")).rpartition(":")[2]] * 2
        time.sleep(1)
        for _ in range(rounds):
            for pair, port in zip(pairs, ports, strict=True):
                (theirs if pair.name.startswith("stamp-suite") else ours)(pair, port)
    wrong = [f"{pair.name}: {each}" for pair in pairs for each in pair.wrong]
    wrong += [f"{pair.name}: answers are missing" for pair in pairs if pair.answered < pair.sent]
    sys.stdout.write("\n".join([*rows(pairs), *wrong]) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{error.cmd[0]}: {error.stderr.strip()}") from None
    raise SystemExit(code)
