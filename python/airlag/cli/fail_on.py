"""``--fail-on``: limits that end a command with exit code 1 where they are exceeded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from airlag.cli.streams import complain
from airlag.core.quantity import duration, parse_duration

#: Delays of an answer that a condition may name, by the word before the dot.
DELAYS = {
    "": "latency_ns",
    "round_trip": "round_trip_ns",
    "forward": "forward_ns",
    "return": "return_ns",
}
#: What of a delay is compared.
VALUES = ("min", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "p99.9", "max", "mean")
_CONDITION = re.compile(r"(?:(loss)|(?:(\w+)\.)?(\w+(?:\.9)?))\s*>\s*(\S+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """A limit, and what is held against it."""

    text: str
    #: Key of the delay; ``None``: the share of what was lost.
    delay: str | None
    value: str
    limit: float

    def measured(self, answer: Mapping[str, Any]) -> float | None:
        """What a run has, a share or ns; ``None`` where nothing was measured."""
        if self.delay is None:
            known = answer["delivered"] + answer["lost"]
            return answer["lost"] / known if known else None
        delays = answer.get(self.delay)
        return None if delays is None else delays.get(self.value)


def condition(text: str) -> Condition:
    """Reads ``p99>20ms``, ``forward.p95>5ms`` or ``loss>0.1%``; raises :class:`ValueError`."""
    wrong = ValueError(
        f"{text[:40]!r} is no condition; write one such as 'p99>20ms', 'forward.p95>5ms' or "
        "'loss>0.1%'"
    )
    found = _CONDITION.fullmatch(text.strip())
    if found is None:
        raise wrong
    loss, name, value, limit = found.groups()
    if loss:
        try:
            share = float(limit.removesuffix("%")) / (100 if limit.endswith("%") else 1)
        except ValueError:
            raise wrong from None
        if not 0 <= share <= 1:
            raise wrong
        return Condition(text, None, "", share)
    if (name or "") not in DELAYS or value not in VALUES:
        raise wrong
    return Condition(text, DELAYS[name or ""], value, parse_duration(limit))


FailOn = Annotated[list[Condition] | None, condition]


def failures(conditions: Sequence[Condition] | None, answer: Mapping[str, Any]) -> bool:
    """Whether any condition holds; prints each that does. What was not measured fails, too."""
    failed = False
    for each in conditions or ():
        measured = each.measured(answer)
        if measured is None:
            complain(f"--fail-on {each.text}: nothing was measured")
        elif measured > each.limit:
            is_share = each.delay is None
            shown = f"{100 * measured:.3g} %" if is_share else duration(measured)
            complain(f"--fail-on {each.text}: measured {shown}")
        failed |= measured is None or measured > each.limit
    return failed
