"""A Dask cluster: its scheduler gives every run to a worker, and again to another if that one dies.

`dask.distributed` is loaded here and nowhere else. Runs are tasks named ``airlag-run …``, which its
dashboard shows.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib import import_module
from typing import Any

from airlag.sweeps.pool import Inbox, PoolError
from airlag.sweeps.task import Done, Task, version, work

#: How long a scheduler has to answer, s.
PATIENCE_S = 10
#: How often the workers are counted, s: they come and go.
COUNT_S = 2.0
#: How many tasks each of their threads has, and the fewest of all.
_EACH, _LEAST = 4, 32


class Cluster:
    """Runs tasks on a Dask cluster.

    Parameters
    ----------
    scheduler
        Its address, a cluster, or a client, which stays open.
    name
        What tells the tasks of this sweep from others.
    """

    def __init__(self, scheduler: Any, name: str) -> None:
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise PoolError(
                "a cluster needs Dask, which is not installed; pip install 'airlag[dask]'"
            ) from None
        self._client: Any
        self._there = scheduler if isinstance(scheduler, str) else "the cluster"
        self._lost: type[BaseException] = distributed.client.FutureCancelledError
        self._killed: type[BaseException] = distributed.KilledWorker
        if isinstance(scheduler, str):
            # What it says of connections is said here, in one line.
            for name in list(logging.root.manager.loggerDict):
                if name.partition(".")[0] == "distributed":
                    logging.getLogger(name).setLevel(logging.CRITICAL)
        self._own = not isinstance(scheduler, distributed.Client)
        if self._own:
            try:
                self._client = distributed.Client(
                    scheduler, timeout=PATIENCE_S, set_as_default=False, name="airlag"
                )
            except (OSError, ValueError) as error:
                raise PoolError(_unanswered(self._there, error)) from None
        else:
            self._client = scheduler
        if self._client.asynchronous:
            raise PoolError("the client is asynchronous; give one that is not")
        self._inbox = Inbox()
        self._name = sha256(name.encode()).hexdigest()[:12]
        self._held: dict[int, Any] = {}
        self._counted_s = float("-inf")
        self._room = _LEAST
        self._check()

    def _check(self) -> None:
        """All workers that there are have this airlag; those that come are asked with each run."""
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
        """Takes a task."""
        with self._reached():
            future = self._client.submit(
                work, task, key=f"airlag-run-{self._name}-{task.run}", pure=False
            )
        self._held[task.run] = future
        future.add_done_callback(self._ended)

    def _ended(self, future: Any) -> None:
        """In a thread of the client."""
        try:
            self._inbox.put(future.result())
        except self._killed as error:
            self._inbox.put(
                PoolError(
                    f"a run ended every worker that tried it ({str(error)[:120]}); look for what "
                    "kills them, such as a limit on memory"
                )
            )
        except BaseException as error:
            self._inbox.put(error)

    def next(self) -> Done:
        """What came of the next task that ends.

        Raises
        ------
        PoolError
            When the scheduler is gone, or a run ends worker after worker.
        """
        with self._reached():
            done = self._inbox.next(self._look)
        # Nobody needs its result any more.
        self._held.pop(done.run).release()
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
        held = list(self._held.values())
        self._held.clear()
        # Of one that is gone there is nothing to be called off.
        with suppress(PoolError), self._reached():
            if self._client.status == "running":
                self._client.cancel(held, force=True)
            if self._own:
                self._client.close(timeout=2)


def _unanswered(there: str, error: BaseException) -> str:
    said = str(error).split("\n")[0][:120]
    return (
        f"--scheduler {there}: nobody answers ({said}); start one with `dask scheduler`, and "
        "workers with `dask worker`"
    )
