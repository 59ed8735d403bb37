"""Runs: what arrived and how long it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

from airlag import _airlag
from airlag.core import quantity
from airlag.core.display import short_name
from airlag.core.quantity import count, duration, unit_for
from airlag.questions.identity import with_units
from airlag.questions.run_rows import QUANTILES, frame_of, row, set_differently
from airlag.questions.runs import NONE, Outcome, Run
from airlag.views.notebook import Drawing, Table, named

if TYPE_CHECKING:
    import polars as pl


def arrived(run: Run) -> str:
    """What became of the triggers, in words."""
    total = len(run.outcome)
    if run.trigger_ns is None:
        return f"{count(total)} latencies of a table"
    late = run.count(Outcome.LATE)
    words = [f"{count(run.count(Outcome.DELIVERED) + late)} of {count(total)} delivered"]
    for outcome in (Outcome.LATE, Outcome.LOST, Outcome.CENSORED):
        if many := run.count(outcome):
            words.append(f"{count(many)} {outcome.name.lower()}")
    return ", ".join(words)


def took(run: Run) -> str:
    """How long it took, in words."""
    if run.latency is None:
        return "nothing arrived"
    latency: Mapping[str, Any] = run.latency
    unit = unit_for([run.latency["p50"]])
    return ", ".join(f"{name} {duration(latency[name], unit)}" for name in (*QUANTILES, "max"))


def name_of(run: Run) -> str:
    """What it is a run of."""
    settings = with_units(run.link or "", set_differently(run))
    words = named(run.source, run.size, list(settings.items()))
    return words if run.seed is None else f"{words}, seed {run.seed}"


class RunShowing(Drawing):
    """One run; a row of its frame is a transfer."""

    def __init__(self, run: Run, kind: str = "distribution") -> None:
        self.run = run
        self.kind = kind

    def lines(self) -> tuple[str, str]:
        """Link, settings and fates; quantiles and findings."""
        found = ", ".join(finding.name for finding in self.run.findings)
        first = f"Run {name_of(self.run)}: {arrived(self.run)}"
        return first, f"{took(self.run)}; {f'findings: {found}' if found else 'no findings'}"

    def table(self) -> Table:
        """Quantiles with the intervals they may lie in."""
        latency = self.run.latency
        if latency is None:
            return Table(["quantile", "latency", "95 % interval"], [])
        unit = unit_for([latency["p50"]])
        held: Mapping[str, Any] = latency
        rows = []
        for name in QUANTILES:
            ends = cast("Mapping[str, Any]", latency["interval95"]).get(name, (None, None))
            low, high = ("?" if end is None else quantity.number(end / unit.ns) for end in ends)
            rows.append([name, duration(held[name], unit), f"{low} to {high} {unit.name}"])
        return Table(["quantile", "latency", "95 % interval"], rows)

    def frame(self) -> pl.DataFrame:
        """One row a transfer: trigger, completion, latency in ns, and what became of it."""
        import polars as pl

        run = self.run
        names = {int(outcome): outcome.name.lower() for outcome in Outcome}
        none = pl.lit(None, dtype=pl.Int64)
        completion = pl.Series("completion_ns", run.completion_ns, dtype=pl.Int64)
        frame = pl.DataFrame(
            {
                "completion_ns": completion.replace(NONE, None),
                "outcome": pl.Series(run.outcome).replace_strict(names, return_dtype=pl.String),
            }
        )
        if run.trigger_ns is None:
            frame = frame.with_columns(trigger_ns=none, latency_ns=pl.col("completion_ns"))
            frame = frame.with_columns(completion_ns=none)
        else:
            frame = frame.with_columns(trigger_ns=pl.Series(run.trigger_ns, dtype=pl.Int64))
            taken = pl.col("completion_ns") - pl.col("trigger_ns")
            frame = frame.with_columns(latency_ns=taken)
        return frame.select("trigger_ns", "completion_ns", "latency_ns", "outcome")

    def spec(self) -> dict[str, Any]:
        """One chart of a report."""
        return chart_of([self.run], self.kind)


class RunsShowing(Drawing):
    """Several runs; a row of their frame is a run."""

    def __init__(self, runs: Sequence[Run], kind: str = "distribution") -> None:
        self.runs = runs
        self.kind = kind

    def lines(self) -> tuple[str, str]:
        """What ran, and how long each took at the median."""
        links = ", ".join(dict.fromkeys(short_name(run.link or run.source) for run in self.runs))
        many = len(self.runs)
        medians = [run.latency["p50"] for run in self.runs if run.latency is not None]
        if not medians:
            return f"{many} runs of {links or 'nothing'}", "nothing arrived"
        unit = unit_for(medians)
        low, high = duration(min(medians), unit), duration(max(medians), unit)
        return f"{many} run{'' if many == 1 else 's'} of {links}", f"medians from {low} to {high}"

    def table(self) -> Table:
        """Fates and quantiles, one line a run."""
        head = ["run", "delivered", "lost", *QUANTILES]
        rows = []
        for run in self.runs:
            latency: Mapping[str, Any] = run.latency or {}
            unit = unit_for([latency["p50"]] if latency else [])
            fates = [run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)]
            fates += [run.count(Outcome.LOST)]
            taken = [duration(latency[name], unit) if latency else "–" for name in QUANTILES]
            rows.append([name_of(run), *map(count, fates), *taken])
        return Table(head, rows)

    def frame(self) -> pl.DataFrame:
        """One row a run, with a column for each setting that one of them has."""
        asked = list(dict.fromkeys(name for run in self.runs for name in set_differently(run)))
        return frame_of([row(run, asked if bench_made(run) else ()) for run in self.runs])

    def spec(self) -> dict[str, Any]:
        """One chart of a report."""
        return chart_of(self.runs, self.kind)


def bench_made(run: Run) -> bool:
    """Whether a run is of the virtual bench, and of a profile that there is."""
    return run.seed is not None and run.link in _airlag.links()


def chart_of(runs: Sequence[Run], kind: str = "distribution") -> dict[str, Any]:
    """One of the charts of a report.

    Raises
    ------
    ValueError
        With one line: which charts there are, or why this one does not apply.
    """
    from airlag.views.pages.charts import CHARTS, Drawn

    if kind not in CHARTS:
        near = get_close_matches(kind, CHARTS, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(CHARTS)}"
        raise ValueError(f"no chart {kind!r}; {meant}")
    if not runs:
        raise ValueError(f"no runs, so no chart {kind!r}; expected at least one run")
    draw, why_not = CHARTS[kind]
    reason = why_not(runs)
    return Drawn(kind, draw(runs) if reason is None else None, reason).spec
