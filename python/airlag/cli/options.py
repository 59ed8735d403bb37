"""Parsers of command-line values, and parameters shared by several commands."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from airlag.cli import sheet
from airlag.cli.parameters import Group
from airlag.core.quantity import exact, parse_duration, parse_memory, parse_whole

T = TypeVar("T")

#: File extensions of charts.
PICTURES = (".svg", ".png", ".html")
#: Characters of a unit.
_LETTERS = "%" + string.ascii_letters


def checked(what: str, right: str, read: Callable[[str], T | None]) -> Callable[[str], T]:
    """Returns a parser from ``read``, which returns ``None`` for invalid text."""

    def parsed(text: str) -> T:
        try:
            value = read(text)
        except ValueError:
            value = None
        if value is None:
            raise ValueError(f"{text[:40]!r} is not a valid {what}; expected {right}")
        return value

    return parsed


def whole(
    what: str, low: int, high: int, example: int, right: str = "one from {low} to {high}"
) -> Callable[[str], int]:
    """Returns a parser of whole numbers from ``low`` to ``high``."""
    right = f"{right.format(low=low, high=high)}, such as {example}"
    return checked(what, right, lambda text: parse_whole(text, low, high))


def real(
    what: str,
    low: float,
    high: float,
    right: str = "one",
    units: Mapping[str, int] | None = None,
    example: str = "",
) -> Callable[[str], float]:
    """Returns a parser of numbers from ``low`` to ``high``.

    ``units`` maps accepted units to powers of ten; ``right`` is the expected form.
    """
    units = units or {"": 0}
    unit, power = next(iter(units.items()))

    def read(text: str) -> float | None:
        number = text.rstrip(_LETTERS)
        exponent = units.get(text.removeprefix(number))
        if exponent is None:
            return None
        # Shifts decimal digits, because 0.7 % is not exactly 0.7 * 0.01 in binary.
        value = float(f"{number}e{exponent}" if exponent else number)
        return value if low <= value <= high else None

    ends = (f"{end / 10**power:g}{unit}" for end in (low, high))
    such = f", such as {example}" if example else ""
    return checked(what, f"{right} from {' to '.join(ends)}{such}", read)


def lasting(what: str, low_ns: int, high_ns: int) -> Callable[[str], int]:
    """Returns a parser of durations from ``low_ns`` to ``high_ns``, in nanoseconds."""

    def parsed(text: str) -> int:
        value = parse_duration(text)
        if not low_ns <= value <= high_ns:
            raise ValueError(
                f"{text[:40]!r} is not a valid {what}; "
                f"expected one from {exact(low_ns)} to {exact(high_ns)}"
            )
        return value

    return parsed


def several(what: str, right: str, read: Callable[[str], T | None]) -> Callable[[str], list[T]]:
    """Returns a parser of comma-separated values."""

    def each(text: str) -> list[T] | None:
        values = [read(word) for word in text.split(",")]
        found = [value for value in values if value is not None]
        return found if len(found) == len(values) else None

    return checked(what, right, each)


def written_as(*endings: str, right: str = "") -> Callable[[str], Path]:
    """Returns a parser of file names whose extension selects the format.

    ``right`` lists the extensions in errors.
    """
    *others, last = endings
    right = right or (f"{', '.join(others)} or {last}" if others else last)

    def parsed(text: str) -> Path:
        # Typer also passes the default, a Path.
        if str(text).endswith("/") or Path(text).suffix.lower() not in endings:
            raise ValueError(f"{text}: unknown format; end it with {right}")
        return Path(text)

    return parsed


sheet_file = written_as(*sheet.SUFFIXES)
table_or_chart = written_as(
    *PICTURES,
    *sheet.SUFFIXES,
    right=".svg, .png or .html for a chart, with .csv, .md or .json for the table",
)


def _pairing(
    trigger: str | None = None,
    completion: str | None = None,
    invert: list[str] | None = None,
    min_low: Annotated[int | None, parse_duration] = None,
    overlap: Annotated[int | None, parse_duration] = None,
) -> dict[str, Any]:
    """Pairing options as arguments of :func:`airlag.analyze`."""
    channels = {"trigger": trigger, "completion": completion, "invert": invert or None}
    return channels | {"min_low_ns": min_low, "overlap_ns": overlap}


def given(**values: Any) -> dict[str, Any]:
    """Returns the values that are not ``None``, so that the defaults of questions apply."""
    return {name: value for name, value in values.items() if value is not None}


#: Deadline, ns.
deadline = lasting("deadline", 1, 10**13)
#: Payload, bytes.
payload = whole("payload", 1, 2**31 - 1, 128, "a number of bytes")
#: Number of messages.
messages = whole("number of messages", 1, 1_000_000, 1000)

Deadline = Annotated[int | None, deadline]
Sheet = Annotated[Path | None, sheet_file]
SheetOrChart = Annotated[Path | None, table_or_chart]
Sniff = Annotated[Path | None, written_as(".pcapng")]
RunFile = Annotated[Path | None, written_as(".parquet")]
Memory = Annotated[int | None, parse_memory]
Pairing = Annotated[dict[str, Any], Group(_pairing)]
