"""``airlag sweep``: runs a space of settings and stores the results as a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, signals, terminal
from airlag.cli.options import whole
from airlag.cli.summary import of_delivered
from airlag.cli.work import Working
from airlag.core import profiles
from airlag.core.display import printable
from airlag.core.extras import need_polars
from airlag.core.quantity import count, number, unit_for
from airlag.questions.identity import plain
from airlag.questions.sweeps.file import SweepError, load
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.run import Progress, to_folder
from airlag.questions.sweeps.summary import MOST_LISTED, Summary, summary
from airlag.views.table import Column, Table, delivered, named, time, word

if TYPE_CHECKING:
    from airlag.core.types import Swept

#: Latency statistics on the terminal; files contain all means.
_SHOWN = ("p50_ns", "p99_ns")
#: Settings that are not profile parameters, with their units.
_STIMULUS = {"period_ns": "ns", "phase": "", "traffic": ""}
#: Maximum configurations in the terminal's table.
MOST_SHOWN = 60
#: Default folder of datasets.
FOLDER = Path("sweeps")


class _Bar(Progress):
    """Progress bar of a sweep."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._step: Callable[..., None] = lambda **_: None
        self.before = self.most = self.ended = 0

    def begin(self, before: int, most: int) -> None:
        """Starts the display with ``before`` completed runs of at most ``most``."""
        self.before, self.most = before, most
        bar = terminal.progress("sweeping", most, done=before, pace=True)
        self._step = self._stack.enter_context(bar)

    def step(self, spared: int) -> None:
        """Counts one finished run, or ``spared`` runs that are no longer needed."""
        if spared:
            self.most -= spared
            self._step(advance=0, total=self.most)
        else:
            self.ended += 1
            self._step()


def sweep(
    *,
    file: Path,
    output: Path | None = None,
    scheduler: str = "local",
    workers: Annotated[int | None, whole("number of processes", 1, 1024, 4)] = None,
    table: Annotated[Path | None, options.sheet_file] = None,
    work: Working,
) -> None:
    """Run a parameter space, on all cores or on a Dask cluster, and save a Parquet dataset.

    FOLDER/runs contains one row per run, for polars, DuckDB or pandas. A run is stored when it
    finishes. After Ctrl-C or a kill, the same command therefore resumes the sweep. The same seed
    gives the same files on local cores and on any Dask cluster.
    """
    try:
        need_polars("airlag sweep")
        asked = load(file)
        folder = FOLDER / asked.name if output is None else output
        with ExitStack() as stack:
            bar = _Bar(stack)
            with work.until, signals.answered():
                to_folder(asked, folder, scheduler, workers, bar)
        found = summary(folder, asked)
    except (SweepError, PoolError, ModuleNotFoundError) as error:
        terminal.refuse(error)
    except LinkError as error:
        terminal.refuse(f"{file}: {error}")
    except OSError as error:
        place = error.filename or output or FOLDER
        terminal.refuse(
            f"{place}: cannot be written ({error.strerror or error}); completed runs are intact, "
            "and the same command resumes"
        )
    hint: Swept = {
        "name": asked.name,
        "folder": printable(str(folder)),
        "links": [block.link for block in asked.blocks],
        "configurations": asked.configurations,
        "replications": asked.most,
        "runs": found.runs,
        "before": bar.before,
        "problems": found.problems,
        "complete": work.until.stopped is None,
        "table": found.to_json() if work.json else [],
    }
    work.show(hint, lambda: _shown(asked, folder, found, bar))
    work.table(table, [configurations_table(asked, found)] if found.runs else [])
    work.end(
        f"{count(bar.before + bar.ended)} of {count(bar.most)} runs are complete, and the same "
        "command resumes"
    )


def _shown(asked: Sweep, folder: Path, found: Summary, bar: _Bar) -> Iterator[RenderableType]:
    if 0 < asked.configurations <= MOST_SHOWN and found.runs:
        yield from (configurations_table(asked, found), "")
    words = [f"{count(asked.configurations)} configurations", f"{count(found.runs)} runs"]
    if bar.before:
        words.append(f"{count(bar.before)} already complete")
    if found.problems:
        words.append(f"{count(found.problems)} cannot be run; see column problem")
    yield Text(", ".join(words))
    if found.runs:
        yield Text(f"saved in {printable(str(folder / 'runs'))}", "bold")
    if asked.configurations > MOST_SHOWN:
        hint = f"--table FILE.csv, .md or .json lists up to {count(MOST_LISTED)} of them"
        yield Text(hint, "dim")


def configurations_table(asked: Sweep, found: Summary) -> Table:
    """Table of the settings that differ, deliveries and latencies of each configuration."""
    rows = found.frame.rows(named=True)
    medians = [row["p50_ns"] for row in rows if row["p50_ns"] is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    parameters = profiles.parameters(asked.blocks[0].link)
    units = {name: parameters[name]["unit"] for name in found.settings} | _STIMULUS
    turned = [name for name in units if len({row[name] for row in rows}) > 1]
    # The default period depends on the link.
    if "period" not in asked.blocks[0].names and "period_ns" in turned:
        turned.remove("period_ns")
    columns = [named("link", "link"), Column("B", key="size_bytes", absent="")]
    columns += [
        Column(
            name.removesuffix("_ns"), units[name], name, shown=lambda each: printable(plain(each))
        )
        for name in turned
    ]
    columns += [Column("runs", key="runs"), Column("delivered", key="delivery_ratio")]
    means = [name for name in found.means if name != "delivery"]
    for name in means:
        if name.endswith("_ns"):
            columns.append(time(name.removesuffix("_ns"), unit, name, hidden=name not in _SHOWN))
        elif name == "sender_marginal_nc":
            columns.append(Column("", "nC/msg", name, group="sender", shown=number))
        else:
            columns.append(Column(name, key=name, hidden=True))
    columns.append(word("problem", "problem", hidden=True))
    keys = ("link", "size", *turned, "runs")
    values = [
        (
            *map(row.get, keys),
            delivered(row["delivered"], row["lost"]),
            *map(row.get, means),
            row["problem"] or "",
        )
        for row in rows
    ]
    lost = any(row["lost"] for row in rows)
    title = Text(f"sweep {asked.name}: each value is the mean of its runs", style="bold")
    return Table.of_values(columns, values, of_delivered(lost=lost), title=title)
