"""Captures held against link profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from airlag.core.quantity import count, percent
from airlag.questions.matching import Match, Ranking
from airlag.views.notebook import Drawing, Table, named, time
from airlag.views.notebook.run import chart_of

if TYPE_CHECKING:
    import polars as pl


def _name(match: Match) -> str:
    fitted = [(one.name, f"{one.value}{one.unit}") for one in match.fitted]
    return named(match.link, match.size, [*match.settings.items(), *fitted])


class MatchShowing(Drawing):
    """One profile; a row of the frame is a quantile."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def lines(self) -> tuple[str, str]:
        """Whether the profile explains the capture; how far it is away."""
        match = self.match
        return (
            f"Match of {_name(match)}: {match.verdict}",
            f"KS {match.ks:.3f} (by chance up to {match.ks_chance:.3f}), "
            f"{count(match.captured.triggers)} triggers, "
            f"captured {count(match.captured.lost)} lost, virtual {count(match.virtual.lost)}",
        )

    def table(self) -> Table:
        """Each quantile of capture and bench."""
        rows = [
            [name, time(each.captured_ns), time(each.virtual_ns), f"{100 * each.error:+.2f} %"]
            for name, each in self.match.quantile_error.items()
        ]
        return Table(["quantile", "captured", "virtual", "error"], rows)

    def frame(self) -> pl.DataFrame:
        """Each quantile of capture and bench, ns."""
        import polars as pl

        schema = {
            "quantile": pl.String(),
            "captured_ns": pl.Float64(),
            "virtual_ns": pl.Float64(),
            "error_ns": pl.Float64(),
            "error": pl.Float64(),
        }
        rows = [
            {"quantile": name, **each.to_json()} for name, each in self.match.quantile_error.items()
        ]
        return pl.DataFrame(rows, schema=schema)

    def spec(self) -> dict[str, Any]:
        """Capture and bench, quantile by quantile."""
        runs = [run for run in (self.match.capture, self.match.run) if run is not None]
        if len(runs) < 2:
            raise ValueError(
                f"{self.match.link}: a match of a ranking keeps no transfers; "
                f"draw that of airlag.match(capture, {self.match.link!r})"
            )
        return chart_of(runs, "percentile")


class RankingShowing(Drawing):
    """All profiles; a row of the frame is a candidate."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking

    def lines(self) -> tuple[str, str]:
        """What explains the capture, and how surely; what else was looked at."""
        told = self.ranking
        if told.best is not None:
            first = f"Ranking: {_name(told.best)} explains the capture, {told.certainty}"
        else:
            first = f"Ranking: no profile explains the capture: {told.reason}"
        after = "" if told.next is None else f"; next of another kind is {_name(told.next)}"
        looked = f"{count(len(told.candidates))} looked at, {count(told.impossible)} impossible"
        return first, f"{looked}, {count(told.unlike)} unlike{after}"

    def table(self) -> Table:
        """The candidates, nearest first."""
        rows = [
            [
                _name(each),
                "yes" if each.explains else "no",
                f"{each.ks:.3f}",
                percent(each.distance),
            ]
            for each in self.ranking.candidates
        ]
        return Table(["link", "explains", "KS", "distance"], rows)

    def frame(self) -> pl.DataFrame:
        """The candidates, nearest first."""
        import polars as pl

        schema: dict[str, Any] = {
            "link": pl.String(),
            "size": pl.Int64(),
            "explains": pl.Boolean(),
            "ks": pl.Float64(),
            "distance": pl.Float64(),
            "score": pl.Float64(),
        }
        return pl.DataFrame(
            [{name: getattr(each, name) for name in schema} for each in self.ranking.candidates],
            schema=schema,
        )

    def spec(self) -> dict[str, Any]:
        """How far each candidate is from the capture."""
        from airlag.views.notebook.charts import distances

        if not self.ranking.candidates:
            raise ValueError("no profile was looked at, so there is nothing to draw")
        rows: Sequence[tuple[str, float, bool]] = [
            (f"{place}. {_name(each)}", each.distance, each.explains)
            for place, each in enumerate(self.ranking.candidates, 1)
        ]
        return distances(rows)
