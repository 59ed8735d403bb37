"""What an assumption is worth: each assumed or calibrated constant of a link halved and doubled.

>>> from airlag.sensitivity import sensitivity
>>> [one.name for one in sensitivity("nrf24-2m", 128).open]

A constant with a bound is worth what it moves within that; one without, what half and double move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from airlag import _airlag, payload
from airlag.json_types import sensitivity as shape

#: A constant that moves the median or the 99 % quantile by more than this share matters.
MATTERS = _airlag.MATTERS
#: Payload where nobody says which, bytes.
SIZE = 128

Value = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Changed:
    """A constant at another value, and what a run with it did.

    Attributes
    ----------
    value
        In the unit of the constant.
    p50_ns, p99_ns
        Median and 99 % quantile, ns; ``None`` when nothing arrived.
    delivery
        Share of the messages that arrived.
    refused
        Why the bench does not take the value, in one line; ``None`` when it does.
    """

    value: Value
    p50_ns: float | None
    p99_ns: float | None
    delivery: float | None
    refused: str | None

    def to_json(self) -> shape.Changed:
        """The run as a JSON object."""
        return {
            "value": self.value,
            "p50_ns": self.p50_ns,
            "p99_ns": self.p99_ns,
            "delivery": self.delivery,
            "refused": self.refused,
        }


@dataclass(frozen=True, slots=True)
class Within:
    """What a constant is worth within its bound.

    Attributes
    ----------
    effect
        Largest change of the median or the 99 % quantile, as a share of what it is; ``None`` when
        nothing arrives.
    lowest, highest
        At the ends of the bound; ``None`` where the constant is there already.
    """

    effect: float | None
    lowest: Changed | None
    highest: Changed | None

    def to_json(self) -> shape.Within:
        """The ends as a JSON object."""
        return {
            "effect": self.effect,
            "lowest": None if self.lowest is None else self.lowest.to_json(),
            "highest": None if self.highest is None else self.highest.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Constant:
    """What a constant is worth.

    Attributes
    ----------
    name, value, unit, source
        The constant as the profile has it; its source is assumed or calibrated.
    bound
        The two ends, in its unit, between which it may lie; ``None`` when none are known.
    effect
        Largest change of the median or the 99 % quantile, as a share of what it is; ``None`` when
        nothing arrives.
    worth
        Its effect as far as it may be wrong: within its bound, or by half and double where it has
        none; ``None`` when nothing arrives.
    open
        Whether it moves a quantile by more than :data:`MATTERS` as far as it may be wrong, and
        farther than another seed does.
    halved, doubled
        Within the range of the constant; ``None`` when that leaves only its own value.
    within
        What it does at the ends of its bound; ``None`` when it has none.
    """

    name: str
    value: Value
    unit: str
    source: shape.Origin
    bound: Sequence[float] | None
    effect: float | None
    worth: float | None
    open: bool
    halved: Changed | None
    doubled: Changed | None
    within: Within | None

    def to_json(self) -> shape.Constant:
        """The constant as a JSON object."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "source": self.source,
            "bound": None if self.bound is None else list(self.bound),
            "effect": self.effect,
            "worth": self.worth,
            "open": self.open,
            "halved": None if self.halved is None else self.halved.to_json(),
            "doubled": None if self.doubled is None else self.doubled.to_json(),
            "within": None if self.within is None else self.within.to_json(),
        }


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A constant that has no half and no double.

    Attributes
    ----------
    name, value, unit, source
        The constant as the profile has it.
    why
        ``zero``, ``a flag``, ``a choice`` or ``a phase``.
    """

    name: str
    value: Value
    unit: str
    source: shape.Origin
    why: shape.Why

    def to_json(self) -> shape.LeftOut:
        """The constant as a JSON object."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "source": self.source,
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What the assumptions of a link are worth.

    Attributes
    ----------
    link, size, seed, count
        What ran: profile, payload in bytes (``None`` for a board without a link), root seed, and
        triggers of each run.
    p50_ns, p99_ns, delivery
        Of the profile as it is: ns, and the share of messages that arrived.
    chance_p50, chance_p99
        Largest change of the median and of the 99 % quantile that four other seeds make, as a
        share; ``None`` when with one of them nothing arrives.
    constants
        The largest effect first.
    left_out
        Assumed and calibrated constants that have no half and no double.
    """

    link: str
    size: int | None
    seed: int
    count: int
    p50_ns: float | None
    p99_ns: float | None
    delivery: float | None
    chance_p50: float | None
    chance_p99: float | None
    constants: Sequence[Constant]
    left_out: Sequence[LeftOut]

    @property
    def open(self) -> Sequence[Constant]:
        """Constants that matter, and move a quantile farther than another seed does."""
        return [one for one in self.constants if one.open]

    def to_json(self) -> shape.Sensitivity:
        """The answer as one object of the documented ``--json`` array."""
        return {
            "link": self.link,
            "size": self.size,
            "seed": self.seed,
            "count": self.count,
            "p50_ns": self.p50_ns,
            "p99_ns": self.p99_ns,
            "delivery": self.delivery,
            "chance_p50": self.chance_p50,
            "chance_p99": self.chance_p99,
            "constants": [one.to_json() for one in self.constants],
            "left_out": [one.to_json() for one in self.left_out],
        }


def sensitivity(
    link: str,
    size: int | None = None,
    *,
    count: int = 1000,
    seed: int = 1,
    settings: Mapping[str, str] | None = None,
) -> Sensitivity:
    """Halve and double each assumed and calibrated constant of a link, each in a run of its own.

    Parameters
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes; ``None``: 128 where the link has a message.
    count
        Triggers of each run, at any phase of an unhurried period.
    seed
        Root of every random number, the same for each run.
    settings
        Parameters of the profile to change, as text; they count as assumed.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    raw = _airlag.sensitivity_link(link, known, count, seed, dict(settings or {}))
    return Sensitivity(
        link=link,
        size=known,
        seed=seed,
        count=count,
        p50_ns=raw["p50_ns"],
        p99_ns=raw["p99_ns"],
        delivery=raw["delivery"],
        chance_p50=raw["chance_p50"],
        chance_p99=raw["chance_p99"],
        constants=tuple(_constant(one) for one in raw["constants"]),
        left_out=tuple(LeftOut(**one) for one in raw["left_out"]),
    )


def _constant(raw: Mapping[str, Any]) -> Constant:
    within = raw["within"]
    if within:
        within = Within(within["effect"], *(_changed(within[end]) for end in ("lowest", "highest")))
    sides = {side: _changed(raw[side]) for side in ("halved", "doubled")}
    return Constant(**{**raw, **sides, "within": within})


def _changed(raw: Mapping[str, Any] | None) -> Changed | None:
    return None if raw is None else Changed(**raw)
