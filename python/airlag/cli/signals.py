"""Ctrl-C and SIGTERM: what is finished is told, nothing else is left behind.

The handlers raise :class:`Interrupted` in the main thread. Whatever keeps it from doing so, such as
a picture that is being drawn, has a second; then the process ends. A second signal ends it at
once. Nothing is loaded to listen, so that a command can be ended while it starts.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


class Interrupted(BaseException):
    """A signal asked the command to end.

    Not a ``KeyboardInterrupt``, which whatever reads a command line takes for its own.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number

    @property
    def code(self) -> int:
        """The exit code: what a shell reports of a program that a signal ended."""
        return 128 + self.number


def listen() -> None:
    """Lets signals end the command; one that whoever started it ignores stays ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


@contextmanager
def answered() -> Iterator[None]:
    """While there is something to be taken down: a signal is answered as soon as it comes.

    What is taken down then has all the time it needs; only a second signal ends it.
    """
    heard = [
        number
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is _interrupt
    ]
    for number in heard:
        signal.signal(number, _answer)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, _interrupt)


def end(code: int) -> NoReturn:
    """Ends the process now, whatever its other threads do; nothing unfinished is left behind."""
    try:
        from airlag import _airlag
    except ImportError:
        # Without the extension nothing was begun.
        sys.exit(code)
    _airlag.end(code)


def enforce() -> None:
    """Ends the process when nobody answers a signal that :func:`listen` hears."""
    try:
        from airlag import _airlag
    except ImportError:
        # Whatever needs it says so.
        return
    wakeup = _airlag.end_on_signals()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)


def _answer(number: int, frame: FrameType | None) -> NoReturn:
    from airlag import _airlag

    _airlag.signal_answered()
    _interrupt(number, frame)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise Interrupted(number)
