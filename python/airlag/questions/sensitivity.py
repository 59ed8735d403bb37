"""Sensitivity to assumptions: effects of each assumed or calibrated constant of a link.

>>> from airlag.questions.sensitivity import sensitivity
>>> [one.name for one in sensitivity("nrf24-2m", 128).open]

The effect is the latency change at the bounds or, without bounds, at half and double the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from airlag import _airlag
from airlag.core import payload, records
from airlag.core.answered import ask
from airlag.core.records import SensitiveConstant

#: Relative change of the median or p99 above which a constant matters.
MATTERS = _airlag.MATTERS
#: Default payload, bytes.
SIZE = 128


class Sensitivity(records.Sensitivity):
    """Effects of the assumptions of a link."""

    @property
    def open(self) -> Sequence[SensitiveConstant]:
        """Constants whose effect is larger than that of another seed."""
        return [one for one in self.constants if one.open]


def sensitivity(
    link: str,
    size: int | None = None,
    *,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
) -> Sensitivity:
    """Halves and doubles each assumed and calibrated constant of a link; each change is one run.

    Triggers have random phases and a period at which no messages queue. The default size is 128 B.
    Values in ``settings`` are text and count as assumed. Invalid input raises :class:`LinkError`.
    """
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    asked: dict[str, Any] = {"link": link, "size": known, "count": count, "seed": seed}
    return Sensitivity(ask("sensitivity", **asked, settings=dict(settings or {})))
