"""Links chosen by name: patterns with ``*``, ``?`` and ``[...]``, as a shell has them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase


def like(pattern: str, names: Iterable[str]) -> list[str]:
    """The ``names`` that are like ``pattern``, in their order; none where none is."""
    return [name for name in names if fnmatchcase(name, pattern)]


def links_like(pattern: str, names: Sequence[str]) -> list[str]:
    """The ``names`` that are like ``pattern``, in their order.

    Raises :class:`ValueError` when none is; with the nearest name.
    """
    found = like(pattern, names)
    if not found:
        # Of a pattern, what stands before its first wildcard is held against as much of each name.
        stem = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
        heads = {name[: len(stem)] if stem != pattern else name: name for name in reversed(names)}
        nearest = difflib.get_close_matches(stem, heads, 1, 0.0)
        raise ValueError(f"no link `{pattern}`; did you mean `{heads[nearest[0]]}`?")
    return found


def chosen(
    names: Sequence[str], among: Iterable[str] | None, without: Iterable[str] | None
) -> list[str]:
    """The ``names`` that are like any pattern of ``among`` and like none of ``without``.

    Raises :class:`ValueError` when a pattern is like no name, or nothing is left.
    """
    kept = set(names)
    if among is not None:
        kept = {name for pattern in among for name in links_like(pattern, names)}
    kept -= {name for pattern in without or () for name in links_like(pattern, names)}
    if not kept:
        raise ValueError("no link is left to choose from; leave out fewer")
    return [name for name in names if name in kept]
