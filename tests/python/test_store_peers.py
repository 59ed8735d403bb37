"""Saved runs and other programs: they read what airlag writes, and airlag what they write."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import airlag
from airlag import CaptureError, Outcome, Run
from airlag.questions import store
from airlag.questions.runs import NONE
from traces import plain

#: Runs that airlag saved when polars wrote them; the files are not to be made again.
KEPT = Path(__file__).parent / "kept_runs"
COLUMNS = ("trigger_ns", "completion_ns", "outcome", "edge_channel", "edge_ns")


@pytest.fixture(scope="module")
def run() -> Run:
    return airlag.run("nrf24-2m", size=12, count=300, seed=5, frame_loss=0.6)


@pytest.fixture(scope="module")
def saved(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "run.parquet"
    airlag.save(run, path)
    return path


def rows_of(run: Run) -> list[tuple[Any, ...]]:
    """Trigger, completion, outcome of each transfer, worked out from the arrays of a run."""
    assert run.trigger_ns is not None
    return [
        (int(trigger), None if completion == NONE else int(completion), name)
        for trigger, completion, name in zip(
            run.trigger_ns,
            run.completion_ns,
            [Outcome(code).name.lower() for code in run.outcome],
            strict=True,
        )
    ]


def edges_of(run: Run) -> list[tuple[int, int]]:
    """Channel and instant of every edge, by time."""
    assert run.trace is not None
    return sorted(
        ((channel, int(ns)) for channel in range(2) for ns in run.trace.edges_ns(channel, 0)),
        key=lambda edge: (edge[1], edge[0]),
    )


def flat(channels: list[list[int]], instants: list[list[int]]) -> list[tuple[int, int]]:
    return [edge for row in zip(channels, instants, strict=True) for edge in zip(*row, strict=True)]


def test_polars_reads_a_saved_run(run: Run, saved: Path) -> None:
    table = pl.read_parquet(saved)
    assert run.count(Outcome.LOST) > 0
    assert table.schema == {
        "trigger_ns": pl.Int64,
        "completion_ns": pl.Int64,
        "outcome": pl.String,
        "edge_channel": pl.List(pl.UInt8),
        "edge_ns": pl.List(pl.Int64),
    }
    assert table.select(COLUMNS[:3]).rows() == rows_of(run)
    assert flat(*(table[name].to_list() for name in COLUMNS[3:])) == edges_of(run)
    scanned = pl.scan_parquet(saved).filter(pl.col("outcome") == "lost").collect()
    assert scanned.height == run.count(Outcome.LOST)
    assert list(pl.read_parquet_metadata(saved)) == ["airlag"]


def test_pyarrow_reads_a_saved_run(run: Run, saved: Path) -> None:
    table = pq.read_table(saved)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("trigger_ns", "int64"),
        ("completion_ns", "int64"),
        ("outcome", "string"),
        ("edge_channel", "list<element: uint8>"),
        ("edge_ns", "list<element: int64>"),
    ]
    held = table.to_pydict()
    assert list(zip(*(held[name] for name in COLUMNS[:3]), strict=True)) == rows_of(run)
    assert flat(held["edge_channel"], held["edge_ns"]) == edges_of(run)
    assert json.loads(table.schema.metadata[b"airlag"])["seed"] == 5


def test_duckdb_reads_a_saved_run(run: Run, saved: Path) -> None:
    query = duckdb.sql(f"select * from read_parquet('{saved}')")
    assert list(map(str, query.types)) == ["BIGINT", "BIGINT", "VARCHAR", "UTINYINT[]", "BIGINT[]"]
    rows = query.fetchall()
    assert [row[:3] for row in rows] == rows_of(run)
    assert flat([row[3] for row in rows], [row[4] for row in rows]) == edges_of(run)


@pytest.mark.parametrize("compression", ["uncompressed", "snappy", "gzip", "lz4", "zstd"])
def test_what_polars_writes_again_is_read(
    compression: Any, run: Run, saved: Path, tmp_path: Path
) -> None:
    assert run.trace is not None
    again = tmp_path / "again.parquet"
    pl.read_parquet(saved).write_parquet(
        again,
        compression=compression,
        metadata=pl.read_parquet_metadata(saved),
        row_group_size=70,
        data_page_size=500,
    )
    stored = store.load(again)
    assert stored.trace is not None
    assert plain(stored.trace) == plain(run.trace)
    assert airlag.analyze(again).to_json() == airlag.analyze(saved).to_json()


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "lz4", "zstd"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_what_pyarrow_writes_again_is_read(
    compression: str, version: str, dictionary: bool, run: Run, saved: Path, tmp_path: Path
) -> None:
    assert run.trace is not None
    again = tmp_path / "again.parquet"
    pq.write_table(
        pq.read_table(saved),
        again,
        compression=compression,
        data_page_version=version,
        use_dictionary=dictionary,
        row_group_size=70,
        data_page_size=500,
    )
    stored = store.load(again)
    assert stored.trace is not None
    assert plain(stored.trace) == plain(run.trace)


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"])
def test_every_encoding_of_whole_numbers_is_read(
    encoding: str, run: Run, saved: Path, tmp_path: Path
) -> None:
    assert run.trace is not None
    again = tmp_path / "again.parquet"
    leaves = ("edge_channel.list.element", "edge_ns.list.element")
    pq.write_table(
        pq.read_table(saved),
        again,
        use_dictionary=False,
        column_encoding=dict.fromkeys(leaves, encoding),
    )
    stored = store.load(again)
    assert stored.trace is not None
    assert plain(stored.trace) == plain(run.trace)


@pytest.mark.parametrize("compression", ["snappy", "zstd", "gzip"])
def test_what_duckdb_writes_again_is_read(
    compression: str, run: Run, saved: Path, tmp_path: Path
) -> None:
    assert run.trace is not None
    again = tmp_path / "again.parquet"
    about = pl.read_parquet_metadata(saved)["airlag"].replace("'", "''")
    duckdb.sql(
        f"copy (select * from read_parquet('{saved}')) to '{again}' "
        f"(format parquet, compression {compression}, kv_metadata {{airlag: '{about}'}})"
    )
    stored = store.load(again)
    assert stored.trace is not None
    assert plain(stored.trace) == plain(run.trace)


def test_a_codec_that_is_not_read_is_named(saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.parquet"
    pq.write_table(pq.read_table(saved), again, compression="brotli")
    with pytest.raises(CaptureError, match="column edge_channel is compressed as BROTLI"):
        store.load(again)


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("edge_ns", pa.list_(pa.int32())),
        ("edge_ns", pa.list_(pa.uint64())),
        ("edge_ns", pa.list_(pa.float64())),
        ("edge_ns", pa.list_(pa.timestamp("ns"))),
        ("edge_ns", pa.list_(pa.list_(pa.int64()))),
        ("edge_channel", pa.list_(pa.int32())),
        ("edge_channel", pa.list_(pa.int8())),
        ("edge_channel", pa.uint8()),
        ("edge_channel", pa.struct([("a", pa.uint8()), ("b", pa.uint8())])),
    ],
)
def test_a_column_of_another_type_is_refused(
    column: str, kind: Any, saved: Path, tmp_path: Path
) -> None:
    table = pq.read_table(saved)
    place = table.schema.get_field_index(column)
    nothing = pa.nulls(table.num_rows, kind)
    again = tmp_path / "again.parquet"
    pq.write_table(table.set_column(place, column, nothing), again)
    with pytest.raises(CaptureError, match=f"column {column} is of .*; expected a list of"):
        store.load(again)


def test_a_run_that_an_older_airlag_saved_is_read() -> None:
    path = KEPT / "edges.parquet"
    kept, table = airlag.load(path), pl.read_parquet(path)
    assert rows_of(kept) == table.select(COLUMNS[:3]).rows()
    assert len(kept.outcome) == 20
    assert edges_of(kept) == flat(*(table[name].to_list() for name in COLUMNS[3:]))
    assert (kept.link, kept.size, kept.seed) == ("nrf24-2m", 12, 3)


def test_a_table_that_an_older_airlag_saved_is_read() -> None:
    latency_ns = store.load(KEPT / "latencies.parquet").latency_ns
    assert latency_ns is not None
    assert latency_ns.tolist() == [500_000 + 10_000 * nth for nth in range(30)]


def test_the_same_run_is_saved_over_the_file_of_an_older_airlag(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    older = (KEPT / "edges.parquet").read_bytes()
    path.write_bytes(older)
    run = airlag.load(path)
    with pytest.raises(FileExistsError):
        airlag.save(replace(run, seed=4), path)
    assert path.read_bytes() == older
    airlag.save(run, path)
    assert path.read_bytes() != older
    assert store.load(path) == replace(
        store.load(KEPT / "edges.parquet"), trace=ANY, config=store.load(path).config
    )
