"""How results look in a notebook and at a prompt: a function for each kind of result.

Figures are those of the result, charts those of reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from airlag.core import quantity
from airlag.core.display import short_name
from airlag.views.html import Html, joined, tag

if TYPE_CHECKING:
    import polars as pl

#: Rows of a table in a notebook; the data frame has all of them.
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Showing:
    """How one result is shown; rows are made when they are wanted, and once.

    Attributes
    ----------
    first, second
        The lines at a prompt.
    head, cells
        The table of a notebook; columns of figures are to the right.
    frame
        Makes the data frame.
    spec
        Makes the chart; what cannot be plotted has none.
    """

    first: str
    second: str
    head: Sequence[str]
    cells: Iterable[Sequence[str]]
    frame: Callable[[], pl.DataFrame]
    spec: Callable[[], dict[str, Any]] = dict

    def lines(self) -> tuple[str, str]:
        """Both lines."""
        return self.first, self.second


def drawn_by(module: str, function: str, *told: Any) -> Callable[[], dict[str, Any]]:
    """Makes a chart by a function of these views; what draws is loaded when a chart is wanted."""

    def spec() -> dict[str, Any]:
        chart: dict[str, Any] = getattr(import_module(f"airlag.views.{module}"), function)(*told)
        return chart

    return spec


def framed(columns: Mapping[str, type], rows: Iterable[Any]) -> Callable[[], pl.DataFrame]:
    """Makes a data frame of columns with these types; a row is a mapping, or values in order."""

    def frame() -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(list(rows), schema=dict(columns), orient="row")

    return frame


def html(showing: Showing) -> str:
    """A table for a notebook: it has no colours of its own, so it is dark where the notebook is."""
    rows = list(showing.cells)
    columns = [[cells[place][:1] for cells in rows] for place in range(len(showing.head))]
    figures = (all(c.isdigit() or c in ("+", "-", "–", "?") for c in column) for column in columns)
    sides = ["right" if rows and only else "left" for only in figures]

    def row(cells: Sequence[str], kind: str) -> Html:
        # A notebook aligns cells as it pleases, unless told.
        styles = (f"text-align:{side};padding:0 0.6em" for side in sides)
        pairs = zip(cells, styles, strict=True)
        return tag("tr", (tag(kind, cell, style=style) for cell, style in pairs))

    shown = [row(cells, "td") for cells in rows[:MOST_ROWS]]
    more = len(rows) - len(shown)
    rest = tag("div", f"… and {more} more; ", tag("code", ".to_polars()"), " has all")
    return joined(
        tag("div", tag("strong", showing.first), Html("<br>"), showing.second),
        tag("table", tag("thead", row(showing.head, "th")), tag("tbody", shown)),
        rest if more > 0 else None,
    )


def time(ns: float | None) -> str:
    """A duration in the unit that suits it; ``–`` where there is none."""
    return "–" if ns is None else quantity.duration(ns)


def many(number: int, noun: str) -> str:
    """A number of things: ``1 load``, ``2 loads``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def named(link: str, size: int | None, settings: Sequence[tuple[str, object]] = ()) -> str:
    """What ran: link, payload and what was set differently."""
    words = [short_name(link)] + ([] if size is None else [f"{size} B"])
    words += [f"{name}={value}" for name, value in settings]
    return ", ".join([" ".join(words[:2]), *words[2:]]) if size is not None else ", ".join(words)
