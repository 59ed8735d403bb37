"""Short, distinct names of runs: for rows, legends and titles."""

from __future__ import annotations

from collections.abc import Sequence

from airlag import _airlag
from airlag.core.display import printable
from airlag.questions.identity import Asked, labels
from airlag.questions.runs import Run


def names(runs: Sequence[Run]) -> list[str]:
    """Names every run differently, in at most 48 characters and a number.

    A virtual run is named by its link, its size and what differs among these runs, a capture by its
    file. Folders are added only as far as two names would be equal, and a number where they still
    are.
    """
    asked = [Asked.of(run) for run in runs]
    labelled = iter(labels([each for each in asked if each is not None]))
    named = []
    for run, each in zip(runs, asked, strict=True):
        words = None
        if each is not None:
            of = next(labelled)
            words = (printable(of.link), of.size, [printable(word) for word in of.differing])
        named.append((words, printable(run.source)))
    return _airlag.run_names(named)


def shared(runs: Sequence[Run]) -> str:
    """Settings that all runs share and no name has, as a sentence; empty if there are none."""
    first, *others = ([] if (asked := Asked.of(run)) is None else asked.head for run in runs)
    words = [word for word in first if all(word in other for other in others)]
    if not words:
        return ""
    return f"{'All' if others else 'Run'} with {', '.join(map(printable, words))}."
