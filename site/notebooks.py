"""Runs the notebooks of the documentation, and writes each as a page with its outputs.

Notebooks are committed without outputs. A chart becomes a picture, drawn by the renderer of the
reports, so a page needs neither a script nor another host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

from airlag.views.notebook.of import VEGA_LITE
from airlag.views.pages.output import drawn_svg

#: Run before the first cell, and left out of the page: Altair returns specifications, not scripts.
SETUP = f"""
import altair
altair.renderers.register("site", lambda specification: {{{VEGA_LITE!r}: specification}})
altair.renderers.enable("site")
del altair
"""
#: Longest time of one notebook, s.
TIMEOUT = 300
#: Styles that polars adds to its tables; the site has its own.
STYLE = re.compile(r"<style.*?</style>", re.DOTALL)
#: Inline style of a cell, which the site's security policy forbids.
ALIGNED = re.compile(r' style="([^"]*)"')


def write_pages(notebooks: list[Path], root: Path, into: Path) -> None:
    """Runs all notebooks, two at a time, and writes their pages.

    Parameters
    ----------
    notebooks
        Paths below ``root``.
    root
        The repository.
    into
        Folder that Sphinx reads.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell raised an exception.
    """
    with ThreadPoolExecutor(2) as pool:
        for path, book in zip(notebooks, pool.map(executed, notebooks), strict=True):
            page = into / path.relative_to(root).with_suffix(".md")
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text("\n\n".join(parts(book, path, page.parent)) + "\n", "utf-8")


def executed(path: Path) -> Any:
    """The notebook with the outputs of one run, in an empty folder."""
    book = nbformat.read(path, as_version=4)
    book.cells.insert(0, nbformat.v4.new_code_cell(SETUP))
    with TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(
            book,
            timeout=TIMEOUT,
            kernel_name="python3",
            # Without warnings about the kernel's own connections, which stay on this computer.
            extra_arguments=["--log-level=40"],
            resources=resources,
        )
        client.execute()
    del book.cells[0]
    return book


def parts(book: Any, path: Path, folder: Path) -> Iterator[str]:
    """Paragraphs of a page: texts, code and outputs, in order."""
    pictures = 0
    for cell in book.cells:
        if cell.cell_type == "markdown":
            yield cell.source
            continue
        yield f"```python\n{cell.source}\n```"
        for output in cell.outputs:
            if output.output_type == "stream":
                yield f"```\n{output.text.rstrip()}\n```"
                continue
            svg = picture(output.data)
            if svg is None:
                yield shown(output.data)
                continue
            pictures += 1
            file = folder / f"{path.stem}-{pictures}.svg"
            file.write_text(svg, "utf-8")
            yield f"![{caption(output.data)}]({file.name})"
    yield f"This page is the output of [{path.name}]({path.name}), run when the site was built."


def picture(data: Mapping[str, Any]) -> str | None:
    """SVG of a chart; ``None`` for other outputs."""
    if svg := data.get("image/svg+xml"):
        return str(svg)
    specification = data.get(VEGA_LITE)
    return None if specification is None else drawn_svg(specification)


def caption(data: Mapping[str, Any]) -> str:
    """Text in place of a chart: what it prints at a prompt, without brackets."""
    text = str(data.get("text/plain", "")).strip("<>")
    # Altair prints an address in memory or a specification.
    text = text if text.startswith("Chart: ") else "Chart of the cell above"
    return re.sub(r"[\[\]\n]+", " ", text.removeprefix("Chart: ")).strip()


def shown(data: Mapping[str, Any]) -> str:
    """HTML table of an output, else its text."""
    html = str(data.get("text/html", ""))
    if "<table" not in html:
        return f"```\n{data['text/plain']}\n```"
    html = ALIGNED.sub(
        lambda style: ' class="figures"' if "right" in style[1] else "", STYLE.sub("", html)
    )
    # A blank line would end the block of HTML.
    lines = "\n".join(line for line in html.splitlines() if line.strip())
    return f'<div class="output table-wrapper">\n{lines}\n</div>'
