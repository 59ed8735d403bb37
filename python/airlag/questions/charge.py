"""Charges, currents and rates: parsing, formatting and battery life.

Units: charge nC, current nA, rate messages per second.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from airlag import _airlag
from airlag._airlag import charge_in_words as charge_in_words
from airlag._airlag import charge_unit as charge_unit
from airlag._airlag import current_in_words as current_in_words
from airlag._airlag import parse_charge as parse_charge
from airlag._airlag import parse_life as parse_life
from airlag._airlag import parse_rate as parse_rate
from airlag._airlag import rate_in_words as rate_in_words
from airlag._airlag import years_in_words as years_in_words
from airlag.core.types import Charge, EndCharge, Life

#: The two ends of a link.
ENDS = ("sender", "receiver")

#: Default rate for battery life.
USUAL_RATE = 1 / 60
#: Default battery for a required life.
USUAL_BATTERY = "CR2032"


@dataclass(frozen=True, slots=True)
class Supply:
    """Options for battery life."""

    #: Battery; ``None`` if battery life is not requested.
    battery: str | None = None
    #: Messages per second; ``None``: rate of the run.
    per_second: float | None = None

    @classmethod
    def of(cls, battery: str | None, rate: float | None) -> Supply:
        """Builds the options; raises :class:`LinkError` for an unknown battery."""
        if battery is not None:
            _airlag.battery_life(battery, 1.0)
            rate = USUAL_RATE if rate is None else rate
        return cls(battery, rate)


#: No battery life requested.
NOTHING = Supply()


def ends_of(charge: Charge | None) -> Iterator[tuple[str, EndCharge]]:
    """Yields each end with known currents, sender first."""
    ends: Mapping[str, EndCharge] = {} if charge is None else {**charge}  # type: ignore[dict-item]
    yield from ((end, ends[end]) for end in ENDS if end in ends)


def average_na(end: EndCharge, per_second: float) -> float | None:
    """Mean current of an end at a message rate, nA; ``None`` without messages."""
    marginal = end["marginal_nc"]
    return None if marginal is None else max(end["idle_na"] + per_second * marginal, 0.0)


def life(end: EndCharge, battery: str, per_second: float) -> Life | None:
    """Battery life of an end at a message rate; ``None`` without messages.

    Raises :class:`LinkError` for an unknown battery.
    """
    average = average_na(end, per_second)
    if average is None:
        return None
    return cast("Life", json.loads(_airlag.battery_life(battery, average, end["peak_na"])))
