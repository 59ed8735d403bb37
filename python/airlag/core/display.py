"""Text of files and command lines, as it may be shown: on a screen, in JSON, on a chart."""

from __future__ import annotations

import json
import re
from typing import Any

#: Longest name that is shown, characters.
LONGEST_NAME = 80

#: Stands above quantiles where something was lost, which has no latency.
OF_DELIVERED = "quantiles of what was delivered"


def printable(text: str) -> str:
    """Text with an escape for each character that is not seen but acts.

    Controls move cursors, bidirectional marks reorder a line, half a surrogate pair (a byte of a
    file name that is no UTF-8) can be neither encoded nor drawn.
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shortened(text: str, longest: int = LONGEST_NAME) -> str:
    """Text of at most so many characters, cut in the middle: what differs is at either end."""
    if len(text) <= longest:
        return text
    tail = longest // 2
    return f"{text[: longest - tail - 1]}…{text[-tail:]}"


def short_name(text: str) -> str:
    """A name out of a file or of a file, as it is shown."""
    # What is cut away need not be escaped first: names can be as long as the file.
    return shortened(printable(shortened(text, 2 * LONGEST_NAME)))


def encodable(text: str) -> str:
    """Text that can be encoded: a byte of a file name that is no UTF-8 becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def to_json(value: Any, ascii_only: bool = False) -> str:
    """One JSON document, laid out for people too.

    Characters that :func:`printable` escapes are escaped here as JSON has it, and so is all that is
    not ASCII where ``ascii_only``. Refuses what JSON has no number for.
    """
    text = json.dumps(value, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    return text if text.isascii() and "\x7f" not in text else re.sub(r"[^\n -~]", _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0] if match[0].isprintable() else json.dumps(match[0])[1:-1]
