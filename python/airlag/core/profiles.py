"""Link profiles and latency floors from the core."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from airlag.core.answered import ask

if TYPE_CHECKING:
    from airlag.core import types


def link(name: str, settings: Mapping[str, str] | None = None) -> types.Link:
    """Returns the profile ``name``, changed by ``settings``. Constants have a unit and a source.

    Raises :class:`LinkError` for an unknown link or parameter, or an invalid value.
    """
    return _as_it_is(name) if not settings else _asked(name, settings)


@cache
def _as_it_is(name: str) -> types.Link:
    return _asked(name, {})


def _asked(name: str, settings: Mapping[str, str]) -> types.Link:
    return cast("types.Link", ask("links", link=name, settings=dict(settings))[0])


@cache
def parameters(name: str) -> Mapping[str, types.Settable]:
    """Returns all parameters of a link by name, including those its profile leaves at the default.

    Raises :class:`LinkError` for an unknown link.
    """
    return cast("Mapping[str, types.Settable]", ask("parameters", link=name))


def floor(name: str, size: int | None, settings: Mapping[str, str] | None = None) -> types.Floor:
    """Returns the lower bound on the latency of a message.

    Raises :class:`LinkError` for an unknown link or an invalid setting.
    """
    found = ask("floor", link=name, size=size, settings=dict(settings or {}))
    return cast("types.Floor", found)
