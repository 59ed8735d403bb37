"""``airlag sweep``: a space of settings, run by run, into a dataset."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, sheet, signals, terminal
from airlag.cli.sweep_table import configurations_table
from airlag.cli.until import Until
from airlag.core.display import printable
from airlag.core.extras import need_polars
from airlag.core.quantity import count
from airlag.questions.sweeps.file import SweepError, load
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.run import Progress, to_folder
from airlag.questions.sweeps.summary import MOST_TOLD, Summary, summary

if TYPE_CHECKING:
    from airlag.core.types import Swept

#: Most configurations that a table on the terminal has.
MOST_SHOWN = 60
#: Where datasets go.
FOLDER = Path("sweeps")


def _workers(text: str) -> int:
    return options.whole(text, "number of processes", 1, 1024, 4)


def _table(text: str) -> Path:
    try:
        return sheet.checked(Path(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE.toml",
        help="The sweep: links, sizes, parameters and seeds. docs/sweeps.md tells every key.",
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FOLDER",
        help="Folder of the dataset; what is there of this sweep is not run again. Default: "
        "sweeps/NAME.",
    ),
]
TableFile = Annotated[
    Path | None,
    typer.Option(
        "--table",
        parser=_table,
        metavar=sheet.METAVAR,
        help="Also write the table of configurations as FILE.csv, .md or .json.",
    ),
]
Scheduler = Annotated[
    str,
    typer.Option(
        metavar="local|threads|ADDRESS",
        help="Who runs: processes of this computer, threads of this one, or the workers of a Dask "
        "scheduler, such as tcp://host:8786.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        parser=_workers,
        metavar="N",
        help="Processes, or threads, of this computer. Default: one a core.",
    ),
]


class _Bar(Progress):
    """Draws how far a sweep is."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._step: Callable[..., None] = lambda **_: None
        self.before = self.most = self.ended = 0

    def begin(self, before: int, most: int) -> None:
        """So many runs were there before, and so many there are to be at most."""
        self.before, self.most = before, most
        bar = terminal.progress("sweeping", most, done=before, pace=True)
        self._step = self._stack.enter_context(bar)

    def step(self, spared: int) -> None:
        """A run has ended, or so many others are no longer needed."""
        if spared:
            self.most -= spared
            self._step(advance=0, total=self.most)
        else:
            self.ended += 1
            self._step()


def sweep(
    file: File,
    output: Output = None,
    scheduler: Scheduler = "local",
    workers: Workers = None,
    table: TableFile = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Run a space of settings, on all cores or on a Dask cluster, into a dataset of Parquet files.

    FOLDER/runs has a row a run, for polars, DuckDB or pandas. Runs end up there as they finish:
    after Ctrl-C, or a kill, the same command goes on. The same seed gives the same files, whoever
    runs what.
    """
    until = Until()
    try:
        need_polars("airlag sweep")
        asked = load(file)
        folder = FOLDER / asked.name if output is None else output
        with ExitStack() as stack:
            bar = _Bar(stack)
            with until, signals.answered():
                to_folder(asked, folder, scheduler, workers, bar)
        found = summary(folder, asked)
    except (SweepError, PoolError, ModuleNotFoundError) as error:
        terminal.refuse(error)
    except LinkError as error:
        terminal.refuse(f"{file}: {error}")
    except OSError as error:
        place = error.filename or output or FOLDER
        terminal.refuse(
            f"{place}: cannot be written ({error.strerror or error}); what is written is whole, "
            "and the same command goes on with it"
        )
    _show(asked, folder, found, bar, json=json, complete=until.stopped is None)
    told = [configurations_table(asked, found)] if found.runs else []
    errors = options.write(told, table, force=force, aside=json)
    for line in errors:
        terminal.complain(line)
    until.tell(
        f"{count(bar.before + bar.ended)} of {count(bar.most)} runs are there, and the same "
        "command goes on"
    )
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _show(
    asked: Sweep, folder: Path, found: Summary, bar: _Bar, *, json: bool, complete: bool
) -> None:
    if json:
        told: Swept = {
            "name": asked.name,
            "folder": printable(str(folder)),
            "links": [block.link for block in asked.blocks],
            "configurations": asked.configurations,
            "replications": asked.most,
            "runs": found.runs,
            "before": bar.before,
            "problems": found.problems,
            "complete": complete,
            "table": found.to_json(),
        }
        terminal.print_json(told)
        return
    console = terminal.output()
    if 0 < asked.configurations <= MOST_SHOWN and found.runs:
        console.show(configurations_table(asked, found), "")
    words = [f"{count(asked.configurations)} configurations", f"{count(found.runs)} runs"]
    if bar.before:
        words.append(f"{count(bar.before)} of them were there before")
    if found.problems:
        words.append(f"{count(found.problems)} cannot be run, as the column problem says")
    console.show(Text(", ".join(words)))
    if found.runs:
        console.show(Text(printable(str(folder / "runs")), style="bold"))
    if asked.configurations > MOST_SHOWN:
        console.show(
            Text(
                f"--table FILE.csv, .md or .json tells of each, up to {count(MOST_TOLD)} of them",
                style="dim",
            )
        )
