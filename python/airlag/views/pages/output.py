"""Pages and pictures as files that carry the name of airlag, and so may be drawn again.

A page has it in its head, an SVG in a comment, a PNG in the chunk ``Software``
(https://www.w3.org/TR/png-3/#11keywords).
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import vl_convert

from airlag._airlag import finished_svg
from airlag.core import paths
from airlag.core.atomic import replacing
from airlag.core.display import printable
from airlag.views.pages import shell
from airlag.views.pages.spec import VEGA_LITE, Spec

#: By the ending of the name: what stands near the beginning of a file that airlag drew.
MARKS = {
    ".html": b'<meta name="generator" content="airlag',
    ".svg": b"<!-- airlag -->",
    ".png": b"tEXtSoftware\x00airlag",
}
#: Where it is looked for, bytes.
_HEAD = 4096
#: Signature and header of a PNG, bytes; both have a fixed length.
_PNG_HEAD = 8 + 25
#: Pixels of a PNG for one of the SVG; less where the picture would be taller than so many, which
#: viewers refuse.
SCALE = 2.0
TALLEST = 30_000


def write_chart(
    name: str, chart: Spec, path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Writes a chart; the ending of the path, ``.svg``, ``.png`` or ``.html``, decides as what.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    FileExistsError, OSError
        As :func:`write`.
    """

    def page() -> str:
        title = " ".join(chart["title"]["text"])
        body = f"<h1>{escape(title)}</h1>\n{shell.NOSCRIPT}\n{shell.figure(name, title, chart)}"
        return shell.document(f"airlag: {title}", body, {name: chart})

    draw(path, "a chart", page, lambda: drawn_svg(chart), force=force)


def drawn_svg(spec: Spec) -> str:
    """Draw a chart as SVG text that fits in any font.

    Names in it may come from hostile files: a control character is none that SVG can hold, and the
    renderer ends the whole process over one.
    """
    drawn = vl_convert.vegalite_to_svg(_cleaned(spec), vl_version=VEGA_LITE)
    return finished_svg(drawn)


def _cleaned(value: Any) -> Any:
    match value:
        case str():
            return "\n".join(map(printable, value.split("\n")))
        case dict():
            return {_cleaned(key): _cleaned(each) for key, each in value.items()}
        case list() | tuple():
            return [_cleaned(each) for each in value]
    return value


def draw(
    path: str | os.PathLike[str],
    what: str,
    page: Callable[[], str],
    picture: Callable[[], str],
    *,
    force: bool,
) -> None:
    """Writes a page (``.html``), or a picture of SVG text (``.svg``, ``.png``), as :func:`write`.

    Raises
    ------
    ValueError
        When the ending is another; one line that says ``what`` it is of.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in MARKS:
        raise ValueError(f"{path}: {what} is a .html, .svg or .png file")
    text = page() if kind == ".html" else picture()
    write(target, png(text) if kind == ".png" else text.encode(), force=force)


def png(svg: str) -> bytes:
    """SVG text as a PNG file."""
    size = re.search(r'<svg[^>]*\sheight="([\d.]+)"', svg)
    height = float(size[1]) if size else 1.0
    return vl_convert.svg_to_png(svg, scale=min(SCALE, TALLEST / height))


def write(path: Path, content: bytes, *, force: bool) -> None:
    """Writes a page or a picture, which appears complete or not at all.

    A file is replaced when airlag drew it, as a file of this kind, or with ``force``.

    Raises
    ------
    FileExistsError
        When it may not be replaced.
    OSError
        When it cannot be written.
    """
    mark = MARKS[path.suffix.lower()]
    if not force and paths.is_file(path):
        with path.open("rb") as file:
            force = mark in file.read(_HEAD)
    with replacing(path, force=force) as file:
        file.write(_signed(content, path.suffix.lower()))


def _signed(content: bytes, kind: str) -> bytes:
    mark = MARKS[kind]
    if kind == ".svg":
        head, end, rest = content.partition(b">")
        return head + end + mark + rest
    if kind == ".png":
        chunk = struct.pack(">I", len(mark) - 4) + mark + struct.pack(">I", zlib.crc32(mark))
        return content[:_PNG_HEAD] + chunk + content[_PNG_HEAD:]
    return content
