"""Results with a text form, a notebook table, a data frame and a chart.

The module :mod:`airlag.views.notebook` defines the appearance of the results, and is imported by
name on demand. No other module of :mod:`airlag.questions` depends on a module of views.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from airlag.core.extras import need_polars

if TYPE_CHECKING:
    import polars as pl

#: Module that maps results to views.
VIEWS = "airlag.views.notebook.of"


class Chart(Protocol):
    """A Vega-Lite chart that a notebook shows."""

    def to_dict(self) -> dict[str, Any]:
        """Returns the Vega-Lite specification."""

    def to_json(self) -> str:
        """Returns the specification as JSON text."""

    def to_altair(self) -> Any:
        """Converts to an Altair chart, if Altair is installed."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the chart as ``.svg``, ``.png`` or ``.html``."""


class Displayable:
    """A result with a ``repr`` of two lines, a notebook table, and data frames."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(_views().view_of(self).lines())

    def _repr_html_(self) -> str:
        html: str = _views().html_of(self)
        return html

    def to_polars(self) -> pl.DataFrame:
        """Converts to a polars data frame. Durations are in ns, as the column names state.

        Raises
        ------
        ModuleNotFoundError
            Polars is not installed. The message has one line.
        """
        need_polars("a data frame")
        frame: pl.DataFrame = _views().view_of(self).frame()
        return frame

    def to_pandas(self) -> Any:
        """Converts to a ``pandas.DataFrame``; columns with missing values are nullable.

        Raises
        ------
        ModuleNotFoundError
            Pandas or polars is not installed. The message has one line.
        """
        return _views().to_pandas(self.to_polars())


class Plottable(Displayable):
    """A result with a chart."""

    __slots__ = ()

    def plot(self) -> Chart:
        """Returns the chart of this result; ``.save("chart.html")`` writes it to a file.

        Raises
        ------
        ValueError
            The result contains nothing to draw. The message has one line.
        """
        return chart_of(self)


def chart_of(result: Plottable, kind: str | None = None) -> Chart:
    """Returns the chart of a result; ``kind`` selects among several.

    Raises :class:`ValueError` for an unknown or empty chart.
    """
    chart: Chart = _views().chart_of(result, kind)
    return chart


def _views() -> Any:
    return import_module(VIEWS)
