"""The charts of a report, one file each, and when they apply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from airlag.questions.runs import Run
from airlag.views.pages.charts import charge
from airlag.views.pages.charts.answered import deadline, distribution, percentile
from airlag.views.pages.charts.panels import fold, no_fold, no_time, time
from airlag.views.pages.charts.rows import box, league, no_league, ridge
from airlag.views.pages.sheet import Sheet
from airlag.views.pages.spec import Spec, stacked


class Kind(NamedTuple):
    """One kind of chart."""

    #: What it is called in the list of contents.
    called: str
    draw: Callable[[Sequence[Run]], Spec]
    #: One line on why it does not apply to runs, or ``None``.
    why_not: Callable[[Sequence[Run]], str | None]


def _delivered(runs: Sequence[Run]) -> str | None:
    return None if Sheet.of(runs).delivered else "no transfer was delivered"


def _ten(too_few: str) -> Callable[[Sequence[Run]], str | None]:
    """Fewer than ten deliveries are too few for some charts."""

    def why_not(runs: Sequence[Run]) -> str | None:
        most = max((len(row.latency) for row in Sheet.of(runs).rows), default=0)
        return None if most >= 10 else f"no run has 10 deliveries, too few {too_few}"

    return why_not


#: Every chart in the order of a report.
CHARTS: Mapping[str, Kind] = {
    "league": Kind("Ranking", league, no_league),
    "box": Kind("Every transfer", box, _delivered),
    "ridge": Kind("Shapes", ridge, lambda runs: _delivered(runs) or _ten("for a shape")(runs)),
    "distribution": Kind("Share answered", distribution, _delivered),
    "percentile": Kind("Tail", percentile, _ten("for percentiles")),
    "deadline": Kind("Deadlines", deadline, _ten("to miss a deadline by")),
    "charge": Kind("Charge", charge.chart, charge.why_not),
    "time": Kind("Along the run", time, no_time),
    "fold": Kind("Clocks", fold, no_fold),
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """One chart of a report, or why it is not in it: either ``chart`` or ``skipped`` is set."""

    name: str
    chart: Spec | None
    skipped: str | None

    @property
    def spec(self) -> Spec:
        """Vega-Lite specification with a description, for a page of its own."""
        if self.chart is None:
            raise ValueError(f"chart {self.name} is not drawn: {self.skipped}")
        return {"description": self.described, **self.chart}

    @property
    def lines(self) -> list[str]:
        """Title and subtitle of the chart; empty when it is not drawn."""
        if self.chart is None:
            return []
        title = self.chart["title"]
        return [" ".join(title["text"]), *(line for line in title["subtitle"] if line)]

    @property
    def described(self) -> str:
        """What a reader who cannot see the chart is told."""
        return ". ".join(line.rstrip(".") for line in self.lines) + "."


def drawn(name: str, runs: Sequence[Run]) -> Drawn:
    """One of the charts of a report of at least one run."""
    _, draw, why_not = CHARTS[name]
    reason = why_not(runs)
    return Drawn(name, draw(runs) if reason is None else None, reason)


def charts_for(runs: Sequence[Run]) -> list[Drawn]:
    """All charts in the order of a report of at least one run."""
    if not runs:
        raise ValueError("a report needs at least one run")
    return [drawn(name, runs) for name in CHARTS]


def compared(runs: Sequence[Run], said: str) -> Spec:
    """A capture and the bench under its triggers, both with transfers that arrived.

    Below each other: where latencies gather, how many arrived within which time, and each along its
    run. ``said`` is whether the one explains the other; a semicolon begins a line.
    """
    charts = {
        "ridge": ridge(runs),
        "distribution": distribution(runs),
        "time": time(runs, compared=True),
    }
    first, *rest = (part.strip() for part in said.split(";"))
    return stacked(charts, first, rest)
