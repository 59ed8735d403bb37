"""The charts of a report, one file each: what each shows, and when it does not apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from airlag.questions.runs import Run
from airlag.views.pages.charts import (
    box,
    charge,
    deadline,
    distribution,
    fold,
    league,
    percentile,
    ridge,
    time,
)
from airlag.views.pages.spec import Spec

_Draw = Callable[[Sequence[Run]], Spec]
_WhyNot = Callable[[Sequence[Run]], str | None]

#: Every chart in the order of a report.
CHARTS: dict[str, tuple[_Draw, _WhyNot]] = {
    "league": (league.chart, league.why_not),
    "box": (box.chart, box.why_not),
    "ridge": (ridge.chart, ridge.why_not),
    "distribution": (distribution.chart, distribution.why_not),
    "percentile": (percentile.chart, percentile.why_not),
    "deadline": (deadline.chart, deadline.why_not),
    "charge": (charge.chart, charge.why_not),
    "time": (time.chart, time.why_not),
    "fold": (fold.chart, fold.why_not),
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """One chart of a report, or why it is not in it.

    Attributes
    ----------
    name
        Name of the chart: its file in this package.
    chart
        Vega-Lite; ``None`` when it does not apply.
    skipped
        One line on why it does not apply; ``None`` when it does.
    """

    name: str
    chart: Spec | None
    skipped: str | None

    @property
    def spec(self) -> Spec:
        """Vega-Lite specification with a description, for a page of its own."""
        if self.chart is None:
            raise ValueError(f"chart {self.name} is not drawn: {self.skipped}")
        return {
            "description": self.described,
            **self.chart,
        }

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


def charts_for(runs: Sequence[Run]) -> list[Drawn]:
    """Draw every chart that applies to these runs.

    Parameters
    ----------
    runs
        The runs of one report, at least one.

    Returns
    -------
    list of Drawn
        All charts in the order of a report, with those that do not apply and why.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    drawn = []
    for name, (draw, why_not) in CHARTS.items():
        reason = why_not(runs)
        drawn.append(Drawn(name, draw(runs) if reason is None else None, reason))
    return drawn
