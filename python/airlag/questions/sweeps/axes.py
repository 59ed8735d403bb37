"""What a sweep turns: one thing or several, and the values that they take, by their place.

Values are worked out when they are asked for, so that a range of a million takes no memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.extras import library
from airlag.core.quantity import NS_PER_UNIT
from airlag.questions.campaign.values import WrongError, hint, one_of, only, whole, wrong
from airlag.questions.settings import text_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: How the points of a range lie.
SCALES = ("linear", "log")
#: Most points of a range that is told by their number; they are compared with each other.
MOST_POINTS = 100_000
#: Kinds of designs, as :mod:`scipy.stats.qmc` has them.
KINDS = ("sobol", "halton", "latin-hypercube")
#: Most points of a design: they are kept as numbers, 8 B a point and parameter.
MOST_DESIGNED = 2**20
_DESIGN = ("kind", "points", "seed", "over")
#: Significant digits of points that are no ends: what stands in a table can be typed again.
_DIGITS = 6
_AMOUNT = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*([^\W\d]*)")

#: Settings of a run, as text, by name.
Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """What a sweep turns, told by its place."""

    #: What it sets.
    names: Sequence[str]
    #: How many places it has.
    many: int
    #: What is set at one of them, counted from 0.
    at: Callable[[int], Texts]
    #: As much of it as has to be tried to know that all can be set.
    ends: Callable[[], Iterable[Texts]]
    #: SHA-256 of the points of a design.
    digest: str | None = None

    def __len__(self) -> int:
        return self.many


def among(name: str, values: Sequence[str]) -> Axis:
    """One thing, with the values of a list, each once; all have to be tried."""
    every = [{name: value} for value in values]
    return Axis((name,), len(values), every.__getitem__, lambda: every)


def stepped(name: str, start: Decimal, step: Decimal, many: int) -> Axis:
    """One thing, from an end in steps of one width, in its own unit.

    Who can be set to the first, the second and the last value can be set to all.
    """

    def at(place: int) -> Texts:
        return {name: written(start + place * step)}

    tried = dict.fromkeys((0, min(1, many - 1), many - 1))
    return Axis((name,), many, at, lambda: map(at, tried))


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
        return among(name, texts(name, given, where))
    only(given, ("from", "to", "step", "points", "scale"), f"{where}`{name}`: ")
    if ("step" in given) == ("points" in given):
        raise WrongError(f"{where}`{name}`: a range has either `step` or `points`; write one")
    found = span(link, name, {key: given[key] for key in given if key != "points"}, where)
    if found.step is not None:
        many = int((found.high - found.low) // found.step) + 1
        return stepped(name, found.low, found.step, many)
    points = whole(given["points"], f"{where}`{name}`: ", "points", 2, MOST_POINTS)
    values = [found.at(place / (points - 1)) for place in range(points)]
    return among(name, list(dict.fromkeys(values)))


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


def design(link: str, given: object, where: str) -> Axis:
    """Several things that are turned together, over points that fill a space evenly.

    The points are those of :mod:`scipy.stats.qmc`: I. M. Sobol's sequence, scrambled after A. B.
    Owen; J. H. Halton's; Latin hypercubes. Each is seeded. Raises :class:`WrongError`.
    """
    if not isinstance(given, Mapping):
        raise WrongError(f"{where}a design is a table with kind, points and over")
    only(given, _DESIGN, where)
    for key in ("points", "over"):
        if key not in given:
            raise WrongError(f"{where}no `{key}`; a design has kind, points and over")
    kind = one_of(given.get("kind", KINDS[0]), where, "kind", KINDS)
    points = whole(given["points"], where, "points", 1, MOST_DESIGNED)
    seed = whole(given.get("seed", 1), where, "seed", 0, 2**63 - 1)
    if kind == "sobol" and points & (points - 1):
        below = 1 << (points.bit_length() - 1)
        raise WrongError(
            f"{where}{points} points of Sobol's sequence are not balanced; write {below} or "
            f"{2 * below}"
        )
    ranges = given["over"]
    if not (isinstance(ranges, Mapping) and ranges):
        raise WrongError(f"{where}`over` is a table of ranges, such as range = {{from=1, to=50}}")
    over: dict[str, Range | Sequence[str]] = {}
    for name, value in ranges.items():
        if isinstance(value, Mapping):
            over[name] = span(link, name, value, where)
        else:
            over[name] = texts(name, value, where)
    unit_points = _unit_points(kind, len(over), points, seed)

    def at(place: int) -> Texts:
        shares = zip(over.items(), unit_points[place].tolist(), strict=True)
        return {
            name: values.at(share)
            if isinstance(values, Range)
            else values[int(share * len(values))]
            for (name, values), share in shares
        }

    ends = [
        {name: value}
        for name, values in over.items()
        for value in ([values.at(0.0), values.at(1.0)] if isinstance(values, Range) else values)
    ]
    digest = sha256(unit_points.tobytes()).hexdigest()
    return Axis(tuple(over), points, at, lambda: ends, digest)


@lru_cache(maxsize=4)
def _unit_points(kind: str, dimensions: int, points: int, seed: int) -> NDArray[np.float64]:
    qmc = library("scipy.stats.qmc", "sweep", WrongError, "[design] needs SciPy, which")
    sequences: Mapping[str, Any] = {
        "sobol": qmc.Sobol,
        "halton": qmc.Halton,
        "latin-hypercube": qmc.LatinHypercube,
    }
    try:
        made = sequences[kind](dimensions, rng=seed)
    except ValueError as error:
        raise WrongError(f"[design]: {error}") from None
    found: NDArray[np.float64] = made.random(points)
    return found
