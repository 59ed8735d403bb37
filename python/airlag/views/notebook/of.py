"""Maps result classes to their views, which are imported on demand."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from airlag.questions.shown import Displayable, Plottable
from airlag.views.notebook import View, html

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair
    import polars as pl


#: View modules and their functions, keyed by the lower-case result class.
_VIEWS: Mapping[str, tuple[str, ...]] = {
    "run": ("comparison", "explanation", "run", "runs"),
    "choices": (
        *("goodput", "indices", "links", "loaded", "match"),
        *("profile", "ranking", "recommendation", "tuned"),
    ),
}

#: pandas dtypes that can hold missing values; other columns stay Python objects.
_NULLABLE = {"Int64": "Int64", "UInt32": "UInt32", "Float64": "Float64", "Boolean": "boolean"}


def view_of(result: Displayable, kind: str | None = None) -> View:
    """Returns the view of a result; ``kind`` selects among several charts."""
    name = type(result).__name__.lower()
    module = next(module for module, names in _VIEWS.items() if name in names)
    view = getattr(import_module(f"airlag.views.notebook.{module}"), name)
    found: View = view(result) if kind is None else view(result, kind)
    return found


def html_of(result: Displayable) -> str:
    """Returns the HTML table that a notebook shows."""
    return html(view_of(result))


def chart_of(result: Plottable, kind: str | None = None) -> Chart:
    """Returns the chart of a result.

    Raises :class:`ValueError` if there is no such chart, or nothing to draw.
    """
    return Chart(view_of(result, kind).spec())


def to_pandas(frame: pl.DataFrame) -> Any:
    """Converts a Polars frame to a ``pandas.DataFrame`` without pyarrow.

    Numeric columns without missing values become numpy arrays.

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed. The message is one line.
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


#: Vega-Lite MIME type, rendered by JupyterLab and VS Code; other viewers show the SVG.
VEGA_LITE = "application/vnd.vegalite.v6+json"


class Chart:
    """One chart, shown in a notebook as Vega-Lite, or as SVG where that is unsupported."""

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
        """Converts the chart to an Altair chart. Altair is not a dependency of airlag.

        Raises
        ------
        ImportError
            If Altair is not installed. The message is one line.
        """
        try:
            import altair
        except ImportError:
            raise ImportError("Altair is not installed; pip install altair") from None
        return altair.Chart.from_dict(self._spec)

    def to_dict(self) -> dict[str, Any]:
        """Returns the Vega-Lite specification."""
        return self._spec

    def to_json(self) -> str:
        """Returns the Vega-Lite specification as JSON text."""
        return json.dumps(self._spec)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the chart to a file, atomically.

        Parameters
        ----------
        path
            File that ends in ``.svg``, ``.png``, or ``.html`` (self-contained page).
        force
            Replace an existing file even if airlag did not draw it.

        Raises
        ------
        ValueError
            If the file extension is not supported. The message is one line.
        FileExistsError
            If the file exists, airlag did not draw it, and ``force`` is false.
        OSError
            If the file cannot be written.
        """
        from airlag.views.pages import output

        output.write_chart("chart", self._spec, path, force=force)
