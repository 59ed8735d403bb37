"""Standard output and error streams that never raise, wherever they are redirected.

A stream may be closed, full or limited to another encoding, or its reader may exit. Output of
libraries is kept off standard error, which is reserved for messages of the command line.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys

from airlag.core.display import printable, shortened

#: Set to 1 to show library output and tracebacks.
DEBUG = "AIRLAG_DEBUG"
#: Maximum length of an error line, characters: names in hostile files can be very long.
LONGEST_COMPLAINT = 1000

#: Replacements for characters that an encoding lacks.
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
    """Text stream that never raises.

    Attributes
    ----------
    lost
        Error that caused output to be dropped. ``None`` also if only the reader closed the pipe.
    """

    def __init__(self, descriptor: int, encoding: str) -> None:
        raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False))
        super().__init__(raw, encoding, "airlag-plain", line_buffering=os.isatty(descriptor))
        self.lost: OSError | None = None

    def write(self, text: str, /) -> int:
        """Writes text, or drops it on errors."""
        try:
            super().write(text)
        except OSError as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Flushes buffered text, or drops it on errors."""
        try:
            super().flush()
        except OSError as error:
            self._lose(error)

    def _lose(self, error: OSError) -> None:
        if error.errno != errno.EPIPE and self.lost is None:
            self.lost = error
        # Discards what is still buffered.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)


def debugging() -> bool:
    """Whether library output is shown."""
    return os.environ.get(DEBUG) == "1"


def take_over() -> Output:
    """Replaces both standard streams by :class:`Output`; returns standard output."""
    # A closed descriptor would be reused by the next opened file. A write to a read-only
    # descriptor fails like a write to a closed one.
    while (lowest := os.open(os.devnull, os.O_RDONLY)) < 3:
        pass
    os.close(lowest)
    stdout = Output(1, sys.stdout.encoding if sys.stdout else "utf-8")
    sys.stdout = stdout
    mine = 2
    if not debugging():
        # Rust code prints panic messages before they can be caught.
        mine = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    sys.stderr = Output(mine, sys.stderr.encoding if sys.stderr else "utf-8")
    return stdout


def complain(message: object) -> None:
    """Writes one line to standard error."""
    line = shortened(printable(" ".join(str(message).split())), LONGEST_COMPLAINT)
    sys.stderr.write(f"airlag: {line}\n")
    sys.stderr.flush()
