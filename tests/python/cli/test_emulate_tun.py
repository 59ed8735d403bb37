"""``airlag emulate --tun``: the programs of an operating system over links in real time."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars
import pytest
from told import Airlag

from peers import program, root

pytestmark = [pytest.mark.peers, pytest.mark.real_time]

NEAR, FAR = "airlag-near", "airlag-far"
#: Longer than anything here takes, s.
PATIENCE_S = 60


@pytest.fixture(autouse=True)
def _machine() -> None:
    """Interfaces and namespaces are made by root only."""
    for name, package in {"ip": "iproute2", "ping": "iputils-ping", "iperf3": "iperf3"}.items():
        program(name, package)
    root()


def _on(namespace: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = ["ip", "netns", "exec", namespace, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def _left() -> list[str]:
    """What should not be there when nothing is emulated."""
    spaces = subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout
    links = subprocess.run(["ip", "-br", "link"], capture_output=True, text=True, check=True).stdout
    return [
        found
        for found in re.findall(r"^\S+", spaces + links, re.MULTILINE)
        if found.endswith(("-near", "-far"))
    ]


@contextmanager
def _emulated(*words: str, name: str = "airlag", path: str = "") -> Iterator[subprocess.Popen[str]]:
    """The command while both hosts are there."""
    with subprocess.Popen(
        [sys.executable, "-m", "airlag", "emulate", *words, "--tun"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "120", "NO_COLOR": "1", "PATH": f"{path}{os.environ['PATH']}"},
    ) as process:
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert re.search(f"in {name}-near  ⇄  .*  ⇄  .* in {name}-far", line), line
            yield process
        finally:
            process.kill()
            process.wait()
            for end in ("near", "far"):
                delete = ["ip", "netns", "del", f"{name}-{end}"]
                subprocess.run(delete, capture_output=True, check=False)


def _ended(process: subprocess.Popen[str], number: int = signal.SIGINT) -> str:
    process.send_signal(number)
    told, complaints = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, complaints
    assert not _left()
    return told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ping_is_answered_and_a_signal_leaves_nothing_behind(number: int, folder: Path) -> None:
    with _emulated("tunnel", "-o", "kept", "--sniff", "air.pcapng") as process:
        told = _on(NEAR, "ping", "-n", "-c", "5", "-i", "0.2", "-s", "200", "10.213.0.2")
        assert "5 received" in told.stdout, told
        # The MTU is the tunnel's: the computer itself says what is too long.
        told = _on(NEAR, "ping", "-n", "-c", "1", "-M", "do", "-s", "1400", "10.213.0.2")
        assert "mtu=1400" in told.stdout + told.stderr, told
        ended = _ended(process, number)
    # Packets of 228 B, and nothing that nobody asked for.
    assert "there  1 140 B in, 1 140 B out" in ended
    assert "back  1 140 B in, 1 140 B out" in ended
    assert (folder / "air.pcapng").stat().st_size > 500
    assert (folder / "kept" / "there.parquet").exists()


def test_a_file_comes_whole_by_http_and_a_tenth_of_the_frames_do_not(folder: Path) -> None:
    sent = bytes(at * 31 % 251 for at in range(200_000))
    (folder / "served").mkdir()
    (folder / "served" / "file").write_bytes(sent)
    serve = [sys.executable, "-m", "http.server", "8000", "--directory", "served"]
    fetch = (
        "import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1]).read())"
    )
    url = "http://10.213.0.2:8000/file"
    with _emulated("tunnel", "--set", "frame_loss=0.1") as process:
        with subprocess.Popen(
            ["ip", "netns", "exec", FAR, *serve],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        ) as server:
            try:
                for _ in range(100):
                    got = subprocess.run(
                        ["ip", "netns", "exec", NEAR, sys.executable, "-c", fetch, url],
                        capture_output=True,
                        timeout=PATIENCE_S,
                        check=False,
                    )
                    # Until the server listens a connection is refused.
                    if got.returncode == 0:
                        break
                assert got.stdout == sent, got.stderr
            finally:
                server.kill()
        _ended(process)


def test_iperf3_runs_over_a_tunnel_both_ways_at_once(folder: Path) -> None:
    del folder
    with _emulated("tunnel") as process:
        with subprocess.Popen(
            ["ip", "netns", "exec", FAR, "iperf3", "-s", "-1", "--forceflush"],
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stdout is not None
            while "listening" not in server.stdout.readline():
                pass
            told = _on(NEAR, "iperf3", "-c", "10.213.0.2", "-t", "3", "--bidir", "-J")
            server.stdout.read()
        end = json.loads(told.stdout)["end"]
        there, back = end["sum_received"]["bytes"], end["sum_received_bidir_reverse"]["bytes"]
        # A tenth of what the link carries, each way: the machine may have other work.
        assert min(there, back) > 25_000, (there, back)
        _ended(process)


def test_a_second_pair_is_told_where_the_first_one_is(airlag: Airlag) -> None:
    with _emulated("tunnel") as process:
        result = airlag("emulate", "tunnel", "--tun", "--for", "1s")
        assert result.code == 2
        assert f"ip netns delete {NEAR}" in result.err
        _ended(process)


def test_a_second_pair_has_a_name_of_its_own(folder: Path) -> None:
    del folder
    with _emulated("tunnel") as first:
        with _emulated("tunnel", "--name", "other", name="other") as second:
            for near in (NEAR, "other-near"):
                told = _on(near, "ping", "-n", "-c", "1", "10.213.0.2")
                assert "1 received" in told.stdout, told
            second.send_signal(signal.SIGTERM)
            assert second.wait(timeout=PATIENCE_S) == 0
        told = _on(NEAR, "ping", "-n", "-c", "1", "10.213.0.2")
        assert "1 received" in told.stdout, told
        _ended(first)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_slow_program_ip_loses_nothing_and_leaves_nothing(number: int, folder: Path) -> None:
    slow = folder / "slow"
    slow.mkdir()
    # Longer than a signal waits for an answer.
    (slow / "ip").write_text(f'#!/bin/sh\nsleep 0.7\nexec {shutil.which("ip")} "$@"\n')
    (slow / "ip").chmod(0o755)
    with _emulated("tunnel", "-o", "kept", path=f"{slow}:") as process:
        told = _on(NEAR, "ping", "-n", "-c", "3", "-i", "0.2", "-s", "200", "10.213.0.2")
        assert "3 received" in told.stdout, told
        ended = _ended(process, number)
    assert "there  684 B in, 684 B out" in ended
    assert (folder / "kept" / "there.parquet").exists()


def test_whoever_may_not_make_interfaces_is_told_in_one_line(folder: Path) -> None:
    del folder
    bare = ["setpriv", "--bounding-set=-net_admin", sys.executable, "-m", "airlag"]
    result = subprocess.run(
        [*bare, "emulate", "tunnel", "--tun", "--for", "1s"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert result.returncode == 2, result.stderr
    assert "CAP_NET_ADMIN" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "link", ["websocket-pi4-wifi", "websocket-pi4-ethernet", "tcp-stream-softap"]
)
def test_packets_go_as_they_are_over_wifi_and_ethernet(folder: Path, link: str) -> None:
    count = 100
    with _emulated(link, "-o", "kept") as process:
        pinged = _on(NEAR, "ping", "-n", "-i", "0.05", "-c", str(count), "-s", "100", "10.213.0.2")
        _ended(process)
    took_ms = [float(ms) for ms in re.findall(r"time=([\d.]+) ms", pinged.stdout)]
    assert len(took_ms) == count, pinged.stdout
    assert "DUP" not in pinged.stdout
    # What the virtual bench says of the same packets, one way and the other: a ping takes no less.
    ways = [polars.read_parquet(folder / "kept" / f"{way}.parquet") for way in ("there", "back")]
    for way in ways:
        assert way["completion_ns"].null_count() == 0
        assert way.height >= count
    virtual_ms = [((way["completion_ns"] - way["trigger_ns"]) / 1e6).to_list() for way in ways]
    assert min(took_ms) > sum(map(min, virtual_ms))
    assert sum(took_ms) / count > sum(sum(way) / len(way) for way in virtual_ms)
