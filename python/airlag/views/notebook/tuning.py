"""A link tuned, and the effect of its parameters over a whole space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.core.quantity import count
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.sobol import Indices
from airlag.questions.tuning.tuned import Estimate, Tuned
from airlag.views.notebook import Drawing, Table, named

if TYPE_CHECKING:
    import polars as pl


class TunedShowing(Drawing):
    """The link as it is, and what was found; a row of the frame is a setting."""

    def __init__(self, told: Tuned) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """The objective; the outcome."""
        asked = self.told.objective
        aims = ", ".join(aim.text for aim in asked.aims)
        kept = f", {asked.subject_to}" if asked.subject_to else ""
        first = f"Tuned {named(asked.link, asked.size)}: {aims}{kept}"
        best = self.told.best
        if best is None:
            tried = count(len(self.told.tried))
            return first, f"none of {tried} settings keeps the limits with 95 % confidence"
        if len(asked.aims) > 1:
            return first, f"a front of {count(len(self.told.found))} settings"
        metric = asked.aims[0].metric
        before, after = (one.metrics[metric.name].value for one in (self.told.untuned, best))
        return first, f"{best.changes}: {metric.name} {metric.text(before)} → {metric.text(after)}"

    def table(self) -> Table:
        """The link as it is, then what was found."""
        shown = [self.told.untuned, *self.told.found]
        names = list(self.told.untuned.metrics)
        rows = [
            [one.changes, *(METRICS[name].text(one.metrics[name].value) for name in names)]
            for one in shown
        ]
        return Table(["settings", *names], rows)

    def frame(self) -> pl.DataFrame:
        """The link as it is, what was found, and what was turned down; in the metrics' units."""
        import polars as pl

        told = self.told
        shown = [("untuned", told.untuned), *(("found", one) for one in told.found)]
        shown += [("turned down", one) for one in told.turned_down]
        rows = []
        for kind, one in shown:
            row: dict[str, Any] = {"kind": kind, "settings": one.changes}
            row["gives_up"] = "; ".join(each.gives_up for each in one.turned if each.gives_up)
            for name in told.untuned.metrics:
                held = one.metrics.get(name) or Estimate(None, None, None)
                key = METRICS[name].column
                row |= {key: held.value, f"{key}_low": held.low, f"{key}_high": held.high}
            rows.append(row)
        numbers = [name for name in rows[0] if name not in ("kind", "settings", "gives_up")]
        return pl.DataFrame(rows, schema_overrides={name: pl.Float64() for name in numbers})

    def spec(self) -> dict[str, Any]:
        """The front, or of one metric every setting in the order tried."""
        from airlag.views.pages import tuning

        return tuning.chart(self.told)


class IndicesShowing(Drawing):
    """Effects of parameters; a row of the frame is a parameter and a metric."""

    def __init__(self, told: Indices) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """The question; the parameter with the largest effect on each metric."""
        asked = self.told.question
        over = ", ".join(asked.over)
        first = f"Indices of {named(asked.link, asked.size)} over {over}"
        most = [
            f"{one.metric}: {one.indices[0].name} {one.indices[0].total:.2f}"
            if one.indices
            else f"{one.metric}: no parameter has an effect"
            for one in self.told.metrics
        ]
        return first, "; ".join(most)

    def table(self) -> Table:
        """Every parameter of every metric."""
        rows = [
            [one.metric, each.name, f"{each.first:.3f}", f"{each.total:.3f}"]
            for one in self.told.metrics
            for each in one.indices
        ]
        return Table(["metric", "parameter", "first", "total"], rows)

    def frame(self) -> pl.DataFrame:
        """Every parameter of every metric, with intervals."""
        import polars as pl

        ends = ("", "_low", "_high")
        numbers = [f"{kind}{end}" for kind in ("first", "total") for end in ends]
        rows = [
            [one.metric, each.name, each.first, *each.first_interval95, each.total,
             *each.total_interval95]
            for one in self.told.metrics
            for each in one.indices
        ]  # fmt: skip
        schema: dict[str, Any] = {"metric": pl.String(), "parameter": pl.String()}
        schema |= {name: pl.Float64() for name in numbers}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def spec(self) -> dict[str, Any]:
        """Bars with their intervals."""
        from airlag.views.pages import tuning

        return tuning.indices(self.told)
