"""Link profiles, as the core lists them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from airlag.core.answered import ask

if TYPE_CHECKING:
    from airlag.core import types


def link(name: str, settings: Mapping[str, str] | None = None) -> types.Link:
    """A profile, with some parameters changed: every constant with its unit and its source.

    Raises :class:`LinkError` when there is no such link or parameter, or it cannot be set so.
    """
    return _as_it_is(name) if not settings else _asked(name, settings)


@cache
def _as_it_is(name: str) -> types.Link:
    return _asked(name, {})


def _asked(name: str, settings: Mapping[str, str]) -> types.Link:
    return cast("types.Link", ask("links", link=name, settings=dict(settings))[0])


@cache
def parameters(name: str) -> Mapping[str, types.Settable]:
    """What can be set of a link, by name: also what its profile leaves as it is for every link.

    Raises :class:`LinkError` when there is no such link.
    """
    return cast("Mapping[str, types.Settable]", ask("parameters", link=name))


@cache
def sources() -> list[types.Source]:
    """Every document that constants are taken from."""
    return cast("list[types.Source]", ask("sources"))


def floor(name: str, size: int | None, settings: Mapping[str, str] | None = None) -> types.Floor:
    """The least time of a message.

    Raises :class:`LinkError` when there is no such link, or it cannot be set so.
    """
    found = ask("floor", link=name, size=size, settings=dict(settings or {}))
    return cast("types.Floor", found)
