"""Charts of a report, one module each, and the conditions under which they apply."""

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

    #: Title in the table of contents.
    called: str
    draw: Callable[[Sequence[Run]], Spec]
    #: Returns one line on why the chart does not apply, or ``None``.
    why_not: Callable[[Sequence[Run]], str | None]


def _delivered(runs: Sequence[Run]) -> str | None:
    return None if Sheet.of(runs).delivered else "no transfer was delivered"


def _ten(too_few: str) -> Callable[[Sequence[Run]], str | None]:
    """Condition that at least one run has ten deliveries; ``too_few`` is the message otherwise."""

    def why_not(runs: Sequence[Run]) -> str | None:
        most = max((len(row.latency) for row in Sheet.of(runs).rows), default=0)
        return None if most >= 10 else f"no run has 10 deliveries, the minimum {too_few}"

    return why_not


#: All charts, in report order.
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
    """A chart, or the reason why there is none: either ``chart`` or ``skipped`` is set."""

    name: str
    chart: Spec | None
    skipped: str | None

    @property
    def spec(self) -> Spec:
        """Returns the Vega-Lite specification with a description."""
        if self.chart is None:
            raise ValueError(f"chart {self.name} is not drawn: {self.skipped}")
        return {"description": self.described, **self.chart}

    @property
    def lines(self) -> list[str]:
        """Title and subtitle of the chart; empty if it is not drawn."""
        if self.chart is None:
            return []
        title = self.chart["title"]
        return [" ".join(title["text"]), *(line for line in title["subtitle"] if line)]

    @property
    def described(self) -> str:
        """Text alternative of the chart."""
        return ". ".join(line.rstrip(".") for line in self.lines) + "."


def drawn(name: str, runs: Sequence[Run]) -> Drawn:
    """Returns one chart of a report of at least one run."""
    _, draw, why_not = CHARTS[name]
    reason = why_not(runs)
    return Drawn(name, draw(runs) if reason is None else None, reason)


def charts_for(runs: Sequence[Run]) -> list[Drawn]:
    """Returns all charts of a report of at least one run, in order."""
    if not runs:
        raise ValueError("a report needs at least one run")
    return [drawn(name, runs) for name in CHARTS]


def compared(runs: Sequence[Run], verdict: str) -> Spec:
    """Draws a capture and the virtual run that has the trigger times of the capture.

    Capture and run must have deliveries. Three stacked charts show the density and the distribution
    of the latencies, and the latency over the run. Each semicolon in ``verdict`` starts a new line.
    """
    charts = {
        "ridge": ridge(runs),
        "distribution": distribution(runs),
        "time": time(runs, compared=True),
    }
    first, *rest = (part.strip() for part in verdict.split(";"))
    return stacked(charts, first, rest)
