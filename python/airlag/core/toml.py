"""TOML that a person wrote: what is larger or deeper than that is refused before it is parsed.

The parser of the standard library keeps every prefix of a dotted key: 100 KB of ``a.a.a…`` take
gigabytes. It recurses into brackets, and fails in words of its own on long numbers.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

#: Longest file, bytes; the reference campaign is 5 kB.
LONGEST = 256 << 10
#: Most parts of a dotted key, and brackets within brackets.
DEEPEST = 8
#: Most values of a file, those of lists one by one.
MOST_VALUES = 20_000

# Strings and comments are stepped over: dots and brackets in them mean nothing.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|(?P<sign>[.\[\]{},=\n])",
    re.DOTALL,
)


class TomlError(ValueError):
    """One line: what cannot be read, and what would be right."""


def load(path: Path) -> dict[str, Any]:
    """Reads a file.

    Raises :class:`TomlError` when it is no TOML, or too large or too deep to be written by a
    person; :class:`OSError` when it cannot be read.
    """
    with path.open("rb") as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise TomlError(f"longer than {LONGEST >> 10} KiB; split it into several files")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TomlError(f"no TOML: {error}") from None
    _check_depth(text)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError, OverflowError) as error:
        raise TomlError(f"no TOML: {error}") from None
    _check_values(table)
    return table


def _check_depth(text: str) -> None:
    dots = brackets = 0
    for match in _TOKEN.finditer(text):
        match match["sign"]:
            case None:
                continue
            case ".":
                dots += 1
            case "[" | "{":
                brackets, dots = brackets + 1, 0
            case "]" | "}":
                brackets, dots = max(brackets - 1, 0), 0
            case _:
                dots = 0
        if dots >= DEEPEST or brackets > DEEPEST:
            line = text.count("\n", 0, match.start()) + 1
            raise TomlError(f"line {line}: deeper than {DEEPEST} levels; write fewer")


def _check_values(table: dict[str, Any]) -> None:
    """Holds numbers to the 64 bits TOML gives them, and counts them."""
    waiting: list[Any] = [table]
    seen = 0
    while waiting:
        value = waiting.pop()
        seen += 1
        if seen > MOST_VALUES:
            raise TomlError(f"more than {MOST_VALUES} values; split it into several files")
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise TomlError("a whole number that 64 bits do not hold; write a smaller one")
