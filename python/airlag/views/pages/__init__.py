"""Runs in, a page or a picture out.

A report is nine charts and a table. :mod:`charts <airlag.views.pages.charts>` draws,
:mod:`page <airlag.views.pages.page>` binds them into one HTML file that needs no network,
:mod:`picture <airlag.views.pages.picture>` into one SVG or PNG.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from airlag.questions.runs import Run
from airlag.views.pages import output
from airlag.views.pages.charts import Drawn, charts_for
from airlag.views.pages.page import page
from airlag.views.pages.picture import svg

__all__ = ["Drawn", "charts_for", "write_report"]


def write_report(
    runs: Sequence[Run],
    path: str | os.PathLike[str],
    title: str | None = None,
    *,
    force: bool = False,
) -> None:
    """Writes a report as :func:`airlag.report` does, of runs as they are."""
    rule = "a report is a .html, .svg or .png file"
    output.draw(path, rule, lambda: page(runs, title), lambda: svg(runs), force=force)
