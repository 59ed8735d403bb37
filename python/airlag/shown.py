"""Results that show themselves: two lines of text, a small table, a data frame, a chart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from airlag.showing import Drawing, Showing
    from airlag.showing.chart import Chart


class Shown(ABC):
    """A result with a ``repr`` of two lines, a table in notebooks, and data frames.

    How it looks is told by a class of :mod:`airlag.showing`, which is loaded when it is looked at.
    """

    __slots__ = ()

    @abstractmethod
    def _showing(self) -> Showing:
        """How this one is shown."""

    def __repr__(self) -> str:
        return "\n".join(self._showing().lines())

    def _repr_html_(self) -> str:
        from airlag.showing import html

        return html(self._showing())

    def to_polars(self) -> pl.DataFrame:
        """Its rows as a polars data frame; durations are in ns, as the names of columns say."""
        return self._showing().frame()

    def to_pandas(self) -> Any:
        """As :meth:`to_polars`, as a ``pandas.DataFrame``; columns with gaps are nullable ones.

        Raises
        ------
        ModuleNotFoundError
            With one line, where pandas is not installed: airlag does not need it.
        """
        from airlag.showing.pandas import to_pandas

        return to_pandas(self.to_polars())


class Plotted(Shown):
    """A result that has a chart too."""

    __slots__ = ()

    @abstractmethod
    def _showing(self) -> Drawing:
        """How this one is shown and drawn."""

    def plot(self) -> Chart:
        """Its chart; a notebook shows it, ``.save("chart.html")`` keeps it.

        Raises
        ------
        ValueError
            With one line, where there is nothing to draw.
        """
        from airlag.showing.chart import Chart

        return Chart.of(self._showing())
