"""Child processes that do not outlive the code that started them."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any


@contextmanager
def child(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Starts a process with the options of :class:`subprocess.Popen`; kills it on exit."""
    with ExitStack() as stack:
        # A signal handler that raises within Popen would leave a process that is never killed.
        with _signals_deferred():
            process = stack.enter_context(subprocess.Popen(command, **options))
            stack.callback(process.kill)
        yield process


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defers signal handlers: signals that arrive within the context are handled on its exit."""
    arrived: list[int] = []
    handlers = {
        number: handler
        for number in (signal.SIGINT, signal.SIGTERM)
        if threading.current_thread() is threading.main_thread()
        and callable(handler := signal.getsignal(number))
    }
    for deferred in handlers:
        signal.signal(deferred, lambda number, _: arrived.append(number))
    try:
        yield
    finally:
        for deferred, handler in handlers.items():
            signal.signal(deferred, handler)
        for number in arrived:
            signal.raise_signal(number)
