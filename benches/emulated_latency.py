"""What real time adds: a UDP client through ``airlag emulate`` beside its packets in virtual time.

For every link whose median is above 2 ms. The client and its server are one process with one clock;
the virtual run of the very same packets is what the emulation keeps with ``-o``. The two medians
differ by how late the emulation wakes up and by what sockets take. Nothing else should run on the
machine; links take turns, ``AT_ONCE`` of them side by side, since each of them mostly sleeps.

Run it with ``python benches/emulated_latency.py [LINK…]``.
"""

from __future__ import annotations

import json
import random
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars

SIZE = 128
PACKETS = 40
AT_ONCE = 4
#: Links that are faster are ruled by what a socket takes.
LEAST_MS = 2.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Medians of the same packets, ms."""

    link: str
    virtual_ms: float
    real_ms: float
    lost: int

    @property
    def added_ms(self) -> float:
        """Additional latency of real time."""
        return self.real_ms - self.virtual_ms


def udp() -> socket.socket:
    """A socket on loopback."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind(("127.0.0.1", 0))
    return bound


def talk(client: socket.socket, server: socket.socket, gap_s: float, end_s: float) -> list[float]:
    """Latencies of packets that are sent about every ``gap_s``, s."""
    chance, sent, took = random.Random(1), dict[int, float](), list[float]()
    server.setblocking(False)
    with selectors.DefaultSelector() as waiting:
        waiting.register(server, selectors.EVENT_READ)
        due = time.monotonic()
        end = due + PACKETS * gap_s * 1.25 + end_s
        while (now := time.monotonic()) < end and len(took) < PACKETS:
            if now >= due and len(sent) < PACKETS:
                number = len(sent)
                sent[number] = time.monotonic()
                client.send(number.to_bytes(2, "big") + bytes(SIZE - 2))
                due = now + gap_s * chance.uniform(0.75, 1.25)
            until = min(due, end) if len(sent) < PACKETS else end
            if waiting.select(max(0.0, until - time.monotonic())):
                came = time.monotonic()
                number = int.from_bytes(server.recv(4_096)[:2], "big")
                took.append(came - sent[number])
    return took


def measure(link: str, slow_s: float) -> Measured:
    """Medians of one link; ``slow_s`` is the latency of its slow packets."""
    with tempfile.TemporaryDirectory() as folder, udp() as server, udp() as client:
        to = f"127.0.0.1:{server.getsockname()[1]}"
        words = ["emulate", link, "--size", str(SIZE), "--listen", "127.0.0.1:0", "--to", to]
        with subprocess.Popen(
            [sys.executable, "-m", "airlag", *words, "-o", folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            listens = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
            if listens is None:
                return Measured(link, float("nan"), float("nan"), PACKETS)
            client.connect(("127.0.0.1", int(listens[1])))
            time.sleep(0.5)
            took = talk(client, server, max(0.05, 2 * slow_s), 5 * slow_s + 1)
            process.send_signal(signal.SIGINT)
            process.communicate()
        kept = polars.read_parquet(Path(folder) / "there.parquet").drop_nulls("completion_ns")
        virtual_ns = kept["completion_ns"] - kept["trigger_ns"]
        return Measured(
            link,
            statistics.median(virtual_ns.to_list()) / 1e6,
            statistics.median(took) * 1e3,
            PACKETS - len(took),
        )


def told(*words: str) -> list[dict[str, Any]]:
    """Output of an airlag command with ``--json``."""
    command = [sys.executable, "-m", "airlag", *words, "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    parsed: list[dict[str, Any]] = json.loads(run.stdout)
    return parsed


def main(links: list[str]) -> int:
    """Prints one line per link; returns 1 if one differs by more than 0.3 ms."""
    # A pin carries no bytes.
    links = links or [link["name"] for link in told("links") if link["medium"] is not None]
    runs = told("run", *links, "--size", str(SIZE), "--count", "200")
    quantiles = {run["link"]: run["latency_ns"] for run in runs}
    slow = {link: of["p99"] / 1e9 for link, of in quantiles.items() if of["p50"] > LEAST_MS * 1e6}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(measure, slow, slow.values()))
    for one in done:
        sys.stdout.write(
            f"{one.link:34} virtual {one.virtual_ms:9.3f} ms, real {one.real_ms:9.3f} ms, "
            f"added {one.added_ms:6.3f} ms, lost {one.lost}\n"
        )
    worst = max(done, key=lambda one: one.added_ms)
    sys.stdout.write(f"{len(done)} links; most is added to {worst.link}: {worst.added_ms:.3f} ms\n")
    return int(worst.added_ms > 0.3)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
