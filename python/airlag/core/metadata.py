"""What a saved run says about itself, and the one place that says what is admitted there.

It is JSON in a file that anybody may have written or damaged: nothing of it is used before its
type and its range have been seen. Its format and its edges are checked where they are read, in the
core.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from airlag.core.types import Traffic

_LONGEST_NS = 2**63 - 1
#: Lists in lists deeper than this are nothing a run has.
_DEEPEST = 8


class MetadataError(ValueError):
    """One line: which entry, and what would be right."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a file says about its run; as in :class:`~airlag.Run`.

    ``version`` is ``None`` where the file does not say which airlag made it.
    """

    source: str
    link: str | None
    size: int | None
    seed: int | None
    config: Mapping[str, Any]
    version: str | None = None


_Check = Callable[[str, Any], Any]


def _wrong(key: str, right: str) -> MetadataError:
    return MetadataError(f"`{key}` is not {right}")


def _whole(low: int, high: int) -> _Check:
    def check(key: str, value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise _wrong(key, f"a whole number from {low} to {high}")
        return value

    return check


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(key, "a text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _wrong(key, "a text in Unicode")
    return value


def _one_of(*known: str) -> _Check:
    def check(key: str, value: Any) -> str:
        if value not in known:
            raise _wrong(key, " or ".join(known))
        return str(value)

    return check


def _or_none(check: _Check) -> _Check:
    return lambda key, value: None if value is None else check(key, value)


def _list_of(check: _Check) -> _Check:
    def checked(key: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(key, "a list")
        return [check(f"{key}[{index}]", each) for index, each in enumerate(value)]

    return checked


def _table_of(check: _Check) -> _Check:
    def checked(key: str, value: Any) -> dict[str, Any]:
        return {_text(key, name): check(f"{key}.{name}", each) for name, each in _table(key, value)}

    return checked


def _table(key: str, value: Any) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise _wrong(key, "a table")
    return list(value.items())


def _shallow(key: str, value: Any, deep: int = 0) -> Any:
    """Anything JSON has, as deep as a person would write it."""
    if deep > _DEEPEST:
        raise _wrong(key, f"at most {_DEEPEST} levels deep")
    match value:
        case str():
            return _text(key, value)
        case dict():
            return {_text(key, name): _shallow(key, each, deep + 1) for name, each in value.items()}
        case list():
            return [_shallow(key, each, deep + 1) for each in value]
        case float() if not math.isfinite(value):
            raise _wrong(key, "a finite number")
        case int() if not -(2**63) <= value < 2**64:
            raise _wrong(key, "a number of 64 bits")
    return value


_DURATION = _whole(0, _LONGEST_NS)
_SIZE = _or_none(_whole(0, 2**31))
_SEED = _or_none(_whole(0, 2**64 - 1))
_INSTANT = _whole(-(2**62), 2**62)


def _number(key: str, value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise _wrong(key, "a finite number")
    return float(value)


def _apart(key: str, value: Any) -> dict[str, Any]:
    entries: dict[str, _Check] = {
        "range_m": _number,
        "environment": _text,
        "shadowing_db": _number,
        "fade_margin_db": _or_none(_number),
        "places_ns": _ascending,
    }
    given = dict(_table(key, value))
    return {name: check(f"{key}.{name}", given.get(name)) for name, check in entries.items()}


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(key, "true or false")
    return value


def _entries(checks: Mapping[str, _Check]) -> _Check:
    """A table that has these entries and no others."""

    def checked(key: str, value: Any) -> dict[str, Any]:
        given = dict(_table(key, value))
        if given.keys() != checks.keys():
            raise _wrong(key, f"a table of {', '.join(checks)}")
        return {name: check(f"{key}.{name}", given[name]) for name, check in checks.items()}

    return checked


_COUNT = _whole(0, 2**53)
_causes = _entries(
    {
        "not_taken": _COUNT,
        "given_up": _COUNT,
        "retries": _COUNT,
        "overload": _or_none(_entries({"offered_per_s": _number, "carried_per_s": _number})),
        "events": _table_of(_COUNT),
        "delays_acks": _flag,
        "sleeps_between_beacons": _flag,
    }
)
_matched = _entries(
    {
        "completion_ns": _list_of(_or_none(_INSTANT)),
        "outcome": _list_of(_whole(0, 3)),
        "spurious_ns": _list_of(_INSTANT),
    }
)


def _ascending(key: str, value: Any) -> list[int]:
    found: list[int] = _list_of(_INSTANT)(key, value)
    if any(one >= other for one, other in itertools.pairwise(found)):
        raise _wrong(key, "instants that ascend")
    return found


#: Entries of ``config`` that airlag reads again; others only inform.
_CONFIG: Mapping[str, _Check] = {
    "trigger": _text,
    "completion": _text,
    "invert": _list_of(_text),
    "min_low_ns": _DURATION,
    "overlap_ns": _or_none(_DURATION),
    "column": _or_none(_text),
    "unit": _or_none(_text),
    "count": _whole(0, 2**40),
    "period_ns": _whole(1, 10**13),
    "phase": _one_of("uniform", "frozen", "aligned", "captured"),
    "offset_ns": _whole(0, 10**13),
    "settings": _table_of(_text),
    "service_ns": _or_none(_DURATION),
    "traffic": _one_of("trigger", "echo", "both", *get_args(Traffic)),
    "way": _one_of("there", "back"),
    "speed": _text,
    "late_ns": _table_of(_whole(0, _LONGEST_NS)),
    "incidents": _table_of(_whole(0, _LONGEST_NS)),
    "causes": _causes,
    "matched": _matched,
    "apart": _apart,
}


def read(text: str) -> Metadata:
    """Reads and checks the JSON of a saved run; raises :class:`MetadataError`."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise MetadataError("no JSON that airlag writes") from None
    if not isinstance(given, dict):
        raise MetadataError("no table; expected that of a run")

    def entry(key: str, check: _Check) -> Any:
        if key not in given:
            raise MetadataError(f"`{key}` is missing")
        return check(key, given[key])

    return Metadata(
        source=entry("source", _text),
        link=entry("link", _or_none(_text)),
        size=entry("size", _SIZE),
        seed=entry("seed", _SEED),
        config=entry("config", _config),
        version=_or_none(_text)("airlag", given.get("airlag")),
    )


def _config(key: str, value: Any) -> dict[str, Any]:
    return {
        _text(key, name): _CONFIG.get(name, _shallow)(f"{key}.{name}", each)
        for name, each in _table(key, value)
    }
