"""When a configuration has been repeated often enough.

A replication gives one value of the quantile, and replications are independent of each other, as
their seeds differ. So the interval is Student's, of their mean: it needs no transfer to be
independent of the one before, as that of the transfers of one run would. (A. M. Law, "Simulation
Modeling and Analysis", replications until a relative precision is reached.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from airlag import _airlag
from airlag.questions.run_rows import QUANTILES

#: Quantiles that can be asked for, by the columns that hold them.
COLUMNS = {name: f"{name}_ns" for name in QUANTILES}


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop."""

    #: Which one is to be known.
    quantile: str
    #: Half of its interval at 95 % may be no wider than this: ns, or a share of its value; the
    #: other is ``None``.
    within_ns: float | None
    within_ratio: float | None
    #: Replications that are run before it is looked at, and again between looks.
    batch: int
    #: Replications after which nobody looks any more.
    most: int

    def after(self, values: Sequence[float | None]) -> int:
        """How many replications there are to be, as far as the first ones tell.

        ``values`` are the quantiles of those that there are; ``None`` where nothing arrived. They
        are enough when the result is no more than their number.
        """
        looks = min(self.batch, self.most)
        while looks <= len(values):
            if looks == self.most or self.is_narrow(values[:looks]):
                return looks
            looks = min(looks + self.batch, self.most)
        return looks

    def is_narrow(self, values: Sequence[float | None]) -> bool:
        """Whether these tell the quantile well enough."""
        told = [value for value in values if value is not None]
        # Where nothing arrives there is no quantile, however often it is tried.
        if not told:
            return True
        ends = _airlag.mean_interval(told)
        if ends is None:
            return False
        reach = (ends[1] - ends[0]) / 2
        if self.within_ns is not None:
            return reach <= self.within_ns
        assert self.within_ratio is not None
        return reach <= self.within_ratio * sum(told) / len(told)
