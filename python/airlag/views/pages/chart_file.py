"""One chart as a file: a picture, or a page that needs no network."""

from __future__ import annotations

import os
from html import escape

from airlag.views.pages import output, shell
from airlag.views.pages.picture import drawn_svg
from airlag.views.pages.spec import Spec

#: What a chart is of, by the name of its place on a page.
OF = {
    "burst": "trains",
    "chart": "results",
    "load": "loads",
    "overlay": "a match",
    "question": "a question",
    "tuning": "tuning",
    "under-load": "loads",
}


def write(name: str, chart: Spec, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes a chart; the ending of the path, ``.svg``, ``.png`` or ``.html``, decides as what.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    FileExistsError, OSError
        As :func:`airlag.views.pages.output.write`.
    """

    def page() -> str:
        title = " ".join(chart["title"]["text"])
        body = f"<h1>{escape(title)}</h1>\n{shell.NOSCRIPT}\n{shell.figure(name, title, chart)}"
        return shell.document(f"airlag: {title}", body, {name: chart})

    rule = f"a chart of {OF[name]} is a .svg, .png or .html file"
    output.draw(path, rule, page, lambda: drawn_svg(chart), force=force)
