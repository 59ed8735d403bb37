"""What a setting has to keep: ``charge<50uC,loss<0.1%``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from airlag._airlag import LinkError
from airlag.tuning.metrics import Longest, Metric, Seen, metric

_LIMIT = re.compile(
    r"\s*(?P<name>\w+)\s*(?P<sign><=|>=|<|>|≤|≥)\s*"
    r"(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>[^\s\d]*)\s*"
)


@dataclass(frozen=True, slots=True)
class Limit:
    """A metric, and what it may be at most or at least.

    Attributes
    ----------
    metric
        What is limited.
    most
        Whether the limit is above it.
    value
        In the metric's own unit.
    """

    metric: Metric
    most: bool
    value: float

    @property
    def text(self) -> str:
        """As people read it."""
        return f"{self.metric.name} {'≤' if self.most else '≥'} {self.metric.text(self.value)}"

    def excess(self, seen: Sequence[Seen]) -> float:
        """By how much it is broken, as a share of the limit; 0 or less where it is kept."""
        value = self.metric.value(seen)
        over = value - self.value if self.most else self.value - value
        return over / self.value if self.value else over

    def holds(self, seen: Sequence[Seen], miss: float) -> bool:
        """Whether it is kept, unless by a chance of ``miss``."""
        kind = self.metric.kind
        return kind.holds(self.metric.name, seen, self.value, miss, most=self.most)


def limits(text: str) -> list[Limit]:
    """The limits that ``text`` says, with commas between.

    Raises
    ------
    LinkError
        With one line that says what would be right.
    """
    return [_limit(word) for word in text.split(",")] if text.strip() else []


def _limit(text: str) -> Limit:
    match = _LIMIT.fullmatch(text)
    if match is None:
        raise LinkError(
            f"{text.strip()[:40]!r} is no limit; write a metric, < or > and a number with its "
            "unit, such as loss<0.1% or p99<20ms"
        )
    of = metric(match["name"])
    if not match["unit"] or match["unit"] not in of.units:
        known = " or ".join(unit for unit in of.units if unit and unit.isascii())
        raise LinkError(f"{text.strip()[:40]!r} has no unit of {of.name}; it is in {known}")
    most = match["sign"][0] in "<≤"
    if isinstance(of.kind, Longest) and most:
        raise LinkError(
            f"{text.strip()[:40]!r}: a longer one may always come, so nobody can be sure of it; "
            "limit p99 instead"
        )
    value = float(match["number"]) * of.units[match["unit"]]
    if not math.isfinite(value):
        raise LinkError(f"{text.strip()[:40]!r}: the limit is too large; write a smaller one")
    return Limit(of, most, value)
