"""The rows of a sweep as a folder of Parquet files, which grows as runs end.

::

    OUT/sweep.json                                what was asked, and the columns
    OUT/runs/link=nrf24-2m/part-00000.parquet     rows, in the order of their numbers
    OUT/transfers/link=nrf24-2m/run-000000000.parquet
    OUT/.pending/                                 rows of parts that are not complete

A part holds so many configurations, whoever ran them: the same sweep gives the same files, byte for
byte. Its rows are collected in ``.pending``, a line each, as runs end. So whatever kills the
command costs the runs that were under way, and no others.
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

from airlag._airlag import __version__
from airlag.core import paths
from airlag.core.atomic import replacing
from airlag.core.display import printable, to_json
from airlag.core.lock import Lock
from airlag.questions.runs import NONE, Outcome
from airlag.questions.sweeps.columns import is_row, schema, values
from airlag.questions.sweeps.file import SweepError
from airlag.questions.sweeps.plan import Sweep
from airlag.questions.sweeps.task import Done

if TYPE_CHECKING:
    import polars as pl

#: Version of the layout.
FORMAT = 1
#: Rows of a part, where they are not the replications of one configuration: a few megabytes in
#: memory, and few enough files that their footers are read in no time.
ROWS = 16_384
_NAME = "sweep.json"

Row = list[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One file of rows."""

    #: Name of the profile.
    link: str
    #: Number of the part among those of its link.
    nth: int
    #: Its configurations: from the one, and before the other.
    first: int
    end: int

    @property
    def name(self) -> str:
        """What its file is called, without what tells the format."""
        return f"part-{self.nth:05}"


class Journal:
    """The rows of a part that is not complete.

    A line is a JSON array, a tab, and the CRC-32 of the array.
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
        """Takes over the rows that were written before.

        A kill cuts the last line short; a power cut leaves blocks of zeros, or of another file.
        Such rows are run again, and the file is made anew without them.
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
        """The row of a line; ``None`` where it holds none of this part."""
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
        """The runs that there are, with the quantile that is looked at."""
        return ((run, self._looked(row)) for run, row in self.rows.items())

    def add(self, done: Done) -> float | None:
        """Keeps a row, and the transfers if there are any; gives the quantile that is looked at.

        Raises :class:`OSError` when it cannot be written.
        """
        self._dataset.keep_transfers(done)
        sweep = self._dataset.sweep
        row = values(sweep.columns, done, sweep.most)
        if self._file is None:
            self._file = self.path.open("ab", buffering=0)
        text = json.dumps(row, allow_nan=False, separators=(",", ":")).encode()
        line = text + b"\t" + _check_of(text)
        # What has no room is written as far as there is some.
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
        """Lets go of the file, which stays."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def drop(self) -> None:
        """The part is complete: nobody needs these any more."""
        self.close()
        self.path.unlink(missing_ok=True)


def _check_of(text: bytes) -> bytes:
    """What stands behind the tab of a line."""
    return b"%08x\n" % zlib.crc32(text)


class Dataset:
    """The folder of a sweep, held by this process alone."""

    def __init__(self, folder: Path, sweep: Sweep) -> None:
        self.folder = folder
        self.sweep = sweep
        self.pending = folder / ".pending"
        self._open: set[Journal] = set()
        self._lock = Lock(self.pending / "lock")

    def open(self) -> None:
        """Begins the dataset, or goes on with it.

        Raises :class:`SweepError` when something else is there, or somebody else is at it;
        :class:`OSError` when it cannot be written.
        """
        name = self.folder / _NAME
        about = to_json(about_of(self.sweep)) + "\n"
        if paths.exists(self.folder) and not paths.is_folder(self.folder):
            raise SweepError(f"{self.folder} is no folder; choose another place for the dataset")
        there = [one.name for one in self.folder.iterdir()] if paths.exists(self.folder) else []
        if there and _NAME not in there and self.pending.name not in there:
            raise SweepError(f"{self.folder} holds something else; choose an empty folder, or none")
        self._hold()
        try:
            if paths.is_file(name):
                self._check(name.read_bytes(), about.encode())
            else:
                with replacing(name) as file:
                    file.write(about.encode())
            self._clear()
        except BaseException:
            # In a folder that is left alone nothing of ours stays.
            self.close(complete=[left.name for left in self.pending.iterdir()] == ["lock"])
            raise

    def _hold(self) -> None:
        """Excludes other processes before anything else is written; raises :class:`SweepError`."""
        while not self._lock.is_held:
            self.pending.mkdir(parents=True, exist_ok=True)
            # Who was here before may be removing the folder.
            with suppress(FileNotFoundError):
                if not self._lock.take():
                    raise SweepError(
                        f"{self.folder}: another sweep is writing there; wait for it, or choose "
                        "another folder"
                    )

    def _clear(self) -> None:
        """Removes what was being written when the command was killed."""
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
            raise SweepError(f"{self.folder / _NAME} is no sweep; choose another folder") from None
        if version != __version__:
            raise SweepError(
                f"{self.folder} was begun by airlag {version}, and this is {__version__}; go on "
                "with that one, or choose another folder"
            )
        now = json.loads(here)["sweep"]
        keys = dict.fromkeys([*asked, *now]) if isinstance(asked, dict) else {}
        differs = next((key for key in keys if asked.get(key) != now.get(key)), "design")
        raise SweepError(
            f"{self.folder} was begun with another sweep (`{differs}` differs); choose another "
            "folder, or go on with the sweep as it was"
        )

    def close(self, *, complete: bool) -> None:
        """Lets go of the folder; when all is done, nothing is left beside the data."""
        for journal in self._open:
            journal.close()
        if not self._lock.is_held:
            return
        if complete:
            shutil.rmtree(self.pending, ignore_errors=True)
        self._lock.release(remove=False)

    def parts(self) -> Iterator[Part]:
        """All of them, in their order."""
        configurations = max(1, ROWS // self.sweep.most)
        for block in self.sweep.blocks:
            for number, begin in enumerate(range(block.first, block.end, configurations)):
                yield Part(block.link, number, begin, min(begin + configurations, block.end))

    def file_of(self, part: Part) -> Path:
        """Where the rows of a part are, once it is complete."""
        return self.folder / "runs" / f"link={part.link}" / f"{part.name}.parquet"

    def is_there(self, part: Part) -> bool:
        """Whether a part is complete."""
        return paths.is_file(self.file_of(part))

    def so_far(self) -> tuple[int, int]:
        """How many runs there are, and how many there are to be at most."""
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
        """The parts that are not complete, each with the rows that there are."""
        for part in self.parts():
            journal = Journal(self, part)
            if self.is_there(part):
                # It may have been killed between the two.
                journal.drop()
                continue
            self._open.add(journal)
            yield journal

    def keep(self, part: Part, journal: Journal) -> None:
        """Writes a part that is complete.

        Raises :class:`OSError` when it cannot be written; its rows stay where they are.
        """
        import polars as pl

        rows = [journal.rows[run] for run in sorted(journal.rows)]
        table = pl.DataFrame(rows, schema=dict(schema(self.sweep.columns)), orient="row")
        self._place(table, self.file_of(part))
        journal.drop()
        self._open.discard(journal)

    def keep_transfers(self, done: Done) -> None:
        """Writes every transfer of a run; raises :class:`OSError` when it cannot be written."""
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
        """Writes a file among what is pending, and moves it to where it is read."""
        draft = self.pending / target.name
        # What the operating system says of a full disk, polars tells in words of its own or not.
        written = io.BytesIO()
        table.write_parquet(written)
        with replacing(draft, force=True) as file:
            file.write(written.getbuffer())
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.replace(target)


@contextmanager
def readable(part: Path) -> Iterator[None]:
    """While a complete part is read; raises :class:`SweepError` where it is none."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        said = printable(str(error).partition("\n")[0])[:100]
        raise SweepError(
            f"{part}: cannot be read ({said}); remove it, and the same command runs it again"
        ) from None


def about_of(sweep: Sweep) -> dict[str, Any]:
    """What is said of a dataset: by which airlag, what was asked, and its columns."""
    asked = dict(sweep.asked)
    if sweep.digest is not None:
        # Whoever has another version of SciPy may get other points.
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
    """The rows that are complete, read when they are asked for."""
    import polars as pl

    found = pl.scan_parquet(
        folder / "runs" / "**" / "*.parquet",
        hive_partitioning=True,
        hive_schema={"link": pl.String()},
    )
    return found.select("link", pl.exclude("link"))


def table(sweep: Sweep, found: Sequence[Done]) -> pl.DataFrame:
    """The same of what is held in memory."""
    import polars as pl

    rows = [values(sweep.columns, done, sweep.most) for done in found]
    frame = pl.DataFrame(rows, schema=dict(schema(sweep.columns)), orient="row")
    links = pl.Series("link", [done.told["link"] for done in found], dtype=pl.String)
    return frame.insert_column(0, links)
