"""What reaches the terminal: results on standard output, complaints and progress on standard error.

A pipe gets plain text and no progress; a reader that goes away and Ctrl-C end the program quietly.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console as RichConsole
from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

#: The command ran, and found a failure the user asked it to check.
FOUND = 1
#: Input or usage the command cannot work with.
UNUSABLE = 2
#: What a shell reports of a program that lost its reader, or was interrupted.
READER_GONE = 128 + 13
INTERRUPTED = 128 + 2
TERMINATED = 128 + 15

#: Work that ends sooner draws no progress bar.
PATIENCE_S = 1.0
#: Columns where the output is no terminal: lines that a mail or a log still holds.
PIPE_COLUMNS = 80


class Console(RichConsole):
    """A console whose reader may go away."""

    def show(self, *renderables: RenderableType) -> None:
        """Prints; where nobody looks, without the spaces that fill up a terminal's lines."""
        if self.is_terminal:
            self.print(*renderables, sep="\n")
            return
        with self.capture() as captured:
            self.print(*renderables, sep="\n")
        lines = [line.rstrip() for line in captured.get().splitlines()]
        self.print("\n".join(lines), markup=False, soft_wrap=True)

    def on_broken_pipe(self) -> NoReturn:
        """Ends the command without a word; nobody reads it."""
        self.quiet = True
        discard_output()
        raise typer.Exit(READER_GONE)


def discard_output() -> None:
    """Sends what is still buffered for standard output nowhere."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def output() -> Console:
    """The console of results."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_COLUMNS
    return Console(width=width, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """One JSON document for machines; refuses what JSON has no number for."""
    try:
        sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    except BrokenPipeError:
        output().on_broken_pipe()


def complain(message: object) -> None:
    """One line on standard error, whatever the message."""
    line = " ".join(str(message).split())
    sys.stderr.write(f"airlag: {printable(line)}\n")


def wrote(paths: Sequence[Path], *, aside: bool = False) -> None:
    """One line that says which files a command wrote; ``aside`` where the output is data."""
    if not paths:
        return
    if len(paths) == 1:
        line = f"wrote {printable(str(paths[0]))}"
    else:
        line = f"wrote {len(paths)} files to {printable(str(paths[0].parent))}/"
    if aside:
        sys.stderr.write(f"airlag: {line}\n")
    else:
        output().show(Text(""), Text(line, style="dim"))


def printable(text: str) -> str:
    """Text without the control characters a hostile file could move the cursor with."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def refuse(message: object) -> NoReturn:
    """Ends the command: one line on standard error, exit code 2."""
    complain(message)
    raise typer.Exit(UNUSABLE)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[..., None]]:
    """A bar of ``total`` steps on standard error, when it is worth one; yields what makes a step.

    Who learns only on the way how many there are tells each step: ``step(50)``.

    It appears after a second, only when both outputs are terminals, and leaves no trace.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30, pulse_style="bar.pulse"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not (sys.stdout.isatty() and sys.stderr.isatty()),
    )
    # Of a single step nothing is known until it is done: it pulses.
    task = bar.add_task(label, total=total if total > 1 else None)
    timer = threading.Timer(PATIENCE_S, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda total=None: bar.update(task, advance=1, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
