"""A Dask cluster: its scheduler gives every run to a worker, and again to another if that one dies.

`dask.distributed` is loaded here and nowhere else. Runs are tasks named ``airlag-run …``, which its
dashboard shows.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from airlag.core.display import printable
from airlag.core.extras import library
from airlag.core.parallel import TURN_S
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.task import Done, Task, version, work

#: How long a scheduler has to answer, s.
PATIENCE_S = 10
#: How often the workers are counted, s: they come and go.
COUNT_S = 2.0
#: How many tasks each of their threads has, and the fewest of all.
_EACH, _LEAST = 4, 32
#: Results are fetched, and tasks sent, a quarter of all at a time, or after so long, s: each by
#: itself takes the scheduler twice as long, 5.9 ms instead of 3.0, beside runs of 22 ms.
_SHARE, _GATHER_S = 4, 0.25


class Cluster:
    """Runs tasks on a Dask cluster; a client that is given stays open.

    ``name`` tells the tasks of this sweep from others.
    """

    def __init__(self, scheduler: Any, name: str) -> None:
        distributed = library("distributed", "dask", PoolError, "a cluster needs Dask, which")
        self._client: Any
        self._there = scheduler if isinstance(scheduler, str) else "the cluster"
        self._lost: type[BaseException] = distributed.client.FutureCancelledError
        self._killed: type[BaseException] = distributed.KilledWorker
        if isinstance(scheduler, str):
            # What it says of connections is said here, in one line.
            for logger in list(logging.root.manager.loggerDict):
                if logger.partition(".")[0] == "distributed":
                    logging.getLogger(logger).setLevel(logging.CRITICAL)
        self._own = not isinstance(scheduler, distributed.Client)
        if self._own:
            self._client = _connected(distributed.Client, scheduler)
        else:
            self._client = scheduler
        if self._client.asynchronous:
            raise PoolError("the client is asynchronous; give one that is not")
        self._name = sha256(name.encode()).hexdigest()[:12]
        self._due: list[Task] = []
        self._held: set[Any] = set()
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._done: deque[Done] = deque()
        self._counted_s = float("-inf")
        self._room = _LEAST
        self._check()

    def _check(self) -> None:
        """All workers that there are have this airlag; those that come are asked with each run."""
        with self._reached():
            told = self._client.run(version, on_error="return")
        for worker, there in told.items():
            if there != version():
                has = f"airlag {there}" if isinstance(there, str) else "no airlag that can sweep"
                raise PoolError(
                    f"worker {worker} has {has}, and this is {version()}; install one version "
                    "everywhere"
                )

    def room(self) -> int:
        """A few for each thread of each worker, as results take a while to come."""
        now = time.monotonic()
        if now - self._counted_s > COUNT_S:
            self._counted_s = now
            with self._reached():
                threads = sum(self._client.nthreads().values())
            self._room = max(_LEAST, _EACH * threads)
        return self._room

    def submit(self, task: Task) -> None:
        """Takes a task; it is sent with others, when the next result is asked for."""
        self._due.append(task)

    def next(self) -> Done:
        """What came of the next task that ends.

        Raises :class:`PoolError` when the scheduler is gone, or a run ends worker after worker.
        """
        if not self._done:
            with self._reached():
                self._send()
                self._done.extend(self._gathered())
        return self._done.popleft()

    def _send(self) -> None:
        if not self._due:
            return
        keys = [f"airlag-run-{self._name}-{task.run}" for task in self._due]
        futures = self._client.map(work, self._due, key=keys, pure=False)
        self._due.clear()
        self._held.update(futures)
        for future in futures:
            # In a thread of the client.
            future.add_done_callback(self._ended.put)

    def _gathered(self) -> list[Done]:
        """What came of the tasks that end next."""
        futures: list[Any] = []
        until = time.monotonic() + _GATHER_S
        while not futures or (
            time.monotonic() < until and len(futures) < max(1, len(self._held) // _SHARE)
        ):
            try:
                futures.append(self._ended.get(timeout=TURN_S))
            except Empty:
                self._look()
        # Nobody needs their results any more.
        self._held.difference_update(futures)
        try:
            done: list[Done] = self._client.gather(futures)
        except self._killed as error:
            raise PoolError(
                f"a run ended every worker that tried it ({str(error)[:120]}); look for what "
                "kills them, such as a limit on memory"
            ) from None
        return done

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """What a connection that breaks says is that the scheduler is gone."""
        try:
            yield
        except (OSError, self._lost):
            raise PoolError(self._gone()) from None

    def _look(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise PoolError(self._gone())

    def _gone(self) -> str:
        return f"--scheduler {self._there} is gone; start it again, and the same command goes on"

    def close(self) -> None:
        """Ends; what is under way is called off."""
        held = list(self._held)
        self._held.clear()
        # Of one that is gone there is nothing to be called off.
        with suppress(PoolError), self._reached():
            if self._client.status == "running":
                self._client.cancel(held, force=True)
            if self._own:
                self._client.close(timeout=2)


def _connected(client: Callable[..., Any], scheduler: Any) -> Any:
    """A client of a scheduler; raises :class:`PoolError` where none of Dask answers in time.

    Dask waits for the first answer without a limit, so it does so in a thread of its own.
    """
    ended: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            ended.put(client(scheduler, timeout=PATIENCE_S, set_as_default=False, name="airlag"))
        except BaseException as error:
            # Any exception that a malformed answer causes in the client.
            ended.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        found = ended.get(timeout=2 * PATIENCE_S)
    except Empty:
        found = TimeoutError(f"no answer in {2 * PATIENCE_S} s")
    if not isinstance(found, BaseException):
        return found
    said = printable(str(found).split("\n")[0])[:120] or type(found).__name__
    raise PoolError(
        f"--scheduler {scheduler}: no scheduler of Dask answers ({said}); start one with "
        "`dask scheduler`, and workers with `dask worker`"
    )
