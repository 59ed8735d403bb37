"""A newcomer's desk: a terminal of one width, and a folder with captures of two boards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pseudo_terminal import Seen, seen

from traces import link, logic2_csv


@dataclass(frozen=True)
class Desk:
    """A terminal of one width and a folder with captures."""

    folder: Path
    columns: int
    colours: str

    def type(self, *words: str, code: int = 0, **more: Any) -> Seen:
        """Types a command; what every command keeps is checked here."""
        told = seen(*words, columns=self.columns, colours=self.colours, folder=self.folder, **more)
        what = f"airlag {' '.join(words)} at {self.columns} columns:\n" + "\n".join(told.lines)
        assert told.code == code, what
        for fault in ("Traceback", "panicked"):
            assert fault not in told.raw, what
        # Complaints are one line, and so is what machines read.
        shown = [line for line in told.lines if not line.startswith("airlag: ")]
        if "--json" not in words:
            assert all(len(line) <= self.columns for line in shown), what
        if self.colours == "plain":
            for colour in ("\x1b[3", "\x1b[9"):
                assert colour not in told.raw, what
        return told

    def once(self, name: str, *words: str) -> str:
        """A file of the folder, made by a command if it is not there yet."""
        if not (self.folder / name).exists():
            self.type(*words)
        assert (self.folder / name).exists(), name
        return name

    @classmethod
    def laid(cls, folder: Path, columns: int, colours: str) -> Self:
        """A desk with a good capture, one of a few transfers, and what is no capture at all."""
        logic2_csv(folder / "12B.csv", link(count=300, lost=[30, 90, 91]))
        logic2_csv(folder / "few.csv", link(count=9))
        (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
        return cls(folder, columns, colours)
