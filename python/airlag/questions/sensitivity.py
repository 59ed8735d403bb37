"""What an assumption is worth: each assumed or calibrated constant of a link halved and doubled.

>>> from airlag.questions.sensitivity import sensitivity
>>> [one.name for one in sensitivity("nrf24-2m", 128).open]

A constant with a bound is worth what it moves within that; one without, what half and double move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from airlag import _airlag
from airlag.core import payload, types
from airlag.core.answered import Answered, Each, Key, Maybe, ask

#: A constant that moves the median or the 99 % quantile by more than this share matters.
MATTERS = _airlag.MATTERS
#: Payload where nobody says which, bytes.
SIZE = 128

Value = bool | int | float | str


class Changed(Answered, shape=types.Changed):
    """A constant at another value, and what a run with it did."""

    value = Key[Value]()
    p50_ns = Key[float | None]()
    p99_ns = Key[float | None]()
    delivery = Key[float | None]()
    refused = Key[str | None]()


class Within(Answered, shape=types.Within):
    """What a constant is worth within its bound."""

    effect = Key[float | None]()
    lowest = Maybe(Changed)
    highest = Maybe(Changed)


class Constant(Answered, shape=types.SensitiveConstant):
    """What a constant is worth."""

    name = Key[str]()
    value = Key[Value]()
    unit = Key[str]()
    source = Key[types.SensitiveSource]()
    bound = Key[Sequence[float] | None]()
    effect = Key[float | None]()
    worth = Key[float | None]()
    open = Key[bool]()
    halved = Maybe(Changed)
    doubled = Maybe(Changed)
    within = Maybe(Within)


class LeftOut(Answered, shape=types.LeftOutConstant):
    """A constant that has no half and no double."""

    name = Key[str]()
    value = Key[Value]()
    unit = Key[str]()
    source = Key[types.SensitiveSource]()
    why = Key[types.LeftOutReason]()


class Sensitivity(Answered, shape=types.Sensitivity):
    """What the assumptions of a link are worth."""

    link = Key[str]()
    size = Key[int | None]()
    seed = Key[int]()
    count = Key[int]()
    p50_ns = Key[float | None]()
    p99_ns = Key[float | None]()
    delivery = Key[float | None]()
    chance_p50 = Key[float | None]()
    chance_p99 = Key[float | None]()
    constants = Each(Constant)
    left_out = Each(LeftOut)

    @property
    def open(self) -> Sequence[Constant]:
        """Constants that matter, and move a quantile farther than another seed does."""
        return [one for one in self.constants if one.open]


def sensitivity(
    link: str,
    size: int | None = None,
    *,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
) -> Sensitivity:
    """Halves and doubles each assumed and calibrated constant of a link, each in a run of its own.

    Triggers come at any phase of an unhurried period. Without a size, messages have 128 B. Settings
    are text, and count as assumed. Raises :class:`LinkError`.
    """
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    asked: dict[str, Any] = {"link": link, "size": known, "count": count, "seed": seed}
    return Sensitivity(ask("sensitivity", **asked, settings=dict(settings or {})))
