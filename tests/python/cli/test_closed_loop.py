"""``airlag probe`` through ``airlag emulate`` measures what the virtual bench predicts.

A probe measures an emulated link as it would measure a real one. The virtual bench is on both sides
of the comparison, with sockets, serial ports, interfaces and real time between them.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import airlag
from peers import program, root

pytestmark = [pytest.mark.peers, pytest.mark.real_time]

AIRLAG = [sys.executable, "-m", "airlag"]
#: Messages of a session.
COUNT = 150
#: What sockets and both programs take beside the emulator's own delay, ns.
HOPS_NS = 2_000_000


@dataclass(frozen=True, slots=True)
class Loop:
    """A session through an emulated link."""

    link: str
    #: How programs meet the emulation.
    meets: str
    #: Bytes that the probe sends, and those that the link carries for them.
    size: int
    carried: int
    period: str
    #: How names of profiles of its radio begin: those of its two ends are alike one way.
    radio: str
    #: Direction of the probe that is the link's own.
    way: str = "forward"


#: Framing puts two bytes around a message on a stream. The size of a run over Wi-Fi is that of its
#: datagrams. Links have a spread of their own: one without is named by a fraction of a millisecond,
#: which is what the scheduler of a busy computer takes.
LOOPS = [
    Loop("ble-bluedroid-notify", "udp", 64, 64, "70ms", "ble-bluedroid-"),
    Loop("tcp-stream-softap", "tcp", 64, 66, "60ms", "tcp-stream-softap", "return"),
    Loop("hc05-57600", "serial", 64, 66, "150ms", "hc05-57600"),
    Loop("wifi-udp-tuned", "tun", 64, 64, "40ms", "wifi-"),
]


@contextmanager
def _started(*command: str) -> Iterator[str]:
    """A command that is interrupted at the end: the first line that it prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline()
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


@contextmanager
def _emulated(*options: str) -> Iterator[tuple[str, list[Any]]]:
    """An emulation: the line that names its endpoints, and its directions once it was stopped."""
    command = [*AIRLAG, "emulate", *options, "--json"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        ways: list[Any] = []
        try:
            yield process.stderr.readline(), ways
        finally:
            process.send_signal(signal.SIGINT)
            ways += json.loads(process.communicate(timeout=60)[0])


def _interval(latency_ns: Sequence[int], quantile: float) -> tuple[float, float]:
    """Order statistics that hold a quantile with 99 % confidence (normal approximation)."""
    ordered = np.sort(latency_ns)
    spread = 2.58 * np.sqrt(len(ordered) * quantile * (1 - quantile))
    ranks = len(ordered) * quantile + np.array([-spread, spread])
    low, high = np.clip(np.round(ranks), 0, len(ordered) - 1).astype(int)
    return float(ordered[low]), float(ordered[high])


def _measured(loop: Loop, folder: Path) -> tuple[airlag.Run, int]:
    """The delays of the link's own direction, and the emulator's largest scheduling delay."""
    kept = folder / "probe.parquet"
    emulate = [loop.link, "--size", str(loop.carried)]
    near, far = [], []
    with ExitStack() as stack:
        if loop.meets in ("udp", "tcp"):
            listens = [*AIRLAG, "reflect", f"{loop.meets}://127.0.0.1:0"]
            server = stack.enter_context(_started(*listens)).split("//")[-1].strip()
            emulate += ["--listen", "0", "--to", server]
            emulate += ["--tcp"] if loop.meets == "tcp" else []
            line, ways = stack.enter_context(_emulated(*emulate))
            # Clients of a connection may stand at the link's far end.
            (listens_at,) = {*re.findall(r"127\.0\.0\.1:\d+", line)} - {server}
            target = f"{loop.meets}://{listens_at}"
        else:
            line, ways = stack.enter_context(_emulated(*emulate, f"--{loop.meets}"))
            if loop.meets == "serial":
                ports = re.findall(r"/dev/pts/\d+", line)
                target, reflects = (f"serial:{port}" for port in ports)
            else:
                near, far = (["ip", "netns", "exec", f"airlag-{end}"] for end in ("near", "far"))
                target, reflects = "udp://10.213.0.2:8620", "udp://0.0.0.0:8620"
            stack.enter_context(_started(*far, *AIRLAG, "reflect", reflects))
        # A link with slots delays each phase differently; the bench draws all of them.
        words = ["--size", str(loop.size), "--period", loop.period, "--sweep", loop.period]
        words += ["--count", str(COUNT), "--timeout", "5s", "--clock", "shared", "--json"]
        done = subprocess.run(
            [*near, *AIRLAG, "probe", target, *words, "-o", str(kept), "--way", loop.way],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["delivered"] >= 0.9 * COUNT
    late_ns = ways[0]["late_ns"]
    assert late_ns["n"] > 0
    return airlag.analyze(kept), late_ns["max"]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda loop: loop.meets)
def test_a_probe_finds_the_link_that_is_emulated(loop: Loop, tmp_path: Path) -> None:
    if loop.meets == "tun":
        program("ip", "iproute2")
        root()
    measured, late_ns = _measured(loop, tmp_path)
    predicted = airlag.run(loop.link, size=loop.carried, count=1_000)
    for quantile in (0.25, 0.5, 0.75):
        low, high = _interval(predicted.latency_ns, quantile)
        least, most = _interval(measured.latency_ns, quantile)
        assert least <= high + late_ns + HOPS_NS, quantile
        assert most >= low, quantile
    ranking = airlag.match(measured, size=loop.carried)
    assert ranking.best is not None
    assert ranking.best.link.startswith(loop.radio)
    assert loop.link in {each.link for each in ranking.candidates if each.explains}
