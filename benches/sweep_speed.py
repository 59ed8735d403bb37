"""Sweeps: beside runs × the time of one run / cores, on Dask workers, and rows summed up by others.

The time of one run is that of a process which does nothing else: as many such processes as are
compared with each do a share of the same runs, side by side, since cores that share a cache are
not as quick together as alone. Rows are made up, in the layout of a dataset, as many as they are.

Run it with ``make bench``, or ``python benches/sweep_speed.py [RUNS [ROWS]]``.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from airlag.questions.sweeps.dataset import ROWS
from airlag.questions.sweeps.file import sweep_of
from airlag.questions.sweeps.run import to_folder
from airlag.questions.sweeps.task import work

LINK = "ble-nus-notify"
TRIGGERS = 1000
ROUNDS = 5
#: Runs that are done before the clock starts.
WARM = 4


def asked(runs: int) -> dict[str, object]:
    """Runs of Bluetooth Low Energy: a few intervals, with replications."""
    intervals = [7_500, 15_000, 30_000, 60_000]
    settings = {"connection_interval": intervals}
    replications = runs // len(intervals)
    return {"links": LINK, "sizes": 128, "replications": replications, "set": settings}


def bare(runs: int, nth: int, of: int) -> float:
    """Time of one process for its share of the runs without a scheduler, s."""
    sweep = sweep_of(asked(runs), "bench")
    for run in range(WARM):
        work(sweep.task(run))
    begin = time.perf_counter()
    for run in range(nth, sweep.runs, of):
        work(sweep.task(run))
    return time.perf_counter() - begin


def alone(runs: int, cores: int) -> float:
    """Time of parallel processes, s: runs × the time of one run / cores."""
    words = [sys.executable, __file__, "--bare", str(runs)]
    shares = [
        subprocess.Popen([*words, str(nth), str(cores)], stdout=subprocess.PIPE, text=True)
        for nth in range(cores)
    ]
    return statistics.fmean(float(share.communicate()[0]) for share in shares)


def swept(runs: int, scheduler: str, workers: int | None) -> float:
    """Time of a sweep into a dataset, including start and end, s."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        to_folder(sweep_of(asked(runs), "bench"), Path(folder) / "out", scheduler, workers)
        return time.perf_counter() - begin


def on_dask(runs: int, workers: int) -> float:
    """The same on a scheduler with workers that were started before the measurement."""
    from distributed import Client

    program = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "scheduler.json"
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        words = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
        words += ["--no-dashboard", "--scheduler-file", str(file)]
        running = [subprocess.Popen([*program, *words], **quiet)]
        try:
            while not (file.exists() and file.read_text().rstrip().endswith("}")):
                time.sleep(0.05)
            address = json.loads(file.read_text())["address"]
            words = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
            running += [subprocess.Popen([*program, *words], **quiet) for _ in range(workers)]
            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(workers)
                client.run(bare, WARM, 0, 1)
            return swept(runs, address, None)
        finally:
            for process in reversed(running):
                process.terminate()
            for process in running:
                process.wait()


def made_up(folder: Path, rows: int) -> None:
    """Writes rows as a sweep does, with random figures."""
    from airlag.questions.sweeps.columns import schema

    rng = np.random.default_rng(1)
    columns = schema(sweep_of(asked(4), "bench").columns)
    target = folder / "runs" / f"link={LINK}"
    target.mkdir(parents=True)
    for part, first in enumerate(range(0, rows, ROWS)):
        many = min(ROWS, rows - first)
        run = np.arange(first, first + many)
        p50 = rng.gamma(4.0, 5e6, many)
        made = {
            "run": run, "configuration": run // 100, "replication": run % 100,
            "connection_interval": 1250 * (6 + run // 100 % 1000), "size": run // 100 % 244,
            "seed": 1 + run % 100, "period_ns": np.full(many, 200_000_000),
            "triggers": np.full(many, TRIGGERS), "delivered": TRIGGERS - run % 7, "lost": run % 7,
            "p50_ns": p50, "p95_ns": 2 * p50, "p99_ns": 3 * p50, "mean_ns": 1.1 * p50,
        }  # fmt: skip
        frame = pl.DataFrame(made)
        for name, kind in columns.items():
            if name not in made:
                frame = frame.with_columns(pl.lit(None, dtype=kind).alias(name))
        frame.select(pl.col(name).cast(kind) for name, kind in columns.items()).write_parquet(
            target / f"part-{part:05}.parquet"
        )


def by_polars(folder: Path) -> list[tuple[object, ...]]:
    """Median, tail and losses by interval."""
    rows = pl.scan_parquet(folder / "runs").group_by("link", "connection_interval")
    told = rows.agg(pl.col("p50_ns", "p99_ns").mean(), pl.col("lost").sum(), pl.len())
    return told.sort("connection_interval").collect(engine="streaming").rows()


def by_duckdb(folder: Path) -> list[tuple[object, ...]]:
    """The same."""
    import duckdb

    return duckdb.sql(
        "select link, connection_interval, avg(p50_ns), avg(p99_ns), sum(lost), count(*) from "
        f"read_parquet('{folder}/runs/*/*.parquet', hive_partitioning = true) "
        "group by all order by connection_interval"
    ).fetchall()


def timed(what: Callable[[], object]) -> tuple[float, float, float]:
    """Median, minimum and maximum of a few rounds after a warm-up round, s."""
    what()
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        what()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), min(seconds), max(seconds)


def main() -> None:
    """Prints ratios, and seconds of summaries."""
    out = sys.stdout.write
    if sys.argv[1:2] == ["--bare"]:
        out(f"{bare(*map(int, sys.argv[2:]))}\n")
        return
    runs, rows = (int(text) for text in [*sys.argv[1:], *["1000", "10000000"][len(sys.argv) - 1 :]])
    cores = os.cpu_count() or 1
    out(f"{platform.machine()}, {cores} cores, Python {platform.python_version()}\n")
    if runs:
        out(f"\n{runs} runs of {LINK}, {TRIGGERS} triggers each; beside runs × one run / cores\n")
        for count in dict.fromkeys((1, cores)):
            # In turns, so that other work of the computer affects both equally.
            ideal = alone(runs, count)
            local = swept(runs, "local", count)
            dask = on_dask(runs, count)
            ideal = (ideal + alone(runs, count)) / 2
            out(
                f"  {count} cores: alone {ideal:.1f} s, local {local:.1f} s = {local / ideal:.2f}, "
            )
            out(f"Dask over TCP {dask:.1f} s = {dask / ideal:.2f}\n")
    if rows:
        with tempfile.TemporaryDirectory() as name:
            made_up(Path(name), rows)
            files = list(Path(name).rglob("*.parquet"))
            size = sum(file.stat().st_size for file in files)
            out(f"\n{rows:,} rows in {len(files)} files, {size / 1e6:.0f} MB\n")
            told = {"polars": by_polars(Path(name)), "DuckDB": by_duckdb(Path(name))}
            assert len(told["polars"]) == len(told["DuckDB"])
            for reader, summed in (("polars", by_polars), ("DuckDB", by_duckdb)):
                middle, least, most = timed(lambda summed=summed: summed(Path(name)))
                out(f"  {reader} sums them up in {middle:.2f} s ({least:.2f} to {most:.2f})\n")


if __name__ == "__main__":
    main()
