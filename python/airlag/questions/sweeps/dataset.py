"""Dataset of a sweep: a folder of Parquet files that grows as runs finish.

::

    OUT/sweep.json                                definition and columns
    OUT/runs/link=nrf24-2m/part-00000.parquet     rows, ordered by run number
    OUT/transfers/link=nrf24-2m/run-000000000.parquet
    OUT/.pending/                                 rows of incomplete parts

Each part contains a fixed range of configurations, so that the same sweep gives the same files,
byte for byte, on any executor. When a run finishes, its row is appended to a text file in
``.pending``. If the process is killed, only the runs in progress are therefore lost.
"""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from airlag._airlag import Lock, __version__
from airlag.core import paths
from airlag.core.atomic import replacing
from airlag.core.display import printable, to_json
from airlag.questions.runs import NONE, Outcome
from airlag.questions.sweeps.columns import is_row, schema, values
from airlag.questions.sweeps.file import SweepError
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.task import Done

if TYPE_CHECKING:
    import polars as pl

#: Version of the layout.
FORMAT = 1
#: Rows per part, unless one configuration has more replications. A part takes a few megabytes of
#: memory, and the number of files stays small enough to read all footers quickly.
ROWS = 16_384
_NAME = "sweep.json"

Row = list[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One file of rows."""

    #: Link profile.
    link: str
    #: Number of the part within its link.
    nth: int
    #: Range of its configurations: first, and past-the-end.
    first: int
    end: int

    @property
    def name(self) -> str:
        """File name without extension."""
        return f"part-{self.nth:05}"


class Journal:
    """Rows of an incomplete part.

    Each line is a JSON array, a tab, and the CRC-32 of the array.
    """

    def __init__(self, dataset: Dataset, part: Part) -> None:
        self.configurations = range(part.first, part.end)
        self.path = path = dataset.pending / f"{part.link}-{part.name}.jsonl"
        self.rows: dict[int, Row] = {}
        self._dataset, self._part = dataset, part
        self._file: BinaryIO | None = None
        if paths.is_file(path):
            self._read()

    def _read(self) -> None:
        """Reads the existing rows.

        Invalid lines are removed from the file, and their runs are repeated. Such lines result from
        a killed process (a truncated last line) or a power cut (blocks of unrelated data).
        """
        whole = []
        lines = self.path.read_bytes().splitlines(keepends=True)
        for line in lines:
            row = self._row(line)
            if row is not None:
                self.rows[row[0]] = row
                whole.append(line)
        if len(whole) < len(lines):
            with replacing(self.path, force=True) as file:
                file.writelines(whole)

    def _row(self, line: bytes) -> Row | None:
        """Parses a line; ``None`` if it is invalid or belongs to another part."""
        sweep = self._dataset.sweep
        text, _, check = line.rpartition(b"\t")
        if check != _check_of(text):
            return None
        try:
            read: Any = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if not is_row(sweep.columns, read):
            return None
        row: Row = read
        return row if row[0] // sweep.most in self.configurations else None

    def begun(self) -> Iterator[tuple[int, float | None]]:
        """Yields finished runs, each with the quantile that determines the number of runs."""
        return ((run, self._looked(row)) for run, row in self.rows.items())

    def add(self, done: Done) -> float | None:
        """Stores a row and any transfers; returns the quantile that determines the number of runs.

        Raises :class:`OSError` if it cannot be written.
        """
        self._dataset.keep_transfers(done)
        sweep = self._dataset.sweep
        row = values(sweep.columns, done, sweep.most)
        if self._file is None:
            self._file = self.path.open("ab", buffering=0)
        text = json.dumps(row, allow_nan=False, separators=(",", ":")).encode()
        line = text + b"\t" + _check_of(text)
        # On a full disk, write as much as fits.
        if self._file.write(line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
        self.rows[row[0]] = row
        return self._looked(row)

    def end(self) -> None:
        """Writes the part."""
        self._dataset.keep(self._part, self)

    def _looked(self, row: Row) -> float | None:
        sweep = self._dataset.sweep
        if sweep.looked is None:
            return None
        value: float | None = row[[column.name for column in sweep.columns].index(sweep.looked)]
        return value

    def close(self) -> None:
        """Closes the file without deleting it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def drop(self) -> None:
        """Deletes the file after its part is complete."""
        self.close()
        self.path.unlink(missing_ok=True)


def _check_of(text: bytes) -> bytes:
    """Checksum of a line, which follows its tab."""
    return b"%08x\n" % zlib.crc32(text)


class Dataset:
    """The folder of a sweep, locked by this process."""

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self.sweep = sweep
        self.pending = folder / ".pending"
        self._open: set[Journal] = set()
        self._lock = Lock(self.pending / "lock")

    def open(self) -> None:
        """Creates or resumes the dataset.

        Raises :class:`SweepError` if the folder has content other than this sweep, or if another
        process uses the folder; :class:`OSError` if the folder cannot be written.
        """
        name = self.folder / _NAME
        about = to_json(about_of(self.sweep)) + "\n"
        if paths.exists(self.folder) and not paths.is_folder(self.folder):
            raise SweepError(f"{self.folder} is not a folder; choose another path for the dataset")
        there = [one.name for one in self.folder.iterdir()] if paths.exists(self.folder) else []
        if there and _NAME not in there and self.pending.name not in there:
            raise SweepError(f"{self.folder} has other content; choose an empty or new folder")
        self._hold()
        try:
            if paths.is_file(name):
                self._check(name.read_bytes(), about.encode())
            else:
                with replacing(name) as file:
                    file.write(about.encode())
            self._clear()
        except BaseException:
            # A rejected folder is left without our files.
            self.close(complete=[left.name for left in self.pending.iterdir()] == ["lock"])
            raise

    def _hold(self) -> None:
        """Locks the folder before anything is written; raises :class:`SweepError`."""
        while not self._lock.is_held:
            self.pending.mkdir(parents=True, exist_ok=True)
            # The previous process may be removing the folder.
            with suppress(FileNotFoundError):
                if not self._lock.take():
                    raise SweepError(
                        f"{self.folder}: another sweep is writing there; wait for it, or choose "
                        "another folder"
                    )

    def _clear(self) -> None:
        """Removes temporary files of a killed command."""
        for left in self.pending.iterdir():
            if left.suffix != ".jsonl" and left.name != "lock":
                left.unlink()

    def _check(self, there: bytes, here: bytes) -> None:
        if there == here:
            return
        try:
            begun = json.loads(there)
            version, asked = begun["airlag"], begun["sweep"]
        except (ValueError, KeyError, TypeError):
            raise SweepError(
                f"{self.folder / _NAME} is not a sweep; choose another folder"
            ) from None
        if version != __version__:
            raise SweepError(
                f"{self.folder} was created by airlag {version}, not {__version__}; resume "
                "with that version, or choose another folder"
            )
        now = json.loads(here)["sweep"]
        keys = dict.fromkeys([*asked, *now]) if isinstance(asked, dict) else {}
        differs = next((key for key in keys if asked.get(key) != now.get(key)), "design")
        raise SweepError(
            f"{self.folder} was created by another sweep (`{differs}` differs); choose another "
            "folder, or restore the sweep's definition"
        )

    def close(self, *, complete: bool) -> None:
        """Unlocks the folder; with ``complete``, removes all auxiliary files."""
        for journal in self._open:
            journal.close()
        if not self._lock.is_held:
            return
        if complete:
            shutil.rmtree(self.pending, ignore_errors=True)
        self._lock.release(remove=False)

    def parts(self) -> Iterator[Part]:
        """Yields all parts in order."""
        configurations = max(1, ROWS // self.sweep.most)
        for block in self.sweep.blocks:
            for number, begin in enumerate(range(block.first, block.end, configurations)):
                yield Part(block.link, number, begin, min(begin + configurations, block.end))

    def file_of(self, part: Part) -> Path:
        """Path of a complete part."""
        return self.folder / "runs" / f"link={part.link}" / f"{part.name}.parquet"

    def is_there(self, part: Part) -> bool:
        """Whether a part is complete."""
        return paths.is_file(self.file_of(part))

    def so_far(self) -> tuple[int, int]:
        """Number of finished runs, and the maximum number of runs."""
        import polars as pl

        found, most = 0, self.sweep.runs
        for part in self.parts():
            if self.is_there(part):
                with readable(self.file_of(part)):
                    rows = pl.scan_parquet(self.file_of(part)).select(pl.len()).collect().item()
                found += rows
                most -= (part.end - part.first) * self.sweep.most - rows
            else:
                found += len(Journal(self, part).rows)
        return found, most

    def missing(self) -> Iterator[Journal]:
        """Yields incomplete parts with their finished rows."""
        for part in self.parts():
            journal = Journal(self, part)
            if self.is_there(part):
                # A kill may come between writing the part and deleting its rows.
                journal.drop()
                continue
            self._open.add(journal)
            yield journal

    def keep(self, part: Part, journal: Journal) -> None:
        """Writes a complete part.

        Raises :class:`OSError` if it cannot be written; the pending rows are kept.
        """
        import polars as pl

        rows = [journal.rows[run] for run in sorted(journal.rows)]
        table = pl.DataFrame(rows, schema=dict(schema(self.sweep.columns)), orient="row")
        self._place(table, self.file_of(part))
        journal.drop()
        self._open.discard(journal)

    def keep_transfers(self, done: Done) -> None:
        """Writes every transfer of a run; raises :class:`OSError` if it cannot be written."""
        import polars as pl

        if (held := done.transfers) is None:
            return
        names = {int(outcome): outcome.name.lower() for outcome in Outcome}
        completion = pl.Series("completion_ns", held.completion_ns, dtype=pl.Int64)
        frame = pl.DataFrame(
            {
                "run": pl.Series([done.run], dtype=pl.Int64).new_from_index(0, len(completion)),
                "trigger_ns": pl.Series(held.trigger_ns, dtype=pl.Int64),
                "completion_ns": completion.replace(NONE, None),
                "outcome": pl.Series(held.outcome).replace_strict(names, return_dtype=pl.String),
            }
        ).with_columns(latency_ns=pl.col("completion_ns") - pl.col("trigger_ns"))
        link, _ = self.sweep.sets(done.run // self.sweep.most)
        name = f"run-{done.run:09}.parquet"
        self._place(frame, self.folder / "transfers" / f"link={link}" / name)

    def _place(self, table: pl.DataFrame, target: Path) -> None:
        """Writes a file to the pending folder, and moves it to its path."""
        draft = self.pending / target.name
        # polars does not always report a full disk as an OSError.
        written = io.BytesIO()
        table.write_parquet(written)
        with replacing(draft, force=True) as file:
            file.write(written.getbuffer())
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.replace(target)


@contextmanager
def readable(part: Path) -> Iterator[None]:
    """Context in which a part is read; raises :class:`SweepError` if it is damaged."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        said = printable(str(error).partition("\n")[0])[:100]
        raise SweepError(
            f"{part}: cannot be read ({said}); delete it, and the same command restores it"
        ) from None


def about_of(sweep: Sweep) -> dict[str, Any]:
    """Metadata of a dataset: airlag version, definition and columns."""
    asked = dict(sweep.asked)
    if sweep.digest is not None:
        # Other versions of SciPy may draw other points.
        asked["design"] = {**asked["design"], "sha256": sweep.digest}
    return {
        "format": FORMAT,
        "airlag": __version__,
        "name": sweep.name,
        "configurations": sweep.configurations,
        "replications": sweep.most,
        "sweep": asked,
        "columns": [
            {"name": "link", "type": "String", "about": "link profile; the name of the folder"},
            *({"name": c.name, "type": c.type, "about": c.about} for c in sweep.columns),
        ],
    }


def scan(folder: Path) -> pl.LazyFrame:
    """Lazily scans the completed rows."""
    import polars as pl

    found = pl.scan_parquet(
        folder / "runs" / "**" / "*.parquet",
        hive_partitioning=True,
        hive_schema={"link": pl.String()},
    )
    return found.select("link", pl.exclude("link"))


def table(sweep: Sweep, found: Sequence[Done]) -> pl.DataFrame:
    """Returns results held in memory as a table with the columns of a dataset."""
    import polars as pl

    rows = [values(sweep.columns, done, sweep.most) for done in found]
    frame = pl.DataFrame(rows, schema=dict(schema(sweep.columns)), orient="row")
    links = pl.Series("link", [done.values["link"] for done in found], dtype=pl.String)
    return frame.insert_column(0, links)
