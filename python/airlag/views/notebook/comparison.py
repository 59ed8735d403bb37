"""Comparisons: the verdict before the numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airlag.core.display import short_name
from airlag.core.quantity import duration, number, percent, unit_for
from airlag.core.types import Difference
from airlag.views.notebook import Drawing, Table
from airlag.views.notebook.run import chart_of

if TYPE_CHECKING:
    import polars as pl

    from airlag.questions.compare import Comparison


class ComparisonShowing(Drawing):
    """Two runs; a row of the frame is one number of both."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.told = comparison.to_json()

    def lines(self) -> tuple[str, str]:
        """What is compared, and whether it can be; how far the medians are apart."""
        told = self.told
        names = f"{short_name(told['a'])} and {short_name(told['b'])}"
        verdict = "comparable" if told["comparable"] else f"not comparable: {told['obstacles'][0]}"
        median = told["latency_ns"].get("p50")
        if median is None:
            return f"Comparison of {names}: {verdict}", "no latencies on one side"
        unit = unit_for([median["a"], median["b"]])
        more = "" if median["difference"] < 0 else "+"
        return (
            f"Comparison of {names}: {verdict}",
            f"p50 {duration(median['a'], unit)} to {duration(median['b'], unit)}, "
            f"{more}{duration(median['difference'], unit)}",
        )

    def table(self) -> Table:
        """Quantiles and delivery of both, with the difference and where it may lie."""
        rows = []
        for name, each in self.told["latency_ns"].items():
            unit = unit_for([each["a"], each["b"]])
            low, high = (
                "?" if end is None else number(end / unit.ns) for end in each["interval95"]
            )
            values = [duration(each[key], unit) for key in ("a", "b", "difference")]
            rows.append([name, *values, f"{low} to {high} {unit.name}"])
        if (share := self.told["delivery"]) is not None:
            low, high = ("?" if end is None else f"{100 * end:.2g}" for end in share["interval95"])
            moved = f"{100 * share['difference']:+.2g} %"
            rows.append(
                ["delivery", percent(share["a"]), percent(share["b"]), moved, f"{low} to {high} %"]
            )
        return Table(["", "a", "b", "difference", "95 % interval"], rows)

    def frame(self) -> pl.DataFrame:
        """Quantiles in ns, and delivery as a share: a, b, difference and its interval."""
        import polars as pl

        found: dict[str, Difference] = dict(self.told["latency_ns"])
        named = {f"{name}_ns": each for name, each in found.items()}
        if self.told["delivery"] is not None:
            named["delivery"] = self.told["delivery"]
        return pl.DataFrame(
            {
                "number": pl.Series(list(named), dtype=pl.String),
                **{
                    key: pl.Series([float(each[key]) for each in named.values()], dtype=pl.Float64)
                    for key in ("a", "b", "difference")
                },
                **{
                    end: pl.Series(
                        [each["interval95"][place] for each in named.values()],
                        dtype=pl.Float64,
                        strict=False,
                    )
                    for place, end in enumerate(("low95", "high95"))
                },
            }
        )

    def spec(self) -> dict[str, Any]:
        """Quantile by quantile, both runs on one axis."""
        return chart_of(self.comparison.runs, "percentile")
