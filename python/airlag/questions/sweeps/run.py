"""Coordination of a sweep: submits a limited number of tasks at a time, and collects results.

Stored results are independent of executor and completion order.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol

from airlag._airlag import LinkError, __version__
from airlag.core.display import to_json
from airlag.questions.sweeps.dataset import Dataset, about_of
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.pool import Pool, PoolError, Processes, Threads
from airlag.questions.sweeps.task import Done

#: Local executors: processes, one per core, or threads of this process.
LOCAL = ("local", "threads")
_ADDRESS = re.compile(r"[a-z][a-z0-9+]*://.+")


class Portion(Protocol):
    """Configurations that are stored together."""

    @property
    def configurations(self) -> range:
        """Numbers of its configurations."""

    def begun(self) -> Iterable[tuple[int, float | None]]:
        """Finished runs, each with the quantile that determines the number of runs."""

    def add(self, done: Done) -> float | None:
        """Stores the result of a run; returns the quantile that determines the number of runs."""

    def end(self) -> None:
        """Completes the portion."""


@dataclass(slots=True)
class _Open:
    """An incomplete portion."""

    portion: Portion
    #: Monitored quantile of each finished run, by number.
    looked: dict[int, float | None]
    #: Required runs of each configuration, as far as known.
    wanted: dict[int, int] = field(default_factory=dict)
    #: Runs in progress by configuration.
    under_way: dict[int, int] = field(default_factory=dict)
    #: Number of incomplete configurations.
    unsettled: int = 0


def execute(
    sweep: Sweep, portions: Iterable[Portion], pool: Pool, step: Callable[[int], None]
) -> None:
    """Executes the missing runs of ``portions`` of a sweep in ``pool``.

    ``step(0)`` is called after each run. ``step(n)`` is called when the confidence interval of a
    configuration is so narrow that ``n`` runs are no longer needed.

    Raises :class:`LinkError` for an invalid combination of values that the sweep does not keep as a
    row, :class:`PoolError` if tasks cannot run, and :class:`OSError` if a row cannot be written.
    """
    _Execution(sweep, portions, pool, step).run()


class _Execution:
    def __init__(
        self,
        sweep: Sweep,
        portions: Iterable[Portion],
        pool: Pool,
        step: Callable[[int], None],
    ) -> None:
        self.sweep, self.portions, self.pool, self.step = sweep, portions, pool, step
        self.open: dict[int, _Open] = {}
        self.due: deque[int] = deque()
        self.fresh = self._fresh()

    def run(self) -> None:
        under_way = 0
        while True:
            while under_way < self.pool.room() and (run := self._next()) is not None:
                self.pool.submit(self.sweep.task(run))
                under_way += 1
            if not under_way:
                return
            done = self.pool.next()
            under_way -= 1
            if done.version != __version__:
                raise PoolError(
                    f"a worker runs airlag {done.version}, this process {__version__}; install "
                    "the same version everywhere"
                )
            if done.problem is not None and not self.sweep.keep_impossible:
                raise LinkError(done.problem)
            self._take(done)

    def _next(self) -> int | None:
        """Number of the next missing run; ``None`` if none is known."""
        return self.due.popleft() if self.due else next(self.fresh, None)

    def _fresh(self) -> Iterator[int]:
        """Yields runs of new portions. Those of one configuration are yielded incrementally."""
        for portion in self.portions:
            configurations = portion.configurations
            held = _Open(portion, dict(portion.begun()), unsettled=len(configurations))
            self.open |= dict.fromkeys(configurations, held)
            for configuration in configurations:
                yield from self._missing(held, configuration)

    def _missing(self, held: _Open, configuration: int) -> list[int]:
        """Missing runs of a configuration whose submitted runs have all finished.

        If none is missing, the configuration is complete.
        """
        most, first = self.sweep.most, configuration * self.sweep.most
        there = held.looked
        before = held.wanted.get(configuration, 0)
        while True:
            known = [there[run] for run in range(first, first + before)]
            wanted = self.sweep.wanted(known)
            if wanted <= before:
                break
            missing = [run for run in range(first + before, first + wanted) if run not in there]
            held.wanted[configuration] = before = wanted
            if missing:
                held.under_way[configuration] = len(missing)
                return missing
        self._settle(held, configuration, most - before)
        return []

    def _settle(self, held: _Open, configuration: int, spared: int) -> None:
        """Marks a configuration as complete."""
        del self.open[configuration]
        held.unsettled -= 1
        if spared:
            self.step(spared)
        if not held.unsettled:
            held.portion.end()

    def _take(self, done: Done) -> None:
        configuration = done.run // self.sweep.most
        held = self.open[configuration]
        held.looked[done.run] = held.portion.add(done)
        self.step(0)
        held.under_way[configuration] -= 1
        if not held.under_way[configuration]:
            self.due += self._missing(held, configuration)


@dataclass
class InMemory:
    """A whole sweep in memory: results by run number."""

    sweep: Sweep
    held: dict[int, Done] = field(default_factory=dict)

    @property
    def configurations(self) -> range:
        """All configurations."""
        return range(self.sweep.configurations)

    def begun(self) -> Iterable[tuple[int, float | None]]:
        """No runs."""
        return ()

    def add(self, done: Done) -> float | None:
        """Stores the result."""
        self.held[done.run] = done
        looked = self.sweep.looked
        return None if looked is None else done.values.get(looked)

    def end(self) -> None:
        """Does nothing."""


class Progress:
    """Progress callbacks that do nothing; the command line overrides them."""

    def begin(self, before: int, most: int) -> None:
        """Starts with ``before`` existing runs of at most ``most``."""

    def step(self, spared: int) -> None:
        """Counts one finished run (0), or ``spared`` runs that are no longer needed."""


@contextmanager
def pool(scheduler: Any, name: str, workers: int | None = None) -> Iterator[Pool]:
    """Opens an executor: ``scheduler`` is one of :data:`LOCAL`, or a Dask address or client.

    ``name`` distinguishes the tasks of this sweep on a Dask cluster. ``workers`` is the number of
    local workers, by default one per core. Raises :class:`PoolError` if the scheduler is unknown
    or does not respond.
    """
    made: Pool
    if scheduler == "local":
        made = Processes(workers)
    elif scheduler == "threads":
        made = Threads(workers)
    elif isinstance(scheduler, str) and _ADDRESS.fullmatch(scheduler) is None:
        near = get_close_matches(scheduler, LOCAL, 1)
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
    """Executes the runs missing in ``folder``; returns the number of runs that already existed.

    Raises :class:`SweepError` if the folder contains anything but this sweep, :class:`LinkError` if
    a run fails, :class:`PoolError` if a worker fails, and :class:`OSError` if a write fails.
    """
    reporter = progress or Progress()
    dataset = Dataset(folder, sweep)
    dataset.open()
    complete = False
    try:
        before, most = dataset.so_far()
        reporter.begin(before, most)
        if not all(map(dataset.is_there, dataset.parts())):
            with pool(scheduler, to_json(about_of(sweep)), workers) as who:
                execute(sweep, dataset.missing(), who, reporter.step)
        complete = True
    finally:
        dataset.close(complete=complete)
    return before


def in_memory(sweep: Sweep, scheduler: Any = "threads", workers: int | None = None) -> list[Done]:
    """Returns the results of all runs in number order.

    Raises :class:`PoolError` or :class:`LinkError` for runs that fail.
    """
    memory = InMemory(sweep)
    with pool(scheduler, to_json(about_of(sweep)), workers) as who:
        execute(sweep, [memory], who, Progress().step)
    return [memory.held[run] for run in sorted(memory.held)]
