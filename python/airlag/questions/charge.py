"""Charges, currents and rates: as people write them, and as they read them.

A charge is in nC, a current in nA, a rate in messages a second.
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

#: The two ends of a link, as boards are called.
ENDS = ("sender", "receiver")

#: The rate where a battery is asked about and no rate.
USUAL_RATE = 1 / 60
#: The battery where a life is asked for and no battery.
USUAL_BATTERY = "CR2032"


@dataclass(frozen=True, slots=True)
class Supply:
    """What is asked besides what a message costs."""

    #: What feeds an end; ``None``: nobody asks.
    battery: str | None = None
    #: Messages a second; ``None``: as the run had them.
    per_second: float | None = None

    @classmethod
    def of(cls, battery: str | None, rate: float | None) -> Supply:
        """What two options say; raises :class:`LinkError` when nobody knows the battery."""
        if battery is not None:
            _airlag.battery_life(battery, 1.0)
            rate = USUAL_RATE if rate is None else rate
        return cls(battery, rate)


#: Nothing is asked besides.
NOTHING = Supply()


def ends_of(charge: Charge | None) -> Iterator[tuple[str, EndCharge]]:
    """Each end whose parts are listed, the sender first."""
    told: Mapping[str, EndCharge] = {} if charge is None else {**charge}  # type: ignore[dict-item]
    yield from ((end, told[end]) for end in ENDS if end in told)


def average_na(end: EndCharge, per_second: float) -> float | None:
    """The mean current of an end at so many messages a second, nA; ``None`` without messages."""
    marginal = end["marginal_nc"]
    return None if marginal is None else max(end["idle_na"] + per_second * marginal, 0.0)


def life(end: EndCharge, battery: str, per_second: float) -> Life | None:
    """How long a battery feeds an end at so many messages a second; ``None`` without messages.

    Raises :class:`LinkError` when nobody knows the battery.
    """
    average = average_na(end, per_second)
    if average is None:
        return None
    return cast("Life", json.loads(_airlag.battery_life(battery, average, end["peak_na"])))
