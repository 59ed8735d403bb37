"""Columns of a sweep's rows, fixed before the first run, so that all files share a schema.

The link is not a column of the files. The name of a folder states the link (Hive partitioning), and
programs that read the files derive a column from this name.
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

#: Columns before the settings, and between settings and results.
_NUMBERS = {
    "run": "number of the run, from 0",
    "configuration": "number of the configuration: all settings except the seed",
    "replication": "number of the run within its configuration",
}
_STIMULUS = {
    "size": ("Int64", "payload, B; null without messages"),
    "seed": ("Int64", "random seed"),
    "period_ns": ("Int64", "trigger period, ns"),
    "phase": ("String", "phase of the triggers: uniform or frozen"),
    "traffic": ("String", "kind of traffic"),
}
#: Lone surrogates: valid in JSON, but not in text columns.
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    #: Name; durations end in ``_ns``.
    name: str
    #: ``Int64``, ``Float64``, ``Boolean`` or ``String``, as in polars.
    type: str
    #: Description with unit.
    about: str

    def held(self, value: Any) -> Any:
        """Converts a value to the column's type."""
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
        """Whether a JSON value fits the column."""
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
    """Columns of a sweep with these settings; with ``region``, also the regulatory verdict."""
    found = [Column(name, "Int64", about) for name, about in _NUMBERS.items()]
    found += [Column(*setting) for setting in settings]
    found += [Column(name, kind, about) for name, (kind, about) in _STIMULUS.items()]
    results = [name for name in list(COLUMNS)[FIRST:] if name not in _STIMULUS]
    found += [Column(name, COLUMNS[name], _about(name)) for name in results]
    if region:
        found.append(Column("allowed", "Boolean", "whether the region permits it; null: no radio"))
    return [*found, Column("problem", "String", "why there are no results; null if there are")]


def _about(name: str) -> str:
    if name.endswith("_ns"):
        return f"{name.removesuffix('_ns')} of the latencies, ns; null without deliveries"
    return "delivered share of known outcomes" if name == "delivery" else f"{name}, as in a run"


def values(columns: Sequence[Column], done: Done, most: int) -> list[Any]:
    """Row of a run; ``most`` is the number of replications per configuration."""
    configuration, replication = divmod(done.run, most)
    numbers = {"run": done.run, "configuration": configuration, "replication": replication}
    found = {**done.values, **done.stimulus, **numbers, "problem": done.problem}
    return [column.held(found.get(column.name)) for column in columns]


def is_row(columns: Sequence[Column], read: Any) -> TypeGuard[list[Any]]:
    """Whether a JSON value is a row of these columns."""
    return (
        isinstance(read, list)
        and len(read) == len(columns)
        and type(read[0]) is int
        and all(column.fits(value) for column, value in zip(columns, read, strict=True))
    )


def schema(columns: Sequence[Column]) -> Mapping[str, pl.DataType]:
    """Schema in polars types."""
    import polars as pl

    return {column.name: getattr(pl, column.type)() for column in columns}
