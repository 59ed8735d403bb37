"""``python -m airlag.questions.sweeps.worker``: runs the tasks that standard input brings."""

from __future__ import annotations

import os
import signal
import sys

from airlag.questions.sweeps.processes import receive, send
from airlag.questions.sweeps.task import Task, work


def main() -> None:
    """Answers every task with what came of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not end up among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        while True:
            task = receive(sys.stdin.buffer)
            assert isinstance(task, Task)
            try:
                send(answers, work(task))
            except (MemoryError, RuntimeError, ValueError) as error:
                send(answers, error)
    except (EOFError, BrokenPipeError):
        # Whoever asked is gone.
        os._exit(0)


if __name__ == "__main__":
    main()
