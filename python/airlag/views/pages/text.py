"""Widths of text, so that room can be left for it and any font can be made to fit it.

Pictures are laid out in Liberation Sans, which comes with the renderer and has the widths of Arial
and Helvetica. ``specs/widths.json`` lists them. In an SVG each text carries its width, to which a
viewer with another font squeezes it.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from importlib import resources

#: Size of a title, px.
TITLE = 16

_TEXT = re.compile(r'<text ([^>]*font-size="([\d.]+)px"[^>]*)(?<!/)>(.*?)</text>')
_LINE = re.compile(r"<tspan([^>]*)>([^<]+)</tspan>")


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of a line of text, px; of letters that the table has not, an em each."""
    widths = _widths()["bold" if bold else "normal"]
    return size / 1000 * sum(widths.get(letter, 1000) for letter in text)


def wrapped(text: str, most: float, size: float, *, bold: bool = False) -> list[str]:
    """A text in lines no wider than ``most`` px, broken at blanks, else where they end."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold) <= most:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while width(line, size, bold=bold) > most:
            end = len(line) - 1
            while end > 1 and width(line[:end], size, bold=bold) > most:
                end -= 1
            lines.append(line[:end])
            line = line[end:]
    return [*lines, line] if line else lines


def shortened(text: str, most: float, size: float) -> str:
    """A text no wider than ``most`` px, with an ellipsis in the place of its end."""
    if width(text, size) <= most:
        return text
    end = len(text)
    while end and width(f"{text[:end]}…", size) > most:
        end -= 1
    return f"{text[:end]}…"


def fitted(svg: str) -> str:
    """SVG in which each text has its width, to which a viewer with another font squeezes it."""

    def sized(match: re.Match[str]) -> str:
        looks, size, text = match.groups()
        bold = 'font-weight="bold"' in looks

        def room(line: str) -> str:
            wide = width(unescape(line), float(size), bold=bold)
            return f'textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"'

        if "<" in text:
            lines = _LINE.sub(
                lambda line: f"<tspan{line[1]} {room(line[2])}>{line[2]}</tspan>", text
            )
            return f"<text {looks}>{lines}</text>"
        return f"<text {looks} {room(text)}>{text}</text>" if text else match[0]

    return _TEXT.sub(sized, svg)


@cache
def _widths() -> dict[str, dict[str, int]]:
    text = resources.files("airlag.views").joinpath("specs", "widths.json").read_text("utf-8")
    found: dict[str, dict[str, int]] = json.loads(text)
    return found
