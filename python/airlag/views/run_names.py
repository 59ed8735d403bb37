"""Short, distinct run names for rows, legends and titles."""

from __future__ import annotations

from collections.abc import Sequence

from airlag import _airlag
from airlag.core.display import printable
from airlag.questions.identity import RunSettings, labels
from airlag.questions.runs import Run


def names(runs: Sequence[Run]) -> list[str]:
    """Returns a distinct name for each run, of at most 48 characters plus a number.

    The name of a virtual run consists of link, size and the settings that differ among ``runs``. A
    capture has its file name. Names that would be equal get folders and, if needed, numbers.
    """
    asked = [RunSettings.of(run) for run in runs]
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
    """Returns the settings that all runs share and no name includes, as a sentence, or ""."""
    first, *others = ([] if (asked := RunSettings.of(run)) is None else asked.head for run in runs)
    words = [word for word in first if all(word in other for other in others)]
    if not words:
        return ""
    return f"{'All' if others else 'Run'} with {', '.join(map(printable, words))}."
