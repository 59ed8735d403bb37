"""Safe display of text from files and command lines, on terminals, in JSON and on charts."""

from __future__ import annotations

import json
import re
from typing import Any

#: Maximum length of displayed names, characters.
LONGEST_NAME = 80

#: Note above quantiles if messages were lost, because lost messages have no latency.
OF_DELIVERED = "quantiles exclude losses"


def printable(text: str) -> str:
    """Escapes characters of a text that are invisible or change the display.

    These are control characters, bidirectional marks, and lone surrogates. Lone surrogates come
    from file names that are not UTF-8; they cannot be encoded or drawn.
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str, longest: int = LONGEST_NAME) -> str:
    """Shortens text to at most ``longest`` characters by cutting the middle."""
    if len(text) <= longest:
        return text
    tail = longest // 2
    return f"{text[: longest - tail - 1]}…{text[-tail:]}"


def short_name(text: str) -> str:
    """Returns a short printable form of a file name or of a name found in a file."""
    # Shorten before escaping, because names can be as long as the file.
    return shortened(printable(shortened(text, 2 * LONGEST_NAME)))


def encodable(text: str) -> str:
    """Returns text that can be encoded, with lone surrogates escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def to_json(value: Any, ascii_only: bool = False) -> str:
    """Formats a value as one indented JSON document.

    Escapes the same characters as :func:`printable`; with ``ascii_only``, also all non-ASCII
    characters. Raises :class:`ValueError` if the value contains NaN or infinity.
    """
    text = json.dumps(value, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    return text if text.isascii() and "\x7f" not in text else re.sub(r"[^\n -~]", _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]
