"""``airlag probe`` beside sockperf, irtt and iperf3 on loopback, and how it keeps its send times.

Programs take turns, round by round, so that a load on the machine meets all of them. Prints two
tables in Markdown: the medians of all rounds with the median of the ratios to sockperf's, and the
share of messages that left within 50 us of their time, for a probe that has one core to itself.
Between them stands that share where the probe and all servers use any core. Ends with 1 where the
median of ``airlag probe`` exceeds 1.1 times sockperf's on UDP or TCP.

sockperf and ``airlag probe --closed-loop`` send each message once the one before is answered. irtt
sends one a millisecond, as ``airlag probe --period 1ms`` does. iperf3 reports the smoothed round
trip of its TCP connection while it is loaded, and nothing over UDP.

Run it with ``python benches/probe_peers.py [ROUNDS]``; it needs sockperf, irtt and iperf3.
"""

from __future__ import annotations

import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

AIRLAG = [sys.executable, "-m", "airlag"]
#: Bytes of a message: the shortest packet of STAMP.
SIZE = "44"
SECONDS = "2"
#: Most that a median may be of sockperf's.
MOST = 1.1


def free_port() -> str:
    """An unused port."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return str(bound.getsockname()[1])


@contextmanager
def serving(*command: str) -> Iterator[None]:
    """A server in the background."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def reflecting(scheme: str, *before: str) -> Iterator[str]:
    """A reflector, and its address; ``before`` is the command that starts it, such as taskset."""
    command = [*before, *AIRLAG, "reflect", f"{scheme}://127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def output(*command: str) -> str:
    """Output of a program."""
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def sockperf(port: str, *more: str) -> float:
    """Median round trip of sockperf's ping-pong, us."""
    words = ["-i", "127.0.0.1", "-p", port, "-m", SIZE, "-t", SECONDS, "--full-rtt", *more]
    text = output("sockperf", "ping-pong", *words)
    found = re.search(r"percentile 50\.0+\s*=\s*([\d.]+)", text)
    if found is None:
        raise SystemExit(f"sockperf printed no median: {text[-300:]}")
    return float(found[1])


def probe(target: str, *pattern: str, before: Sequence[str] = ()) -> dict[str, float]:
    """Median including the residence at the reflector, as for the peers, us; and send times."""
    words = ["--size", SIZE, "--for", f"{SECONDS}s", "--json", *pattern]
    answer = json.loads(output(*before, *AIRLAG, "probe", target, *words))
    return {
        "median": answer["latency_ns"]["p50"] / 1e3,
        "sent": answer["triggers"],
        "late": answer["late_sends"],
    }


def irtt(port: str) -> float:
    """Median round trip of irtt with one message a millisecond, us."""
    words = ["-i", "1ms", "-d", f"{SECONDS}s", "-l", SIZE, "-Q", "-o", "-", f"127.0.0.1:{port}"]
    text = output("irtt", "client", *words)
    stats = json.loads(text[text.index("{") :])["stats"]
    # Includes the residence at the server, as for the others.
    return float(stats["rtt"]["median"] + stats["server_processing_time"]["mean"]) / 1e3


def iperf3(port: str) -> float:
    """Smoothed round trip of a TCP connection at 1 Mbit/s, us."""
    words = ["-c", "127.0.0.1", "-p", port, "-t", SECONDS, "-b", "1M", "-l", "1000", "--json"]
    end = json.loads(output("iperf3", *words))["end"]
    return float(end["streams"][0]["sender"]["mean_rtt"])


def on_one_core(core: int, others: set[int], rounds: int) -> str:
    """Send times of a probe with a core to itself: a row of the table."""
    sent, late = 0.0, 0.0
    elsewhere = ",".join(str(other) for other in sorted(others))
    with reflecting("udp", "taskset", "-c", elsewhere) as target:
        for _ in range(rounds):
            paced = probe(target, "--period", "1ms", before=("taskset", "-c", str(core)))
            sent, late = sent + paced["sent"], late + paced["late"]
    return f"| {core} | {sent:.0f} | {late:.0f} | {100 * (1 - late / sent):.2f} % |"


def main(words: list[str]) -> int:
    """Measures the rounds."""
    rounds = int(words[0]) if words else 10
    ports = [free_port() for _ in range(4)]
    medians: dict[str, list[float]] = {}
    sent, late = 0.0, 0.0
    with ExitStack() as stack:
        listens = ("-i", "127.0.0.1", "-p")
        stack.enter_context(serving("sockperf", "server", *listens, ports[0]))
        stack.enter_context(serving("sockperf", "server", *listens, ports[1], "--tcp"))
        stack.enter_context(serving("irtt", "server", "-b", f"127.0.0.1:{ports[2]}", "-i", "0"))
        stack.enter_context(serving("iperf3", "-s", "-p", ports[3]))
        udp = stack.enter_context(reflecting("udp"))
        tcp = stack.enter_context(reflecting("tcp"))
        time.sleep(1)
        for _ in range(rounds):
            paced = probe(udp, "--period", "1ms")
            sent, late = sent + paced["sent"], late + paced["late"]
            for name, value in {
                "sockperf ping-pong, UDP": sockperf(ports[0]),
                "airlag probe udp:// --closed-loop": probe(udp, "--closed-loop")["median"],
                "sockperf ping-pong, TCP": sockperf(ports[1], "--tcp"),
                "airlag probe tcp:// --closed-loop": probe(tcp, "--closed-loop")["median"],
                "irtt, one per ms": irtt(ports[2]),
                "airlag probe udp:// --period 1ms": paced["median"],
                "iperf3, TCP at 1 Mbit/s": iperf3(ports[3]),
            }.items():
                medians.setdefault(name, []).append(value)
    pairs = {
        "airlag probe udp:// --closed-loop": "sockperf ping-pong, UDP",
        "airlag probe tcp:// --closed-loop": "sockperf ping-pong, TCP",
        "airlag probe udp:// --period 1ms": "irtt, one per ms",
    }
    lines = [
        "| program | median round trip, µs | smallest and largest of the rounds | ratio |",
        "|---|---:|---:|---:|",
    ]
    wrong = False
    for name, values in medians.items():
        ratio = ""
        if name in pairs:
            ratios = [a / b for a, b in zip(values, medians[pairs[name]], strict=True)]
            ratio = f"{statistics.median(ratios):.2f} of {pairs[name].split(',')[0]}"
            wrong |= "--closed-loop" in name and statistics.median(ratios) > MOST
        spread = f"{min(values):.1f} to {max(values):.1f}"
        lines.append(f"| `{name}` | {statistics.median(values):.1f} | {spread} | {ratio} |")
    lines += [
        "",
        f"Of {sent:.0f} messages, {100 * (1 - late / sent):.2f} % left within 50 µs of their "
        f"time; the other {late:.0f} are marked.",
        "",
        "| core of the probe alone | messages | late | within 50 µs |",
        "|---|---:|---:|---:|",
    ]
    cores = os.sched_getaffinity(0)
    if len(cores) > 1:
        lines += [on_one_core(core, cores - {core}, rounds) for core in sorted(cores)]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
