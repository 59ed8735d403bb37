"""The view of each result, by the class of the result; each is loaded when it is looked at."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from airlag.questions.shown import Plotted, Shown
from airlag.views.notebook import Drawing, html
from airlag.views.notebook.chart import Chart
from airlag.views.notebook.pandas import to_pandas

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["chart_of", "html_of", "to_pandas", "view_of"]

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
    "Recommendation": ("recommendation", "RecommendationShowing"),
    "Run": ("run", "run"),
    "Runs": ("run", "runs"),
    "Tuned": ("tuning", "tuned"),
}


def view_of(result: Shown, kind: str | None = None) -> Drawing:
    """The view of a result; of several kinds of chart, with the one called ``kind``."""
    module, name = _VIEWS[type(result).__name__]
    view = getattr(import_module(f"airlag.views.notebook.{module}"), name)
    found: Drawing = view(result) if kind is None else view(result, kind)
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
