"""Who runs the tasks of a sweep: threads of this process, or processes of this computer.

Processes are started as commands of their own, since those that :mod:`multiprocessing` starts run
the script of the user again unless it was written for that; and each has a pipe of its own, so that
one that is killed costs its run and no other, which the executors of the standard library do not
promise. The run is given to a fresh process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from queue import Empty, SimpleQueue
from threading import Lock
from typing import NamedTuple, Protocol

from airlag._airlag import Interrupt
from airlag.core.parallel import TURN_S
from airlag.questions.sweeps.task import Done, Task, work

#: How often a run may end its process before nobody tries any more.
TRIES = 3


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
        """What came of the next task that ends; raises :class:`PoolError` when no more will."""
        ...

    def close(self) -> None:
        """Ends, whatever is under way."""
        ...


class Threads:
    """Threads of this process: nothing to start, and nothing to be sent."""

    def __init__(self, many: int | None = None) -> None:
        self._many = many or os.cpu_count() or 1
        self._interrupt = Interrupt()
        self._pool = ThreadPoolExecutor(self._many, initializer=self._interrupt.adopt)
        self._ended: SimpleQueue[Future[Done]] = SimpleQueue()

    def _run(self, task: Task) -> Done:
        return work(task)

    def room(self) -> int:
        """One that is run and one that waits, for each thread."""
        return 2 * self._many

    def submit(self, task: Task) -> None:
        """Takes a task."""
        self._pool.submit(self._run, task).add_done_callback(self._ended.put)

    def next(self) -> Done:
        """What came of the next task that ends; meanwhile the main thread looks for signals."""
        while True:
            try:
                return self._ended.get(timeout=TURN_S).result()
            except Empty:
                continue

    def close(self) -> None:
        """Ends, whatever is under way."""
        self._interrupt.request()
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Worker(NamedTuple):
    process: subprocess.Popen[bytes]
    pipe: Connection


class Processes(Threads):
    """Processes, each of which a thread here feeds."""

    def __init__(self, many: int | None = None) -> None:
        super().__init__(many)
        self._lock = Lock()
        self._idle: list[_Worker] = []
        self._running: set[_Worker] = set()
        self._closed = False

    def _run(self, task: Task) -> Done:
        for _ in range(TRIES):
            worker = self._worker()
            try:
                worker.pipe.send(task)
                done = worker.pipe.recv()
            except (OSError, EOFError):
                self._end(worker)
                continue
            self._idle.append(worker)
            if isinstance(done, BaseException):
                raise done
            assert isinstance(done, Done)
            return done
        raise PoolError(
            f"run {task.run} ({task.request.link}) ended {TRIES} processes that tried it; "
            "look for what kills them, such as a limit on memory"
        )

    def _worker(self) -> _Worker:
        """A process that waits for a task, or a fresh one."""
        with self._lock:
            if self._closed:
                raise PoolError("the sweep has ended")
            if self._idle:
                return self._idle.pop()
            here, there = Pipe()
            try:
                process = subprocess.Popen(
                    [sys.executable, "-m", __name__, str(there.fileno())],
                    stdin=subprocess.DEVNULL,
                    # What a library prints is no result.
                    stdout=2,
                    pass_fds=[there.fileno()],
                    # Ctrl-C is for the command, which knows what to do about it.
                    process_group=0,
                )
            except OSError as error:
                why = error.strerror or error
                raise PoolError(f"no process can be started ({why})") from None
            finally:
                there.close()
            worker = _Worker(process, here)
            self._running.add(worker)
            return worker

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.wait()
        worker.pipe.close()
        with self._lock:
            self._running.discard(worker)

    def close(self) -> None:
        """Ends all of them, whatever they do."""
        super().close()
        with self._lock:
            self._closed = True
            running = list(self._running)
        for worker in running:
            worker.process.kill()
        for worker in running:
            worker.process.wait()


def serve(pipe: Connection) -> None:
    """Answers every task that comes with what came of it, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            task = pipe.recv()
            done: Done | BaseException
            try:
                done = work(task)
            except (MemoryError, RuntimeError, ValueError) as error:
                done = error
            pipe.send(done)
    except (EOFError, OSError):
        os._exit(0)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
