"""The table of runs, a row each: what a file of several runs holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from airlag.cli.summary import JITTER, QUANTILES, of_delivered
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.core.display import short_name
from airlag.core.quantity import count, number, unit_for
from airlag.questions.identity import settings_in_words, traffic_in_words
from airlag.questions.runs import Outcome, Run


def runs_table(runs: Sequence[Run]) -> Table:
    """What was sent, what arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(medians)
    columns = [named("run", "source"), Column("link", key="link", right=False)]
    columns += [Column("", "B", "size_bytes"), Column("traffic", key="traffic", right=False)]
    columns += [Column("set", key="settings", right=False), Column("seed", key="seed")]
    columns += [Column(name, key=name) for name in ("triggers", "delivered", "late", "lost")]
    for name in QUANTILES:
        columns += [
            Column(end, unit.name, f"{name}{key}_ns", group=name)
            for end, key in (("", ""), ("from", "_low"), ("to", "_high"))
        ]
    columns += [
        Column("max", unit.name, "max_ns"),
        Column(", ".join(JITTER), unit.name, "jitter_mean_ns"),
    ]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return Table(columns, [[*_cells(run, unit.ns)] for run in runs], of_delivered(lost=lost))


def _cells(run: Run, unit_ns: float) -> Iterator[Cell]:
    def time(ns: float | None) -> Cell:
        return Cell("" if ns is None else number(ns / unit_ns), ns)

    late = run.count(Outcome.LATE)
    changed = run.config.get("settings", {})
    settings = " ".join(settings_in_words(run.link or "", changed) if changed else [])
    yield Cell(short_name(run.source), run.source)
    yield plain(short_name(run.link or ""))
    yield Cell("" if run.size is None else str(run.size), run.size)
    yield plain(traffic_in_words(run.config) or "")
    yield plain(settings)
    yield Cell("" if run.seed is None else str(run.seed), run.seed)
    yield Cell(count(len(run.outcome)), len(run.outcome))
    arrived, lost = run.count(Outcome.DELIVERED) + late, run.count(Outcome.LOST)
    yield from (Cell(count(many), many) for many in (arrived, late, lost))
    latency = run.latency
    for name in QUANTILES:
        ends = (None, None) if latency is None else latency["interval95"][name]
        yield time(None if latency is None else latency[name])
        yield from map(time, ends)
    yield time(None if latency is None else latency["max"])
    jitter = None if latency is None else latency.get("jitter")
    yield time(None if jitter is None else jitter["mean"])
