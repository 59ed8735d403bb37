"""Summary of a dataset by configuration, read lazily with bounded memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airlag.questions.run_rows import COLUMNS
from airlag.questions.sweeps.dataset import readable, scan
from airlag.questions.sweeps.plan import Sweep

if TYPE_CHECKING:
    import polars as pl

    from airlag.core import types

#: Maximum configurations in the summary.
MOST_LISTED = 1000
#: Transfer counts, which are summed; other results are averaged over replications.
_COUNTS = ("triggers", "delivered", "delivered_late", "lost", "censored")
#: Columns that are not results.
_GIVEN = ("source", "link", "size", "seed")
#: Settings that are not profile parameters.
_STIMULUS = ("period_ns", "phase", "traffic")


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of a dataset."""

    #: Rows, and rows of invalid combinations.
    runs: int
    problems: int
    #: Columns of the settings.
    settings: list[str]
    #: Columns averaged over replications.
    means: list[str]
    #: One row per configuration, in order; at most :data:`MOST_LISTED`.
    frame: pl.DataFrame

    def to_json(self) -> list[types.Configuration]:
        """Returns configurations as objects of the documented JSON."""
        return [
            {
                "configuration": row["configuration"],
                "link": row["link"],
                "size": row["size"],
                "settings": {n: row[n] for n in self.settings if row[n] is not None},
                "runs": row["runs"],
                "problem": row["problem"],
                "triggers": row["triggers"],
                "delivered": row["delivered"],
                "lost": row["lost"],
                "means": {name: row[name] for name in self.means},
            }
            for row in self.frame.rows(named=True)
        ]


def summary(folder: Path, sweep: Sweep) -> Summary:
    """Reads the completed part of a dataset; raises :class:`SweepError` for a damaged file."""
    import polars as pl

    try:
        return _summary(folder, sweep)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        # Reading all files at once does not identify the damaged one.
        for part in sorted((folder / "runs").glob("*/*.parquet")):
            with readable(part):
                pl.read_parquet(part, columns=[column.name for column in sweep.columns])
        raise


def _summary(folder: Path, sweep: Sweep) -> Summary:
    import polars as pl

    names = [column.name for column in sweep.columns]
    settings = names[names.index("replication") + 1 : names.index("size")]
    means = [name for name in COLUMNS if name in names and name not in (*_COUNTS, *_GIVEN)]
    if not any((folder / "runs").glob("*/*.parquet")):
        return Summary(0, 0, settings, means, pl.DataFrame())
    rows = scan(folder)
    total: dict[str, Any] = (
        rows.select(runs=pl.len(), problems=pl.col("problem").is_not_null().sum())
        .collect(engine="streaming")
        .row(0, named=True)
    )
    of_configuration = (
        rows.filter(pl.col("configuration") < MOST_LISTED)
        .group_by("configuration")
        .agg(
            pl.len().alias("runs"),
            pl.col("link", *settings, "size", *_STIMULUS, "problem").first(),
            pl.col(*(name for name in _COUNTS if name in names)).sum(),
            # Fixed order, because sums of floats depend on it.
            pl.col(*means).sort_by("replication").mean(),
        )
        .sort("configuration")
        .collect(engine="streaming")
    )
    return Summary(total["runs"], total["problems"], settings, means, of_configuration)
