"""One chart as a file: a picture, or a page that needs no network."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

import vl_convert

from airlag.views.pages import output, shell
from airlag.views.pages.picture import SCALE, drawn_svg
from airlag.views.pages.spec import Spec


def write(chart: Spec, path: str | os.PathLike[str], *, name: str, what: str, force: bool) -> None:
    """Write a chart; the ending of the path decides what it is.

    Parameters
    ----------
    chart
        With its title, without the look of a page or picture.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    name
        Of its place on a page.
    what
        What it is a chart of, for the error.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in output.MARKS:
        raise ValueError(f"{target}: a chart of {what} is a .svg, .png or .html file")
    if kind == ".html":
        title = " ".join(chart["title"]["text"])
        body = f"<h1>{escape(title)}</h1>\n{shell.NOSCRIPT}\n{shell.figure(name, title, chart)}"
        content = shell.document(f"airlag: {title}", body, {name: chart}).encode()
    else:
        drawn = drawn_svg(chart)
        content = drawn.encode() if kind == ".svg" else vl_convert.svg_to_png(drawn, scale=SCALE)
    output.write(target, content, force=force)
