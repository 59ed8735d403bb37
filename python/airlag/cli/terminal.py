"""Terminal output: results on standard output, errors and progress on standard error.

Pipes receive plain text without progress.
"""

from __future__ import annotations

import os
import shutil
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

#: Delay before a progress bar appears, s.
PATIENCE_S = 1.0
#: Width if the output is not a terminal, columns: suits mails and logs.
PIPE_COLUMNS = 80


class Console(RichConsole):
    """Console that omits trailing padding if the output is not a terminal.

    Attributes
    ----------
    endless
        Whether table rows may be wider than the terminal. True if the output is a pipe, so that
        each row is one line for programs that search line by line.
    """

    endless = False

    def show(self, *renderables: RenderableType) -> None:
        """Prints renderables; without trailing padding where the output is no terminal."""
        if self.is_terminal:
            self.print(*renderables, sep="\n")
            return
        with self.capture() as captured:
            self.print(*renderables, sep="\n", crop=False)
        lines = [line.rstrip() for line in captured.get().splitlines()]
        self.print("\n".join(lines), markup=False, soft_wrap=True)


def output() -> Console:
    """Returns the console for results."""
    report = sys.stdout.isatty() or "COLUMNS" in os.environ
    console = Console(width=None if report else PIPE_COLUMNS, highlight=False, emoji=False)
    console.endless = not report
    return console


def print_json(value: Any) -> None:
    """Prints one JSON document."""
    unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    sys.stdout.write(to_json(value, ascii_only=not unicode) + "\n")


def wrote(paths: Sequence[Path], *, aside: bool = False) -> None:
    """Reports written files in one line; on standard error if ``aside``."""
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
    """Replaces the status line on standard error, if that is a terminal."""
    if sys.stderr.isatty():
        # A wrapped line could not be replaced.
        columns = shutil.get_terminal_size().columns
        sys.stderr.write(f"\r\x1b[K{line[: columns - 1]}")
        sys.stderr.flush()


def refuse(message: object) -> NoReturn:
    """Prints one line on standard error and exits with code 2."""
    complain(message)
    raise typer.Exit(UNUSABLE)


def refuse_given(given: Mapping[str, object], why: str) -> None:
    """Exits if one of these options is given; ``{}`` in ``why`` stands for its name."""
    for name, value in given.items():
        if value:
            refuse(why.replace("{}", name))


def unwritable(path: Path | str, error: OSError, where: str = "path") -> str:
    """Message for a file that cannot be written."""
    return f"{path}: cannot be written ({error.strerror or error}); choose another {where}"


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Exits with the message of these errors."""
    try:
        yield
    except errors as error:
        refuse(error)


@contextmanager
def writing(path: Path | str, where: str = "path") -> Iterator[None]:
    """Exits if a file cannot be written."""
    try:
        yield
    except OSError as error:
        refuse(unwritable(path, error, where))


class _StepRate(ProgressColumn):
    """Steps per second."""

    def render(self, task: Task) -> Text:
        """Empty before the first step."""
        return Text("" if task.speed is None else f"{number(task.speed, 3)}/s")


@contextmanager
def progress(
    label: str, total: int, *, done: int = 0, pace: bool = False
) -> Iterator[Callable[..., None]]:
    """Shows a progress bar of ``total`` steps on standard error; yields a function ``step``.

    ``step(50)`` advances the bar by 50 steps. ``done`` is the number of steps completed before the
    bar starts. With ``pace``, the bar shows the steps per second and the remaining time.

    The bar appears after 1 s if standard output and error are terminals, and is erased at the end.
    """
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30, pulse_style="bar.pulse"),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *((_StepRate(), TimeRemainingColumn()) if pace else ()),
        console=Console(stderr=True),
        transient=True,
        disable=not (sys.stdout.isatty() and sys.stderr.isatty()),
    )
    # A single step has no measurable progress: the bar pulses.
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
    """Adapts a step function to callbacks with arguments (steps done, total), from any thread."""
    lock, reached = threading.Lock(), 0

    def report(done: int, of: int) -> None:
        nonlocal reached
        with lock:
            step(total=of, advance=max(done - reached, 0))
            reached = max(reached, done)

    return report
