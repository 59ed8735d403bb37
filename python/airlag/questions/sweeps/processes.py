"""Processes of this computer, one a core.

They are started as commands of their own, since those that :mod:`multiprocessing` starts run the
script of the user again unless it was written for that; and each has a pipe of its own, so that one
that is killed costs its run and no other, which its executors do not promise. The run is given to a
fresh process.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
from queue import SimpleQueue
from typing import IO

from airlag.questions.sweeps.pool import Inbox, PoolError
from airlag.questions.sweeps.task import Done, Task

#: How often a run may end its process before nobody tries any more.
TRIES = 3
_LENGTH = struct.Struct("<Q")


def send(pipe: IO[bytes], value: object) -> None:
    """Writes a value and how long it is.

    Raises
    ------
    OSError
        When nobody reads.
    """
    told = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(told)) + told)
    pipe.flush()


def receive(pipe: IO[bytes]) -> object:
    """Reads what :func:`send` wrote.

    Raises
    ------
    EOFError
        When nobody writes any more.
    """
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    told = pipe.read(length)
    if len(told) < length:
        raise EOFError
    return pickle.loads(told)


class Processes:
    """Runs tasks in processes, each of which a thread here feeds."""

    def __init__(self, many: int | None = None) -> None:
        self._many = many or os.cpu_count() or 1
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._inbox = Inbox()
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closed = False
        for _ in range(self._many):
            threading.Thread(target=self._feed, daemon=True).start()

    def room(self) -> int:
        """One that is run and one that waits, for each."""
        return 2 * self._many

    def submit(self, task: Task) -> None:
        """Takes a task."""
        self._tasks.put(task)

    def next(self) -> Done:
        """What came of the next task that ends.

        Raises
        ------
        PoolError
            When a run ends its process again and again, or there can be none.
        """
        return self._inbox.next()

    def close(self) -> None:
        """Ends all of them, whatever they do."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        for process in running:
            process.kill()
        for _ in range(self._many):
            self._tasks.put(None)
        for process in running:
            process.wait()

    def _start(self) -> subprocess.Popen[bytes] | None:
        """A fresh process; ``None``: there are to be no more."""
        with self._lock:
            if self._closed:
                return None
            process = subprocess.Popen(
                [sys.executable, "-m", "airlag.questions.sweeps.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C is for the command, which knows what to do about it.
                process_group=0,
            )
            self._running.add(process)
            return process

    def _feed(self) -> None:
        process: subprocess.Popen[bytes] | None = None
        try:
            while (task := self._tasks.get()) is not None:
                for _ in range(TRIES):
                    process = process or self._start()
                    if process is None:
                        return
                    assert process.stdin is not None
                    assert process.stdout is not None
                    try:
                        send(process.stdin, task)
                        done = receive(process.stdout)
                    except (OSError, EOFError):
                        self._end(process)
                        process = None
                        continue
                    assert isinstance(done, Done | BaseException)
                    self._inbox.put(done)
                    break
                else:
                    asked = task.request
                    self._inbox.put(
                        PoolError(
                            f"run {task.run} ({asked.link}) ended {TRIES} processes that tried it; "
                            "look for what kills them, such as a limit on memory"
                        )
                    )
        except OSError as error:
            self._inbox.put(PoolError(f"no process can be started ({error.strerror or error})"))
        finally:
            if process is not None:
                self._end(process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Takes leave of a process."""
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    # What it did not take is lost with it.
                    continue
        with self._lock:
            self._running.discard(process)
