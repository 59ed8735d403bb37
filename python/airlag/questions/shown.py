"""Results that show themselves: two lines of text, a small table, a data frame, a chart.

How a result looks is decided two floors up, in :mod:`airlag.views.notebook`. That package is loaded
by its name when a result is first looked at: the one place where a question reaches a view.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from airlag.core.extras import need_polars

if TYPE_CHECKING:
    import polars as pl

#: The module that finds the view of a result.
VIEWS = "airlag.views.notebook.of"


class Chart(Protocol):
    """A Vega-Lite chart that a notebook shows."""

    def to_dict(self) -> dict[str, Any]:
        """The Vega-Lite specification."""

    def to_json(self) -> str:
        """The specification as text."""

    def to_altair(self) -> Any:
        """The same as a chart of Altair, where that is installed."""

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the chart as ``.svg``, ``.png`` or ``.html``."""


class Shown:
    """A result with a ``repr`` of two lines, a table in notebooks, and data frames."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(_views().view_of(self).lines())

    def _repr_html_(self) -> str:
        html: str = _views().html_of(self)
        return html

    def to_polars(self) -> pl.DataFrame:
        """Its rows as a polars data frame; durations are in ns, as the names of columns say.

        Raises
        ------
        ModuleNotFoundError
            With one line, where polars is not installed.
        """
        need_polars("a data frame")
        frame: pl.DataFrame = _views().view_of(self).frame()
        return frame

    def to_pandas(self) -> Any:
        """As :meth:`to_polars`, as a ``pandas.DataFrame``; columns with gaps are nullable ones.

        Raises
        ------
        ModuleNotFoundError
            With one line, where pandas or polars is not installed.
        """
        return _views().to_pandas(self.to_polars())


class Plotted(Shown):
    """A result that has a chart too."""

    __slots__ = ()

    def plot(self) -> Chart:
        """Its chart; a notebook shows it, ``.save("chart.html")`` keeps it.

        Raises
        ------
        ValueError
            With one line, where there is nothing to draw.
        """
        return chart_of(self)


def chart_of(result: Plotted, kind: str | None = None) -> Chart:
    """The chart of a result; of several kinds, the one called ``kind``.

    Raises :class:`ValueError` where there is no such chart, or nothing to draw.
    """
    chart: Chart = _views().chart_of(result, kind)
    return chart


def _views() -> Any:
    return import_module(VIEWS)
