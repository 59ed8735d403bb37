"""Millions of datagrams through ``airlag emulate``, then a signal: memory, and what is kept.

For each of SIGINT, SIGTERM and SIGKILL in turn. It prints how many datagrams were delivered before
the signal, how many of them the files hold, and by how much resident memory grew from the first
tenth on. Ends with 1 if memory grew by 20 MB or more, if files lack a datagram after SIGINT or
SIGTERM, or more than those of the last second after SIGKILL.

Run it with ``python benches/long_emulation.py [DATAGRAMS] [SIGNAL…]``;
without words for 3,000,000 and all three.
"""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

from airlag.questions.analysis import analyze
from airlag.questions.runs import Outcome

#: A link that goes one way, so that a datagram is one packet of the bench.
LINK = "nrf24-2m"
#: Virtual time against real time.
SPEED = "100"
#: Most growth of resident memory, kB.
MOST_KB = 20_000
#: How much a kill may lose, s.
LOST_S = 1.0


def resident_kb(pid: int) -> int:
    """Resident memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    if found is None:
        raise SystemExit("the emulation has ended")
    return int(found[1])


def udp() -> socket.socket:
    """A socket on loopback."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind(("127.0.0.1", 0))
    bound.settimeout(60)
    return bound


def measure(datagrams: int, number: signal.Signals) -> bool:
    """Runs one emulation; returns whether it met the requirements."""
    with tempfile.TemporaryDirectory() as kept, udp() as server, udp() as client:
        to = f"127.0.0.1:{server.getsockname()[1]}"
        words = ["emulate", LINK, "--listen", "127.0.0.1:0", "--to", to, "--speed", SPEED]
        process = subprocess.Popen(
            [sys.executable, "-m", "airlag", *words, "-o", kept],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        listens = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert listens is not None
        client.connect(("127.0.0.1", int(listens[1])))
        begun, before, stamps = time.monotonic(), 0, deque[float]()
        for nth in range(datagrams):
            client.send(b"x" * 20)
            server.recv(64)
            now = time.monotonic()
            stamps.append(now)
            while stamps[0] < now - LOST_S:
                stamps.popleft()
            if nth == datagrams // 10:
                before = resident_kb(process.pid)
        grown = resident_kb(process.pid) - before
        took = time.monotonic() - begun
        last = sum(stamp > time.monotonic() - LOST_S for stamp in stamps)
        process.send_signal(number)
        process.communicate()
        killed = number == signal.SIGKILL
        run = analyze(Path(kept) / ("there.journal" if killed else "there.parquet"))
        held = run.count(Outcome.DELIVERED)
    least = datagrams - last if killed else datagrams
    fine = (
        grown < MOST_KB
        and least <= held <= datagrams
        and process.returncode == (-9 if killed else 0)
    )
    sys.stdout.write(
        f"{number.name}: {datagrams} delivered in {took:.0f} s, {held} kept, {last} in the last "
        f"second, memory grew by {grown} kB, exit code {process.returncode}: "
        f"{'ok' if fine else 'WRONG'}\n"
    )
    sys.stdout.flush()
    return fine


def main(words: list[str]) -> int:
    """Measures each signal."""
    datagrams = int(words[0]) if words else 3_000_000
    numbers = [signal.Signals[name] for name in words[1:] or ("SIGINT", "SIGTERM", "SIGKILL")]
    wrong = [number.name for number in numbers if not measure(datagrams, number)]
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
