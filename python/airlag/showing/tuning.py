"""A link tuned, and what its parameters are worth over a whole space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.quantity import count
from airlag.showing import Drawing, Table, named
from airlag.tuning.metrics import METRICS
from airlag.tuning.sobol import Indices
from airlag.tuning.tuned import Setting, Tuned

if TYPE_CHECKING:
    import polars as pl


def changes(setting: Setting) -> str:
    """What a setting turns, as the command line takes it."""
    return " ".join(f"{one.name}={one.value}" for one in setting.turned) or "as it is"


class TunedShowing(Drawing):
    """The link as it is, and what was found; a row of the frame is a setting."""

    def __init__(self, told: Tuned) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """What was asked; what came of it."""
        wish = self.told.wish
        aims = ", ".join(aim.text for aim in wish.aims)
        kept = f", {wish.subject_to}" if wish.subject_to else ""
        first = f"Tuned {named(wish.link, wish.size)}: {aims}{kept}"
        best = self.told.best
        if best is None:
            return first, f"none of {count(len(self.told.tried))} settings surely keeps the limits"
        if len(wish.aims) > 1:
            return first, f"a front of {count(len(self.told.found))} settings"
        metric = wish.aims[0].metric
        before, after = (one.metrics[metric.name].value for one in (self.told.untuned, best))
        return first, f"{changes(best)}: {metric.name} {metric.text(before)} → {metric.text(after)}"

    def table(self) -> Table:
        """The link as it is, then what was found."""
        shown = [self.told.untuned, *self.told.found]
        names = list(self.told.untuned.metrics)
        rows = [
            [changes(one), *(METRICS[name].text(one.metrics[name].value) for name in names)]
            for one in shown
        ]
        return Table(["settings", *names], rows)

    def frame(self) -> pl.DataFrame:
        """The link as it is, what was found, and what was turned down; in the metrics' units."""
        import polars as pl

        kinds = {
            "untuned": [self.told.untuned],
            "found": self.told.found,
            "turned down": self.told.turned_down,
        }
        rows = []
        for kind, settings in kinds.items():
            for one in settings:
                row: dict[str, Any] = {"kind": kind, "settings": changes(one)}
                row["gives_up"] = "; ".join(each.gives_up for each in one.turned if each.gives_up)
                for name in self.told.untuned.metrics:
                    held = one.metrics.get(name)
                    key = f"{name}_{METRICS[name].unit}".rstrip("_").replace("/", "_per_")
                    row[key] = None if held is None else held.value
                    row[f"{key}_low"] = None if held is None else held.low
                    row[f"{key}_high"] = None if held is None else held.high
                rows.append(row)
        numbers = [name for name in rows[0] if name not in ("kind", "settings", "gives_up")]
        return pl.DataFrame(rows, schema_overrides={name: pl.Float64() for name in numbers})

    def spec(self) -> dict[str, Any]:
        """The front, or of one metric every setting in the order tried."""
        from airlag.pages import tuning

        return tuning.chart(self.told)


class IndicesShowing(Drawing):
    """What parameters are worth; a row of the frame is one of a metric."""

    def __init__(self, told: Indices) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """What was asked; what moves each metric most."""
        asked = self.told.question
        over = ", ".join(asked.over)
        first = f"Indices of {named(asked.link, asked.size)} over {over}"
        most = [
            f"{one.metric}: {one.indices[0].name} {one.indices[0].total:.2f}"
            if one.indices
            else f"{one.metric}: nothing moves it"
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

        rows = [
            {
                "metric": one.metric,
                "parameter": each.name,
                "first": each.first,
                "first_low": each.first_interval95[0],
                "first_high": each.first_interval95[1],
                "total": each.total,
                "total_low": each.total_interval95[0],
                "total_high": each.total_interval95[1],
            }
            for one in self.told.metrics
            for each in one.indices
        ]
        ends = ("", "_low", "_high")
        numbers = [f"{kind}{end}" for kind in ("first", "total") for end in ends]
        schema: dict[str, Any] = {"metric": pl.String(), "parameter": pl.String()}
        return pl.DataFrame(rows, schema=schema | {name: pl.Float64() for name in numbers})

    def spec(self) -> dict[str, Any]:
        """Bars with their intervals."""
        from airlag.pages import tuning

        return tuning.indices(self.told)
