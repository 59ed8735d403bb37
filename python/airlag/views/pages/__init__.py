"""Runs in, a page or a picture out.

A report is eight charts and a table. :mod:`charts <airlag.views.pages.charts>` draws,
:mod:`page <airlag.views.pages.page>` binds them into one HTML file that needs no network,
:mod:`picture <airlag.views.pages.picture>` into one SVG or PNG.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from airlag.questions.runs import Run
from airlag.views.pages import output
from airlag.views.pages.charts import Drawn, charts_for
from airlag.views.pages.page import page
from airlag.views.pages.picture import png, svg

__all__ = ["Drawn", "charts_for", "write_report"]


def write_report(
    runs: Sequence[Run],
    path: str | os.PathLike[str],
    title: str | None = None,
    *,
    force: bool = False,
) -> None:
    """Write a report; the ending of the path decides what it is.

    Parameters
    ----------
    runs
        The runs to report, at least one.
    path
        Ends in ``.html`` (interactive page), ``.svg`` or ``.png`` (one picture). It appears
        complete or not at all.
    title
        What stands above a page; told by its runs otherwise.
    force
        Replace a file that is there even if airlag did not draw it.

    Raises
    ------
    ValueError
        When the ending is another, or there is no run; one line.
    FileExistsError
        When the file is there and not airlag's, unless ``force``.
    OSError
        When it cannot be written.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in (".html", ".svg", ".png"):
        raise ValueError(f"{target}: a report is a .html, .svg or .png file")
    if kind == ".png":
        content = png(runs)
    else:
        content = (page(runs, title) if kind == ".html" else svg(runs)).encode()
    output.write(target, content, force=force)
