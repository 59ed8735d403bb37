"""Durations, sizes of memory and counts: as people write them, and as they read them.

Inside airlag a duration is an integer number of nanoseconds. Typed, it needs a unit: ``1us``,
``200ms``, ``16.6ms``; 200 of what? Shown, one unit serves a whole table, with four digits a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from airlag import _airlag
from airlag._airlag import exact as exact
from airlag._airlag import number as number
from airlag._airlag import parse_duration as parse_duration
from airlag._airlag import parse_memory as parse_memory
from airlag._airlag import percent as percent

#: Nanoseconds in one unit. Both the micro sign and the Greek letter are typed in practice.
NS_PER_UNIT: dict[str, int] = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "μs": 10**3,
    "ms": 10**6,
    "s": 10**9,
}


def parse_whole(text: str, low: int, high: int) -> int | None:
    """A whole number from ``low`` to ``high``, in digits; ``None`` when it is no such number.

    Python refuses to read thousands of digits: there may be no more than 64 bits have.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(2**64)):
        return None
    value = int(text)
    return value if low <= value <= high else None


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time."""

    #: As written after a number and in axis titles.
    name: str
    #: Nanoseconds in one of it.
    ns: float


UNITS = (Unit("ns", 1.0), Unit("us", 1e3), Unit("ms", 1e6), Unit("s", 1e9))


def unit_for(durations_ns: Iterable[float]) -> Unit:
    """Chooses the unit in which the largest of these durations is at least 1 and below 10 000.

    A tail belongs here only if it must read well. Milliseconds when there is nothing to go by.
    """
    return Unit(*_airlag.time_unit([*map(float, durations_ns)]))


def duration(value_ns: float, unit: Unit | None = None, digits: int = 4) -> str:
    """Write a duration in a unit, or in the one that suits it, with the unit."""
    unit = unit or unit_for([value_ns])
    return f"{number(value_ns / unit.ns, digits)} {unit.name}"


def count(value: int) -> str:
    """Write a count with its thousands apart: ``100 000``."""
    return f"{value:,}".replace(",", " ")


def share(part: int, whole: int) -> str:
    """Write a part of a whole in percent; never 0 % or 100 % unless it is exactly that."""
    return "–" if whole == 0 else percent(part / whole)
