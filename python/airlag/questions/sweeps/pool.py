"""Executors of sweep tasks: threads of this process, or processes on this computer.

Workers are started as commands, because :mod:`multiprocessing` would execute the user's script
again unless the script is guarded. Each worker has a pipe of its own. A killed worker loses only
its current run, and a new worker retries it. Standard-library executors may lose more runs.
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
from airlag.core.parallel import POLL_S
from airlag.questions.sweeps.task import Done, Task, work

#: Attempts of a run that kills its process.
TRIES = 3


class PoolError(RuntimeError):
    """Failure of an executor; one line with cause and remedy."""


class Pool(Protocol):
    """Runs tasks in any order."""

    def room(self) -> int:
        """Number of tasks that the pool accepts now so that all workers stay busy."""
        ...

    def submit(self, task: Task) -> None:
        """Accepts a task."""
        ...

    def next(self) -> Done:
        """Returns the next finished task; raises :class:`PoolError` if no more will finish."""
        ...

    def close(self) -> None:
        """Stops the pool and any tasks in progress."""
        ...


class Threads:
    """Threads of this process."""

    def __init__(self, many: int | None = None) -> None:
        self._many = many or os.cpu_count() or 1
        self._interrupt = Interrupt()
        self._pool = ThreadPoolExecutor(self._many, initializer=self._interrupt.adopt)
        self._ended: SimpleQueue[Future[Done]] = SimpleQueue()

    def _run(self, task: Task) -> Done:
        return work(task)

    def room(self) -> int:
        """One running and one waiting task per thread."""
        return 2 * self._many

    def submit(self, task: Task) -> None:
        """Accepts a task."""
        self._pool.submit(self._run, task).add_done_callback(self._ended.put)

    def next(self) -> Done:
        """Returns the next finished task; the main thread polls for signals while it waits."""
        while True:
            try:
                return self._ended.get(timeout=POLL_S).result()
            except Empty:
                continue

    def close(self) -> None:
        """Stops the pool and any tasks in progress."""
        self._interrupt.request()
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Worker(NamedTuple):
    process: subprocess.Popen[bytes]
    pipe: Connection


class Processes(Threads):
    """Worker processes, each fed by a thread."""

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
            f"run {task.run} ({task.request.link}) ended {TRIES} processes; "
            "check what kills them, such as a memory limit"
        )

    def _worker(self) -> _Worker:
        """Returns an idle worker, or starts one."""
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
                    # Discards library output.
                    stdout=2,
                    pass_fds=[there.fileno()],
                    # The parent process handles Ctrl-C.
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
        """Kills all workers."""
        super().close()
        with self._lock:
            self._closed = True
            running = list(self._running)
        for worker in running:
            worker.process.kill()
        for worker in running:
            worker.process.wait()


def serve(pipe: Connection) -> None:
    """Runs tasks from the pipe until it closes."""
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
