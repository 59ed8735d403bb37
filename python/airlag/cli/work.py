"""Common parts of commands: progress, errors, output, files and exit code.

On a signal, finished results are saved and printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, TypeVar

import typer
from rich.console import RenderableType
from rich.text import Text

from airlag import _airlag
from airlag._airlag import CaptureError, LinkError
from airlag.cli import sheet, terminal
from airlag.cli.parameters import Group
from airlag.cli.signals import Interrupted
from airlag.core.atomic import replacing
from airlag.core.paths import is_folder
from airlag.views.table import Table

Item = TypeVar("Item")
Result = TypeVar("Result")


class Work:
    """A running command.

    Attributes
    ----------
    errors
        Error messages, one line each. If there is any error, the exit code is 2.
    wrote
        Paths of the files that the command wrote.
    finished
        Description of the results that were finished before a signal, printed after the signal.
    until
        Context manager that ends the work on a signal, and keeps the finished results.
    """

    def __init__(self, *, force: bool = False, json: bool = False) -> None:
        self.force, self.json = force, json
        self.errors: list[str] = []
        self.wrote: list[Path] = []
        self.finished = ""
        self.until = Until()

    @contextmanager
    def progress(self, label: str, total: int) -> Iterator[Callable[..., None]]:
        """Shows progress of interruptible work; yields the step function."""
        with self.until, terminal.progress(label, total) as step:
            yield step

    def each(
        self,
        label: str,
        items: Sequence[Item],
        work: Callable[[Item, Callable[..., None]], Result],
        steps: int | None = None,
    ) -> list[Result]:
        """Runs ``work`` on each item until a signal arrives; records an error for a rejected item.

        ``steps`` is the number of progress steps, which ``work`` reports; default: one per item.
        """
        found: list[Result] = []
        with self.progress(label, len(items) if steps is None else steps) as step:
            for item in items:
                try:
                    found.append(work(item, step))
                except (CaptureError, LinkError) as error:
                    self.errors.append(str(error))
                if steps is None:
                    step()
        self.until.expect(found)
        self.finished = f"{len(found)} of {len(items)} are finished"
        return found

    def keep(
        self, path: Path | None, write: Callable[[Path], object], where: str = "path with -o"
    ) -> bool:
        """Writes a file, if ``path`` is given; returns success, and records errors."""
        if path is None:
            return False
        try:
            write(path)
        except OSError as error:
            self.errors.append(terminal.unwritable(path, error, where))
            return False
        self.wrote.append(path)
        return True

    def keep_bytes(self, path: Path | None, content: bytes, where: str = "path with -o") -> bool:
        """Writes given bytes to a file; see :meth:`keep`."""

        def write(path: Path) -> None:
            with replacing(path, force=self.force) as file:
                file.write(content)

        return self.keep(path, write, where)

    def chart(self, module: str, name: str, of: Any) -> Callable[[Path], object]:
        """Returns a writer of the chart ``name`` from a module of :mod:`airlag.views.pages`.

        The drawing module is imported on demand.
        """

        def write(path: Path) -> None:
            from airlag.views.pages import output

            drawing = import_module(f"airlag.views.pages.{module}")
            drawn = getattr(drawing, name.replace("-", "_"))(of)
            output.write_chart(name, drawn, path, force=self.force)

        return write

    def answer(
        self,
        answer: Any,
        shown: Callable[[], Iterable[RenderableType]],
        output: Path | None = None,
        tables: Iterable[Table] = (),
        *,
        draw: Callable[[Path], object] | None = None,
        found: bool = False,
    ) -> None:
        """Prints an answer, writes its table or chart to ``output``, and ends the command.

        ``draw`` writes the chart; ``None`` if there is none.
        """
        drawn = output is not None and not sheet.is_sheet(output)
        if drawn and draw is not None:
            try:
                self.keep(output, draw)
            except ValueError as why:
                self.errors.append(f"-o {output}: {why}")
        self.show(answer, shown)
        self.table(None if drawn else output, tables)
        self.end(self.finished, found=found)

    def show(self, answer: Any, shown: Callable[[], Iterable[RenderableType]]) -> None:
        """Prints the answer as JSON or text, and lists the written files."""
        if self.json:
            terminal.print_json(answer)
        elif blocks := list(shown()):
            terminal.output().show(*blocks)
        terminal.wrote(self.wrote, aside=self.json)

    def table(self, path: Path | None, tables: Iterable[Table]) -> None:
        """Writes tables to a file, if ``path`` is given."""
        if path is not None and (found := list(tables)):
            errors = sheet.keep(found, path, force=self.force)
            terminal.wrote([] if errors else [path], aside=self.json)
            self.errors += errors

    def end(self, finished: str = "", *, found: bool = False) -> None:
        """Ends the command with its errors, with an interruption notice, or with its findings."""
        for error in dict.fromkeys(self.errors):
            terminal.complain(error)
        self.until.report_interruption(finished)
        if self.errors or found:
            raise typer.Exit(terminal.UNUSABLE if self.errors else terminal.FOUND)


#: Running command, built from the options ``--force`` and ``--json``.
Working = Annotated[Work, Group(Work)]


def run_folder(output: str, many: int, what: str) -> Path | None:
    """Creates the folder for several runs; ``None`` if the output is a single file.

    Exits if ``output`` is neither.
    """
    folder = Path(output)
    if output.endswith("/") or is_folder(folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            terminal.refuse(f"-o {output}: {error.strerror}; expected a folder to write to")
        return folder
    if many > 1:
        terminal.refuse(
            f"-o {output} is one file for {many} {what}; end it with / for a folder, or with .csv "
            "for a table"
        )
    if folder.suffix != ".parquet":
        terminal.refuse(
            f"-o {output} is not a run file; end it with .parquet, / for a folder, or .csv "
            "for a table"
        )
    return None


def link_title(link: str, size: int | None) -> Text:
    """Heading of output about one link and payload."""
    return Text.assemble((link, "bold"), "" if size is None else f"  {size} B")


def separated(blocks: Iterable[Iterable[RenderableType]]) -> Iterator[RenderableType]:
    """Yields blocks, separated by empty lines."""
    for nth, block in enumerate(blocks):
        yield from [""] if nth else []
        yield from block


class Until:
    """Context manager that ends the work on a signal, and keeps finished results.

    Attributes
    ----------
    stopped
        Signal that ended the work; ``None`` if the work was completed.
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
        """Records the signal that ended the work; returns whether ``raised`` was a signal."""
        if not isinstance(raised, Interrupted):
            return False
        _airlag.signal_answered()
        self.stopped = raised
        return True

    def expect(self, finished: Sized) -> None:
        """Exits silently if a signal arrived before anything was finished."""
        if self.stopped is not None and not finished:
            raise self.stopped

    def report_interruption(self, finished: str) -> None:
        """Exits if a signal arrived, and reports it; called after the results are shown."""
        if self.stopped is not None:
            terminal.complain(f"interrupted; {finished}")
            raise self.stopped
