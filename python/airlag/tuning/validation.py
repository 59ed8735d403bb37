"""Whether what was chosen holds under seeds that it was not chosen under.

The best of many is better than it is by chance, and keeps a limit by chance. So the settings chosen
run anew under fresh seeds, and one that does not surely keep every limit is turned down. Up to
:data:`ATTEMPTS` are judged, the link as it is among them, each with its part of the probability of
5 % that any is passed wrongly (Bonferroni). A setting that breaks one limit is passed only where
that limit's own test errs, so several limits need no further part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from airlag.quantity import count
from airlag.tuning.estimate import MISS
from airlag.tuning.limits import Limit
from airlag.tuning.measure import Bench, Settings
from airlag.tuning.metrics import Seen

#: Fresh seeds of each, and the seeds for choosing, which come after them.
FRESH = 20
#: Settings that are judged at most.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Validated:
    """A setting under fresh seeds.

    Attributes
    ----------
    settings
        As ``--set`` takes them.
    seen
        What it did; empty where it cannot be had.
    refused
        Why it is turned down, in one line; ``None``: it surely keeps every limit.
    """

    settings: Settings
    seen: Sequence[Seen]
    refused: str | None


def validate(
    bench: Bench, settings: Settings, limits: Sequence[Limit], seeds: Sequence[int], attempts: int
) -> Validated:
    """Judges one of ``attempts`` settings under fresh seeds."""
    seen = bench.under(settings, seeds)
    if isinstance(seen, str):
        return Validated(settings, (), seen)
    miss = MISS / max(attempts, 1)
    unsure = next((limit for limit in limits if not limit.holds(seen, miss)), None)
    if unsure is None:
        return Validated(settings, seen, None)
    value = unsure.metric.text(unsure.metric.value(seen))
    told = f"not sure to keep {unsure.text} under fresh seeds: {value}"
    if unsure.excess(seen) <= 0:
        sent = sum(len(one.fates_ns) for one in seen)
        told += f" of {count(sent)} messages, which are too few to be sure of it; send more"
    return Validated(settings, seen, told)
