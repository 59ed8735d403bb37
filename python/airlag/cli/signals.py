"""Handling of Ctrl-C and SIGTERM: finished results are reported, unfinished files are removed.

The handlers raise :class:`Interrupted` in the main thread. If other code, such as a renderer,
delays this exception for more than a second, the process ends. A second signal ends the process at
once. This module imports nothing slow, so that a signal can interrupt a command during its start.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import ClassVar, NoReturn

#: Signals that end a command.
HEARD = (signal.SIGINT, signal.SIGTERM)


class Interrupted(BaseException):
    """A signal that ends the command.

    Not a ``KeyboardInterrupt``, which command-line libraries handle themselves.
    """

    #: Exit code of the last signal, in case interrupted code raises another error instead.
    last_code: ClassVar[int | None] = None

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number
        # Stores the code and not the exception, whose traceback would keep generators, and the
        # objects that they clean up, alive.
        Interrupted.last_code = self.code

    @property
    def code(self) -> int:
        """Exit code that shells report for this signal."""
        return 128 + self.number


def listen() -> None:
    """Installs the handlers; a signal ignored by the parent process stays ignored."""
    sys.unraisablehook = _unraisable
    for number in HEARD:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


@contextmanager
def answered() -> Iterator[None]:
    """Context in which cleanup has no time limit; only a second signal ends it."""
    heard = [number for number in HEARD if signal.getsignal(number) is _interrupt]
    for number in heard:
        signal.signal(number, _answer)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, _interrupt)


def end(code: int) -> NoReturn:
    """Ends the process despite other threads, and removes unfinished files."""
    try:
        from airlag import _airlag
    except ImportError:
        # If the extension is not importable, there are no unfinished files.
        sys.exit(code)
    _airlag.end(code)


def enforce() -> None:
    """Ends the process if a signal is not handled in time."""
    try:
        from airlag import _airlag
    except ImportError:
        # Code that needs the extension reports its absence.
        return
    wakeup = _airlag.end_on_signals()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)


def _unraisable(ignored: sys.UnraisableHookArgs) -> None:
    """Ends the process if the signal arrives in a destructor, where Python drops exceptions."""
    if isinstance(ignored.exc_value, Interrupted):
        end(ignored.exc_value.code)
    sys.__unraisablehook__(ignored)


def _answer(number: int, frame: FrameType | None) -> NoReturn:
    from airlag import _airlag

    _airlag.signal_answered()
    _interrupt(number, frame)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise Interrupted(number)
