"""Who runs the tasks of a sweep: threads of this process here, others in files of their own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from os import cpu_count
from queue import Empty, SimpleQueue
from typing import Protocol

from airlag.core.parallel import TURN_S
from airlag.questions.sweeps.task import Done, Task, work


class PoolError(RuntimeError):
    """Who runs the tasks cannot: one line that says why, and what would help."""


class Pool(Protocol):
    """Runs tasks, in any order."""

    def room(self) -> int:
        """How many tasks it wants to have at a time: so many that nobody waits for work."""
        ...

    def submit(self, task: Task) -> None:
        """Takes a task."""
        ...

    def next(self) -> Done:
        """What came of the next task that ends.

        Raises
        ------
        PoolError
            When no more will.
        """
        ...

    def close(self) -> None:
        """Ends, whatever is under way."""
        ...


class Inbox:
    """What came of tasks, put there by any thread, taken by the main one."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Done | BaseException] = SimpleQueue()

    def put(self, done: Done | BaseException) -> None:
        """Adds what came of a task."""
        self._queue.put(done)

    def next(self, look: Callable[[], None] = lambda: None) -> Done:
        """Waits for the next; meanwhile the main thread looks for signals, and calls ``look``."""
        while True:
            try:
                done = self._queue.get(timeout=TURN_S)
            except Empty:
                look()
                continue
            if isinstance(done, BaseException):
                raise done
            return done


class Threads:
    """Threads of this process: nothing to start, and nothing to be sent."""

    def __init__(self, many: int | None = None) -> None:
        self._many = many or cpu_count() or 1
        self._pool = ThreadPoolExecutor(self._many)
        self._inbox = Inbox()

    def room(self) -> int:
        """Twice as many as there are threads."""
        return 2 * self._many

    def submit(self, task: Task) -> None:
        """Takes a task."""

        def ended(future: Future[Done]) -> None:
            if not future.cancelled():
                error = future.exception()
                self._inbox.put(future.result() if error is None else error)

        self._pool.submit(work, task).add_done_callback(ended)

    def next(self) -> Done:
        """What came of the next task that ends."""
        return self._inbox.next()

    def close(self) -> None:
        """Ends; who is under way is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)
