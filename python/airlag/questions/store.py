"""Saved runs: Parquet files with every transfer, every raw edge, and the metadata of the run.

Each row contains one transfer. The rows are in the order of the triggers:

=================  ===========  ================================================================
column             type         meaning
=================  ===========  ================================================================
``trigger_ns``     int64        trigger instant, ns
``completion_ns``  int64        completion instant, ns; null if there is none
``outcome``        string       ``delivered``, ``lost``, ``censored`` or ``late``
``edge_channel``   list<uint8>  channel of each edge from this trigger until the next
``edge_ns``        list<int64>  instant of each of these edges, ns, ascending
=================  ===========  ================================================================

The other data needed to repeat the run is JSON under the file's metadata key ``airlag``. Statistics
are not stored but recomputed from the edges. The Rust core reads, writes and validates the file.
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

#: Metadata key of the JSON.
KEY = "airlag"
_MAGIC = b"PAR1"

Times = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Stored:
    """Content of a Parquet file of a run; see :class:`~airlag.Run`. The rest is derived from it."""

    source: str
    link: str | None
    size: int | None
    seed: int | None
    config: Mapping[str, Any]
    #: ``None`` if the file does not state its airlag version.
    version: str | None = None
    #: Raw edges of every channel; ``None`` for a latency table.
    trace: Trace | None = None
    #: Latency table, ns; ``None`` if there are edges.
    latency_ns: Times | None = None


def is_parquet(path: Path) -> bool:
    """Whether the file starts with the Parquet signature; ``False`` for a pipe."""
    # Peeking into a pipe would consume its data.
    if not paths.is_file(path):
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def save(run: Run, path: str | Path, *, force: bool = False) -> None:
    """Writes a run as Parquet; an existing file is replaced atomically.

    Parameters
    ----------
    run
        Run to save.
    path
        File to write. An existing file is replaced if its metadata shows the same run.
    force
        Replace an existing file, whatever it contains.

    Raises
    ------
    ValueError
        The run is from a capture, and was read without keeping the edges.
    FileExistsError
        A file with other content exists at the path, and ``force`` is false.
    OSError
        The file cannot be written.
    """
    path = Path(path)
    has_clock = run.trigger_ns is not None
    if has_clock and run.trace is None:
        raise ValueError(f"{run.source} has no edges; analyze it with keep_edges=True to save it")
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
    """Whether the file exists and contains this run, saved by any version."""
    if not is_parquet(path):
        return False
    try:
        held = json.loads(SavedRun(path).metadata)
    except (CaptureError, ValueError):
        return False
    here = json.loads(text)
    return isinstance(held, dict) and held | {"airlag": None} == here | {"airlag": None}


def load(path: str | Path, memory_bytes: int | None = None) -> Stored:
    """Reads a file written by :func:`save`, using at most ``memory_bytes`` of memory.

    Raises :class:`CaptureError` if the file is not Parquet, was not written by airlag, is damaged,
    was written by a later version of airlag, or needs more memory than ``memory_bytes``.
    """
    held = SavedRun(path)
    trace, latency_ns = held.read(memory_bytes)
    about = json.loads(held.metadata)
    entries = {key: about[key] for key in ("source", "link", "size", "seed", "config")}
    return Stored(**entries, version=about.get("airlag"), trace=trace, latency_ns=latency_ns)
