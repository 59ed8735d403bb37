"""A lock file: one process works on what stands beside it, and no other."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class Lock:
    """A lock file that does not outlive its use; one that a kill leaves behind excludes nobody."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Takes the lock; ``False`` if somebody else holds it.

        Raises :class:`OSError` when the file cannot be made; :class:`FileNotFoundError` where its
        folder is missing.
        """
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Its last holder may have removed it since it was opened.
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
        """Whether it was taken here."""
        return self._file is not None

    def release(self, *, remove: bool = True) -> None:
        """Releases the lock, if it is held here; others may take it from now on."""
        if self._file is None:
            return
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = None
