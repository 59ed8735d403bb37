"""Link profiles with the sources of their constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import profiles, records
from airlag.core.arguments import near
from airlag.questions.shown import Displayable


@dataclass(frozen=True, slots=True, repr=False)
class Profile(Displayable, records.Link):
    """A link profile. Names in ``parameters`` are keyword arguments of :func:`airlag.run`."""


class Links(Displayable, Sequence[Profile]):
    """Link profiles as a sequence, which also accepts a name: ``links()["nrf24-2m"]``."""

    __slots__ = ("_profiles",)

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self._profiles = tuple(profiles)

    def __len__(self) -> int:
        return len(self._profiles)

    def __iter__(self) -> Iterator[Profile]:
        return iter(self._profiles)

    @overload
    def __getitem__(self, which: int | str) -> Profile: ...
    @overload
    def __getitem__(self, which: slice) -> Links: ...
    def __getitem__(self, which: int | str | slice) -> Profile | Links:
        if isinstance(which, str):
            for each in self._profiles:
                if each.name == which:
                    return each
            raise LinkError(f"no link `{which}`; {near(which, self.names)}")
        found = self._profiles[which]
        return found if isinstance(found, Profile) else Links(found)

    @property
    def names(self) -> list[str]:
        """Names of the profiles, in the order of the sequence."""
        return [each.name for each in self._profiles]


def links(pattern: str = "*") -> Links:
    """Returns the link profiles whose names match a pattern.

    >>> airlag.links("ble-*")
    >>> airlag.links()["nrf24-2m"].parameters["retransmit_delay"]["unit"]

    Parameters
    ----------
    pattern
        Pattern with ``*``, ``?`` or ``[...]``, such as ``"ble-*"``. Default: all profiles.

    Raises
    ------
    LinkError
        No profile has a name that matches. The message is one line with suggestions.
    """
    found = _airlag.links_like(pattern)
    if not found:
        raise LinkError(f"no link `{pattern}`; {near(pattern, _airlag.links())}")
    return Links([Profile(profiles.link(name)) for name in found])
