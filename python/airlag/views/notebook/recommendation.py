"""Recommendations: what keeps a deadline."""

from __future__ import annotations

from typing import Any

from airlag.core.quantity import exact, percent
from airlag.questions.recommendation import Candidate, Recommendation
from airlag.views.notebook import Showing, framed, named, time


def _name(candidate: Candidate) -> str:
    return named(candidate.link, None, list(candidate.settings.items()))


def recommendation(told: Recommendation) -> Showing:
    """A task and its candidates, the best first; a row of the frame is a candidate."""
    task, passing = told.task, told.those_that("passes")
    size = "" if task.size is None else f"{task.size} B "
    second = f"none of {told.contenders} links meets every requirement"
    if passing:
        best, links = passing[0], len({each.link for each in passing})
        took = "" if best.seen is None else f", {task.name} {time(best.seen.quantile.ns)}"
        rest = f"{links} of {told.contenders} links meet every requirement"
        second = f"first choice: {_name(best)}{took}; {rest}"

    def figures(each: Candidate) -> tuple[float | None, ...]:
        """Both quantiles, and the shares in time and lost."""
        if (seen := each.seen) is None:
            return (None,) * 4
        shares = (seen.in_time / seen.n, seen.lost / seen.n) if seen.n else (None, None)
        return (seen.p50.ns, seen.quantile.ns, *shares)

    def cells(each: Candidate) -> list[str]:
        *quantiles, in_time, _ = figures(each)
        share = "–" if in_time is None else percent(in_time)
        return [_name(each), each.verdict, *map(time, quantiles), share]

    def row(each: Candidate) -> list[Any]:
        settings = " ".join(f"{k}={v}" for k, v in each.settings.items())
        why = (each.verdict, each.reason, "; ".join(each.gives_up))
        return [each.link, settings, each.size, *why, each.floor_ns, *figures(each)]

    def spec() -> dict[str, Any]:
        from airlag.views.notebook.charts import candidates

        rows = [
            (_name(each), each.seen.p50.ns, each.seen.quantile.ns, each.verdict)
            for each in told.candidates
            if each.seen is not None and each.seen.p50.ns is not None
        ]
        if not rows:
            raise ValueError("no candidate was run, so there is nothing to draw")
        return candidates(rows, task)

    columns: dict[str, type] = {"link": str, "settings": str, "size": int}
    columns |= dict.fromkeys(("verdict", "reason", "gives_up"), str) | {"floor_ns": int}
    columns |= dict.fromkeys(("p50_ns", "quantile_ns", "in_time", "lost"), float)
    return Showing(
        f"Recommendation for {size}within {exact(task.deadline_ns)} at {task.name}",
        second,
        ["link", "verdict", "p50", task.name, "in time"],
        map(cells, told.candidates),
        framed(columns, map(row, told.candidates)),
        spec,
    )
