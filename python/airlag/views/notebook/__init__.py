"""Views of results in a notebook or at a prompt: one function per kind of result.

Numbers come from the result; charts are the same as in reports.
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

#: Table rows shown in a notebook; the data frame contains all rows.
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class View:
    """View of one result. The rows of the table are computed when they are first read.

    Attributes
    ----------
    first, second
        The two lines that represent the result at a prompt.
    head, cells
        Headings and cells of the notebook table; columns of numbers are right-aligned.
    frame
        Function that makes the data frame.
    spec
        Function that makes the chart. It returns ``{}`` if the result cannot be plotted.
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


def drawn_by(module: str, function: str, *results: Any) -> Callable[[], dict[str, Any]]:
    """Returns a chart factory that imports the drawing module on demand."""

    def spec() -> dict[str, Any]:
        chart: dict[str, Any] = getattr(import_module(f"airlag.views.{module}"), function)(*results)
        return chart

    return spec


def framed(columns: Mapping[str, type], rows: Iterable[Any]) -> Callable[[], pl.DataFrame]:
    """Returns a data frame factory for typed columns; a row is a mapping or ordered values."""

    def frame() -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(list(rows), schema=dict(columns), orient="row")

    return frame


def html(showing: View) -> str:
    """Returns an HTML table without colours of its own, so it follows the notebook's theme."""
    rows = list(showing.cells)
    columns = [[cells[place][:1] for cells in rows] for place in range(len(showing.head))]
    figures = (all(c.isdigit() or c in {*"+-–?≥≤"} for c in column) for column in columns)
    sides = ["right" if rows and only else "left" for only in figures]

    def row(cells: Sequence[str], kind: str) -> Html:
        # Notebooks choose the alignment unless it is set.
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
    """Formats a duration in a suitable unit; ``–`` if it is ``None``."""
    return "–" if ns is None else quantity.duration(ns)


def many(number: int, noun: str) -> str:
    """Count with its noun: ``1 load``, ``2 loads``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def named(link: str, size: int | None, settings: Sequence[tuple[str, object]] = ()) -> str:
    """Name of a run: link, payload and changed settings."""
    words = [short_name(link)] + ([] if size is None else [f"{size} B"])
    words += [f"{name}={value}" for name, value in settings]
    return ", ".join([" ".join(words[:2]), *words[2:]]) if size is not None else ", ".join(words)
