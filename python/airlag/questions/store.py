"""Saved runs: Parquet files with every transfer, every raw edge, and how they came about.

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

What else it takes to repeat the run is JSON under the file's metadata key ``airlag``. The edges are
the evidence; statistics are never kept, they are derived again. The core reads and writes the file,
and checks its edges and what is said of the run besides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import RUN_FORMAT, CaptureError, SavedRun, Trace, __version__, save_run
from airlag.core import paths
from airlag.questions.runs import Outcome, Run

#: Key of the JSON in the file's metadata.
KEY = "airlag"
_MAGIC = b"PAR1"

Times = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stored:
    """What a Parquet file keeps of a run, as in :class:`~airlag.Run`; the rest is derived."""

    source: str
    link: str | None
    size: int | None
    seed: int | None
    config: Mapping[str, Any]
    #: ``None`` where the file does not say which airlag made it.
    version: str | None = None
    #: Raw edges of every channel; ``None`` for a table of latencies.
    trace: Trace | None = None
    #: The table of latencies, ns; ``None`` where there are edges.
    latency_ns: Times | None = None


def is_parquet(path: Path) -> bool:
    """Whether the file starts as Parquet files do; ``False`` when it cannot be read twice."""
    # What is looked at in a pipe is gone.
    if not paths.is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
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
        "format": RUN_FORMAT,
        "airlag": __version__ if run.version is None else run.version,
        "source": run.source,
        "link": run.link,
        "size": run.size,
        "seed": run.seed,
        "config": dict(run.config),
        "trace": None if run.trace is None else json.loads(run.trace.layout),
    }
    text = json.dumps(about, ensure_ascii=False, allow_nan=False)
    save_run(
        path,
        None if run.trigger_ns is None else np.ascontiguousarray(run.trigger_ns),
        np.ascontiguousarray(run.completion_ns),
        np.ascontiguousarray(run.outcome),
        [outcome.name.lower() for outcome in Outcome],
        run.trace,
        text,
        force or _holds(path, text),
    )


def _holds(path: Path, text: str) -> bool:
    """Whether a file is there with this run in it, whichever airlag wrote it."""
    if not is_parquet(path):
        return False
    try:
        held = json.loads(SavedRun(path).metadata)
    except (CaptureError, ValueError):
        return False
    here = json.loads(text)
    return isinstance(held, dict) and held | {"airlag": None} == here | {"airlag": None}


def load(path: str | Path, memory_bytes: int | None = None) -> Stored:
    """Reads what :func:`save` wrote, with at most ``memory_bytes``.

    Raises :class:`CaptureError` when the file is no Parquet file, not airlag's, damaged, from a
    later airlag, or over the limit.
    """
    held = SavedRun(path)
    trace, latency_ns = held.read(memory_bytes)
    about = json.loads(held.metadata)
    told = {key: about[key] for key in ("source", "link", "size", "seed", "config")}
    return Stored(**told, version=about.get("airlag"), trace=trace, latency_ns=latency_ns)
