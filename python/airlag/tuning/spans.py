"""One parameter that is turned: one of several values, or a number between two ends."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from airlag.quantity import NS_PER_UNIT

#: A value of a parameter: a number in the unit that was typed, or a word as ``--set`` takes it.
Value = float | int | str
#: A number as people type it.
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"


def digits(number: float) -> str:
    """A number written out, without an exponent."""
    text = format(Decimal(repr(number)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several values.

    Attributes
    ----------
    name
        The parameter.
    values
        As ``--set`` takes them.
    home
        That of the link as it is, or the first one.
    """

    name: str
    values: tuple[str, ...]
    home: str

    @property
    def key(self) -> str:
        """What a study calls it."""
        return self.name

    @property
    def many(self) -> int:
        """How many values it has."""
        return len(self.values)

    def text(self, value: Value) -> str:
        """A value as ``--set`` takes it."""
        return str(value)

    def at(self, share: float) -> Value:
        """The value at a share of all, from 0 to below 1: each gets as much of it."""
        return self.values[min(int(share * len(self.values)), len(self.values) - 1)]

    def around(self, value: Value) -> list[Value]:
        """The other values."""
        return [one for one in self.values if one != value]

    def spread(self) -> list[Value]:
        """Values to begin with."""
        return list(self.values)

    def all(self) -> list[Value]:
        """Every value."""
        return list(self.values)


@dataclass(frozen=True, slots=True)
class Span:
    """A number between two ends.

    Attributes
    ----------
    name
        The parameter.
    low, high
        Ends, in ``unit``.
    step
        From value to value, from ``low`` on; ``None``: any number.
    unit
        As it was typed; empty: the parameter's own.
    own
        What the link as it is has, in ``unit``; ``None`` where it has no number.
    """

    name: str
    low: float
    high: float
    step: float | None
    unit: str
    own: float | None

    @property
    def key(self) -> str:
        """What a study calls it: with its unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    @property
    def many(self) -> float:
        """How many values it has."""
        if self.step is None:
            return math.inf
        return math.floor((self.high - self.low) / self.step + 1e-9) + 1

    def text(self, value: Value) -> str:
        """A value as ``--set`` takes it."""
        return f"{digits(float(value))}{self.unit}"

    def at(self, share: float) -> Value:
        """The value at a share of the span, from 0 to below 1: each gets as much of it."""
        if self.step is None:
            return self._held(self.low + share * (self.high - self.low))
        return self._nth(min(int(share * self.many), int(self.many) - 1))

    def around(self, value: Value) -> list[Value]:
        """The next values, farther ones, and both ends."""
        here, reach = float(value), self.high - self.low
        least = reach / 64 if self.step is None else self.step
        steps = {least} | {reach / part for part in (32, 8, 3) if reach / part > least}
        found = [self.near(here + sign * step) for step in sorted(steps) for sign in (-1, 1)]
        found += [self.near(self.low), self.near(self.high)]
        return [one for one in dict.fromkeys(found) if one != self.near(here)]

    @property
    def home(self) -> Value:
        """The value nearest to that of the link as it is; the lower end where it has none."""
        return self.near(self.low if self.own is None else self.own)

    def spread(self) -> list[Value]:
        """Five values, evenly from end to end."""
        return list(
            dict.fromkeys(self.near(self.low + k / 4 * (self.high - self.low)) for k in range(5))
        )

    def all(self) -> list[Value]:
        """Every value of a span in steps."""
        return [self._nth(nth) for nth in range(int(self.many))]

    def priced(self, number: float, known: Mapping[str, str]) -> str:
        """What the knob with these prices gives up towards a number, from the link as it is."""
        if self.own is None or number == self.own:
            return ""
        up = number > self.own
        priced = [
            (abs(value - number), text)
            for word, text in known.items()
            if (value := self.read(word)) is not None and (value > self.own) == up
        ]
        return min(priced)[1] if priced else ""

    def read(self, text: str) -> float | None:
        """What ``--set`` takes as a number in this unit; ``None`` where it has another one."""
        match = re.fullmatch(rf"({NUMBER})\s*(\S*)", text)
        if match is None:
            return None
        unit, own = match[2], self.unit
        if unit == own:
            return float(match[1])
        if unit in NS_PER_UNIT and own in NS_PER_UNIT:
            return float(match[1]) * NS_PER_UNIT[unit] / NS_PER_UNIT[own]
        return None

    @property
    def last(self) -> float:
        """The highest value on a step, or the end."""
        return float(self.near(self.high))

    def near(self, number: float) -> Value:
        """The value nearest to a number."""
        if self.step is None:
            return self._held(min(max(number, self.low), self.high))
        nth = round((number - self.low) / self.step)
        return self._nth(min(max(nth, 0), int(self.many) - 1))

    def _nth(self, nth: int) -> Value:
        assert self.step is not None
        return self._held(self.low + nth * self.step)

    def _held(self, number: float) -> Value:
        # As many digits as anybody types; what binary fractions add is none of theirs.
        return float(f"{number:.9g}")


Parameter = Choice | Span
