"""A sweep from beginning to end: from a plan and a scheduler to rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from airlag.core.display import to_json
from airlag.questions.sweeps.dataset import Dataset, about_of
from airlag.questions.sweeps.engine import ToDataset, ToMemory, execute
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.pool import Pool, PoolError, Processes, Threads
from airlag.questions.sweeps.task import Done

#: Schedulers of this computer: processes, one a core, or threads of this one.
HERE = ("local", "threads")
_ADDRESS = re.compile(r"[a-z][a-z0-9+]*://.+")


class Progress:
    """Reports nothing; a command line overrides both."""

    def begin(self, before: int, most: int) -> None:
        """So many runs exist already, and so many there are to be at most."""

    def step(self, spared: int) -> None:
        """A run has ended (0), or so many others are no longer needed."""


@contextmanager
def pool(scheduler: Any, name: str, workers: int | None = None) -> Iterator[Pool]:
    """Who runs the tasks: one of :data:`HERE`, or a Dask cluster, by its address or itself.

    ``name`` tells the tasks of this sweep from others on a cluster; ``workers`` is how many work here,
    by default one a core. Raises :class:`PoolError` when there is no such scheduler, or it does not
    answer.
    """
    made: Pool
    if scheduler == "local":
        made = Processes(workers)
    elif scheduler == "threads":
        made = Threads(workers)
    elif isinstance(scheduler, str) and _ADDRESS.fullmatch(scheduler) is None:
        near = get_close_matches(scheduler, HERE, 1)
        meant = f"did you mean {near[0]}?" if near else "write local, or tcp://HOST:8786"
        raise PoolError(f"no scheduler {scheduler[:80]!r}; {meant}")
    else:
        from airlag.questions.sweeps.cluster import Cluster

        made = Cluster(scheduler, name)
    try:
        yield made
    finally:
        made.close()


def to_folder(
    sweep: Sweep,
    folder: Path,
    scheduler: Any = "local",
    workers: int | None = None,
    progress: Progress | None = None,
) -> int:
    """Runs what is missing of a dataset; returns how many runs were there before.

    Raises :class:`SweepError` for what is there already, :class:`PoolError` or :class:`LinkError`
    for what cannot be run, and :class:`OSError` when it cannot be written.
    """
    told = progress or Progress()
    dataset = Dataset(folder, sweep)
    dataset.open()
    complete = False
    sink = ToDataset(dataset)
    try:
        before, most = dataset.so_far()
        told.begin(before, most)
        if not all(map(dataset.is_there, dataset.parts())):
            with pool(scheduler, to_json(about_of(sweep)), workers) as who:
                execute(sweep, sink, who, told.step)
        complete = True
    finally:
        sink.close()
        dataset.close(complete=complete)
    return before


def in_memory(sweep: Sweep, scheduler: Any = "threads", workers: int | None = None) -> list[Done]:
    """What came of every run, in the order of their numbers.

    Raises :class:`PoolError` or :class:`LinkError` for what cannot be run.
    """
    sink = ToMemory(sweep)
    with pool(scheduler, to_json(about_of(sweep)), workers) as who:
        execute(sweep, sink, who, Progress().step)
    return [sink.held[run] for run in sorted(sink.held)]
