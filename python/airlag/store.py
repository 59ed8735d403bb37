"""Runs as Parquet files: every transfer, every raw edge, and how they came about.

One row is one transfer, in trigger order:

=================  ===========  ================================================================
column             type         meaning
=================  ===========  ================================================================
``trigger_ns``     int64        trigger instant, ns
``completion_ns``  int64        completion instant, ns; null if there is none
``outcome``        string       ``delivered``, ``lost``, ``censored`` or ``late``
``edge_channel``   list<uint8>  channel of each edge from this trigger until the next
``edge_ns``        list<int64>  instant of each of these edges, ns, ascending
=================  ===========  ================================================================

The first row also keeps the edges before the first trigger. A run without a trigger has one row
with nulls that keeps its edges. A table of latencies has no clock: its ``trigger_ns`` is null, its
``completion_ns`` is the latency, and its lists are empty.

What else it takes to repeat the run is JSON under the file's metadata key ``airlag``. The edges are
the evidence; statistics are never kept, they are derived again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from airlag import metadata, there
from airlag._airlag import MEMORY_BYTES, CaptureError, Trace, __version__
from airlag.atomic import replacing
from airlag.metadata import FORMAT, Edges, MetadataError
from airlag.parquet import MAGIC, DamagedError, unpacked
from airlag.runs import NONE, Outcome, Run

if TYPE_CHECKING:
    import polars as pl

#: Key of the JSON in the file's metadata.
KEY = "airlag"
_DAMAGED = "the Parquet file is damaged or cut short; save the run again"
_MISFIT = MetadataError("does not describe the edges in the file")
#: Memory that reading a run takes for an edge or a latency.
BYTES_PER_VALUE = 32
#: What is read of a file, with its types; the other columns are for other tools.
_EDGES = {"edge_channel": "List(UInt8)", "edge_ns": "List(Int64)"}
_LATENCIES = {"completion_ns": "Int64"}
_COLUMNS = ("trigger_ns", "completion_ns", "outcome", "edge_channel", "edge_ns")

Times = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stored:
    """What a Parquet file keeps of a run; the rest is derived.

    Attributes
    ----------
    trace
        Raw edges of every channel; ``None`` for a table of latencies.
    latency_ns
        The table of latencies, ns; ``None`` where there are edges.
    source, link, size, seed, config, version
        As in :class:`~airlag.Run`.
    """

    trace: Trace | None
    latency_ns: Times | None
    source: str
    link: str | None
    size: int | None
    seed: int | None
    config: Mapping[str, Any]
    version: str | None = None


def is_parquet(path: Path) -> bool:
    """Whether the file starts as Parquet files do; ``False`` when it cannot be read twice."""
    # What is looked at in a pipe is gone.
    if not there.is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def save(run: Run, path: str | Path, *, force: bool = False) -> None:
    """Writes a run as Parquet; an existing file is replaced only when all went well.

    Parameters
    ----------
    run
        What to keep.
    path
        Where. A file that is there is replaced when it holds the same run, by its metadata.
    force
        Replace whatever is there.

    Raises
    ------
    ValueError
        When the run came from a capture but does not keep its edges.
    FileExistsError
        When the file holds another run or something else, unless ``force``.
    OSError
        When the file cannot be written.
    """
    path = Path(path)
    has_clock = run.trigger_ns is not None
    if has_clock and run.trace is None:
        raise ValueError(f"{run.source} keeps no edges; analyze it with keep_edges=True to save it")
    about = {
        "format": FORMAT,
        "airlag": __version__ if run.version is None else run.version,
        "source": run.source,
        "link": run.link,
        "size": run.size,
        "seed": run.seed,
        "config": dict(run.config),
        "trace": None if run.trace is None else _trace_to_json(run.trace),
    }
    text = json.dumps(about, ensure_ascii=False, allow_nan=False)
    with replacing(path, force=force or _holds(path, text)) as file:
        write_table(_table(run), file, {KEY: text}, path)


def write_table(table: pl.DataFrame, file: BinaryIO, metadata: dict[str, str], path: Path) -> None:
    """Writes a table to a file that is open; an error says what the operating system said.

    Raises
    ------
    OSError
        When the file at ``path`` cannot be written.
    """
    import polars as pl

    try:
        table.write_parquet(file, metadata=metadata)
    except pl.exceptions.PolarsError as error:
        # What the operating system said of a full disk is in the words alone.
        number = re.search(r"\(os error (\d+)\)", str(error))
        if number is None:
            raise
        code = int(number[1])
        raise OSError(code, os.strerror(code), str(path)) from None


def _holds(path: Path, text: str) -> bool:
    """Whether a file is there with this run in it, whichever airlag wrote it."""
    import polars as pl

    if not (there.is_file(path) and is_parquet(path)):
        return False
    unreadable = (pl.exceptions.PolarsError, pl.exceptions.PanicException)
    try:
        held = json.loads(_metadata_text(path))
    except (_UnusableError, OSError, ValueError, *unreadable):
        return False
    here = json.loads(text)
    return isinstance(held, dict) and held | {"airlag": None} == here | {"airlag": None}


def load(path: str | Path, memory_bytes: int | None = None) -> Stored:
    """Reads what :func:`save` wrote.

    Parameters
    ----------
    path
        The file.
    memory_bytes
        Most memory that reading it may take, bytes. Default: ``airlag.MEMORY_BYTES``.

    Raises
    ------
    CaptureError
        With one line, when the file is no Parquet file, not airlag's, damaged, from a later
        airlag, or over the limit.
    """
    import polars as pl

    path = Path(path)
    try:
        about = metadata.read(_metadata_text(path))
        edges = about.edges
        columns = _LATENCIES if edges is None else _EDGES
        held = unpacked(path, columns).values
        needed = held * BYTES_PER_VALUE
        limit = MEMORY_BYTES if memory_bytes is None else memory_bytes
        if needed > limit:
            raise _UnusableError(
                f"its {held} values take about {needed >> 20} MiB, more than the memory limit of "
                f"{limit >> 20} MiB; raise it with --memory {(needed >> 20) + 1}MiB"
            )
        table = _read_table(path, columns)
        return Stored(
            trace=None if edges is None else _restore(table, edges),
            latency_ns=_latencies(table) if edges is None else None,
            source=about.source,
            link=about.link,
            size=about.size,
            seed=about.seed,
            config=about.config,
            version=about.version,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, DamagedError):
        # A few kinds of damage make polars panic instead of failing.
        raise CaptureError(f"{path}: {_DAMAGED}") from None
    except MetadataError as why:
        raise CaptureError(f"{path}: metadata {KEY}: {why}; save the run again") from None
    except _UnusableError as why:
        raise CaptureError(f"{path}: {why}") from None
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror or error}") from None


class _UnusableError(Exception):
    """What is wrong with a file, and what would be right."""


def _trace_to_json(trace: Trace) -> dict[str, Any]:
    channels = []
    for index, name in enumerate(trace.names):
        segments = [
            [begin, end, initial, len(trace.edges_ns(index, segment))]
            for segment, (begin, end, initial) in enumerate(trace.segments(index))
        ]
        channels.append({"name": name, "begin_end_initial_edges": segments})
    return {
        "epoch_unix_ns": trace.epoch_unix_ns,
        "sample_rate_hz": trace.sample_rate_hz,
        "channels": channels,
    }


def _merged_edges(trace: Trace) -> tuple[NDArray[np.uint8], Times]:
    """Channel and instant of every edge, by time; edges of one instant by channel."""
    per_channel = [
        np.concatenate(
            [np.empty(0, np.int64)]
            + [trace.edges_ns(index, segment) for segment in range(len(trace.segments(index)))]
        )
        for index in range(len(trace.names))
    ]
    if not per_channel:
        return np.empty(0, np.uint8), np.empty(0, np.int64)
    lengths = [len(edges) for edges in per_channel]
    channels = np.repeat(np.arange(len(lengths), dtype=np.uint8), lengths)
    instants = np.concatenate(per_channel)
    order = np.argsort(instants, kind="stable")
    return channels[order], instants[order]


def _table(run: Run) -> pl.DataFrame:
    import polars as pl

    count = len(run.outcome)
    names = {int(outcome): outcome.name.lower() for outcome in Outcome}
    rows = pl.DataFrame(
        {
            "trigger_ns": pl.Series([None] * count, dtype=pl.Int64)
            if run.trigger_ns is None
            else pl.Series(run.trigger_ns),
            "completion_ns": pl.Series(run.completion_ns),
            "outcome": pl.Series(run.outcome).replace_strict(names, return_dtype=pl.String),
        },
        schema={"trigger_ns": pl.Int64, "completion_ns": pl.Int64, "outcome": pl.String},
    ).with_columns(pl.col("completion_ns").replace(NONE, None))
    if run.trace is None:
        channels, instants = np.empty(0, np.uint8), np.empty(0, np.int64)
        owner = np.empty(0, np.int64)
    else:
        channels, instants = _merged_edges(run.trace)
        triggers = np.empty(0, np.int64) if run.trigger_ns is None else run.trigger_ns
        owner = np.maximum(np.searchsorted(triggers, instants, side="right") - 1, 0)
        if count == 0:
            rows = rows.clear(1)
    edges = (
        pl.DataFrame(
            {
                "row": pl.Series(owner, dtype=pl.UInt32),
                "edge_channel": pl.Series(channels, dtype=pl.UInt8),
                "edge_ns": pl.Series(instants, dtype=pl.Int64),
            }
        )
        .group_by("row", maintain_order=True)
        .agg("edge_channel", "edge_ns")
    )
    return (
        rows.with_row_index("row")
        .join(edges, on="row", how="left", maintain_order="left")
        .with_columns(pl.col("edge_channel", "edge_ns").fill_null([]))
        .select(_COLUMNS)
    )


def _metadata_text(path: Path) -> str:
    import polars as pl

    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise _UnusableError("not a Parquet file; expected a run saved by airlag")
    text = pl.read_parquet_metadata(path).get(KEY)
    if text is None:
        raise _UnusableError(
            "a Parquet file, but not a run; expected one saved by airlag (-o FILE.parquet)"
        )
    return text


def _read_table(path: Path, columns: Mapping[str, str]) -> pl.DataFrame:
    import polars as pl

    schema = pl.read_parquet_schema(path)
    for name, expected in columns.items():
        found = schema.get(name)
        if str(found) != expected:
            raise _UnusableError(f"column {name} is {found or 'missing'}; expected {expected}")
    return pl.read_parquet(path, columns=list(columns))


def _latencies(table: pl.DataFrame) -> Times:
    latencies = table.get_column("completion_ns")
    if latencies.null_count():
        raise MetadataError("calls it a table of latencies, and one of them is missing")
    return latencies.to_numpy()


def _restore(table: pl.DataFrame, about: Edges) -> Trace:
    """Puts the edges back into channels and segments, and checks that they fit."""
    channel_of = table.get_column("edge_channel").explode().drop_nulls().to_numpy()
    instants = table.get_column("edge_ns").explode().drop_nulls().to_numpy()
    if len(channel_of) != len(instants):
        raise _MISFIT
    names, segments, taken = [], [], 0
    for index, (name, stretches) in enumerate(about.channels):
        rest = instants[channel_of == index]
        parts = []
        for begin, end, initial, count in stretches:
            edges, rest = rest[:count], rest[count:]
            if len(edges) != count or not _ascending(begin, edges, end):
                raise _MISFIT
            taken += count
            parts.append((begin, end, initial, np.ascontiguousarray(edges)))
        names.append(name)
        segments.append(parts)
    if taken != len(instants):
        raise _MISFIT
    return Trace.from_edges(names, segments, about.epoch_unix_ns, about.sample_rate_hz)


def _ascending(begin: int, edges: Times, end: int) -> bool:
    if len(edges) == 0:
        return begin <= end
    inside = begin <= int(edges[0]) and int(edges[-1]) <= end
    return inside and bool(np.all(edges[1:] >= edges[:-1]))
