"""``airlag tunnel bench`` on real sockets: iperf3 between two namespaces, in real time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from airlag.questions import emulated_tun, iperf, sparse_flow, tunnel_bench_real
from peers import absent, check_mark

pytestmark = pytest.mark.real_time

#: The program of the sparse flow, as it stands in a command line.
SPARSE = Path(sparse_flow.__file__).name
AIRLAG = [sys.executable, "-m", "airlag"]
BENCH = [*AIRLAG, "tunnel", "bench"]


def _hosts() -> set[str]:
    """Namespaces of ours that are there."""
    listed = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    return {word for word in listed.stdout.split() if word.startswith(emulated_tun.NAME)}


def _started() -> list[str]:
    """Command lines of processes that a bench starts."""
    lines = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if (
            "airlag.questions.emulated_tun" in line
            or SPARSE in line
            or f"-p {iperf.PORT} -J" in line
        ):
            lines.append(line)
    return lines


@contextmanager
def _nothing_left() -> Iterator[None]:
    check_mark()
    lack = tunnel_bench_real.missing()
    if lack is not None:
        absent(lack)
    assert (_hosts(), _started()) == (set(), [])
    yield
    assert (_hosts(), _started()) == (set(), [])


@pytest.mark.peers
@pytest.mark.timeout(240)
def test_ours_carries_several_times_as_much_tcp_as_the_naive_one(folder: Path) -> None:
    del folder
    with _nothing_left():
        asked = ["--protocol", "tcp", "--for", "5s", "-o", "loads.parquet", "--json"]
        done = subprocess.run([*BENCH, *asked], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ours, naive = json.loads(done.stdout)
    assert (ours["profile"], naive["profile"]) == ("tunnel", "naive")
    for load in (ours, naive):
        assert (load["clock"], load["protocol"], load["offered_kbps"]) == ("real", "tcp", None)
        assert load["sparse_offered"] == 50
        assert load["late_ns"]["n"] > 0
        (way,) = load["streams"]
        assert 0 < way["received_bytes"] <= way["sent_bytes"]
    received = [load["streams"][0]["received_kbps"] for load in (ours, naive)]
    # Six times and more where nothing else runs; each millisecond the emulation is late costs.
    assert received[0] >= 3 * received[1], received
    assert ours["sparse_latency_ns"]["p50"] < naive["sparse_latency_ns"]["p50"]


@pytest.mark.peers
@pytest.mark.timeout(120)
def test_udp_beyond_the_limit_is_late_and_told_apart_from_what_was_lost(folder: Path) -> None:
    del folder
    with _nothing_left():
        asked = ["--protocol", "udp", "--offered", "400k", "--profile", "naive", "--for", "3s"]
        done = subprocess.run(
            [*BENCH, *asked, "--json"], capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stderr
    (load,) = json.loads(done.stdout)
    assert load["offered"] >= 90
    assert load["goodput_kbps"] < 0.75 * load["offered_kbps"]
    assert load["completion_excess_ns"] > 1e9


@pytest.mark.peers
@pytest.mark.timeout(120)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_nothing_behind(folder: Path, number: signal.Signals) -> None:
    del folder
    with _nothing_left():
        bench = subprocess.Popen(
            [*BENCH, "--protocol", "tcp", "--for", "60s"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with bench as process:
            until = time.monotonic() + 60
            while not any(SPARSE in line for line in _started()):
                assert time.monotonic() < until, "it does not begin"
                time.sleep(0.1)
            process.send_signal(number)
            process.communicate(timeout=30)
            assert process.returncode == 128 + number


def _told_of_what_is_missing(airlag: Airlag) -> str:
    told = airlag("tunnel", "bench", "--offered", "100k")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "--virtual" in told.err
    return told.err


def test_without_iperf3_it_says_so(airlag: Airlag, monkeypatch: pytest.MonkeyPatch) -> None:
    only: Any = {"ip": "/usr/sbin/ip"}.get
    monkeypatch.setattr(shutil, "which", only)
    assert "install iperf3" in _told_of_what_is_missing(airlag)


def test_without_tun_it_says_so(
    airlag: Airlag, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(tunnel_bench_real, "_TUN", folder / "no-tun")
    assert "no-tun" in _told_of_what_is_missing(airlag)


def test_without_root_it_says_so(
    airlag: Airlag, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(tunnel_bench_real, "_TUN", folder)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "as root" in _told_of_what_is_missing(airlag)


def test_what_is_of_iperf3_is_not_of_virtual_time(airlag: Airlag) -> None:
    told = airlag("tunnel", "bench", "--virtual", "--parallel", "8")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "omit them or --virtual" in told.err
