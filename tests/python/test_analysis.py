"""The library's front door: one file or many, in one call."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import airlag
from airlag import CaptureError, Outcome
from airlag.questions.analysis import analyze_each, distinct_names
from traces import MS, link, logic2_csv


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return logic2_csv(tmp_path / "good.csv", link(lost=[3, 9]))


def test_a_capture_becomes_a_run(capture: Path) -> None:
    run = airlag.analyze(capture, link="nrf24-2m", size=12)
    assert run.source == "good.csv"
    assert (run.link, run.size, run.seed) == ("nrf24-2m", 12, None)
    assert run.count(Outcome.DELIVERED) == 38
    assert run.count(Outcome.LOST) == 2
    assert run.trace is None
    assert run.trigger_ns is not None
    assert len(run.trigger_ns) == len(run.completion_ns) == len(run.outcome) == 40
    assert run.latency_ns.min() >= 3 * MS
    assert run.config == {
        "invert": [],
        "min_low_ns": 1000,
        "overlap_ns": None,
    }


def test_channels_go_by_name_or_by_position(capture: Path) -> None:
    as_they_come = airlag.analyze(capture).latency_ns.tolist()
    by_name = airlag.analyze(capture, trigger="Channel 0", completion="Channel 1")
    assert by_name.latency_ns.tolist() == as_they_come
    # The other way round: from the end of one transfer to the beginning of the next.
    by_name = airlag.analyze(capture, trigger="Channel 1", completion="Channel 0")
    by_position = airlag.analyze(capture, trigger="1", completion="0")
    assert by_position.latency_ns.tolist() == by_name.latency_ns.tolist()
    assert min(by_name.latency_ns) > max(as_they_come)


def test_an_active_low_wire_can_be_turned_over(capture: Path) -> None:
    ends = airlag.analyze(capture, invert=["1"])
    assert (ends.latency_ns[1:] - airlag.analyze(capture).latency_ns[1:] == 50_000).all()


def test_keeping_the_edges_changes_nothing_else(capture: Path) -> None:
    kept = airlag.analyze(capture, keep_edges=True)
    assert kept.trace is not None
    assert kept.to_json() == airlag.analyze(capture).to_json()


def test_options_that_contradict_each_other_are_refused(capture: Path) -> None:
    with pytest.raises(ValueError, match="choose two channels"):
        airlag.analyze(capture, trigger="1", completion="1")
    with pytest.raises(ValueError, match="neither the trigger"):
        airlag.analyze(capture, invert=["2"])


@pytest.mark.parametrize("names", [("1", "2"), ("1", "0"), ("a", "0")])
def test_names_that_look_like_positions_are_names(
    capture: Path, tmp_path: Path, names: tuple[str, str]
) -> None:
    text = capture.read_text()
    head, rest = text.split("\n", 1)
    named = tmp_path / "named.csv"
    named.write_text(",".join((head.split(",")[0], *names)) + f"\n{rest}")
    right = airlag.analyze(capture)
    found = airlag.analyze(named, keep_edges=True)
    assert found.channels == names
    np.testing.assert_array_equal(found.completion_ns, right.completion_ns)
    airlag.save(found, tmp_path / "run.parquet")
    again = airlag.analyze(tmp_path / "run.parquet")
    assert again.channels == names
    np.testing.assert_array_equal(again.completion_ns, right.completion_ns)
    turned = airlag.analyze(tmp_path / "run.parquet", trigger=names[1])
    assert turned.channels == (names[1], names[0])


def test_many_captures_come_back_in_the_order_asked_for(tmp_path: Path) -> None:
    counts = [30, 5, 80, 12, 50]
    paths = [logic2_csv(tmp_path / f"{n}.csv", link(count=n)) for n in counts]
    assert [len(run.outcome) for run in airlag.analyze_many(paths)] == counts


def test_many_captures_with_a_bad_one_name_it(capture: Path, tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match=r"absent\.csv"):
        airlag.analyze_many([capture, tmp_path / "absent.csv"])
    good, bad = analyze_each([capture, tmp_path / "absent.csv"])
    assert isinstance(good, airlag.Run)
    assert isinstance(bad, CaptureError)


def test_reading_gives_the_raw_edges_of_any_format(capture: Path, tmp_path: Path) -> None:
    airlag.convert(capture, tmp_path / "good.parquet")
    for path in (capture, tmp_path / "good.parquet"):
        trace = airlag.read(path, ["1", "Channel 0"], invert=["1"])
        assert trace.names == ["Channel 1", "Channel 0"]
        assert [segment[2] for segment in (*trace.segments(0), *trace.segments(1))] == [True, False]
        assert len(trace.edges_ns(0, 0)) == 2 * 38


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        ([], []),
        (["a/x.csv"], ["x.csv"]),
        (["a/x.csv", "b/y.csv"], ["x.csv", "y.csv"]),
        (["a/x.csv", "b/x.csv", "b/y.csv"], ["a/x.csv", "b/x.csv", "b/y.csv"]),
        (["a/c/x.csv", "b/c/x.csv", "b/d/x.csv"], ["a/c/x.csv", "b/c/x.csv", "b/d/x.csv"]),
        (["a/x.csv", "a/x.csv"], ["x.csv", "x.csv"]),
    ],
)
def test_names_have_the_fewest_folders_that_tell_them_apart(
    paths: list[str], names: list[str]
) -> None:
    assert distinct_names(paths) == names
