"""The view of each result, by the class of the result; each is loaded when it is looked at."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from airlag.questions.shown import Plotted, Shown
from airlag.views.notebook import Showing, html

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair
    import polars as pl


#: Modules, and the functions in them that make the view of the results of the same names.
_VIEWS: Mapping[str, tuple[str, ...]] = {
    "run": ("comparison", "explanation", "run", "runs"),
    "choices": (
        *("goodput", "indices", "links", "loaded", "match"),
        *("profile", "ranking", "recommendation", "tuned"),
    ),
}

#: Types of pandas that keep a gap apart from a number; all others stay Python's own.
_NULLABLE = {"Int64": "Int64", "UInt32": "UInt32", "Float64": "Float64", "Boolean": "boolean"}


def view_of(result: Shown, kind: str | None = None) -> Showing:
    """The view of a result; of several kinds of chart, with the one called ``kind``."""
    name = type(result).__name__.lower()
    module = next(module for module, names in _VIEWS.items() if name in names)
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


#: What JupyterLab, VS Code and others draw themselves; what they cannot is shown as a picture.
VEGA_LITE = "application/vnd.vegalite.v6+json"


class Chart:
    """One chart, shown in a notebook as Vega-Lite, or as a picture where that is unknown."""

    __slots__ = ("_spec",)

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec

    def __repr__(self) -> str:
        title = self._spec["title"]
        return f"Chart: {' '.join(title['text'])}\n{' '.join(title['subtitle'])}".rstrip()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:  # noqa: ARG002
        from airlag.views.pages.output import drawn_svg

        return {
            VEGA_LITE: self._spec,
            "image/svg+xml": drawn_svg(self._spec),
            "text/plain": repr(self),
        }

    def to_altair(self) -> altair.TopLevelMixin:
        """The same as a chart of Altair, which is not installed with airlag.

        Raises
        ------
        ImportError
            With one line, where Altair is not installed.
        """
        try:
            import altair
        except ImportError:
            raise ImportError("Altair is not installed; pip install altair") from None
        return altair.Chart.from_dict(self._spec)

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""
        return self._spec

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self._spec)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the chart; it appears complete or not at all.

        Parameters
        ----------
        path
            Ends in ``.svg``, ``.png``, or ``.html`` (a page that needs no network).
        force
            Replace a file that is there even if airlag did not draw it.

        Raises
        ------
        ValueError
            When the ending is another; one line.
        FileExistsError
            When the file is there and not airlag's, unless ``force``.
        OSError
            When it cannot be written.
        """
        from airlag.views.pages import output

        output.write_chart("chart", self._spec, path, force=force)
