"""Settings as keywords: numbers, truth, text or durations in, the text a profile takes out.

A number is in the parameter's own unit, which ``airlag.links()[name]`` shows; text may have
another, such as ``"7.5ms"``.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from inspect import signature
from typing import Any

from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.arguments import mapping, near, ns_in, several
from airlag.questions import bench

#: What a parameter can be set to; numbers of numpy are numbers too.
Setting = bool | int | float | str | timedelta

#: Units of which people prefer another.
_TIMES = ("ns", "us", "ms", "s")


def text_of(name: str, value: Any) -> str:
    """A setting as the profile takes it: ``True`` is ``true``, 0.00001 has no exponent.

    Raises :class:`LinkError` when it is no setting.
    """
    if isinstance(value, str):
        if not value.strip():
            raise LinkError(f"{name} is set to empty text; leave it out, or give it a value")
        return value.strip()
    if isinstance(value, timedelta):
        return f"{ns_in(value)}ns"
    # A truth of numpy is no bool, and no number either.
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return str(bool(value)).lower()
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return _digits(name, float(value))
    raise LinkError(
        f"{name}={value!r} is no setting; expected one number, truth, text or timedelta "
        "(airlag.sweep takes several)"
    )


def _digits(name: str, value: float) -> str:
    if not math.isfinite(value):
        raise LinkError(f"{name}={value} is no setting; expected a finite number")
    # The shortest digits that give the number back, written out; 30.0 is 30.
    digits = format(Decimal(repr(value)), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def arguments_of(function: Callable[..., object]) -> list[str]:
    """Arguments of a function that are no settings of a profile."""
    every = signature(function).parameters.values()
    return [one.name for one in every if one.kind is not one.VAR_KEYWORD and one.name != "settings"]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call changes of a profile."""

    #: Name of the profile.
    link: str
    #: Settings as they were given, by name.
    given: Mapping[str, Any]
    #: Who else is on the air.
    neighbours: tuple[str, ...]

    @classmethod
    def of(
        cls,
        link: str,
        neighbours: str | Iterable[str],
        settings: Mapping[str, Any] | None,
        keywords: Mapping[str, Any],
        function: Callable[..., object],
    ) -> Changes:
        """What the arguments of a function say; its others are no settings.

        Raises :class:`LinkError` that names near ones, for a keyword that is no parameter.
        """
        if not isinstance(link, str):
            raise LinkError(f"link={link!r}: expected the name of a profile, such as 'nrf24-2m'")
        parameters = profiles.link(link)["parameters"]
        given = dict(mapping(settings, "settings"))
        for name, value in keywords.items():
            if name not in parameters:
                known = [*arguments_of(function), *parameters]
                raise LinkError(f"{link}: no keyword `{name}`; {near(name, known)}")
            if name in given:
                raise LinkError(f"{link}: `{name}` is set twice; leave it out of settings")
            given[name] = value
        others = several(neighbours, "neighbours")
        if others and "neighbours" in given:
            raise LinkError(f"{link}: `neighbours` is set twice; leave it out of settings")
        return cls(link, given, tuple(others))

    def text(self) -> dict[str, str]:
        """All of them as text; raises :class:`LinkError`."""
        found = {name: text_of(name, value) for name, value in self.given.items()}
        if self.neighbours:
            found["neighbours"] = ";".join(self.neighbours)
        for name, text in found.items():
            if not text.isprintable():
                raise LinkError(f"{self.link}: {name} {text!r} cannot be printed; write plain text")
        return found

    def differing(self) -> dict[str, str]:
        """Those that differ from the profile, in the units of its parameters.

        Raises :class:`LinkError`.
        """
        text = self.text()
        with self.in_units():
            return bench.differing(self.link, text)

    @contextmanager
    def in_units(self) -> Iterator[None]:
        """Adds to an error about a bare number what that number was taken for."""
        try:
            yield
        except LinkError as error:
            said = str(error)
            parameters = profiles.link(self.link)["parameters"]
            for name, value in self.given.items():
                bare = isinstance(value, numbers.Real) and not isinstance(value, bool)
                unit = parameters[name]["unit"] if name in parameters else ""
                if bare and unit in _TIMES and f"`{name}`" in said:
                    said += f" (a bare number is in {unit}; write {name}='{value}ms' for ms)"
            raise LinkError(said) from None
