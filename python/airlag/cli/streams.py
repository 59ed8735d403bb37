"""Standard output and standard error that take whatever is written, wherever they lead.

Output may be closed, full, of an encoding without our characters, or its reader may go away: a
program that only writes should not have to know. Nor may a library write into the middle of what
is ours: standard error is that of the command line alone.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys

from airlag.core.display import printable, shortened

#: Set to 1, everything that libraries print and the traceback of a fault are shown.
DEBUG = "AIRLAG_DEBUG"
#: Longest complaint, characters: names in hostile files can be as long as the file.
LONGEST_COMPLAINT = 1000

#: What stands for our characters where an encoding lacks them.
_PLAIN = {
    "·": "|", "–": "-", "…": "...", "→": "->", "×": "x", "µ": "u", "μ": "u", "±": "+-",
    "≤": "<=", "≥": ">=", "≈": "~", "─": "-", "│": "|", "█": "#", "▓": "%",
    "▒": "+", "░": "-",
}  # fmt: skip


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_PLAIN.get(c) or ascii(c)[1:-1] for c in lacking), error.end


codecs.register_error("airlag-plain", _plain)


class Output(io.TextIOWrapper):
    """A text stream that never fails.

    Attributes
    ----------
    lost
        Why what was written did not arrive; ``None`` while it does, and when its reader went away.
    """

    def __init__(self, descriptor: int, encoding: str) -> None:
        raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
        super().__init__(raw, encoding, "airlag-plain", line_buffering=os.isatty(descriptor))
        self.lost: OSError | None = None

    def write(self, text: str, /) -> int:
        """Writes, or drops what cannot be written."""
        try:
            super().write(text)
        except OSError as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Hands over what is buffered, or drops it."""
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        if error.errno != errno.EPIPE and self.lost is None:
            self.lost = error
        # What is still buffered goes nowhere.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def debugging() -> bool:
    """Whether whoever runs this wants to see what libraries print."""
    return os.environ.get(DEBUG) == "1"


def take_over() -> Output:
    """Puts :class:`Output` in place of both streams of the process; returns standard output."""
    # A closed stream would be the next file that is opened. Writing to one that is open for reading
    # fails as writing to a closed one does.
    while (lowest := os.open(os.devnull, os.O_RDONLY)) < 3:
        pass
    os.close(lowest)
    stdout = Output(1, sys.stdout.encoding if sys.stdout else "utf-8")
    sys.stdout = stdout
    mine = 2
    if not debugging():
        # Rust prints of a panic before anybody can catch it, and so do libraries written in it.
        mine = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    sys.stderr = Output(mine, sys.stderr.encoding if sys.stderr else "utf-8")
    return stdout


def complain(message: object) -> None:
    """One line on standard error, whatever the message."""
    line = shortened(printable(" ".join(str(message).split())), LONGEST_COMPLAINT)
    sys.stderr.write(f"airlag: {line}\n")
    sys.stderr.flush()
