"""Short names of runs, told apart: what stands beside a row, in a legend and in a title."""

from __future__ import annotations

from collections.abc import Sequence

from airlag import _airlag
from airlag.core.display import printable
from airlag.questions.identity import Asked, told_apart
from airlag.questions.runs import Run


def names(runs: Sequence[Run]) -> list[str]:
    """Names every run differently, in at most 48 characters and a number.

    A virtual run is called after its link, its size and what differs among these runs, a capture
    after its file; folders are added only as far as it takes to tell two captures apart, and a
    number where even that does not.
    """
    asked = [Asked.of(run) for run in runs]
    told = iter(told_apart([each for each in asked if each is not None]))
    named = []
    for run, each in zip(runs, asked, strict=True):
        words = None
        if each is not None:
            of = next(told)
            words = (printable(of.link), of.size, [printable(word) for word in of.differing])
        named.append((words, printable(run.source)))
    return _airlag.run_names(named)


def shared(runs: Sequence[Run]) -> str:
    """What was asked alike of every run and so is in no name, as a sentence; empty: nothing."""
    first, *others = ([] if (asked := Asked.of(run)) is None else asked.head for run in runs)
    words = [word for word in first if all(word in other for other in others)]
    if not words:
        return ""
    return f"{'All' if others else 'Run'} with {', '.join(map(printable, words))}."
