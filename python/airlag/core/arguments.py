"""Validation and conversion of arguments of the Python API.

A duration is text with a unit, such as ``"20ms"``, or a :class:`datetime.timedelta`. Numbers
without a unit are rejected. An argument whose name ends in ``_ns`` is in whole nanoseconds.

An invalid argument raises a :class:`LinkError`, whose one-line message states what is expected.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from difflib import get_close_matches
from typing import Any, TypeVar

from airlag._airlag import LinkError
from airlag.core.quantity import parse_duration

#: Literal type of accepted words.
Word = TypeVar("Word", bound=str)

#: Duration with a unit.
Duration = str | timedelta

#: Limits of payload (bytes), trigger count and seed.
MOST_BYTES, MOST_TRIGGERS, LARGEST_SEED = 10**9 - 1, 10_000_000, 2**63 - 1


def ns_of(value: Duration, name: str) -> int:
    """Converts the argument ``name`` to nanoseconds; raises :class:`LinkError`."""
    if isinstance(value, timedelta):
        ns = ns_in(value)
        if ns < 0:
            raise LinkError(f"{name}={value} is negative; a duration is 0 or longer")
        return ns
    if not isinstance(value, str):
        raise LinkError(
            f"{name}={value!r} has no unit; write text such as {name}='20ms', or a timedelta"
        )
    try:
        return parse_duration(value)
    except ValueError as error:
        raise LinkError(f"{name}: {error}") from None


def ns_in(value: timedelta) -> int:
    """Converts a time difference to whole ns; exact, because it is stored in microseconds."""
    return ((value.days * 86_400 + value.seconds) * 10**6 + value.microseconds) * 1000


def whole(value: Any, name: str, low: int, high: int) -> int:
    """Validates the argument ``name`` as a whole number from ``low`` to ``high``.

    Raises :class:`LinkError`.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise LinkError(f"{name}={value!r}: expected a whole number from {low} to {high}")
    return number


def share(value: Any, name: str, low: float, high: float) -> float:
    """Validates the argument ``name`` as a number from ``low`` to ``high``."""
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if number is None or not low <= number <= high:
        raise LinkError(f"{name}={value!r}: expected a number from {low:g} to {high:g}")
    return float(number)


def one_of(value: Any, name: str, known: Sequence[Word]) -> Word:
    """Validates the argument ``name`` as one of the ``known`` words."""
    for each in known:
        if isinstance(value, str) and value == each:
            return each
    raise LinkError(f"{name}={value!r} is unknown; expected {', '.join(map(repr, known))}")


def several(value: str | Iterable[str], name: str) -> list[str]:
    """Converts the argument ``name`` to a list of words; a single word becomes a list of one.

    Raises :class:`LinkError` for anything else.
    """
    if not isinstance(value, Iterable):
        raise LinkError(f"{name}={value!r}: expected text or a list of texts")
    words = [value] if isinstance(value, str) else list(value)
    for word in words:
        if not isinstance(word, str):
            raise LinkError(f"{name}: {word!r} is not text; expected words such as 'wifi:30%@ch6'")
    return words


def text(value: Any, name: str) -> str:
    """Validates the argument ``name`` as text that can be encoded."""
    if not isinstance(value, str) or not value.isprintable():
        raise LinkError(f"{name}={value!r}: expected text")
    return value


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """Validates the argument ``name`` as a mapping, which may be empty.

    Raises :class:`LinkError`.
    """
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise LinkError(f"{name}={value!r}: expected a mapping such as {{'tx_power': 0}}")
    return {str(key): each for key, each in value.items()}


def near(word: str, known: Iterable[str]) -> str:
    """Suggests the names closest to ``word``; if none is similar, lists all ``known`` names."""
    names = list(known)
    found = get_close_matches(word, names, 3)
    if found:
        return f"did you mean {' or '.join(f'`{name}`' for name in found)}?"
    return f"expected one of {', '.join(names)}"
