"""Runs as Parquet files: nothing is lost, and nothing foreign gets in."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import airlag
import traces
from airlag import CaptureError, Outcome, Run, Trace, _airlag
from airlag.questions import store
from airlag.questions.analysis import analyze
from traces import MS, link, make, plain

once = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def run_of(trace: Trace, **known: object) -> Run:
    """A run that keeps ``trace``; transfers of its first two channels, where there are two."""
    paired = _airlag.pair(trace if len(trace.names) > 1 else make([]))
    return Run(
        source="bench",
        trigger_ns=paired.trigger_ns,
        completion_ns=paired.completion_ns,
        outcome=paired.outcome,
        spurious_ns=paired.spurious_ns,
        glitch_ns=paired.glitch_ns,
        start_ns=paired.start_ns,
        end_ns=paired.end_ns,
        latency=None,
        transfers=paired,
        trace=trace,
        **known,  # type: ignore[arg-type]
    )


def table_run(latencies: list[int]) -> Run:
    none = np.empty(0, np.int64)
    values = np.array(latencies, np.int64)
    outcome = np.zeros(len(values), np.uint8)
    return Run("table.txt", None, values, outcome, none, none, 0, 0, None)


@once
@given(trace=traces.traces())
def test_every_edge_gap_and_name_comes_back(trace: Trace, tmp_path: Path) -> None:
    store.save(run_of(trace), tmp_path / "run.parquet", force=True)
    restored = store.load(tmp_path / "run.parquet").trace
    assert restored is not None
    assert plain(restored) == plain(trace)


@once
@given(
    latencies=st.lists(st.integers(-(2**62), 2**62)),
    seed=st.none() | st.integers(0, 2**64 - 1),
    link=st.none() | st.text(max_size=5),
    size=st.none() | st.integers(0, 2**31),
)
def test_a_table_of_latencies_comes_back(
    latencies: list[int], seed: int | None, link: str | None, size: int | None, tmp_path: Path
) -> None:
    run = replace(table_run(latencies), seed=seed, link=link, size=size)
    store.save(run, tmp_path / "table.parquet", force=True)
    stored = store.load(tmp_path / "table.parquet")
    assert stored.trace is None
    assert stored.latency_ns is not None
    assert stored.latency_ns.tolist() == latencies
    assert (stored.seed, stored.link, stored.size) == (seed, link, size)


def test_rows_are_the_transfers_and_hold_their_edges(tmp_path: Path) -> None:
    trace = link(count=4, lost=[2])
    store.save(run_of(trace), tmp_path / "run.parquet")
    table = pl.read_parquet(tmp_path / "run.parquet")
    assert dict(table.schema) == {
        "trigger_ns": pl.Int64,
        "completion_ns": pl.Int64,
        "outcome": pl.String,
        "edge_channel": pl.List(pl.UInt8),
        "edge_ns": pl.List(pl.Int64),
    }
    assert table["outcome"].to_list() == ["delivered", "delivered", "lost", "delivered"]
    assert table["completion_ns"].is_null().to_list() == [False, False, True, False]
    assert table["edge_channel"].to_list() == [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0], [0, 0, 1, 1]]
    assert table["edge_ns"].list.first().to_list() == table["trigger_ns"].to_list()


def test_the_first_row_also_keeps_what_came_before_the_first_trigger(tmp_path: Path) -> None:
    trace = make([[(0, 9 * MS, True, [1 * MS, 5 * MS])], [(0, 9 * MS, False, [2 * MS, 3 * MS])]])
    store.save(run_of(trace), tmp_path / "run.parquet")
    table = pl.read_parquet(tmp_path / "run.parquet")
    assert table["trigger_ns"].to_list() == [5 * MS]
    assert table["edge_ns"].to_list() == [[1 * MS, 2 * MS, 3 * MS, 5 * MS]]


def test_a_run_without_a_trigger_keeps_its_edges_in_a_row_of_nulls(tmp_path: Path) -> None:
    trace = make([[(0, 9 * MS, True, [])], [(0, 9 * MS, False, [2 * MS])]])
    store.save(run_of(trace), tmp_path / "run.parquet")
    table = pl.read_parquet(tmp_path / "run.parquet")
    assert table.select("trigger_ns", "completion_ns", "outcome").rows() == [(None, None, None)]
    assert table["edge_ns"].to_list() == [[2 * MS]]


def test_the_metadata_is_enough_to_repeat_the_run(tmp_path: Path) -> None:
    run = run_of(link(), link="nrf24-2m", size=12, seed=7, config={"min_low_ns": 500})
    store.save(run, tmp_path / "run.parquet")
    metadata = json.loads(pl.read_parquet_metadata(tmp_path / "run.parquet")["airlag"])
    assert metadata["format"] == 1
    assert metadata["airlag"] == airlag.__version__
    told = {key: metadata[key] for key in ("source", "link", "size", "seed", "config")}
    assert told == {
        "source": "bench",
        "link": "nrf24-2m",
        "size": 12,
        "seed": 7,
        "config": {"min_low_ns": 500},
    }


def test_a_saved_run_gives_the_same_answer_as_the_capture_it_came_from(tmp_path: Path) -> None:
    capture = traces.logic2_csv(tmp_path / "capture.csv", link(lost=[3, 9]))
    run = analyze(capture, keep_edges=True, min_low_ns=500)
    airlag.save(run, tmp_path / "run.parquet")
    again = analyze(tmp_path / "run.parquet")
    assert again.to_json() == run.to_json()
    assert again.config == run.config
    assert again.config["min_low_ns"] == 500


def test_load_returns_the_run_that_save_was_given_with_its_edges(tmp_path: Path) -> None:
    run = airlag.run("nrf24-2m", 12, count=50)
    assert isinstance(run, airlag.Run)
    airlag.save(run, tmp_path / "run.parquet")
    loaded = airlag.load(tmp_path / "run.parquet")
    assert loaded.to_json() == run.to_json()
    assert loaded.trace is not None
    assert run.trace is not None
    assert loaded.trace.edges_ns(0, 0).tolist() == run.trace.edges_ns(0, 0).tolist()


def test_load_refuses_what_is_no_saved_run_and_names_what_is_right(tmp_path: Path) -> None:
    capture = tmp_path / "capture.csv"
    capture.write_text("Time [s],Channel 0,Channel 1\n0.0,0,0\n")
    for path, hint in [
        (capture, "airlag.analyze"),
        (tmp_path / "none.parquet", "no such file"),
        (Path("nrf24-2m"), "airlag.offered_load"),
    ]:
        with pytest.raises(airlag.CaptureError, match=hint):
            airlag.load(path)


def test_a_saved_run_can_be_paired_in_another_way(tmp_path: Path) -> None:
    slow = make(
        [
            [(0, 900 * MS, False, [100 * MS, 101 * MS, 200 * MS, 201 * MS, 300 * MS, 301 * MS])],
            [(0, 900 * MS, False, [210 * MS, 211 * MS, 310 * MS, 311 * MS, 410 * MS, 411 * MS])],
        ]
    )
    store.save(run_of(slow), tmp_path / "run.parquet")
    alone = analyze(tmp_path / "run.parquet")
    late = analyze(tmp_path / "run.parquet", overlap_ns=150 * MS)
    swapped = analyze(tmp_path / "run.parquet", trigger="1", completion="0")
    assert (alone.count(Outcome.LOST), alone.count(Outcome.LATE)) == (1, 0)
    assert late.latency_ns.tolist() == [110 * MS] * 3
    assert swapped.latency_ns.tolist() == [90 * MS]


def test_a_run_whose_edges_were_not_kept_cannot_be_saved(tmp_path: Path) -> None:
    run = analyze(traces.logic2_csv(tmp_path / "capture.csv", link()))
    with pytest.raises(ValueError, match="keep_edges=True"):
        airlag.save(run, tmp_path / "run.parquet")


def test_a_failed_write_leaves_the_older_file_alone(tmp_path: Path) -> None:
    target = tmp_path / "run.parquet"
    target.write_bytes(b"older")
    run = replace(run_of(link()), config={"not": {1, 2}})
    with pytest.raises(TypeError):
        store.save(run, target)
    assert target.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["run.parquet"]


def damaged(path: Path) -> None:
    store.save(run_of(link()), path)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def foreign(path: Path) -> None:
    pl.DataFrame({"latency": [1.0, 2.0]}).write_parquet(path)


def from_the_future(path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata={"airlag": '{"format": 99}'})


def without_columns(path: Path) -> None:
    store.save(run_of(link()), path)
    metadata = pl.read_parquet_metadata(path)["airlag"]
    pl.read_parquet(path).drop("edge_ns").write_parquet(path, metadata={"airlag": metadata})


def with_edges_missing(path: Path) -> None:
    store.save(run_of(link()), path)
    metadata = pl.read_parquet_metadata(path)["airlag"]
    pl.read_parquet(path).head(3).write_parquet(path, metadata={"airlag": metadata})


def with_edges_out_of_order(path: Path) -> None:
    store.save(run_of(link()), path)
    metadata = pl.read_parquet_metadata(path)["airlag"]
    pl.read_parquet(path).reverse().write_parquet(path, metadata={"airlag": metadata})


def with_json_that_is_none(path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata={"airlag": "{"})


def with_another_kind_of_json(path: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(path, metadata={"airlag": "[1]"})


def with_a_pairing_that_is_none(path: Path) -> None:
    store.save(run_of(link(), config={"min_low_ns": "soon"}), path)


def with_one_channel_for_both(path: Path) -> None:
    store.save(run_of(link(), config={"trigger": "0", "completion": "0"}), path)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (damaged, "damaged or cut short; save the run again"),
        (foreign, "not a run; expected one saved by airlag"),
        (from_the_future, "run format 99 is unknown; this version of airlag reads 1"),
        (without_columns, "column edge_ns is missing; expected"),
        (with_edges_missing, "does not describe the edges"),
        (with_edges_out_of_order, "does not describe the edges"),
        (with_json_that_is_none, "metadata airlag"),
        (with_another_kind_of_json, "metadata airlag"),
        (with_a_pairing_that_is_none, "`config.min_low_ns` is not a whole number from 0 to"),
        (with_one_channel_for_both, "config contains no pairing"),
    ],
)
def test_a_file_that_is_no_run_is_refused_in_one_line(
    spoil: object, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    spoil(path)  # type: ignore[operator]
    with pytest.raises(CaptureError, match=why) as caught:
        analyze(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


HOSTILE = {
    "size": -1,
    "seed": 2**64,
    "link": 5,
    "source": "\ud800",
    "config": [],
    "config.min_low_ns": 2**70,
    "config.overlap_ns": -1,
    "config.invert": "0",
    "config.service_ns": 1.5,
    "config.traffic": "jam",
    "config.way": "up",
    "config.count": 10**30,
    "config.settings": {"rate": 250},
    "config.phase": "new",
    "config.note": [[[[[[[[[[]]]]]]]]]],
    "trace": 7,
    "trace.epoch_unix_ns": 2**63,
    "trace.sample_rate_hz": -1.0,
    "trace.channels": {"0": 1},
    "trace.channels.0.name": None,
    "trace.channels.0.begin_end_initial_edges": [[0, 1, False]],
    "trace.channels.0.begin_end_initial_edges.0.3": -1,
    "trace.channels.0.begin_end_initial_edges.0.0": 2**200,
}


@pytest.mark.parametrize("entry", sorted(HOSTILE))
def test_metadata_of_another_type_or_range_is_refused_in_one_line(
    entry: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.parquet"
    store.save(run_of(link()), path)
    about = json.loads(pl.read_parquet_metadata(path)["airlag"])
    *way, last = [int(key) if key.isdecimal() else key for key in entry.split(".")]
    inner = about
    for key in way:
        inner = inner[key]
    inner[last] = HOSTILE[entry]
    pl.read_parquet(path).write_parquet(path, metadata={"airlag": json.dumps(about)})
    with pytest.raises(CaptureError, match="save the run again") as caught:
        analyze(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < len(str(path)) + 300


def test_a_small_file_of_many_edges_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    store.save(run_of(link()), path)
    about = pl.read_parquet_metadata(path)["airlag"]
    many = pl.DataFrame(
        {
            "edge_channel": pl.Series([[0] * 1_000_000] * 20, dtype=pl.List(pl.UInt8)),
            "edge_ns": pl.Series([[0] * 1_000_000] * 20, dtype=pl.List(pl.Int64)),
        }
    )
    many.write_parquet(path, metadata={"airlag": about})
    assert path.stat().st_size < 1_000_000
    with pytest.raises(CaptureError, match=r"40000000 values need about 1220 MiB, .* 1024 MiB"):
        store.load(path, memory_bytes=1 << 30)


@once
@given(at=st.floats(0, 1), byte=st.integers(0, 255))
def test_damage_anywhere_does_no_worse_than_a_refusal(at: float, byte: int, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    store.save(run_of(link()), path, force=True)
    content = bytearray(path.read_bytes())
    content[min(int(at * len(content)), len(content) - 1)] = byte
    path.write_bytes(content)
    with contextlib.suppress(CaptureError):
        store.load(path)
