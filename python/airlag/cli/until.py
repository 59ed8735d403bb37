"""Work of which a part is of use: what is finished when a signal comes is kept and told."""

from __future__ import annotations

from collections.abc import Sized
from types import TracebackType

from airlag import _airlag
from airlag.cli import terminal
from airlag.cli.signals import Interrupted


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
            terminal.complain(f"interrupted; {finished}")
            raise self.stopped
