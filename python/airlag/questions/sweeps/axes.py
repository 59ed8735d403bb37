"""What a sweep turns: one thing, and the values it takes, told by their place.

Values are worked out when they are asked for, so that a range of a million takes no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.quantity import NS_PER_UNIT
from airlag.questions.campaign.values import WrongError, hint, one_of, only, whole, wrong
from airlag.questions.settings import text_of

#: How the points of a range lie.
SCALES = ("linear", "log")
#: Most points of a range that is told by their number; they are compared with each other.
MOST_POINTS = 100_000
#: Significant digits of points that are no ends: what stands in a table can be typed again.
_DIGITS = 6
_AMOUNT = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([^\W\d]*)")

#: Settings of a run, as text, by name.
Texts = Mapping[str, str]


class Axis(Protocol):
    """What a sweep turns."""

    @property
    def names(self) -> Sequence[str]:
        """What it sets."""
        ...

    def __len__(self) -> int: ...

    def at(self, place: int) -> Texts:
        """What is set at one of its places, counted from 0."""
        ...

    def ends(self) -> Iterator[Texts]:
        """As much of it as has to be tried to know that all can be set."""
        ...


@dataclass(frozen=True, slots=True)
class _Single:
    """One thing: ``name`` is what it sets."""

    name: str

    @property
    def names(self) -> Sequence[str]:
        """The one thing."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Listed(_Single):
    """One thing, with the values of a list, each once."""

    values: Sequence[str]

    def __len__(self) -> int:
        return len(self.values)

    def at(self, place: int) -> Texts:
        """One of the values."""
        return {self.name: self.values[place]}

    def ends(self) -> Iterator[Texts]:
        """All of them."""
        return map(self.at, range(len(self)))


@dataclass(frozen=True, slots=True)
class Stepped(_Single):
    """One thing, from an end in steps of one width."""

    #: In its own unit.
    start: Decimal
    step: Decimal
    #: Number of values.
    many: int

    def __len__(self) -> int:
        return self.many

    def at(self, place: int) -> Texts:
        """The first value and so many steps."""
        return {self.name: written(self.start + place * self.step)}

    def ends(self) -> Iterator[Texts]:
        """The first, the second and the last: who can be set to these can be set to all."""
        return map(self.at, dict.fromkeys((0, min(1, self.many - 1), self.many - 1)))


@dataclass(frozen=True, slots=True)
class Range:
    """From where to where."""

    #: In the unit of what lies between them.
    low: Decimal
    high: Decimal
    #: Whether equal ratios are equally far apart, instead of equal differences.
    log: bool
    #: Where a point may lie, counted from ``low``; ``None``: anywhere.
    step: Decimal | None
    #: Whether only whole numbers may.
    is_whole: bool

    def at(self, share: float) -> str:
        """The value at this share of the way, from 0 to 1."""
        if share in (0.0, 1.0):
            value = self.low if share == 0.0 else self.high
        elif self.log:
            ratio = float(self.high) / float(self.low)
            value = Decimal(f"{float(self.low) * ratio**share:.{_DIGITS}g}")
        else:
            way = float(self.high) - float(self.low)
            value = Decimal(f"{float(self.low) + share * way:.{_DIGITS}g}")
        if self.step is not None:
            last = (self.high - self.low) // self.step
            steps = round((value - self.low) / self.step)
            value = self.low + min(Decimal(steps), last) * self.step
        return written(value.quantize(Decimal(1)) if self.is_whole else value)


def written(value: Decimal) -> str:
    """A number without exponent, and without zeros that say nothing."""
    digits = format(value, "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def texts(name: str, given: object, where: str) -> list[str]:
    """The values of a list, or of one value, as text, each once."""
    values = given if isinstance(given, list | tuple) else [given]
    if not values:
        raise WrongError(f"{where}`{name}` has no values to go through; give it one at least")
    found = []
    for value in values:
        try:
            # Nobody else on the air is empty text.
            found.append("" if value == "" else text_of(name, value))
        except LinkError:
            wrong(where, name, value, "a number, a text, true or false")
    return list(dict.fromkeys(found))


def axis(link: str, name: str, given: object, where: str) -> Axis:
    """What a sweep turns: one value, a list, or a range with its step or its points.

    Raises :class:`WrongError`.
    """
    if not isinstance(given, Mapping):
        return Listed(name, texts(name, given, where))
    only(given, ("from", "to", "step", "points", "scale"), f"{where}`{name}`: ")
    if ("step" in given) == ("points" in given):
        raise WrongError(f"{where}`{name}`: a range has either `step` or `points`; write one")
    found = span(link, name, {key: given[key] for key in given if key != "points"}, where)
    if found.step is not None:
        many = int((found.high - found.low) // found.step) + 1
        return Stepped(name, found.low, found.step, many)
    points = whole(given["points"], f"{where}`{name}`: ", "points", 2, MOST_POINTS)
    values = [found.at(place / (points - 1)) for place in range(points)]
    return Listed(name, list(dict.fromkeys(values)))


def span(link: str, name: str, given: Mapping[str, Any], where: str) -> Range:
    """A range: ``from``, ``to``, and where they are given ``step`` and ``scale``.

    Raises :class:`WrongError`.
    """
    place = f"{where}`{name}`: "
    only(given, ("from", "to", "step", "scale"), place)
    for key in ("from", "to"):
        if key not in given:
            raise WrongError(f"{place}a range has no `{key}`; write from where to where it goes")
    unit, is_whole = _measured(link, name, given["from"], place)
    low, high = (amount(given[key], unit, place, key) for key in ("from", "to"))
    log = one_of(given.get("scale", SCALES[0]), place, "scale", SCALES) == "log"
    step = None
    if "step" in given:
        step = amount(given["step"], unit, place, "step")
        if step <= 0:
            raise WrongError(f"{place}`step` is {written(step)}; write one above 0")
        if log:
            raise WrongError(f"{place}a range on a log scale has `points`, no `step`; leave it out")
        if is_whole and step % 1:
            raise WrongError(f"{place}only whole numbers can be set; write a whole `step`")
    if low > high:
        raise WrongError(f"{place}from {written(low)} to {written(high)} is no way up; turn it")
    if log and low <= 0:
        raise WrongError(f"{place}a range on a log scale starts above 0; write another `from`")
    return Range(low, high, log, step, is_whole)


def _measured(link: str, name: str, value: object, where: str) -> tuple[str, bool]:
    """The unit of a parameter, and whether it takes whole numbers alone."""
    if name == "size":
        return "B", True
    known = profiles.parameters(link)
    if name not in known:
        raise WrongError(f"{where}{link}: no parameter `{name}`{hint(name, known)}")
    own = profiles.link(link)["parameters"]
    if name not in own:
        # It is as it is for every link, until it is set.
        own = profiles.link(link, {name: texts("from", value, where)[0]})["parameters"]
    held = own[name]
    if isinstance(held["value"], bool | str):
        raise WrongError(f"{where}has words for values; write them as a list")
    return held["unit"], isinstance(held["value"], int)


def amount(value: object, unit: str, where: str, key: str) -> Decimal:
    """A number in ``unit``: a bare one is, text may have another unit of time.

    Raises :class:`WrongError` when it is none.
    """
    right = f'a number in {unit or "its unit"}, or text such as "10{unit}"'
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        wrong(where, key, value, right)
    match = _AMOUNT.fullmatch(str(value).strip()) if isinstance(value, str) else None
    try:
        number = Decimal(match[1] if match else repr(value) if not isinstance(value, str) else "")
    except InvalidOperation:
        wrong(where, key, value, right)
    if not number.is_finite():
        wrong(where, key, value, right)
    typed = match[2] if match else ""
    if typed in ("", unit):
        return number
    if typed not in NS_PER_UNIT or unit not in NS_PER_UNIT:
        wrong(where, key, value, right)
    return number * NS_PER_UNIT[typed] / NS_PER_UNIT[unit]
