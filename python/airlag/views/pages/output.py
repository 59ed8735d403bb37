"""Page and picture files with a signature of airlag, so that later runs may overwrite them.

The signature is in the head of an HTML page, in a comment of an SVG file, and in the text chunk
``Software`` of a PNG file (https://www.w3.org/TR/png-3/#11keywords).
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

#: Signatures by file extension, near the beginning of a file that airlag drew.
MARKS = {
    ".html": b'<meta name="generator" content="airlag',
    ".svg": b"<!-- airlag -->",
    ".png": b"tEXtSoftware\x00airlag",
}
#: Bytes searched for a signature.
_HEAD = 4096
#: Signature and header of a PNG, bytes; both have a fixed length.
_PNG_HEAD = 8 + 25
#: PNG pixels per SVG pixel. The factor is reduced where the picture would exceed a height that
#: viewers reject.
SCALE = 2.0
TALLEST = 30_000


def write_chart(
    name: str, chart: Spec, path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Writes a chart as ``.svg``, ``.png`` or ``.html``, chosen by the file extension.

    Raises :class:`ValueError` for an unsupported extension, and the errors of :func:`write`.
    """

    def page() -> str:
        title = " ".join(chart["title"]["text"])
        body = f"<h1>{escape(title)}</h1>\n{shell.NOSCRIPT}\n{shell.figure(name, title, chart)}"
        return shell.document(f"airlag: {title}", body, {name: chart})

    draw(path, "a chart", page, lambda: drawn_svg(chart), force=force)


def drawn_svg(spec: Spec) -> str:
    """Renders a chart as SVG text whose layout does not depend on the installed fonts.

    Control characters are removed, because names may come from untrusted files. SVG cannot contain
    control characters, and the renderer would abort the process on such a character.
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
    """Writes a page (``.html``) or an SVG text as a picture (``.svg``, ``.png``).

    Raises :class:`ValueError` that names ``what`` for another extension.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in MARKS:
        raise ValueError(f"{path}: expected a .html, .svg or .png file for {what}")
    text = page() if kind == ".html" else picture()
    write(target, png(text) if kind == ".png" else text.encode(), force=force)


def png(svg: str) -> bytes:
    """Renders SVG text as a PNG file."""
    size = re.search(r'<svg[^>]*\sheight="([\d.]+)"', svg)
    height = float(size[1]) if size else 1.0
    return vl_convert.svg_to_png(svg, scale=min(SCALE, TALLEST / height))


def write(path: Path, content: bytes, *, force: bool) -> None:
    """Writes a page or a picture atomically.

    Replaces an existing file if airlag drew it in the same format, or if ``force`` is true.

    Raises
    ------
    FileExistsError
        The file exists and may not be replaced.
    OSError
        The file cannot be written.
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
