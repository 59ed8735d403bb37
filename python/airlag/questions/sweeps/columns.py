"""The columns of a sweep's rows, known before anything runs: all files of a dataset have the same.

The link is no column: files lie in folders named after it, as Hive has it, and every reader of
such datasets makes a column of that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from airlag.questions.identity import plain
from airlag.questions.run_rows import COLUMNS, FIRST
from airlag.questions.sweeps.task import Done

if TYPE_CHECKING:
    import polars as pl

#: What stands before the settings, and what behind them before the results.
_NUMBERS = {
    "run": "number of the run, from 0",
    "configuration": "number of the configuration: of all that is set, without the seed",
    "replication": "number of the run among those of its configuration",
}
_STIMULUS = {
    "size": ("Int64", "payload, B; null where there is no message"),
    "seed": ("Int64", "root of every random number"),
    "period_ns": ("Int64", "from trigger to trigger, ns"),
    "phase": ("String", "of the triggers: uniform or frozen"),
    "traffic": ("String", "what is sent at a trigger"),
}
#: Half a surrogate pair: JSON can write it, and no column of text can hold it.
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    #: What it is called; times end in ``_ns``.
    name: str
    #: ``Int64``, ``Float64``, ``Boolean`` or ``String``, as polars has them.
    type: str
    #: What it holds, with its unit.
    about: str

    def held(self, value: Any) -> Any:
        """A value as this column holds it."""
        if value is None:
            return None
        match self.type:
            case "String":
                return value if isinstance(value, str) else plain(value)
            case "Float64":
                return float(value)
            case _:
                return value

    def fits(self, value: Any) -> bool:
        """Whether this column can hold a value, as JSON gave it back."""
        match value:
            case bool():
                return self.type == "Boolean"
            case int():
                return self.type in ("Int64", "Float64") and -(2**63) <= value < 2**63
            case float():
                return self.type == "Float64" and math.isfinite(value)
            case str():
                return self.type == "String" and not _HALF.search(value)
        return value is None


def columns(settings: Sequence[tuple[str, str, str]], *, region: bool) -> list[Column]:
    """The columns of a sweep, with those of what it sets.

    ``region``: whether runs are held against its rules.
    """
    found = [Column(name, "Int64", about) for name, about in _NUMBERS.items()]
    found += [Column(*setting) for setting in settings]
    found += [Column(name, kind, about) for name, (kind, about) in _STIMULUS.items()]
    results = [name for name in list(COLUMNS)[FIRST:] if name not in _STIMULUS]
    found += [Column(name, COLUMNS[name], _about(name)) for name in results]
    if region:
        found.append(Column("allowed", "Boolean", "whether the region allows it; null: no radio"))
    return [*found, Column("problem", "String", "why there are no results; null: there are")]


def _about(name: str) -> str:
    if name.endswith("_ns"):
        return f"{name.removesuffix('_ns')} of the latencies, ns; null where nothing arrived"
    return (
        "delivered of those whose fate is known" if name == "delivery" else f"{name}, as in a run"
    )


def values(columns: Sequence[Column], done: Done, most: int) -> list[Any]:
    """The row of a run, a value a column; ``most``: replications of a configuration."""
    configuration, replication = divmod(done.run, most)
    numbers = {"run": done.run, "configuration": configuration, "replication": replication}
    told = {**done.told, **done.stimulus, **numbers, "problem": done.problem}
    return [column.held(told.get(column.name)) for column in columns]


def is_row(columns: Sequence[Column], read: Any) -> TypeGuard[list[Any]]:
    """Whether what JSON gave back is a row of these columns."""
    return (
        isinstance(read, list)
        and len(read) == len(columns)
        and type(read[0]) is int
        and all(column.fits(value) for column, value in zip(columns, read, strict=True))
    )


def schema(columns: Sequence[Column]) -> Mapping[str, pl.DataType]:
    """The same as polars has it."""
    import polars as pl

    return {column.name: getattr(pl, column.type)() for column in columns}
