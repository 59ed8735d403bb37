"""``airlag probe`` beside sockperf, irtt and iperf3 on one emulated path.

``airlag emulate LINK --tun`` connects two network namespaces. Programs take turns, in reverse order
every other round, and each sends a message every 10 ms, so that all of them use the same path in
the same way. ``airlag probe`` has two turns in each round; the second shows how repeatable the path
is.

Each median is compared with that of the first ``airlag probe`` of its round. iperf3 prints no
median but TCP's smoothed round trip, an exponentially weighted mean (RFC 6298), so the mean of its
readings is compared with the mean of ``airlag probe``. The interval of the median difference over
the rounds consists of order statistics (the inverted sign test), at a confidence of at least 95 %,
and assumes no distribution.

The error of a program is its own round trip between two sockets of one host, at the same rate, in
the same round: its wake-ups and system calls, which are part of each of its round trips. Two
programs agree if the whole interval lies within the sum of their errors. They differ if it lies
outside. Otherwise the measurement is inconclusive.

Prints a table in Markdown. Run it as root with ``python benches/path_peers.py [ROUNDS]``; it needs
sockperf, irtt and iperf3.
"""

from __future__ import annotations

import json
import math
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from probe_peers import AIRLAG, output, serving

LINK, NAME = "websocket-pi4-ethernet", "airlagpath"
NEAR, FAR = (["ip", "netns", "exec", f"{NAME}-{end}"] for end in ("near", "far"))
HOST = "10.213.0.2"
#: Bytes of a message, and messages per second.
SIZE, RATE = 72, 100
PERIOD = f"{1000 // RATE}ms"
#: Ports of the servers.
PROBE, SOCKPERF, IRTT, IPERF3 = "8620", "8621", "8622", "8623"

#: Statistics of the round trips, us, of messages during some seconds.
Statistics = dict[str, float]
Turn = Callable[[Sequence[str], str], Statistics]


def probe(client: Sequence[str], seconds: str) -> Statistics:
    """Round trip of ``airlag probe``, with the residence at the reflector, as in the others."""
    words = ["--size", str(SIZE), "--for", f"{seconds}s", "--period", PERIOD, "--json"]
    answer = json.loads(output(*client, *AIRLAG, "probe", f"udp://{HOST}:{PROBE}", *words))
    latency = answer["latency_ns"]
    return {"median": latency["p50"] / 1e3, "mean": latency["mean"] / 1e3}


def sockperf(client: Sequence[str], seconds: str) -> Statistics:
    """Round trip of sockperf's ping-pong."""
    words = ["-i", HOST, "-p", SOCKPERF, "-m", str(SIZE), "-t", seconds, "--mps", str(RATE)]
    text = output(*client, "sockperf", "ping-pong", "--full-rtt", *words)
    found = re.search(r"percentile 50\.0+\s*=\s*([\d.]+)", text)
    if found is None:
        raise SystemExit(f"sockperf printed no median: {text[-300:]}")
    return {"median": float(found[1])}


def irtt(client: Sequence[str], seconds: str) -> Statistics:
    """Round trip of irtt, with the residence at its server."""
    words = ["-i", PERIOD, "-d", f"{seconds}s", "-l", str(SIZE), "-Q", "-o", "-"]
    text = output(*client, "irtt", "client", *words, f"{HOST}:{IRTT}")
    answered = [
        each["timestamps"]["client"]
        for each in json.loads(text[text.index("{") :])["round_trips"]
        if each["lost"] == "false"
    ]
    trips = [each["receive"]["monotonic"] - each["send"]["monotonic"] for each in answered]
    return {"median": statistics.median(trips) / 1e3}


def iperf3(client: Sequence[str], seconds: str) -> Statistics:
    """Smoothed round trip of a TCP connection, whose weights reach back over some eight segments.

    It is read ten times a second, that is, each ten segments, so that no segment is left out.
    """
    rate = ["-l", str(SIZE), "-b", str(8 * SIZE * RATE), "-N"]
    words = ["-c", HOST, "-p", IPERF3, "-t", seconds, "-i", "0.1", *rate, "--json"]
    # iperf3 leaves out an interval in which its timer came late, sometimes each of a short turn.
    for _ in range(3):
        intervals = json.loads(output(*client, "iperf3", *words))["intervals"]
        if intervals:
            return {"mean": statistics.mean(each["streams"][0]["rtt"] for each in intervals)}
    raise SystemExit("iperf3 reported no interval in three turns")


REFERENCE = "airlag probe"
PROGRAMS: dict[str, Turn] = {
    REFERENCE: probe,
    "sockperf ping-pong": sockperf,
    "irtt": irtt,
    "iperf3, TCP": iperf3,
    "airlag probe, second turn": probe,
}


def sign_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float, float]:
    """Interval of a median between two order statistics, and its confidence."""
    ordered, n = sorted(values), len(values)
    outside, rank = 0.0, 0
    while rank < n // 2:
        more = outside + 2 * math.comb(n, rank) / 2**n
        if more > 1 - confidence:
            break
        outside, rank = more, rank + 1
    if rank == 0:
        raise SystemExit(f"{n} rounds are too few for {confidence:.0%} confidence; 6 suffice")
    return ordered[rank - 1], ordered[n - rank], 1 - outside


def verdict(low: float, high: float, allowed: float) -> str:
    """Position of an interval relative to the sum of both errors."""
    if -allowed <= low and high <= allowed:
        return "agrees"
    return "differs" if low > allowed or high < -allowed else "inconclusive"


@contextmanager
def emulated() -> Iterator[None]:
    """Both namespaces, and the servers in the far one."""
    command = [*AIRLAG, "emulate", LINK, "--tun", "--name", NAME]
    with ExitStack() as stack:
        emulator = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        stack.callback(emulator.terminate)
        assert emulator.stdout is not None
        if f"{NAME}-near" not in emulator.stdout.readline():
            raise SystemExit("no emulation")
        for end in (NEAR, FAR):
            # A delayed acknowledgement is no round trip of the path.
            route = output(*end, "ip", "route").split(" proto")[0].split()
            output(*end, "ip", "route", "change", *route, "quickack", "1")
        for server in (
            [*AIRLAG, "reflect", f"udp://0.0.0.0:{PROBE}"],
            ["sockperf", "server", "-i", "0.0.0.0", "-p", SOCKPERF],
            ["irtt", "server", "-b", f"{HOST}:{IRTT}", "-i", "0"],
            ["iperf3", "-s", "-p", IPERF3],
        ):
            stack.enter_context(serving(*FAR, *server))
        time.sleep(2)
        yield


def main(words: list[str]) -> None:
    """Measures the rounds."""
    rounds = int(words[0]) if words else 12
    path: dict[str, list[Statistics]] = {name: [] for name in PROGRAMS}
    floor: dict[str, list[Statistics]] = {name: [] for name in PROGRAMS}
    sign_interval(range(rounds))
    with emulated():
        for nth in range(rounds):
            for name in list(PROGRAMS)[:: -1 if nth % 2 else 1]:
                path[name].append(PROGRAMS[name](NEAR, "5"))
                floor[name].append(PROGRAMS[name](FAR, "2"))
    lines = [
        "| program | statistic | round trip, ms | own error, ms | difference, ms | interval, ms "
        "| both errors, ms | result |",
        "|---|---|---:|---:|---:|---:|---:|---|",
    ]
    for name in PROGRAMS:
        for statistic in path[name][0] if name == REFERENCE else list(path[name][0])[:1]:
            values = [each[statistic] for each in path[name]]
            error = statistics.median(each[statistic] for each in floor[name])
            row = [f"`{name}`", statistic, f"{statistics.median(values) / 1e3:.3f}"]
            row += [f"{error / 1e3:.3f}"]
            if name != REFERENCE:
                compared = [each[statistic] for each in path[REFERENCE]]
                differences = [a - b for a, b in zip(values, compared, strict=True)]
                low, high, _ = sign_interval(differences)
                allowed = error + statistics.median(each[statistic] for each in floor[REFERENCE])
                row += [f"{statistics.median(differences) / 1e3:+.3f}"]
                row += [f"{low / 1e3:+.3f} to {high / 1e3:+.3f}", f"{allowed / 1e3:.3f}"]
                row += [verdict(low, high, allowed)]
            lines.append(f"| {' | '.join([*row, *[''] * 4][:8])} |")
    confidence = sign_interval(range(rounds))[2]
    lines += ["", f"{rounds} rounds; intervals have a confidence of {confidence:.1%}."]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
