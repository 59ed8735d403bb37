"""What misses a deadline: late messages, lost messages, and how many of them in a row."""

from __future__ import annotations

from collections.abc import Sequence

from airlag import _airlag
from airlag.core.types import Deadline
from airlag.questions.runs import Run


def misses(run: Run, deadlines_ns: Sequence[int]) -> list[Deadline]:
    """Hold a run against deadlines.

    Parameters
    ----------
    run
        Any run; of a table of latencies nothing is known to be lost.
    deadlines_ns
        Longest times from trigger to completion that will do, ns.

    Returns
    -------
    list of Deadline
        The object ``deadline`` of the documented JSON, one a deadline; empty when the fate of no
        transfer is known.
    """
    return _airlag.misses(run.fates_ns, [int(each) for each in deadlines_ns])
