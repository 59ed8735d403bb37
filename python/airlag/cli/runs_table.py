"""Tables of runs, a row each: what a file of several holds, and what is shown below a span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from airlag.cli.summary import JITTER, QUANTILES, of_delivered
from airlag.cli.table import Cell, Column, Table, Value, named, time, word
from airlag.core.display import printable, short_name
from airlag.core.quantity import count, share, unit_for
from airlag.questions.identity import Asked, differing, settings_in_words, traffic_in_words
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run

#: Quantiles below a span, beside the longest.
SPANNED: tuple[Percentile, ...] = ("p50", "p99")


def runs_table(runs: Sequence[Run]) -> Table:
    """What was sent, what arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(medians)
    columns = [named("run", "source", shown=short_name), word("link", "link")]
    columns += [Column("", "B", "size_bytes", absent=""), word("traffic", "traffic")]
    columns += [word("set", "settings"), Column("seed", key="seed", absent="")]
    counts = ("triggers", "delivered", "late", "lost")
    columns += [Column(name, key=name, shown=count) for name in counts]
    for name in QUANTILES:
        columns += [
            time(end, unit, f"{name}{key}_ns", group=name, absent="")
            for end, key in (("", ""), ("from", "_low"), ("to", "_high"))
        ]
    columns += [time("max", unit, "max_ns", absent="")]
    columns += [time(", ".join(JITTER), unit, "jitter_mean_ns", absent="")]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return Table.of_values(columns, map(_values, runs), of_delivered(lost=lost))


def _values(run: Run) -> Iterator[Value]:
    late, lost = run.count(Outcome.LATE), run.count(Outcome.LOST)
    changed = run.config.get("settings", {})
    settings = " ".join(settings_in_words(run.link or "", changed) if changed else [])
    yield from (run.source, short_name(run.link or ""), run.size)
    yield from (traffic_in_words(run.config) or "", settings, run.seed)
    yield from (len(run.outcome), run.count(Outcome.DELIVERED) + late, late, lost)
    latency: Mapping[str, Any] = run.latency or {}
    for name in QUANTILES:
        yield from (latency.get(name), *latency.get("interval95", {}).get(name, (None, None)))
    yield from (latency.get("max"), (latency.get("jitter") or {}).get("mean"))


def of_runs(runs: Sequence[Run]) -> Table:
    """Virtual runs: what of each arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    heads = [Column("delivered", key="delivery_ratio")]
    heads += [time(name, unit, f"{name}_ns") for name in (*SPANNED, "max")]
    asked = [each for each in map(Asked.of, runs) if each is not None]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return span_table(asked, heads, map(_spanned, runs), lost=lost)


def span_table(
    asked: Sequence[Asked],
    heads: Sequence[Column],
    measured: Iterable[Sequence[Cell | Value]],
    *,
    lost: bool = False,
) -> Table:
    """Lays out a span.

    Parameters
    ----------
    asked
        What was asked of each run.
    heads
        What was measured, with units.
    measured
        The measured of each run.
    lost
        Whether something was lost, which has no latency.
    """
    turned = differing(asked)
    columns = [named("link", "link"), Column("B", key="size_bytes", absent="")]
    columns += [Column(printable(name), key=name, shown=printable) for name in turned]
    rows = [
        (each.link, each.size, *(values[nth] for values in turned.values()), *cells)
        for nth, (each, cells) in enumerate(zip(asked, measured, strict=True))
    ]
    title = Text(f"Side by side: {len(asked)} runs", style="bold")
    return Table.of_values([*columns, *heads], rows, of_delivered(lost=lost), title=title)


def _spanned(run: Run) -> list[Cell | Value]:
    lost = run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    ratio = arrived / (arrived + lost) if arrived + lost else None
    delivered = Cell(share(arrived, arrived + lost), ratio, "bold red" if lost else "")
    latency: Mapping[str, Any] = run.latency or {}
    return [delivered, *(latency.get(name) for name in (*SPANNED, "max"))]
