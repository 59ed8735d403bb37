"""Conversion of settings in keyword arguments to the text that profiles accept.

A number is in the unit of the parameter, which ``airlag.links()[name]`` shows. A text may contain
another unit than that of the parameter, such as ``"7.5ms"``.
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

#: Accepted setting types, including numpy numbers.
Setting = bool | int | float | str | timedelta

#: Units with a more common alternative.
_TIMES = ("ns", "us", "ms", "s")


def text_of(name: str, value: Any) -> str:
    """Converts a setting to text: ``True`` becomes ``true``, 0.00001 is written without exponent.

    Raises :class:`LinkError` for other types.
    """
    if isinstance(value, str):
        if not value.strip():
            raise LinkError(f"{name} is empty; omit it, or give it a value")
        return value.strip()
    if isinstance(value, timedelta):
        return f"{ns_in(value)}ns"
    # numpy's bool is neither a bool nor a number.
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return str(bool(value)).lower()
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return _digits(name, float(value))
    raise LinkError(
        f"{name}={value!r} is not a setting; expected one number, bool, text or timedelta "
        "(airlag.sweep takes several)"
    )


def _digits(name: str, value: float) -> str:
    if not math.isfinite(value):
        raise LinkError(f"{name}={value} is not a setting; expected a finite number")
    # Shortest round-trip digits without an exponent; 30.0 is 30.
    digits = format(Decimal(repr(value)), "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits


def arguments_of(function: Callable[..., object]) -> list[str]:
    """Arguments of a function that are not profile parameters."""
    every = signature(function).parameters.values()
    return [one.name for one in every if one.kind is not one.VAR_KEYWORD and one.name != "settings"]


@dataclass(frozen=True, slots=True)
class Changes:
    """Profile changes given in one function call."""

    #: Profile.
    link: str
    #: Settings as given, by name.
    given: Mapping[str, Any]
    #: Other transmitters.
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
        """Collects settings from a function's arguments.

        Raises :class:`LinkError` with suggestions for an unknown keyword.
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
                raise LinkError(f"{link}: `{name}` is set twice; omit it in settings")
            given[name] = value
        others = several(neighbours, "neighbours")
        if others and "neighbours" in given:
            raise LinkError(f"{link}: `neighbours` is set twice; omit it in settings")
        return cls(link, given, tuple(others))

    def text(self) -> dict[str, str]:
        """Returns all changes as text; raises :class:`LinkError`."""
        found = {name: text_of(name, value) for name, value in self.given.items()}
        if self.neighbours:
            found["neighbours"] = ";".join(self.neighbours)
        for name, text in found.items():
            if not text.isprintable():
                raise LinkError(
                    f"{self.link}: {name} {text!r} is not printable; expected plain text"
                )
        return found

    def differing(self) -> dict[str, str]:
        """Returns changes that differ from the profile, in its units; raises :class:`LinkError`."""
        text = self.text()
        with self.in_units():
            return bench.differing(self.link, text)

    @contextmanager
    def in_units(self) -> Iterator[None]:
        """Adds the assumed unit to errors about plain numbers."""
        try:
            yield
        except LinkError as error:
            said = str(error)
            parameters = profiles.link(self.link)["parameters"]
            for name, value in self.given.items():
                bare = isinstance(value, numbers.Real) and not isinstance(value, bool)
                unit = parameters[name]["unit"] if name in parameters else ""
                if bare and unit in _TIMES and f"`{name}`" in said:
                    said += f" (plain numbers are in {unit}; write {name}='{value}ms' for ms)"
            raise LinkError(said) from None
