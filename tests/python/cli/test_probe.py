"""``airlag probe`` against ``airlag reflect``, live on loopback."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema
import pytest

import airlag
from airlag.core.schemas import schema

pytestmark = pytest.mark.real_time

AIRLAG = [sys.executable, "-m", "airlag"]


@contextmanager
def reflector(target: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A reflector on a free port, and where it listens."""
    process = subprocess.Popen(
        [*AIRLAG, "reflect", target], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()[-1], process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*AIRLAG, *words], capture_output=True, text=True, timeout=60)


def probed(*words: str) -> dict[str, Any]:
    done = command("probe", *words, "--json")
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(schema("probe")).validate(answer)
    return answer


@pytest.mark.parametrize("scheme", ["udp", "tcp", "ws"])
def test_every_probe_is_answered_and_its_delays_add_up(scheme: str) -> None:
    with reflector(f"{scheme}://127.0.0.1:0") as (target, _):
        answer = probed(target, "--period", "2ms", "--count", "200", "--size", "64")
    assert (answer["triggers"], answer["delivered"], answer["lost"]) == (200, 200, 0)
    assert (answer["source"], answer["size"]) == (target, 64)
    assert answer["lost_forward"] == answer["lost_return"] == answer["lost_unknown"] == 0
    both = answer["forward_ns"]["mean"] + answer["return_ns"]["mean"]
    assert both == pytest.approx(answer["round_trip_ns"]["mean"], abs=300)
    clock = answer["clock"]
    # Both ends read one clock, so the true offset is 0.
    assert clock["kind"] == "estimated"
    assert abs(clock["offset_ns"]) <= clock["offset_uncertainty_ns"] + 300


def test_a_session_is_a_run_like_any_other(tmp_path: Path) -> None:
    kept = tmp_path / "probe.parquet"
    with reflector("udp://127.0.0.1:0") as (target, _):
        answer = probed(target, "--period", "1ms", "--count", "300", "-o", str(kept))
        result = airlag.probe(target, period="1ms", count=50, clock="shared")
    run = airlag.analyze(kept)
    assert run.source == target
    assert len(run.outcome) == answer["triggers"] == 300
    assert run.latency is not None
    assert run.latency["p50"] == answer["latency_ns"]["p50"]
    assert result.run.count(airlag.Outcome.DELIVERED) == 50
    assert result.clock["offset_uncertainty_ns"] == 0
    assert result.forward_ns is not None
    assert result.forward_ns["min"] >= 0


@pytest.mark.parametrize("calls", ["", "rpc:"])
def test_serial_lines_frame_and_find_their_messages(calls: str) -> None:
    """Two pseudo terminals with a wire of threads between their controllers."""
    near, far = pty.openpty(), pty.openpty()
    for ends in (near, far):
        tty.setraw(ends[1])

    def wire(source: int, sink: int) -> None:
        try:
            while data := os.read(source, 4096):
                os.write(sink, data)
        except OSError:
            return

    for source, sink in ((near[0], far[0]), (far[0], near[0])):
        threading.Thread(target=wire, args=(source, sink), daemon=True).start()
    with reflector(f"{calls}serial:{os.ttyname(far[1])}?baud=57600"):
        answer = probed(
            f"{calls}serial:{os.ttyname(near[1])}",
            *("--count", "40", "--period", "5ms", "--size", "12"),
        )
    assert (answer["delivered"], answer["lost"]) == (40, 0)


def test_conditions_decide_the_exit_code() -> None:
    with reflector("udp://127.0.0.1:0") as (target, _):
        asked = ["probe", target, "--count", "20", "--period", "1ms"]
        passes = command(*asked, "--fail-on", "p99>100s", "--fail-on", "loss>0.1%")
        fails = command(*asked, "--fail-on", "forward.p50>1ns")
    assert (passes.returncode, fails.returncode) == (0, 1)
    assert "forward.p50>1ns" in fails.stderr


def test_an_open_session_ends_with_its_results_on_a_signal() -> None:
    with reflector("tcp://127.0.0.1:0") as (target, _):
        process = subprocess.Popen(
            [*AIRLAG, "probe", target, "--period", "1ms", "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            process.communicate(timeout=3)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=10)
    answer = json.loads(output)
    assert process.returncode == 0
    assert answer["delivered"] > 0
    assert answer["lost"] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["http://x:1"],
        ["udp://127.0.0.1:1", "--size", "43"],
        ["serial:/dev/null"],
        ["serial:/no/such/device"],
        ["tcp://127.0.0.1:1"],
        ["rpc:udp://127.0.0.1:1"],
        ["rpc:tcp://127.0.0.1:1", "--size", "257"],
        ["udp://127.0.0.1:9", "--fail-on", "p42>1ms"],
        ["udp://127.0.0.1:9", "--poisson", "--closed-loop"],
        ["udp://127.0.0.1:9", "--schedule", "/no/such/file"],
        ["udp://127.0.0.1:9", "-o", "x.csv"],
    ],
)
def test_what_cannot_be_used_is_one_line(words: list[str]) -> None:
    done = command("probe", *words, "--count", "3")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_stream_has_a_line_a_second_and_ends_with_the_result() -> None:
    with reflector("udp://127.0.0.1:0") as (target, _):
        done = command("probe", target, "--period", "10ms", "--for", "2500ms", "--stream")
    *progress, result = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0
    jsonschema.Draft202012Validator(schema("probe")).validate(result)
    assert [line["elapsed_ns"] // 10**9 for line in progress] == [1, 2]
    for line in progress:
        assert 0 < line["answered"] <= line["sent"] <= result["triggers"] == 250
        assert 0 < line["p50_ns"] <= line["p99_ns"]
        assert line["elapsed_ns"] + line["remaining_ns"] == 2_500_000_000
        assert sum(count for _, count in line["bins_ns"]) == line["answered"]


def test_a_closed_loop_prints_a_histogram_while_it_runs_and_at_the_end() -> None:
    with reflector("tcp://127.0.0.1:0") as (target, _):
        near, far = pty.openpty()
        words = [*AIRLAG, "probe", target, "--closed-loop", "--for", "300ms"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=far, text=True)
        os.close(far)
        shown = process.communicate(timeout=30)[0]
        status = os.read(near, 65_536).decode()
        os.close(near)
    assert process.returncode == 0
    # The status line contains a bar for the most frequent round trip.
    assert "█" in status
    assert "p99" in status
    assert "0 s left" in status
    lines = shown.splitlines()
    head, tail = (
        next(nth for nth, line in enumerate(lines) if name in line)
        for name in ("messages", "percentile")
    )
    assert any("█" in line for line in lines[head + 1 : tail])
    percentiles = [line.split()[0] for line in lines[tail + 1 :] if line.endswith("●")]
    assert percentiles[:1] <= ["p1"]
    assert {"p10", "p50", "p90"} <= set(percentiles)


def test_a_session_that_is_killed_leaves_a_journal_that_is_a_run(tmp_path: Path) -> None:
    kept = tmp_path / "probe.parquet"
    with reflector("udp://127.0.0.1:0") as (target, _):
        words = ["probe", target, "--period", "2ms", "--stream", "-o", str(kept)]
        process = subprocess.Popen([*AIRLAG, *words], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        answered = [json.loads(process.stdout.readline())["answered"] for _ in range(2)]
        process.kill()
        process.communicate()
        journal = kept.with_suffix(".journal")
        run = airlag.analyze(journal)
        assert run.source == target
        # The first of both lines was a second old.
        assert answered[0] <= run.count(airlag.Outcome.DELIVERED)
        again = command(*words[:4], "--count", "3", "-o", str(kept))
        assert (again.returncode, again.stderr.count("\n")) == (2, 1)
        assert "--force" in again.stderr
        replaced = command(*words[:4], "--count", "3", "-o", str(kept), "--force")
        assert replaced.returncode == 0, replaced.stderr
    assert kept.exists()
    assert not journal.exists()


def test_each_direction_is_saved_as_a_run(tmp_path: Path) -> None:
    kept = tmp_path / "forward.parquet"
    with reflector("ws://127.0.0.1:0/echo") as (target, _):
        words = [target, "--period", "2ms", "--count", "50", "--clock", "shared"]
        answer = probed(*words, "-o", str(kept), "--way", "forward")
    forward = airlag.analyze(kept)
    assert forward.latency is not None
    assert forward.latency["p50"] == answer["forward_ns"]["p50"] < answer["latency_ns"]["p50"]
    assert command("probe", target, "--way", "forward").returncode == 2


def test_a_session_serves_openmetrics() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with reflector("udp://127.0.0.1:0") as (target, _):
        words = ["probe", target, "--period", "5ms", "--metrics", f"127.0.0.1:{port}"]
        process = subprocess.Popen([*AIRLAG, *words], stdout=subprocess.DEVNULL)
        text = ""
        while 'airlag_probe_answered_total{target="' not in text:
            with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/metrics") as scraped:
                kind, text = scraped.headers["Content-Type"], scraped.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    assert kind.startswith("application/openmetrics-text; version=1.0.0")
    assert text.endswith("# EOF\n")
    done = command("probe", "udp://127.0.0.1:9", "--count", "1", "--metrics", "here")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("link", ["ieee802154-ack-woken", "sik-64k", "ble-nus-write"])
def test_a_probe_through_an_emulated_link_measures_that_link(link: str, tmp_path: Path) -> None:
    kept, count = tmp_path / "probe.parquet", 20
    with reflector("udp://127.0.0.1:0") as (target, _):
        between = ["--listen", "0", "--to", target.removeprefix("udp://"), "--size", "64"]
        emulator = subprocess.Popen(
            [*AIRLAG, "emulate", link, *between, "-o", str(tmp_path / "link")],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert emulator.stdout is not None
        port = emulator.stdout.readline().partition("127.0.0.1:")[2].split()[0]
        # One packet at a time: a saved run pairs each trigger with what comes before the next.
        words = ["--closed-loop", "--count", str(count), "--timeout", "5s"]
        answer = probed(f"udp://127.0.0.1:{port}", *words, "-o", str(kept))
        emulator.send_signal(signal.SIGINT)
        emulator.communicate(timeout=20)
    assert answer["delivered"] == count
    there, back = (
        airlag.analyze(tmp_path / "link" / f"{way}.parquet") for way in ("there", "back")
    )
    on_link = [run.completion_ns - run.trigger_ns for run in (there, back)]
    round_trips = airlag.analyze(kept)
    # What the link of the bench made of each packet is a lower bound of its round trip; the rest is
    # the emulator's scheduling delay, which it states, and four hops on this computer.
    excess = (round_trips.completion_ns - round_trips.trigger_ns) - sum(on_link)
    assert len(excess) == count
    assert min(excess) >= 0
    late_ns = sum(run.config["late_ns"]["max"] for run in (there, back))
    assert min(excess) <= late_ns + 5_000_000
    # Offset 0 is the truth: both ends read one clock.
    assert abs(answer["clock"]["offset_ns"]) <= answer["clock"]["offset_uncertainty_ns"]
