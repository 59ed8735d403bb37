"""Several runs that are looked at together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from airlag.questions.runs import Run
from airlag.questions.shown import Chart, Plotted, chart_of


class Runs(Plotted, Sequence[Run]):
    """Runs in their order: a sequence with a table, a data frame and charts.

    >>> airlag.Runs([airlag.analyze("a.csv"), airlag.analyze("b.csv")]).plot("percentile")
    """

    __slots__ = ("_runs",)

    def __init__(self, runs: Iterable[Run]) -> None:
        self._runs = tuple(runs)

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> Runs: ...
    def __getitem__(self, index: int | slice) -> Run | Runs:
        found = self._runs[index]
        return found if isinstance(found, Run) else Runs(found)

    def plot(self, kind: str = "distribution") -> Chart:
        """One of the charts of a report, with all of the runs on it.

        Parameters
        ----------
        kind
            As in :meth:`airlag.Run.plot`.

        Raises
        ------
        ValueError
            With one line, when there is no such chart, or it does not apply.
        """
        return chart_of(self, kind)
