"""Runs a sweep: hands out its tasks, a few at a time, and collects what comes of them.

What is kept does not depend on who ran a task, nor on which one ended first.
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

#: Schedulers of this computer: processes, one a core, or threads of this one.
HERE = ("local", "threads")
_ADDRESS = re.compile(r"[a-z][a-z0-9+]*://.+")


class Portion(Protocol):
    """Configurations that are collected together."""

    @property
    def configurations(self) -> range:
        """Their numbers."""

    def begun(self) -> Iterable[tuple[int, float | None]]:
        """Which runs of it there are, with the quantile that is looked at."""

    def add(self, done: Done) -> float | None:
        """Keeps what came of a run; gives the quantile that is looked at."""

    def end(self) -> None:
        """All of it is there."""


@dataclass(slots=True)
class _Open:
    """A portion of which some is missing."""

    portion: Portion
    #: The quantile of every run that there is, by its number.
    looked: dict[int, float | None]
    #: How many runs there are to be of each configuration, as far as is known.
    wanted: dict[int, int] = field(default_factory=dict)
    #: How many of them have not ended.
    under_way: dict[int, int] = field(default_factory=dict)
    #: How many configurations miss something.
    unsettled: int = 0


def execute(
    sweep: Sweep, portions: Iterable[Portion], pool: Pool, step: Callable[[int], None]
) -> None:
    """Runs in a pool what is missing of the portions of a sweep.

    ``step`` is called with 0 after each run, and with how many are no longer needed where the
    interval is narrow enough.

    Raises :class:`LinkError` for a combination that cannot be run, where that is not to be a row;
    :class:`PoolError` when the tasks cannot be run; :class:`OSError` when a row cannot be kept.
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
                    f"a worker has airlag {done.version}, and this is {__version__}; install one "
                    "version everywhere"
                )
            if done.problem is not None and not self.sweep.keep_impossible:
                raise LinkError(done.problem)
            self._take(done)

    def _next(self) -> int | None:
        """The next run that is missing, if any is known to be."""
        return self.due.popleft() if self.due else next(self.fresh, None)

    def _fresh(self) -> Iterator[int]:
        """The runs of portions that nobody has begun; those of a configuration by and by."""
        for portion in self.portions:
            configurations = portion.configurations
            held = _Open(portion, dict(portion.begun()), unsettled=len(configurations))
            self.open |= dict.fromkeys(configurations, held)
            for configuration in configurations:
                yield from self._missing(held, configuration)

    def _missing(self, held: _Open, configuration: int) -> list[int]:
        """What there is to be run of a configuration that has all that it was to have so far.

        Settles it where that is nothing.
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
        """A configuration has all its runs."""
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
    """All of a sweep: what came of each run, by its number."""

    sweep: Sweep
    held: dict[int, Done] = field(default_factory=dict)

    @property
    def configurations(self) -> range:
        """All that there are."""
        return range(self.sweep.configurations)

    def begun(self) -> Iterable[tuple[int, float | None]]:
        """No runs."""
        return ()

    def add(self, done: Done) -> float | None:
        """Holds it."""
        self.held[done.run] = done
        looked = self.sweep.looked
        return None if looked is None else done.told.get(looked)

    def end(self) -> None:
        """There is nothing to be done."""


class Progress:
    """Reports nothing; a command line overrides both."""

    def begin(self, before: int, most: int) -> None:
        """So many runs exist already, and so many there are to be at most."""

    def step(self, spared: int) -> None:
        """A run has ended (0), or so many others are no longer needed."""


@contextmanager
def pool(scheduler: Any, name: str, workers: int | None = None) -> Iterator[Pool]:
    """Who runs the tasks: one of :data:`HERE`, or a Dask cluster, by its address or itself.

    ``name`` tells the tasks of this sweep from others on a cluster; ``workers`` is how many work
    here, by default one a core. Raises :class:`PoolError` when there is no such scheduler, or it
    does not answer.
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
    try:
        before, most = dataset.so_far()
        told.begin(before, most)
        if not all(map(dataset.is_there, dataset.parts())):
            with pool(scheduler, to_json(about_of(sweep)), workers) as who:
                execute(sweep, dataset.missing(), who, told.step)
        complete = True
    finally:
        dataset.close(complete=complete)
    return before


def in_memory(sweep: Sweep, scheduler: Any = "threads", workers: int | None = None) -> list[Done]:
    """What came of every run, in the order of their numbers.

    Raises :class:`PoolError` or :class:`LinkError` for what cannot be run.
    """
    memory = InMemory(sweep)
    with pool(scheduler, to_json(about_of(sweep)), workers) as who:
        execute(sweep, [memory], who, Progress().step)
    return [memory.held[run] for run in sorted(memory.held)]
