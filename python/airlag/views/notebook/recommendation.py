"""Recommendations: what keeps a deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.core.quantity import exact, percent
from airlag.questions.recommendation import Candidate, Recommendation
from airlag.views.notebook import Drawing, Table, named, time

if TYPE_CHECKING:
    import polars as pl


def _name(candidate: Candidate) -> str:
    return named(candidate.link, None, list(candidate.settings.items()))


class RecommendationShowing(Drawing):
    """A task and its candidates; a row of the frame is a candidate."""

    def __init__(self, told: Recommendation) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """What is asked; what does it, and how many do not."""
        task = self.told.task
        size = "" if task.size is None else f"{task.size} B "
        first = f"Recommendation for {size}within {exact(task.deadline_ns)} at {task.name}"
        passing = self.told.those_that("passes")
        if not passing:
            return first, f"none of {self.told.contenders} links meets every requirement"
        links = len({each.link for each in passing})
        best = passing[0]
        took = "" if best.seen is None else f", {task.name} {time(best.seen.quantile.ns)}"
        rest = f"{links} of {self.told.contenders} links meet every requirement"
        return first, f"first choice: {_name(best)}{took}; {rest}"

    def table(self) -> Table:
        """The candidates, the best first."""
        rows = []
        for each in self.told.candidates:
            seen = each.seen
            quantiles = [None, None] if seen is None else [seen.p50.ns, seen.quantile.ns]
            in_time = "–" if seen is None or not seen.n else percent(seen.in_time / seen.n)
            rows.append([_name(each), each.verdict, *map(time, quantiles), in_time])
        return Table(["link", "verdict", "p50", self.told.task.name, "in time"], rows)

    def frame(self) -> pl.DataFrame:
        """The candidates, the best first."""
        import polars as pl

        rows = []
        for each in self.told.candidates:
            seen = each.seen
            rows.append(
                {
                    "link": each.link,
                    "settings": " ".join(f"{k}={v}" for k, v in each.settings.items()),
                    "size": each.size,
                    "verdict": each.verdict,
                    "reason": each.reason,
                    "gives_up": "; ".join(each.gives_up),
                    "floor_ns": each.floor_ns,
                    "p50_ns": None if seen is None else seen.p50.ns,
                    "quantile_ns": None if seen is None else seen.quantile.ns,
                    "in_time": None if seen is None or not seen.n else seen.in_time / seen.n,
                    "lost": None if seen is None or not seen.n else seen.lost / seen.n,
                }
            )
        words = ("link", "settings", "verdict", "reason", "gives_up")
        schema: dict[str, Any] = {name: pl.String() for name in words[:2]}
        schema |= {"size": pl.Int64(), **{name: pl.String() for name in words[2:]}}
        schema |= {"floor_ns": pl.Int64()}
        schema |= {name: pl.Float64() for name in ("p50_ns", "quantile_ns", "in_time", "lost")}
        return pl.DataFrame(rows, schema=schema)

    def spec(self) -> dict[str, Any]:
        """Median to the percentile of each candidate, beside the deadline."""
        from airlag.views.notebook.charts import candidates

        rows = [
            (_name(each), each.seen.p50.ns, each.seen.quantile.ns, each.verdict)
            for each in self.told.candidates
            if each.seen is not None and each.seen.p50.ns is not None
        ]
        if not rows:
            raise ValueError("no candidate was run, so there is nothing to draw")
        return candidates(rows, self.told.task)
