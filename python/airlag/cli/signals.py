"""Ctrl-C and SIGTERM: what is finished is told, nothing else is left behind.

The handlers raise :class:`Interrupted` in the main thread. Whatever keeps it from doing so, such as
a picture that is being drawn, has 0.2 s; then the process ends all the same. So it does at once on
a second signal.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Sized
from types import FrameType, TracebackType
from typing import NoReturn

from airlag.cli import streams


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
    from airlag import _airlag

    wakeup = _airlag.end_on_signals()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def end(code: int) -> NoReturn:
    """Ends the process now, whatever its other threads do; nothing unfinished is left behind."""
    from airlag import _airlag

    _airlag.end(code)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    raise Interrupted(number)


class Until:
    """Work of which a part is of use: ``with until: …`` ends when a signal comes.

    Attributes
    ----------
    stopped
        The signal that ended it; ``None``: the work is done.
    """

    def __init__(self) -> None:
        self.stopped: Interrupted | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        del kind, traceback
        return self.stop(raised)

    def stop(self, raised: BaseException | None) -> bool:
        """Takes note of a signal that ended the work; whether it was one."""
        if not isinstance(raised, Interrupted):
            return False
        from airlag import _airlag

        _airlag.signal_answered()
        self.stopped = raised
        return True

    def expect(self, finished: Sized) -> None:
        """Ends the command without a word if a signal came before anything was finished."""
        if self.stopped is not None and not finished:
            raise self.stopped

    def tell(self, finished: str) -> None:
        """Once what is finished is shown: ends the command if a signal came, and says so."""
        if self.stopped is not None:
            streams.complain(f"interrupted; {finished}")
            raise self.stopped
