"""What reaches the terminal: results on standard output, complaints and progress on standard error.

A pipe gets plain text and no progress.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console as RichConsole
from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from airlag.cli.exit_code import FOUND as FOUND
from airlag.cli.exit_code import UNUSABLE as UNUSABLE
from airlag.cli.streams import complain as complain
from airlag.core.display import printable, to_json
from airlag.core.quantity import number

#: Work that ends sooner draws no progress bar.
PATIENCE_S = 1.0
#: Columns where the output is no terminal: lines that a mail or a log still holds.
PIPE_COLUMNS = 80


class Console(RichConsole):
    """A console that leaves no spaces where nobody looks.

    Attributes
    ----------
    endless
        Whether a row of a table may be longer than a line of text: a pipe has no width of its own,
        and whoever looks for a row with a program gets it in one line.
    """

    endless = False

    def show(self, *renderables: RenderableType) -> None:
        """Prints; where nobody looks, without the spaces that fill up a terminal's lines."""
        if self.is_terminal:
            self.print(*renderables, sep="\n")
            return
        with self.capture() as captured:
            self.print(*renderables, sep="\n", crop=False)
        lines = [line.rstrip() for line in captured.get().splitlines()]
        self.print("\n".join(lines), markup=False, soft_wrap=True)


def output() -> Console:
    """The console of results."""
    told = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console(width=None if told else PIPE_COLUMNS, highlight=False, emoji=False)
    console.endless = not told
    return console


def print_json(value: Any) -> None:
    """One JSON document for machines."""
    unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    sys.stdout.write(to_json(value, ascii_only=not unicode) + "\n")


def wrote(paths: Sequence[Path], *, aside: bool = False) -> None:
    """One line that says which files a command wrote; ``aside`` where the output is data."""
    if not paths:
        return
    if len(paths) == 1:
        line = f"wrote {printable(str(paths[0]))}"
    else:
        line = f"wrote {len(paths)} files to {printable(str(paths[0].parent))}/"
    if aside:
        complain(line)
    else:
        output().show(Text(""), Text(line, style="dim"))


def status(line: str) -> None:
    """One line on standard error that is written over again, where a person sees it; or no line."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def refuse(message: object) -> NoReturn:
    """Ends the command: one line on standard error, exit code 2."""
    complain(message)
    raise typer.Exit(UNUSABLE)


def refuse_given(given: Mapping[str, object], why: str) -> None:
    """Ends the command on the first of these options that is given; ``why`` has its name as {}."""
    for name, value in given.items():
        if value:
            refuse(why.replace("{}", name))


def unwritable(path: Path | str, error: OSError, where: str = "place") -> str:
    """Why a file cannot be written, and that another may be chosen."""
    return f"{path}: cannot be written ({error.strerror or error}); choose another {where}"


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Ends the command on errors whose text says what would be right."""
    try:
        yield
    except errors as error:
        refuse(error)


@contextmanager
def writing(path: Path | str, where: str = "place") -> Iterator[None]:
    """Ends the command where a file cannot be written."""
    try:
        yield
    except OSError as error:
        refuse(unwritable(path, error, where))


class _Pace(ProgressColumn):
    """How many steps a second."""

    def render(self, task: Task) -> Text:
        """Nothing before the first ones."""
        return Text("" if task.speed is None else f"{number(task.speed, 3)}/s")


@contextmanager
def progress(
    label: str, total: int, *, done: int = 0, pace: bool = False
) -> Iterator[Callable[..., None]]:
    """A bar of ``total`` steps on standard error, when it is worth one; yields what makes a step.

    Who learns only on the way how many there are tells each step: ``step(50)``. ``done`` of them
    were made before; ``pace`` draws how many a second are made, and the time that is left.

    It appears after a second, only when both outputs are terminals, and leaves no trace.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30, pulse_style="bar.pulse"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *((_Pace(), TimeRemainingColumn()) if pace else ()),
        console=Console(stderr=True),
        transient=True,
        disable=not (sys.stdout.isatty() and sys.stderr.isatty()),
    )
    # Of a single step nothing is known until it is done: it pulses.
    task = bar.add_task(label, total=total if total > 1 else None, completed=done)
    timer = threading.Timer(PATIENCE_S, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda total=None, advance=1: bar.update(task, advance=advance, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def reaching(step: Callable[..., None]) -> Callable[[int, int], None]:
    """Makes the steps of work that reports how much of how much is done, from any thread."""
    lock, reached = threading.Lock(), 0

    def told(done: int, of: int) -> None:
        nonlocal reached
        with lock:
            step(total=of, advance=max(done - reached, 0))
            reached = max(reached, done)

    return told
