"""What an assumption is worth: each assumed or calibrated constant of a link halved and doubled.

>>> from airlag.questions.sensitivity import sensitivity
>>> [one.name for one in sensitivity("nrf24-2m", 128).open]

A constant with a bound is worth what it moves within that; one without, what half and double move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from airlag import _airlag
from airlag.core import payload, records
from airlag.core.answered import ask
from airlag.core.records import SensitiveConstant

#: A constant that moves the median or the 99 % quantile by more than this share matters.
MATTERS = _airlag.MATTERS
#: Payload where nobody says which, bytes.
SIZE = 128


class Sensitivity(records.Sensitivity):
    """What the assumptions of a link are worth."""

    @property
    def open(self) -> Sequence[SensitiveConstant]:
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
