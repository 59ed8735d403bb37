"""In which steps hardware takes a number, found by asking the bench.

A connection interval is a multiple of 1.25 ms, a retransmit delay one of 250 us: between them is
nothing, and a search between them finds nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from airlag._airlag import LinkError

#: First digits of steps that hardware has.
LEADING = (1.0, 1.25, 2.0, 2.5, 5.0)
#: Multiples of a step that have to be there.
MULTIPLES = (1, 2, 3)


def finest(
    refusal: Callable[[float], str | None], low: float, high: float, resolution: float | None
) -> float | None:
    """The finest step from ``low`` on at which every number is taken.

    Parameters
    ----------
    refusal
        Why a number is not taken; ``None`` where it is.
    low, high
        Ends of a range.
    resolution
        From number to number where the parameter is a whole number of something.

    Returns
    -------
    float or None
        ``None``: there are no steps, or none was found.

    Raises
    ------
    LinkError
        With what is said of the lower end, where neither end is taken.
    """
    why = refusal(low)
    if why is not None and refusal(high) is not None:
        raise LinkError(why)
    reach = high - low
    # Steps are counted from an end that is there, and both ends have to be on them.
    start, sign = (low, 1) if why is None else (high, -1)

    def taken(*distances: float) -> bool:
        numbers = [float(f"{start + sign * one:.9g}") for one in distances]
        return all(refusal(number) is None for number in numbers)

    # Places on no step that hardware has but its finest one.
    odd = [reach * share for share in (0.0370, 0.1370, 0.4142)]
    if resolution is not None:
        odd = [resolution * round(one / resolution) for one in odd]
    if taken(*odd):
        return resolution
    fitting = (
        step
        for step in _steps(resolution or reach / 1e6, reach)
        if math.isclose(reach / step, round(reach / step), rel_tol=1e-9) or start == low
    )
    return next(
        (step for step in fitting if taken(*(k * step for k in MULTIPLES if k * step <= reach))),
        resolution,
    )


def _steps(least: float, most: float) -> Iterator[float]:
    """Round numbers from one to the other."""
    for power in range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1):
        for leading in LEADING:
            step = leading * 10.0**power
            if least <= step <= most:
                yield step
