"""The parameters that are turned together, and what each of them may be.

::

    connection_interval=7.5ms..100ms            from one to the other
    connection_interval=7.5ms..100ms/1.25ms     in steps
    latency=0..4                                whole numbers, as the parameter is one
    phy=1M|2M                                   one of these
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.api.arguments import near
from airlag.tuning.spans import NUMBER, Choice, Parameter, Span, Value, digits
from airlag.tuning.steps import finest

#: A value for each parameter.
Point = dict[str, Value]

#: Most values of one choice.
MOST_CHOICES = 1000

_CLAUSE = re.compile(r",(?=\s*\w+\s*=)")
_RANGE = re.compile(
    rf"\s*(?P<low>{NUMBER})\s*(?P<unit_low>[^\s\d./]\S*?)?\s*\.\.\s*"
    rf"(?P<high>{NUMBER})\s*(?P<unit>[^\s\d./][^\s/]*(?:/s)?)?\s*"
    rf"(?:/\s*(?P<step>{NUMBER})\s*(?P<unit_step>\S+)?\s*)?"
)


@dataclass(frozen=True, slots=True)
class Space:
    """What can be turned on a link.

    Attributes
    ----------
    parameters
        All of them.
    own
        What the profile, with what is set, has of each; a value that need not be in the space.
    prices
        By parameter and value: what it gives up that no metric shows.
    """

    parameters: tuple[Parameter, ...]
    own: Mapping[str, str]
    prices: Mapping[str, Mapping[str, str]]

    @property
    def many(self) -> float:
        """How many points it has."""
        return math.prod(one.many for one in self.parameters)

    def settings(self, point: Mapping[str, Value]) -> dict[str, str]:
        """A point as ``--set`` takes it."""
        return {one.name: one.text(point[one.name]) for one in self.parameters}

    def price(self, name: str, value: Value) -> str:
        """What a value gives up that no metric shows, or what the knob does on the way to it."""
        (one,) = (each for each in self.parameters if each.name == name)
        known = self.prices.get(name, {})
        if isinstance(one, Choice):
            return known.get(str(value), "")
        return one.priced(float(value), known)

    def price_of(self, parameter: Parameter, text: str) -> str:
        """The same of a value as ``--set`` takes it."""
        if isinstance(parameter, Choice):
            return self.price(parameter.name, text)
        number = parameter.read(text)
        return "" if number is None else self.price(parameter.name, number)

    def is_own(self, parameter: Parameter, text: str) -> bool:
        """Whether the link as it is has that value."""
        if isinstance(parameter, Span):
            return parameter.own is not None and parameter.read(text) == parameter.own
        return text == self.own.get(parameter.name)


def clauses(text: str) -> dict[str, str]:
    """Which parameter may be what, of one text with commas.

    Raises
    ------
    LinkError
        With one line, where it says nothing, or one twice.
    """
    found: dict[str, str] = {}
    for clause in _CLAUSE.split(text):
        name, sign, values = (word.strip() for word in clause.partition("="))
        if not (name and sign and values):
            raise LinkError(
                f"{clause.strip()[:40]!r} spans nothing; write a parameter and what it may be, "
                "such as connection_interval=7.5ms..50ms or phy=1M|2M"
            )
        if name in found:
            raise LinkError(f"{name[:40]} is spanned twice; write it once")
        found[name] = values
    return found


def parameter(
    link: str, name: str, values: str, size: int | None, settings: Mapping[str, str]
) -> Parameter:
    """What a parameter may be.

    Parameters
    ----------
    link
        Name of a profile.
    name
        Of the parameter.
    values
        A range or a choice, as text.
    size
        Payload with which the bench is asked which numbers there are, bytes.
    settings
        What is set besides.

    Raises
    ------
    LinkError
        With one line that says what would be right.
    """
    known = _airlag.link_parameters(link)
    if name not in known:
        raise LinkError(f"{link}: no parameter `{name[:40]}`; {near(name, known)}")
    match = _RANGE.fullmatch(values)
    if match is None:
        return _choice(link, name, values, settings)
    if known[name]["between"] is None:
        words = "|".join(known[name]["choices"]) or "one of its values"
        raise LinkError(f"{link}: `{name}` is no number between two ends; write {name}={words}")
    unit = match["unit"] or match["unit_low"] or ""
    low, high = float(match["low"]), float(match["high"])
    # What is no such number, or outside of what there is, the profile says.
    ends = [
        _value(link, name, f"{digits(low)}{match['unit_low'] or unit}", settings),
        _value(link, name, f"{digits(high)}{unit}", settings),
    ]
    whole = all(isinstance(end, int) for end in ends)
    if high and match["unit_low"] not in (None, unit):
        low = float(f"{ends[0] * high / ends[1]:.9g}")
    if not low < high:
        raise LinkError(f"{name}={values[:40]}: write the lower end first, and then a higher one")
    if match["step"] is not None and (match["unit_step"] or "") not in ("", unit):
        raise LinkError(f"{name}={values[:40]}: write the step in the unit of the upper end")
    own = _own_value(link, name, settings)
    number = own if isinstance(own, int | float) and not isinstance(own, bool) else None
    here = None if number is None else number * (high / ends[1] if high else low / ends[0])
    if match["step"] is not None:
        step = float(match["step"])
        if not 0 < step <= high - low:
            raise LinkError(f"{name}={values[:40]}: a step is above 0, and within the range")
        return Span(name, low, high, step, unit, here)
    resolution = (high - low) / (ends[1] - ends[0]) if whole else None
    found = finest(
        lambda number: _runs(link, size, {**settings, name: f"{digits(number)}{unit}"}),
        low,
        high,
        resolution,
    )
    return Span(name, low, high, found, unit, here)


def _choice(link: str, name: str, values: str, settings: Mapping[str, str]) -> Choice:
    words = [word.strip() for word in values.split("|")]
    if ".." in values or not all(words):
        raise LinkError(
            f"{name}={values[:40]}: neither a range nor a choice; write {name}=LOW..HIGH with "
            f"numbers, or {name}=A|B"
        )
    if len(words) > MOST_CHOICES:
        raise LinkError(f"{name}: more than {MOST_CHOICES} values; choose fewer")
    own = _own_value(link, name, settings)
    same = [word for word in words if _value(link, name, word, settings) == own]
    return Choice(name, tuple(dict.fromkeys(words)), same[0] if same else words[0])


def _value(link: str, name: str, text: str, settings: Mapping[str, str]) -> Any:
    """A value in the parameter's own unit; raises with one line where it can be no such value."""
    return _airlag.link(link, {**settings, name: text})["parameters"][name]["value"]


def _runs(link: str, size: int | None, settings: Mapping[str, str]) -> str | None:
    """Why a bench does not take settings; ``None`` where it does."""
    try:
        _airlag.service_ns(link, size, 1, dict(settings))
    except LinkError as error:
        return str(error)
    return None


def own_knobs(link: str, settings: Mapping[str, str], *, free: bool) -> list[Choice]:
    """What an engineer can turn on a link, as its advice does.

    Parameters
    ----------
    link
        Name of a profile.
    settings
        What is set besides; such a parameter is not turned.
    free
        Only to what gives up nothing.
    """
    values: dict[str, list[str]] = {}
    for one in _airlag.link_knobs(link, dict(settings)):
        if one["name"] not in settings and not (free and one["gives_up"]):
            values.setdefault(one["name"], []).append(one["value"])
    own = _own(link, values, settings)
    return [Choice(name, (own[name], *found), own[name]) for name, found in values.items()]


def space_of(
    link: str,
    size: int | None,
    settings: Mapping[str, str],
    over: Mapping[str, str],
    *,
    knobs: bool = True,
    free: bool = False,
) -> Space:
    """What is turned on a link.

    Parameters
    ----------
    link, size, settings
        The profile, its payload, and what is set for all.
    over
        By parameter what it may be: instead of the values a knob has, or besides all knobs.
    knobs
        Whether the link's own knobs are turned as well.
    free
        Of these, only to what gives up nothing.

    Raises
    ------
    LinkError
        With one line that says what would be right.
    """
    _airlag.link(link, dict(settings))
    for name in over:
        if name in settings:
            raise LinkError(f"{link}: `{name}` is set and spanned; leave one of them out")
    found: dict[str, Parameter] = {}
    if knobs:
        found = {one.name: one for one in own_knobs(link, settings, free=free)}
    for name, values in over.items():
        found[name] = parameter(link, name, values, size, settings)
    if not found:
        raise LinkError(f"{link}: nothing to turn; say what, such as --over NAME=LOW..HIGH")
    prices: dict[str, dict[str, str]] = {}
    for one in _airlag.link_knobs(link, dict(settings)):
        prices.setdefault(one["name"], {})[one["value"]] = one["gives_up"]
    return Space(tuple(found.values()), _own(link, found, settings), prices)


def _own(link: str, names: Iterable[str], settings: Mapping[str, str]) -> dict[str, str]:
    """What a profile has of each parameter, with its unit, as ``--set`` takes it."""
    held = _airlag.link(link, dict(settings))["parameters"]
    known: Sequence[str] = [name for name in names if name in held]
    found = {}
    for name in known:
        value = held[name]["value"]
        if isinstance(value, bool | str):
            found[name] = str(value).lower() if isinstance(value, bool) else value
        else:
            number = digits(float(value))
            found[name] = f"{number}{_unit(link, name, number)}"
    return found


def _own_value(link: str, name: str, settings: Mapping[str, str]) -> Any:
    """What a profile has of a parameter, in its own unit; ``None`` where it has none."""
    held = _airlag.link(link, dict(settings))["parameters"].get(name)
    return None if held is None else held["value"]


def _unit(link: str, name: str, number: str) -> str:
    """The unit of a parameter where ``--set`` takes it behind a number."""
    unit = _airlag.link_parameters(link)[name]["unit"]
    try:
        _airlag.link(link, {name: f"{number}{unit}"})
    except LinkError:
        return ""
    return unit
