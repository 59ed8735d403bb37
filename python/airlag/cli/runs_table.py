"""Tables of runs, a row each: what a file of several holds, and what is shown below a span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from airlag.cli.summary import JITTER, QUANTILES, of_delivered
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.core.display import printable, short_name
from airlag.core.quantity import Unit, count, number, share, unit_for
from airlag.questions.identity import Asked, differing, settings_in_words, traffic_in_words
from airlag.questions.percentile import Percentile
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


#: Stands where nothing arrived, and where a link has no such constant.
NOTHING = "–"
#: Quantiles below a span, beside the longest.
SPANNED: tuple[Percentile, ...] = ("p50", "p99")


def of_runs(runs: Sequence[Run]) -> Table:
    """Virtual runs: what of each arrived, and how long it took."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    heads = [Column("delivered", key="delivery_ratio")]
    heads += [Column(name, unit.name, f"{name}_ns") for name in (*SPANNED, "max")]
    asked = [each for each in map(Asked.of, runs) if each is not None]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return span_table(asked, heads, [_spanned(run, unit) for run in runs], lost=lost)


def span_table(
    asked: Sequence[Asked],
    heads: Sequence[Column],
    cells: Sequence[Sequence[Cell]],
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
    cells
        The measured of each run.
    lost
        Whether something was lost, which has no latency.
    """
    columns = [named("link", "link"), Column("B", key="size_bytes")]
    columns += [Column(printable(name), key=name) for name in differing(asked)]
    rows = []
    for nth, each in enumerate(asked):
        set_otherwise = [values[nth] for values in differing(asked).values()]
        rows.append(
            [
                plain(each.link),
                Cell("" if each.size is None else f"{each.size}", each.size),
                *(
                    Cell(NOTHING if value is None else printable(value), value)
                    for value in set_otherwise
                ),
                *cells[nth],
            ]
        )
    title = Text(f"Side by side: {len(asked)} runs", style="bold")
    return Table([*columns, *heads], rows, of_delivered(lost=lost), title=title)


def _spanned(run: Run, unit: Unit) -> list[Cell]:
    lost = run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    ratio = arrived / (arrived + lost) if arrived + lost else None
    delivered = Cell(share(arrived, arrived + lost), ratio, "bold red" if lost else "")
    latency = run.latency
    if latency is None:
        return [delivered, *[Cell(NOTHING)] * (len(SPANNED) + 1)]
    times = [latency[name] for name in SPANNED] + [latency["max"]]
    return [delivered, *(Cell(number(time / unit.ns), time) for time in times)]
