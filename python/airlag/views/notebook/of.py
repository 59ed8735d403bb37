"""The view of each result, by the class of the result; each is loaded when it is looked at."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from airlag.questions.shown import Plotted, Shown
from airlag.views.notebook import Showing, html
from airlag.views.notebook.chart import Chart

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

#: Module and name of what makes the view of each result.
_VIEWS: Mapping[str, tuple[str, str]] = {
    "Comparison": ("run", "comparison"),
    "Explanation": ("run", "explanation"),
    "Goodput": ("links", "goodput"),
    "Indices": ("tuning", "indices"),
    "Links": ("links", "links"),
    "Loaded": ("links", "loaded"),
    "Match": ("matching", "match"),
    "Profile": ("links", "profile"),
    "Ranking": ("matching", "ranking"),
    "Recommendation": ("recommendation", "recommendation"),
    "Run": ("run", "run"),
    "Runs": ("run", "runs"),
    "Tuned": ("tuning", "tuned"),
}

#: Types of pandas that keep a gap apart from a number; all others stay Python's own.
_NULLABLE = {"Int64": "Int64", "UInt32": "UInt32", "Float64": "Float64", "Boolean": "boolean"}


def view_of(result: Shown, kind: str | None = None) -> Showing:
    """The view of a result; of several kinds of chart, with the one called ``kind``."""
    module, name = _VIEWS[type(result).__name__]
    view = getattr(import_module(f"airlag.views.notebook.{module}"), name)
    found: Showing = view(result) if kind is None else view(result, kind)
    return found


def html_of(result: Shown) -> str:
    """The table that a notebook shows."""
    return html(view_of(result))


def chart_of(result: Plotted, kind: str | None = None) -> Chart:
    """The chart of a result.

    Raises
    ------
    ValueError
        With one line, where there is no such chart, or nothing to draw.
    """
    return Chart(view_of(result, kind).spec())


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
