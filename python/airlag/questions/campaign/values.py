"""Values of a campaign's file, checked: an error says where, what, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Never, TypeVar

from airlag._airlag import LinkError
from airlag.core import toml
from airlag.core.arguments import Word
from airlag.core.quantity import parse_duration

#: Longest name that is compared letter by letter.
LONGEST_NAME = 100
#: Most runs of one campaign, and largest payload, bytes.
MOST_RUNS = 10_000
LARGEST = 2**31 - 1

R = TypeVar("R")


class WrongError(Exception):
    """What is wrong in a file, and what would be right."""


def read(path: Path, made: Callable[[Mapping[str, Any], str], R], error: type[Exception]) -> R:
    """What is ``made`` of a file and its name; raises ``error`` in one line that names the file."""
    try:
        return made(toml.load(path), path.stem)
    except OSError as why:
        raise error(f"{path}: {why.strerror or why}") from None
    except (toml.TomlError, LinkError, WrongError) as why:
        raise error(f"{path}: {why}") from None


def only(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuses keys that are not known."""
    for key in table:
        if key not in known:
            raise WrongError(f"{where}no key `{key}`{hint(key, known)}")


def hint(name: str, known: Collection[str]) -> str:
    """The nearest of the known names, as what may have been meant."""
    # What is no name is not compared letter by letter.
    nearest = [] if len(name) > LONGEST_NAME else difflib.get_close_matches(name, known, 1, 0.0)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


def listed(value: object, where: str, key: str, kind: type, what: str) -> list[Any]:
    """A list of one kind of value that is not empty, each once."""
    good = isinstance(value, list) and value and all(type(each) is kind for each in value)
    if not (good and isinstance(value, list)):
        wrong(where, key, value, f"a list of {what}")
    return list(dict.fromkeys(value))


def one_of(value: object, where: str, key: str, known: Collection[Word]) -> Word:
    """One of several words."""
    if not isinstance(value, str):
        wrong(where, key, value, " or ".join(known))
    for each in known:
        if each == value:
            return each
    raise WrongError(f"{where}no {key} `{value[:LONGEST_NAME]}`{hint(value, known)}")


def words(value: object, where: str, key: str) -> str:
    """A line of text for people."""
    if not (isinstance(value, str) and value.strip() and value.isprintable() and len(value) < 500):
        wrong(where, key, value, "a line of text")
    return value.strip()


def whole(value: object, where: str, key: str, low: int, high: int) -> int:
    """A whole number in a range."""
    if type(value) is not int or not low <= value <= high:
        wrong(where, key, value, f"a whole number from {low} to {high}")
    return value


def plain(value: object, where: str, key: str) -> str:
    """A value of a constant as ``--set`` takes it."""
    if not isinstance(value, (bool, int, float, str)):
        wrong(where, key, value, "a number, a text, true or false")
    return str(value).lower() if isinstance(value, bool) else str(value)


def period(value: object, where: str) -> int:
    """A time between messages, ns."""
    try:
        period_ns = parse_duration(str(value))
    except ValueError as error:
        raise WrongError(f"{where}`period`: {error}") from None
    if not 1_000 <= period_ns <= 10**13:
        wrong(where, "period", value, "from 1us to 10000s")
    return period_ns


def wrong(where: str, key: str, value: object, right: str) -> Never:
    """Says what is wrong."""
    shown = repr(value)
    raise WrongError(
        f"{where}`{key}` cannot be {shown[:60]}{'…' if len(shown) > 60 else ''}; write {right}"
    )
