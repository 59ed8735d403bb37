"""``--fail-on``: conditions that make a command exit with code 1."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from airlag.cli.streams import complain
from airlag.core.display import short_name
from airlag.core.quantity import duration, parse_duration
from airlag.questions.runs import FINDINGS

#: Delays that a condition may name before the dot.
DELAYS = {
    "": "latency_ns",
    "round_trip": "round_trip_ns",
    "forward": "forward_ns",
    "return": "return_ns",
}
#: Statistics of a delay that can be compared.
VALUES = ("min", "p1", "p5", "p25", "p50", "p75", "p95", "p99", "p99.9", "max", "mean")
_CONDITION = re.compile(r"(?:(loss)|(?:(\w+)\.)?(\w+(?:\.9)?))\s*>\s*(\S+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """A limit on a measured value."""

    text: str
    #: Key of the delay; ``None`` for the loss.
    delay: str | None
    value: str
    limit: float

    def measured(self, answer: Mapping[str, Any]) -> float | None:
        """Measured value, a share or ns; ``None`` if nothing was measured."""
        if self.delay is None:
            known = answer["delivered"] + answer["lost"]
            return answer["lost"] / known if known else None
        delays = answer.get(self.delay)
        return None if delays is None else delays.get(self.value)


def condition(text: str) -> Condition | str:
    """Parses ``p99>20ms``, ``forward.p95>5ms``, ``loss>0.1%`` or the name of a finding.

    Raises :class:`ValueError`.
    """
    if text in FINDINGS:
        return text
    wrong = ValueError(
        f"{text[:40]!r} is neither a condition nor a finding; write one such as 'p99>20ms', "
        f"'forward.p95>5ms', 'loss>0.1%' or one of {', '.join(FINDINGS)}"
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


FailOn = Annotated[list[Any] | None, condition]


def failures(
    conditions: Sequence[Condition | str] | None, answers: Iterable[Mapping[str, Any]]
) -> bool:
    """Returns whether any condition holds for any run; prints each exceeded limit.

    A value that was not measured exceeds every limit.
    """
    failed = False
    for answer in answers if conditions else ():
        found = {finding["name"] for finding in answer["findings"]}
        for each in conditions or ():
            if isinstance(each, str):
                failed |= each in found
                continue
            measured = each.measured(answer)
            if measured is not None and measured <= each.limit:
                continue
            failed = True
            if measured is None:
                shown = "nothing"
            else:
                shown = f"{100 * measured:.3g} %" if each.delay is None else duration(measured)
            complain(f"--fail-on {each.text}: measured {shown}, {short_name(answer['source'])}")
    return failed
