"""Links that never wait, and links under load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.core.quantity import count, number, percent
from airlag.questions.identity import with_units
from airlag.questions.load import Goodput, Loaded, sized
from airlag.views.notebook import Drawing, Table, named, time

if TYPE_CHECKING:
    import polars as pl


def _what(told: Goodput) -> str:
    words = named(told.link, None, list(with_units(told.link, told.settings).items()))
    return f"{words}, {sized(told.traffic, told.size)}, seed {told.seed}"


class GoodputShowing(Drawing):
    """What a link carries; a row of the frame is one thing its time went to."""

    def __init__(self, told: Goodput) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """What ran and carried; what was lost, and the ceiling."""
        told = self.told
        limit = "no ceiling known"
        if told.ceiling_kbps is not None:
            limit = (
                f"{percent(told.kbps / told.ceiling_kbps)} of {number(told.ceiling_kbps)} kbit/s"
            )
        lost = f"{count(told.delivered)} delivered, {count(told.lost)} lost"
        return f"Goodput of {_what(told)}: {number(told.kbps)} kbit/s", f"{limit}; {lost}"

    def table(self) -> Table:
        """What the time went to, by class."""
        whole = sum(one.ns for one in self.told.spent)
        rows = [[kind, time(ns), percent(ns / whole)] for kind, ns in self.told.by_kind().items()]
        return Table(["time on", "in all", "share"], rows)

    def frame(self) -> pl.DataFrame:
        """What the time went to, slice by slice, most first, ns."""
        import polars as pl

        rows = [{"name": one.name, "class": one.kind, "ns": one.ns} for one in self.told.spent]
        schema = {"name": pl.String(), "class": pl.String(), "ns": pl.Int64()}
        return pl.DataFrame(rows, schema=schema)

    def spec(self) -> dict[str, Any]:
        """What the time went to, as bars."""
        from airlag.views.notebook.charts import spent

        return spent(self.told, self.lines()[0])


class LoadedShowing(Drawing):
    """A link under load; a row of the frame is one load."""

    def __init__(self, told: Loaded) -> None:
        self.told = told

    def lines(self) -> tuple[str, str]:
        """What was offered; what it carries and where it gives in."""
        told, offer = self.told, self.told.offer
        loads = f"{len(told.points)} load{'' if len(told.points) == 1 else 's'}"
        knee = "none of them holds its knee"
        if told.knee_kbps is not None:
            knee = f"knee at {number(told.knee_kbps)} kbit/s"
        return (
            f"Load on {_what(told.saturated)}: {loads}, {offer.arrivals}, queue {offer.queue}",
            f"{knee}; goodput {number(told.saturated.kbps)} kbit/s when it never waits",
        )

    def table(self) -> Table:
        """Latency, queue and loss, one line a load."""
        rows = []
        for point in self.told.points:
            latency = point.latency
            quantiles = [None, None] if latency is None else [latency["p50"], latency["p99"]]
            rates = [f"{number(kbps)} kbit/s" for kbps in (point.offered_kbps, point.goodput_kbps)]
            lost = percent(point.lost / point.offered) if point.offered else "–"
            rows.append([*rates, *map(time, quantiles), number(point.queue_mean), lost])
        return Table(["offered", "goodput", "p50", "p99", "queue", "lost"], rows)

    def frame(self) -> pl.DataFrame:
        """One row a load, the lightest first."""
        import polars as pl

        names = ("min", "p50", "p95", "p99", "max")
        rows = []
        for point in self.told.points:
            held: dict[str, Any] = dict(point.to_json())
            latency = held.pop("latency_ns") or {}
            rows.append(held | {f"{name}_ns": latency.get(name) for name in names})
        quantiles: dict[str, pl.DataType] = {f"{name}_ns": pl.Float64() for name in names}
        quantiles |= {"min_ns": pl.Int64(), "max_ns": pl.Int64()}
        return pl.DataFrame(rows, schema_overrides=quantiles)

    def spec(self) -> dict[str, Any]:
        """Latency and goodput against offered load."""
        from airlag.views.pages import load

        return load.chart([self.told])
