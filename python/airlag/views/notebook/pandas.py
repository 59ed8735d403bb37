"""Data frames for those who use pandas, which airlag itself does not need."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

#: Types of pandas that keep a gap apart from a number; all others stay Python's own.
_NULLABLE = {"Int64": "Int64", "UInt32": "UInt32", "Float64": "Float64", "Boolean": "boolean"}


def to_pandas(frame: pl.DataFrame) -> Any:
    """A ``pandas.DataFrame`` of the same columns.

    Polars would need pyarrow for that. Columns of numbers without gaps are numpy's.

    Raises
    ------
    ModuleNotFoundError
        With one line, where pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ModuleNotFoundError(
            "pandas is not installed; pip install pandas, or use .to_polars()", name="pandas"
        ) from None
    columns = {}
    for name, column in frame.to_dict().items():
        kind = _NULLABLE.get(str(column.dtype))
        if kind is not None and not column.null_count():
            columns[name] = column.to_numpy()
        else:
            columns[name] = pandas.array(column.to_list(), dtype=kind or "object")
    return pandas.DataFrame(columns)
