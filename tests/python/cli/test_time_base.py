"""Captures of two sites on the time of a pulse per second."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from told import Airlag

import airlag as library
from airlag import _airlag
from airlag._airlag import Trace
from airlag.core.schemas import schema
from instruments import Board

#: A time since 1970, s.
START = 1_790_000_000
#: Largest jitter of a pulse, ns.
JITTER = 20
Clock = Callable[[float], float]


def clock(ppm: float, drift: float, begin_ns: float) -> Clock:
    """Reading, ns, at a true time, s: a frequency error and its change in ppm per second."""
    return lambda at: begin_ns + at * 1e9 + (ppm * at + drift * at * at / 2) * 1e3


def site(reads: Clock, events: Sequence[float], seconds: range, seed: int) -> Trace:
    """Events and pulses as an instrument with this clock records them."""
    rng = random.Random(seed)
    begin, end = round(reads(seconds[0] - 0.4)), round(reads(seconds[-1] + 0.4))
    rises = {
        "event": [round(reads(at)) for at in events],
        "pps": [round(reads(at) + rng.uniform(-JITTER, JITTER)) for at in seconds],
    }
    wires = [
        [(begin, end, False, np.array([edge for at in of for edge in (at, at + 10_000)], np.int64))]
        for of in rises.values()
    ]
    epoch = START * 10**9 + round((seconds[0] - 0.4) * 1e9) - begin
    return Trace.from_edges([*rises], wires, epoch)


def rises_of(trace: Trace, channel: int) -> list[int]:
    """Rising edges of a channel, ns."""
    return [int(at) for at in trace.edges_ns(channel, 0)[::2]]


@pytest.fixture
def sites(folder: Path) -> list[float]:
    """Captures of both sites, ``a.csv`` and ``b.csv``; returns the latencies, ns."""
    rng = random.Random(7)
    sent = [0.05 + 0.203 * nth for nth in range(580)]
    latencies = [rng.uniform(1e6, 3e6) for _ in sent]
    received = [at + latency / 1e9 for at, latency in zip(sent, latencies, strict=True)]
    first = site(clock(23, 0.002, 5e9), sent, range(121), 1)
    # The receiver of site B has its position later, and two seconds without it.
    second = site(clock(-17, -0.003, 77e9), received, range(121), 2)
    names = ["event", "pps"]
    ((begin, end, level),) = second.segments(1)
    pulses = second.edges_ns(1, 0)
    kept = np.concatenate([pulses[6:80], pulses[84:]])
    parts = [[(*second.segments(0)[0], second.edges_ns(0, 0))], [(begin, end, level, kept)]]
    second = Trace.from_edges(names, parts, second.epoch_unix_ns)
    for name, trace in (("a.csv", first), ("b.csv", second)):
        _airlag.write(folder / name, trace)
    return latencies


def test_one_way_latencies_between_two_sites(
    airlag: Airlag, folder: Path, sites: list[float], request: pytest.FixtureRequest
) -> None:
    told = airlag("convert", "a.csv", "both.parquet", "--pps", "pps", "--join", "b.csv", "--json")
    assert told.code == 0, told.err
    (answer,) = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("convert")).validate([answer])
    one, other = answer["time_base"]
    assert [each["name"] for each in answer["channels"]] == ["a:event", "b:event"]
    assert (one["pulses"], one["missing"], one["longest_gap_s"]) == (121, 0, 1)
    assert (other["pulses"], other["missing"], other["first_missing_s"]) == (116, 2, 37)
    # Two seconds of edges before the first pulse of site B are too far away from it.
    assert (one["left_out"], other["left_out"]) == (0, 20)
    assert one["ppm"] == pytest.approx(23 + 0.002 * 60, abs=1e-3)
    assert other["ppm"] == pytest.approx(-17 - 0.003 * 61.5, abs=1e-3)
    # Uniform between -20 and 20 ns.
    for each in (one, other):
        assert each["jitter_ns"] == pytest.approx(JITTER / 3**0.5, rel=0.3)
        assert each["clock_error_ns"] == pytest.approx(0, abs=1e4)
    run = library.load(folder / "both.parquet")
    assert run.config["time_base"] == [one, other]
    delivered = run.completion_ns[run.outcome == 0] - run.trigger_ns[run.outcome == 0]
    assert len(delivered) == len(sites) - 10
    errors = np.abs(delivered - np.array(sites[10:]))
    stated = sum(each["extrapolation_ns"] for each in (one, other))
    result = (
        f"largest error of {len(errors)} latencies {errors.max():.0f} ns, stated {stated:.0f} ns"
    )
    request.config.get_terminal_writer().line(f"\n{result}")
    # Jitter of both sites, and what the drift bends in two seconds and in the gap.
    assert errors.max() <= 2 * JITTER + 8
    assert errors.max() <= stated
    shown = airlag("convert", "a.csv", "again.parquet", "--pps", "pps", "--join", "b.csv").out
    shown = " ".join(shown.split())
    assert "2 missing (the first 37 s after the first pulse; longest gap 3 s)" in shown
    assert "20 edges, more than a second before or after the pulses" in shown


def test_a_single_capture_loses_the_error_of_its_crystal(
    airlag: Airlag, folder: Path, sites: list[float]
) -> None:
    del sites
    assert airlag("convert", "a.csv", "true.csv", "--pps", "1").code == 0
    trace = library.read(folder / "true.csv")
    assert trace.names == ["event"]
    rises = rises_of(trace, 0)
    assert np.abs(np.diff(rises) - 203e6).max() <= 2 * JITTER + 1
    recorded = rises_of(library.read(folder / "a.csv"), 0)
    assert recorded[-1] - recorded[0] - (rises[-1] - rises[0]) > 2_000_000


def test_a_recorded_run_states_its_pulses_and_is_joined(airlag: Airlag, folder: Path) -> None:
    for name, ppm in (("a", 12.5), ("b", -40.0)):
        reads = clock(ppm, 0, 1e9)
        edges = sorted(
            (round(reads(at)) + width, channel)
            for channel, times in enumerate(([2.5, 4.25], range(1, 13)))
            for at in times
            for width in (0, 100_000)
        )
        levels, rows = 0, [(round(reads(0.5)), 0)]
        for at, channel in edges:
            levels ^= 1 << channel
            rows.append((at, levels))
        board = Board([*rows, (round(reads(13)), 0)])
        told = airlag(
            "record", f"board:{board.device}", "--pps", "1", "--for", "12s", "-o", f"{name}.parquet"
        )
        board.close()
        assert (told.code, told.err) == (0, "")
        shown = " ".join(told.out.split())
        assert f"channel 1: 12 pulses, 0 missing, 0 spurious edges, clock {ppm:+.3f} ppm" in shown
    # The only other channel is not paired with the pulses.
    told = airlag("analyze", "a.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    words = ("a.parquet", "both.parquet", "--join", "b.parquet", "--seconds", "0")
    told = airlag("convert", *words, "--json")
    assert told.code == 0, told.err
    assert [each["ppm"] for each in json.loads(told.out)[0]["time_base"]] == [
        pytest.approx(12.5, abs=0.01),
        pytest.approx(-40, abs=0.01),
    ]
    trace = library.load(folder / "both.parquet").trace
    assert trace is not None
    assert trace.names == ["a:0", "b:0"]
    assert rises_of(trace, 0) == rises_of(trace, 1)
    assert airlag("convert", *words[:1], "one.csv", *words[2:4], "--seconds", "-1").code == 0
    shifted = library.read(folder / "one.csv")
    assert rises_of(shifted, 0)[0] - rises_of(shifted, 1)[0] == 10**9


def test_a_record_without_pulses_is_kept(airlag: Airlag, folder: Path) -> None:
    board = Board([(10**9, 0), (2 * 10**9, 1), (3 * 10**9, 3), (13 * 10**9, 0)])
    told = airlag(
        "record", f"board:{board.device}", "--pps", "1", "--for", "11s", "-o", "a.parquet", "--json"
    )
    board.close()
    assert (told.code, told.err.count("\n")) == (2, 2), told.err
    assert "channel 1 has no pulse per second: 0 of 1 rising edges" in told.err
    jsonschema.Draft202012Validator(schema("record")).validate(json.loads(told.out))
    assert (folder / "a.parquet").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pps", "event"), "channel event has no pulse per second"),
        (("--pps", "clock"), "no channel"),
        (("--join", "b.csv"), "a.csv: no channel with a pulse per second is recorded"),
        (("--pps", "1", "--pps", "1"), "--pps is given 2 times for 1 captures"),
        (("--seconds", "3"), "seconds between captures need a capture to join"),
        (("--pps", "1", "--seconds", "3"), "--seconds is given 1 times for 0 joined captures"),
        (("--pps", "1", "--join", "b.csv", "--seconds", "3h"), "not a valid number of seconds"),
        (("--pps", "1", "--join", "b.csv", "--seconds", "900"), "no time in common"),
        (("--pps", "1", "--join", "out.csv"), "source and target are one file"),
    ],
)
def test_what_has_no_common_time_is_refused(
    airlag: Airlag, folder: Path, sites: list[float], words: Sequence[str], said: str
) -> None:
    del sites
    if "out.csv" in words:
        (folder / "out.csv").write_text("Time [s],A\n0.0,0\n1.0,1\n")
    told = airlag("convert", "a.csv", "out.csv", *words)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert said in told.err
