"""Explanations: where the time went, slice by slice, and the best change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.core.quantity import duration, percent, unit_for
from airlag.questions.explain import Explanation
from airlag.views.notebook import Drawing, Table, time
from airlag.views.notebook.run import arrived, name_of, took

if TYPE_CHECKING:
    import polars as pl


class ExplanationShowing(Drawing):
    """An explained run; a row of the frame is one thing time was spent on."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation = explanation

    def lines(self) -> tuple[str, str]:
        """What ran and how long it took; most of the time, and the best change."""
        told = self.explanation
        first = f"Explanation of {name_of(told.run)}: {arrived(told.run)}, {took(told.run)}"
        if told.budget is None:
            return first, f"floor {time(told.floor.ns)}"
        most = max(told.budget.items, key=lambda item: item.total_ns)
        spent = percent(most.total_ns / told.budget.total_ns)
        second = f"floor {time(told.floor.ns)}; {spent} of the time is {most.name}"
        if told.advice is not None and told.advice.single:
            best = told.advice.single[0]
            second += f"; set {', '.join(f'{k}={v}' for k, v in best.settings.items())}"
            second += f" for p50 {time(best.p50['b'])}, p99 {time(best.p99['b'])}"
        return first, second

    def table(self) -> Table:
        """What a transfer spends on each thing."""
        head = ["time on", "kind", "mean", "p50", "p99"]
        budget = self.explanation.budget
        if budget is None:
            return Table(head, [])
        unit = unit_for([budget.mean_ns])
        return Table(
            head,
            [
                [item.name, item.kind]
                + [duration(ns, unit) for ns in (item.mean_ns, item.p50_ns, item.p99_ns)]
                for item in budget.items
            ],
        )

    def frame(self) -> pl.DataFrame:
        """All things time was spent on, in the order transfers come to them, ns."""
        import polars as pl

        schema = {
            "name": pl.String(),
            "class": pl.String(),
            "total_ns": pl.Int64(),
            "mean_ns": pl.Float64(),
            "p50_ns": pl.Float64(),
            "p99_ns": pl.Float64(),
        }
        budget = self.explanation.budget
        items = [] if budget is None else [item.to_json() for item in budget.items]
        return pl.DataFrame([dict(item) for item in items], schema=schema)

    def spec(self) -> dict[str, Any]:
        """The median and the p99 transfer as timelines, above the latencies of all."""
        from airlag.views.pages import packet

        return packet.chart(self.explanation)
