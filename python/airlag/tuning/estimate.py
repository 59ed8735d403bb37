"""What runs under several seeds say of a number, and how sure: its value, and where it may lie.

Messages of one run may hang together: a burst of losses hits neighbours, and whatever ticks on a
board stands at one phase for all of them. Runs under different seeds do not. So shares are bounded
as those of a cluster sample, a run a cluster: Clopper and Pearson's interval with as many messages
as would say as much if they were independent (Korn and Graubard, "Confidence intervals for
proportions with small expected number of positive counts estimated from survey data", Survey
Methodology 24, 1998).
A quantile is bounded by the shares at its two ends (Woodruff, "Confidence intervals for medians and
other position measures", JASA 47, 1952).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from airlag.tuning.installed import library

#: Probability that an interval misses what it is of.
MISS = 0.05


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the 95 % interval of it; an end is ``None`` where nothing bounds it.

    Attributes
    ----------
    value
        In the metric's own unit; ``None`` where so many messages are lost that there is none.
    low, high
        Ends of the interval.
    """

    value: float | None
    low: float | None
    high: float | None


def quantile(fates_ns: NDArray[np.float64], level: float) -> float:
    """A quantile of type 7 of messages of which a lost one takes for ever, ns; NaN of none."""
    if not len(fates_ns):
        return math.nan
    held = np.sort(fates_ns)
    place = level * (len(held) - 1)
    below = math.floor(place)
    part = place - below
    low = float(held[below])
    return low if part == 0.0 else low + part * (float(held[below + 1]) - low)


def share_bound(counts: Sequence[int], sizes: Sequence[int], miss: float, *, upper: bool) -> float:
    """One end of the interval of a share: the truth is beyond it with a probability of ``miss``.

    Parameters
    ----------
    counts, sizes
        Of each run: messages that have the property, and all.
    miss
        On this side alone.
    upper
        Which end.
    """
    stats: Any = library("scipy.stats")
    n = sum(sizes)
    if n == 0:
        return 1.0 if upper else 0.0
    many = _independent(counts, sizes, miss)
    held = sum(counts) / n * many
    if upper:
        return 1.0 if held >= many else float(stats.beta.ppf(1 - miss, held + 1, many - held))
    return 0.0 if held <= 0 else float(stats.beta.ppf(miss, held, many - held + 1))


def _independent(counts: Sequence[int], sizes: Sequence[int], miss: float) -> float:
    """How many independent messages would say as much."""
    stats: Any = library("scipy.stats")
    n, runs = sum(sizes), len(sizes)
    p = sum(counts) / n
    if runs < 2 or p in (0.0, 1.0):
        return float(n)
    # The variance of a ratio of two sums over clusters, linearised.
    spread = sum((count - p * size) ** 2 for count, size in zip(counts, sizes, strict=True))
    effect = runs / (runs - 1) * spread / n / (p * (1 - p))
    if effect <= 1.0:
        return float(n)
    # How far runs differ is known of so many runs only.
    ratio = float(stats.t.ppf(1 - miss, n - 1) / stats.t.ppf(1 - miss, runs - 1))
    return n / effect * ratio**2


def quantile_bound(
    runs: Sequence[NDArray[np.float64]], level: float, miss: float, *, upper: bool
) -> float:
    """One end of the interval of a quantile of messages under several seeds, ns: a message of them.

    Infinite where so many are lost, or so few were sent, that nothing bounds it.
    """
    stats: Any = library("scipy.stats")
    pooled = np.sort(np.concatenate(list(runs))) if runs else np.empty(0)
    n = len(pooled)
    if n == 0:
        return math.inf if upper else 0.0
    middle = quantile(pooled, level)
    sizes = [len(run) for run in runs]
    # Where many messages take as long, runs may differ on either side of it.
    sides = [
        [int(np.count_nonzero(side)) for side in (run < middle, run <= middle)] for run in runs
    ]
    many = math.floor(min(_independent(each, sizes, miss) for each in zip(*sides, strict=True)))
    below = float(stats.binom.ppf(1 - miss if upper else miss, many, level))
    if upper:
        # Its own rank of as many messages as there are; beyond the last one is nothing.
        place = math.ceil((below + 1) * n / many) if many else n + 1
        return math.inf if place > n else float(pooled[place - 1])
    place = math.floor(below * n / many) if many else 0
    return float(pooled[place - 1]) if place else 0.0


def mean_bound(values: Sequence[float], miss: float, *, upper: bool) -> float:
    """One end of the interval of the mean of one number a run (Student's t)."""
    stats: Any = library("scipy.stats")
    if len(values) < 2 or not all(map(math.isfinite, values)):
        return math.inf if upper else -math.inf
    middle = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    reach = float(stats.t.ppf(1 - miss, len(values) - 1)) * error
    return middle + reach if upper else middle - reach
