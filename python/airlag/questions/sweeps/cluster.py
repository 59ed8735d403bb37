"""Executor on a Dask cluster. The Dask scheduler reassigns the runs of failed workers.

Only this module imports `dask.distributed`. The Dask dashboard shows runs as ``airlag-run …``.
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
from airlag.core.parallel import POLL_S
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.task import Done, Task, version, work

#: Time limit for an answer of the scheduler, s.
PATIENCE_S = 10
#: Interval at which workers are counted, s, because they come and go.
COUNT_S = 2.0
#: Tasks per worker thread, and minimum in total.
_EACH, _LEAST = 4, 32
#: Results are fetched, and tasks sent, in batches of a quarter or after this interval, s. Single
#: transfers double the scheduler's cost per run, 5.9 ms instead of 3.0 ms, for runs of 22 ms.
_SHARE, _GATHER_S = 4, 0.25


class Cluster:
    """Runs tasks on a Dask cluster. A client passed by the caller stays open.

    ``name`` distinguishes the tasks of this sweep.
    """

    def __init__(self, scheduler: Any, name: str) -> None:
        distributed = library("distributed", "dask", PoolError, "a cluster needs Dask, which")
        self._client: Any
        self._there = scheduler if isinstance(scheduler, str) else "the cluster"
        self._lost: type[BaseException] = distributed.client.FutureCancelledError
        self._killed: type[BaseException] = distributed.KilledWorker
        if isinstance(scheduler, str):
            # Connection errors are reported in one line instead.
            for logger in list(logging.root.manager.loggerDict):
                if logger.partition(".")[0] == "distributed":
                    logging.getLogger(logger).setLevel(logging.CRITICAL)
        self._own = not isinstance(scheduler, distributed.Client)
        if self._own:
            self._client = _connected(distributed.Client, scheduler)
        else:
            self._client = scheduler
        if self._client.asynchronous:
            raise PoolError("the client is asynchronous; pass a synchronous one")
        self._name = sha256(name.encode()).hexdigest()[:12]
        self._due: list[Task] = []
        self._held: set[Any] = set()
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._done: deque[Done] = deque()
        self._counted_s = float("-inf")
        self._room = _LEAST
        self._check()

    def _check(self) -> None:
        """Checks the version of all workers; those that join later are checked with each run."""
        with self._reached():
            versions = self._client.run(version, on_error="return")
        for worker, there in versions.items():
            if there != version():
                has = f"airlag {there}" if isinstance(there, str) else "no airlag that can sweep"
                raise PoolError(
                    f"worker {worker} runs {has}, this process {version()}; install the same "
                    "version everywhere"
                )

    def room(self) -> int:
        """Number of tasks to submit: a few per worker thread, because results arrive in batches."""
        now = time.monotonic()
        if now - self._counted_s > COUNT_S:
            self._counted_s = now
            with self._reached():
                threads = sum(self._client.nthreads().values())
            self._room = max(_LEAST, _EACH * threads)
        return self._room

    def submit(self, task: Task) -> None:
        """Queues a task; it is sent in a batch when the next result is requested."""
        self._due.append(task)

    def next(self) -> Done:
        """Returns the next finished task.

        Raises :class:`PoolError` if the scheduler is gone, or if a run kills several workers.
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
            # Runs in a thread of the client.
            future.add_done_callback(self._ended.put)

    def _gathered(self) -> list[Done]:
        """Fetches the results that finish next."""
        futures: list[Any] = []
        until = time.monotonic() + _GATHER_S
        while not futures or (
            time.monotonic() < until and len(futures) < max(1, len(self._held) // _SHARE)
        ):
            try:
                futures.append(self._ended.get(timeout=POLL_S))
            except Empty:
                self._look()
        # Releases the results on the cluster.
        self._held.difference_update(futures)
        try:
            done: list[Done] = self._client.gather(futures)
        except self._killed as error:
            raise PoolError(
                f"a run ended every worker that tried it ({str(error)[:120]}); check what "
                "kills them, such as a memory limit"
            ) from None
        return done

    @contextmanager
    def _reached(self) -> Iterator[None]:
        """Converts a connection failure to the error that the scheduler is gone."""
        try:
            yield
        except (OSError, self._lost):
            raise PoolError(self._gone()) from None

    def _look(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise PoolError(self._gone())

    def _gone(self) -> str:
        return f"--scheduler {self._there} is gone; restart it, and the same command resumes"

    def close(self) -> None:
        """Stops, and cancels tasks in progress."""
        held = list(self._held)
        self._held.clear()
        # A scheduler that is gone cannot cancel tasks.
        with suppress(PoolError), self._reached():
            if self._client.status == "running":
                self._client.cancel(held, force=True)
            if self._own:
                self._client.close(timeout=2)


def _connected(client: Callable[..., Any], scheduler: Any) -> Any:
    """Connects to a scheduler; raises :class:`PoolError` if no scheduler answers in time.

    The connection is made in a thread, because Dask waits indefinitely for the first answer.
    """
    ended: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            ended.put(client(scheduler, timeout=PATIENCE_S, set_as_default=False, name="airlag"))
        except BaseException as error:
            # A malformed answer may raise any exception in the client.
            ended.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        found = ended.get(timeout=2 * PATIENCE_S)
    except Empty:
        found = TimeoutError(f"no response in {2 * PATIENCE_S} s")
    if not isinstance(found, BaseException):
        return found
    said = printable(str(found).split("\n")[0])[:120] or type(found).__name__
    raise PoolError(
        f"--scheduler {scheduler}: no Dask scheduler responds ({said}); start one with "
        "`dask scheduler`, and workers with `dask worker`"
    )
