"""Parsing and formatting of durations and counts.

Durations are integer nanoseconds internally. Durations in user input need a unit: ``1us``,
``200ms``, ``16.6ms``. In a table, all durations share one unit and have four significant digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from airlag import _airlag
from airlag._airlag import exact as exact
from airlag._airlag import number as number
from airlag._airlag import parse_duration as parse_duration
from airlag._airlag import parse_memory as parse_memory
from airlag._airlag import percent as percent


def parse_whole(text: str, low: int, high: int) -> int | None:
    """Parses a decimal whole number from ``low`` to ``high``; ``None`` if invalid.

    A text longer than a 64-bit number is invalid, because Python rejects very long digit strings.
    """
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(2**64)):
        return None
    value = int(text)
    return value if low <= value <= high else None


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of time."""

    #: Symbol in text and axis titles.
    name: str
    #: Nanoseconds per unit.
    ns: float


UNITS = (Unit("ns", 1.0), Unit("us", 1e3), Unit("ms", 1e6), Unit("s", 1e9))


def unit_for(durations_ns: Iterable[float]) -> Unit:
    """Chooses the unit in which the largest duration is at least 1 and below 10 000.

    Any tail latency that is passed may determine the unit. Without durations, the unit is ms.
    """
    return Unit(*_airlag.time_unit([*map(float, durations_ns)]))


def duration(value_ns: float, unit: Unit | None = None, digits: int = 4) -> str:
    """Formats a duration in ``unit``, by default in that of :func:`unit_for`."""
    unit = unit or unit_for([value_ns])
    return f"{number(value_ns / unit.ns, digits)} {unit.name}"


def limits(ends: Sequence[float | str], unit: str) -> str:
    """Formats a range; durations of five or more digits get other units: ``150 us to 10 ms``."""
    numbers = [float(end) for end in ends]
    scale = {one.name: one.ns for one in UNITS}.get(unit)
    if scale is None or max(numbers) < 10_000:
        return " to ".join(f"{end:.15g}" for end in numbers)
    suited = [(end * scale, unit_for([end * scale])) for end in numbers]
    return " to ".join(f"{ns / unit.ns:.15g} {unit.name}" if ns else "0" for ns, unit in suited)


def interval(ends: Iterable[float | None], shown: Callable[[float], str], to: str = "–") -> str:
    """Formats an interval; an interval with one end is a bound, such as ``≥ 1.2``."""
    low, high = (None if end is None else shown(end) for end in ends)
    if low is None or high is None:
        return "?" if low is high else f"≥ {low}" if high is None else f"≤ {high}"
    return low + to + high


def count(value: int) -> str:
    """Formats a count with grouped thousands: ``100 000``."""
    return f"{value:,}".replace(",", " ")


def share(part: int, whole: int) -> str:
    """Formats a ratio in percent; 0 % and 100 % only if exact."""
    return "–" if whole == 0 else percent(part / whole)
