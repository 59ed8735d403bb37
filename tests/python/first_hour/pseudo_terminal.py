"""A command in a pseudo-terminal, and what a newcomer sees of it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

AIRLAG = (sys.executable, "-m", "airlag")
#: What moves the cursor, colours, or asks a terminal.
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[()][0-9A-B]|[=>])")
#: What says that a terminal is to be coloured.
_COLOURS = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "TERM", "CI")

#: Colours of a terminal, by what its environment says of them.
TERMINALS: Mapping[str, Mapping[str, str]] = {
    "plain": {"TERM": "xterm", "NO_COLOR": "1"},
    "16 colours": {"TERM": "xterm-16color"},
    "true colour": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
}


@dataclass(frozen=True)
class Seen:
    """What stood in the terminal when a command was done."""

    code: int
    raw: str

    @property
    def lines(self) -> list[str]:
        """The lines, without colours and without what was drawn over."""
        text = _ESCAPES.sub("", self.raw).replace("\r\n", "\n")
        return [line.rsplit("\r", 1)[-1].rstrip() for line in text.split("\n")]

    @property
    def text(self) -> str:
        """All of it in one line of words: where a line is broken depends on the width."""
        return " ".join(" ".join(self.lines).split())

    def row(self, *words: str) -> str:
        """The one line, or record, that has all of these words."""
        found = [line for line in self.lines if all(word in line for word in words)]
        assert found, f"no line with {words} in:\n" + "\n".join(self.lines)
        return found[0]


def seen(
    *arguments: str | Path,
    columns: int,
    colours: str = "plain",
    folder: Path,
    interrupted: bool = False,
    patience_s: float = 120,
) -> Seen:
    """Runs ``airlag`` in a terminal of so many columns.

    ``interrupted`` presses Ctrl-C once a progress bar has been drawn: it has begun to work.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in _COLOURS}
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [*AIRLAG, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environment | TERMINALS[colours],
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    said = b""
    begun = time.monotonic()
    while True:
        ready, _, _ = select.select([ours], [], [], 0.1)
        if ready:
            try:
                part = os.read(ours, 65_536)
            except OSError:
                break
            if not part:
                break
            said += part
        if interrupted and "━".encode() in said:
            os.write(ours, b"\x03")
            interrupted = False
        if time.monotonic() - begun > patience_s:
            os.killpg(process.pid, signal.SIGKILL)
            break
    os.close(ours)
    return Seen(process.wait(timeout=60), said.decode(errors="replace"))
