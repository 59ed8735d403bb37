"""Capture CSV to transfers and quantiles: airlag beside pandas, polars and DuckDB.

Every contender gets the same file and returns the same thing: trigger instants, the completion of
each inside its own window, and seven quantiles of the latency, all exact to the nanosecond. The
peers do it as someone who knows them well would: the library parses, numpy pairs.

Run it with ``make bench``, or ``python benches/capture_speed.py [ROWS ...]``.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
Answer = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
#: Logic 2 writes ISO 8601 stamps with nine decimals; the peers have to be told.
STAMP = "%Y-%m-%dT%H:%M:%S%.9f%:z"


def generate(path: Path, rows: int) -> None:
    """Writes a Logic 2 CSV of about ``rows`` rows: a trigger every 5 ms, a gamma-spread latency."""
    rng = np.random.default_rng(1)
    n = rows // 4
    trigger = np.arange(n, dtype=np.int64) * 5_000_000 + 100_000_000
    wait = np.minimum(rng.gamma(2.0, 300_000.0, n), 3_000_000.0)
    strobe = trigger + 1_500_000 + wait.astype(np.int64) // 10 * 10
    edges = np.stack([trigger, trigger + 50_000, strobe, strobe + 20_000], axis=1)
    levels = ("1,0", "0,0", "0,1", "0,0")
    start = np.datetime64("2024-01-02T03:04:05", "s")
    with path.open("w", encoding="ascii") as out:
        out.write("Time [s],Channel 0,Channel 1\n")
        out.write(f"{start}.000000000+00:00,0,0\n")
        for block in np.array_split(edges, max(1, n // 20_000)):
            second, nanos = np.divmod(block, 1_000_000_000)
            whole = np.datetime_as_string(start + second.astype("timedelta64[s]"))
            out.writelines(
                f"{stamp}.{fraction:09d}+00:00,{level}\n"
                for stamps, fractions in zip(whole, nanos, strict=True)
                for stamp, fraction, level in zip(stamps, fractions, levels, strict=True)
            )
        second, fraction = divmod(int(edges[-1, -1]) + 1_000_000, 1_000_000_000)
        out.write(f"{start + np.timedelta64(second, 's')}.{fraction:09d}+00:00,0,0\n")


def by_airlag(path: str) -> Answer:
    """One call from a path to transfers, and their quantiles."""
    from airlag import _airlag

    transfers = _airlag.transfers(_airlag.Input(path))
    latency = transfers.summary()["latency_ns"]
    quantiles = np.array([latency[f"p{round(100 * q)}"] for q in QUANTILES])
    return transfers.trigger_ns, transfers.completion_ns, quantiles


def finish(at_ns: NDArray[Any], trigger: NDArray[Any], completion: NDArray[Any]) -> Answer:
    """Pairs edges with numpy, for the peers."""
    rise = at_ns[1:][(trigger[1:] == 1) & (trigger[:-1] == 0)]
    done = at_ns[1:][(completion[1:] == 1) & (completion[:-1] == 0)]
    index = np.searchsorted(done, rise, side="right")
    closes = np.append(rise[1:], at_ns[-1])
    found = done[np.minimum(index, len(done) - 1)]
    paired = (index < len(done)) & (found <= closes)
    quantiles = np.quantile((found - rise)[paired], QUANTILES)
    return rise, np.where(paired, found, np.iinfo(np.int64).min), quantiles


def by_pandas(path: str) -> Answer:
    """The way most people read a CSV with the pyarrow engine."""
    import pandas as pd

    table = pd.read_csv(path, engine="pyarrow")
    at_ns = table.iloc[:, 0].dt.as_unit("ns").astype("int64").to_numpy()
    return finish(at_ns, table.iloc[:, 1].to_numpy(), table.iloc[:, 2].to_numpy())


def by_pandas_arrow(path: str) -> Answer:
    """The quickest way: pandas keeps Arrow's columns and converts only what numpy needs."""
    import pandas as pd
    import pyarrow as pa

    table = pd.read_csv(path, engine="pyarrow", dtype_backend="pyarrow")
    stamps, trigger, completion = (table.iloc[:, i] for i in range(3))
    at_ns = pa.array(stamps).cast(pa.timestamp("ns", "UTC")).cast("int64").to_numpy()
    return finish(at_ns, trigger.to_numpy(dtype="u1"), completion.to_numpy(dtype="u1"))


def by_polars(path: str) -> Answer:
    """Parse with polars, stamps by an explicit format."""
    import polars as pl

    bit = {"trigger": pl.UInt8, "completion": pl.UInt8}
    table = pl.read_csv(path, new_columns=["at", *bit], schema_overrides=bit)
    at = table["at"].str.to_datetime(STAMP, time_unit="ns").dt.epoch("ns")
    return finish(at.to_numpy(), table["trigger"].to_numpy(), table["completion"].to_numpy())


def by_duckdb(path: str) -> Answer:
    """Parse with SQL."""
    import duckdb

    columns = "{'stamp': 'VARCHAR', 'trigger': 'TINYINT', 'completion': 'TINYINT'}"
    query = f"""SELECT epoch_ns(stamp::TIMESTAMP_NS) AS at_ns, trigger, completion
                FROM read_csv('{path}', header = true, columns = {columns})"""
    table = duckdb.connect().execute(query).fetchnumpy()
    return finish(table["at_ns"], table["trigger"], table["completion"])


CONTENDERS: dict[str, Callable[[str], Answer]] = {
    "airlag": by_airlag,
    "pandas": by_pandas,
    "pandas, Arrow columns": by_pandas_arrow,
    "polars": by_polars,
    "duckdb": by_duckdb,
}


def measure(path: Path, rounds: int) -> dict[str, list[float]]:
    """Wall time of each contender, s, in turns so that a slow phase of the machine affects all."""
    expected = by_airlag(str(path))
    seconds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for round_ in range(rounds + 1):
        for name, contender in CONTENDERS.items():
            begin = time.perf_counter()
            answer = contender(str(path))
            elapsed = time.perf_counter() - begin
            if round_ == 0:  # warms caches up, and holds the answers against each other
                shift = answer[0][0] - expected[0][0]
                np.testing.assert_array_equal(answer[0] - shift, expected[0])
                np.testing.assert_array_equal(answer[1] - shift, expected[1])
                np.testing.assert_allclose(answer[2], expected[2], rtol=0, atol=0.5)
            else:
                seconds[name].append(elapsed)
    return seconds


def peak(path: Path) -> tuple[int, int]:
    """Peak resident memory of a new process for one call, and the size of its result, bytes."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import capture_speed as c\n"
        "returned = sum(array.nbytes for array in c.by_airlag(sys.argv[2]))\n"
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(status['VmHWM'].split()[0], returned)"
    )
    command = [sys.executable, "-c", script, str(Path(__file__).parent), str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    kib, returned = map(int, run.stdout.split())
    return kib * 1024, returned


def main() -> None:
    """Prints one table per file."""
    out = sys.stdout.write
    sizes = [int(argument) for argument in sys.argv[1:]] or [1_000_000, 10_000_000]
    out(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        for rows in sizes:
            path = Path(folder) / f"{rows}.csv"
            generate(path, rows)
            seconds = measure(path, rounds=9 if rows <= 1_000_000 else 5)
            out(f"\nLogic 2 CSV, {rows:,} rows, {path.stat().st_size / 1e6:.0f} MB\n")
            for name, taken in seconds.items():
                ratios = [t / a for t, a in zip(taken, seconds["airlag"], strict=True)]
                out(
                    f"  {name:22} median {statistics.median(taken) * 1e3:8.1f} ms"
                    f"  best {min(taken) * 1e3:8.1f} ms"
                    f"  {statistics.median(ratios):6.1f} x airlag\n"
                )
            used, returned = peak(path)
            allowed = 2 * returned + 50_000_000
            out(
                f"  memory: peak {used / 1e6:.1f} MB for the whole process; "
                f"arrays {returned / 1e6:.1f} MB; twice that plus 50 MB is {allowed / 1e6:.1f} MB\n"
            )
            path.unlink()


if __name__ == "__main__":
    main()
