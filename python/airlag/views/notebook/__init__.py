"""How results look in a notebook and at a prompt, one file a kind of result.

Nothing here is decided anew: figures are those of the result, charts those of reports.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from airlag.core import quantity
from airlag.core.display import short_name

if TYPE_CHECKING:
    import polars as pl

#: Rows of a table in a notebook; the data frame has all of them.
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Table:
    """What a notebook shows: a head, and rows of text; columns of figures are to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Showing(ABC):
    """How one result is shown."""

    @abstractmethod
    def lines(self) -> tuple[str, str]:
        """What it is, and what it says."""

    @abstractmethod
    def table(self) -> Table:
        """A few figures beside each other."""

    @abstractmethod
    def frame(self) -> pl.DataFrame:
        """All of its rows."""


class Drawing(Showing):
    """How one result is shown that has a chart."""

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """Its chart as Vega-Lite.

        Raises
        ------
        ValueError
            With one line, where there is nothing to draw.
        """


def html(showing: Showing) -> str:
    """A table for a notebook: it has no colours of its own, so it is dark where the notebook is."""
    table, (what, says) = showing.table(), showing.lines()
    columns = [[cells[place] for cells in table.rows] for place in range(len(table.head))]
    sides = ["right" if column and all(map(_is_figure, column)) else "left" for column in columns]

    def row(cells: Sequence[str], tag: str) -> str:
        # A notebook aligns cells as it pleases, unless told.
        told = (
            f'<{tag} style="text-align:{side};padding:0 0.6em">{escape(cell)}</{tag}>'
            for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(told)}</tr>"

    shown = [row(cells, "td") for cells in table.rows[:MOST_ROWS]]
    more = len(table.rows) - len(shown)
    rest = f"<div>… and {more} more; <code>.to_polars()</code> has all</div>" if more > 0 else ""
    return (
        f"<div><strong>{escape(what)}</strong><br>{escape(says)}</div>"
        f"<table><thead>{row(table.head, 'th')}</thead>"
        f"<tbody>{''.join(shown)}</tbody></table>{rest}"
    )


def _is_figure(cell: str) -> bool:
    return cell[:1].isdigit() or cell[:1] in ("+", "-", "–", "?")


def time(ns: float | None) -> str:
    """A duration in the unit that suits it; ``–`` where there is none."""
    return "–" if ns is None else quantity.duration(ns, quantity.unit_for([ns]))


def named(link: str, size: int | None, settings: Sequence[tuple[str, object]] = ()) -> str:
    """What ran: link, payload and what was set differently."""
    words = [short_name(link)] + ([] if size is None else [f"{size} B"])
    words += [f"{name}={value}" for name, value in settings]
    return ", ".join([" ".join(words[:2]), *words[2:]]) if size is not None else ", ".join(words)
