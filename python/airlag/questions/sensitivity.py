"""What an assumption is worth: each assumed or calibrated constant of a link halved and doubled.

>>> from airlag.questions.sensitivity import sensitivity
>>> [one.name for one in sensitivity("nrf24-2m", 128).open]

A constant with a bound is worth what it moves within that; one without, what half and double move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airlag import _airlag
from airlag.core import payload
from airlag.core.answered import Answered, Each, Key, Maybe, ask

if TYPE_CHECKING:
    from airlag.core import types

#: A constant that moves the median or the 99 % quantile by more than this share matters.
MATTERS = _airlag.MATTERS
#: Payload where nobody says which, bytes.
SIZE = 128

Value = bool | int | float | str


class Changed(Answered):
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

    value = Key[Value]("value")
    p50_ns = Key["float | None"]("p50_ns")
    p99_ns = Key["float | None"]("p99_ns")
    delivery = Key["float | None"]("delivery")
    refused = Key["str | None"]("refused")


class Within(Answered):
    """What a constant is worth within its bound.

    Attributes
    ----------
    effect
        Largest change of the median or the 99 % quantile, as a share of what it is; ``None`` when
        nothing arrives.
    lowest, highest
        At the ends of the bound; ``None`` where the constant is there already.
    """

    effect = Key["float | None"]("effect")
    lowest = Maybe(Changed, "lowest")
    highest = Maybe(Changed, "highest")


class Constant(Answered):
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

    name = Key[str]("name")
    value = Key[Value]("value")
    unit = Key[str]("unit")
    source = Key["types.SensitiveSource"]("source")
    bound = Key["Sequence[float] | None"]("bound")
    effect = Key["float | None"]("effect")
    worth = Key["float | None"]("worth")
    open = Key[bool]("open")
    halved = Maybe(Changed, "halved")
    doubled = Maybe(Changed, "doubled")
    within = Maybe(Within, "within")


class LeftOut(Answered):
    """A constant that has no half and no double.

    Attributes
    ----------
    name, value, unit, source
        The constant as the profile has it.
    why
        ``zero``, ``a flag``, ``a choice`` or ``a phase``.
    """

    name = Key[str]("name")
    value = Key[Value]("value")
    unit = Key[str]("unit")
    source = Key["types.SensitiveSource"]("source")
    why = Key["types.LeftOutReason"]("why")


class Sensitivity(Answered):
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

    link = Key[str]("link")
    size = Key["int | None"]("size")
    seed = Key[int]("seed")
    count = Key[int]("count")
    p50_ns = Key["float | None"]("p50_ns")
    p99_ns = Key["float | None"]("p99_ns")
    delivery = Key["float | None"]("delivery")
    chance_p50 = Key["float | None"]("chance_p50")
    chance_p99 = Key["float | None"]("chance_p99")
    constants = Each(Constant, "constants")
    left_out = Each(LeftOut, "left_out")

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
    asked: dict[str, Any] = {"link": link, "size": known, "count": count, "seed": seed}
    return Sensitivity(ask("sensitivity", **asked, settings=dict(settings or {})))
