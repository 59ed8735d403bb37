"""Lock files for exclusive work on a directory by one process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class Lock:
    """Lock file; one left behind by a killed process does not block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Takes the lock; ``False`` if another process holds it.

        Raises :class:`OSError` if the file cannot be created, :class:`FileNotFoundError` if its
        folder is missing.
        """
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The previous holder may have removed the file after it was opened here.
                is_there = os.path.samestat(self.path.stat(), os.fstat(file))
            except BlockingIOError:
                os.close(file)
                return False
            except FileNotFoundError:
                is_there = False
            if is_there:
                self._file = file
                return True
            os.close(file)

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._file is not None

    def release(self, *, remove: bool = True) -> None:
        """Releases the lock, if it is held here."""
        if self._file is None:
            return
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = None
