"""Terminal summary of one run: outcomes, latencies, findings and advice.

Several runs become a table with one row each, in a file or for a span of settings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from airlag.core.display import OF_DELIVERED, printable, short_name
from airlag.core.quantity import Unit, count, interval, number, share, unit_for
from airlag.questions.analysis import Across
from airlag.questions.identity import RunSettings, differing, settings_in_words, traffic_in_words
from airlag.questions.runs import Finding, Outcome, Percentile, Run
from airlag.views.table import (
    Cell,
    Column,
    Paragraph,
    Table,
    Value,
    delivered,
    fact,
    named,
    time,
    word,
)

#: Quantiles shown with intervals; ``--json`` contains all.
QUANTILES: tuple[Percentile, ...] = ("p50", "p95", "p99")
#: Findings that invalidate latencies, shown above them.
BEFORE_LATENCIES = ("overload", "period-too-short")
#: Channel names of the virtual bench.
VIRTUAL_WIRES = ("trigger", "completion")
#: Heading of the jitter column with its definition: mean difference between successive latencies.
JITTER = ("jitter", "mean |Δ|")


def summary(run: Run, *more: RenderableType) -> RenderableType:
    """Block of at most 80 columns; ``more`` is shown between latencies and findings."""
    first = [finding for finding in run.findings if finding.name in BEFORE_LATENCIES]
    parts: list[RenderableType] = [headline(run), *map(finding_block, first)]
    if run.latency is not None:
        lost = run.count(Outcome.LOST) > 0
        parts.append(_Latencies(run.latency, lost=lost))
    return Group(*parts, *more, *rest_of_summary(run))


def rest_of_summary(run: Run) -> Iterator[RenderableType]:
    """Yields the findings below the latencies."""
    return (finding_block(one) for one in run.findings if one.name not in BEFORE_LATENCIES)


def headline(run: Run) -> RenderableType:
    """Title and outcome counts of a run."""
    return Group(_title(run), *_settings_line(run), Paragraph(_counts(run)), *location_lines(run))


def settings_block(words: Sequence[str]) -> Iterator[Paragraph]:
    """Yields a line with non-default settings, if any."""
    if words:
        yield fact("with", " · ".join(map(printable, words)))


def _settings_line(run: Run) -> Iterator[Paragraph]:
    asked = RunSettings.of(run)
    yield from settings_block([] if asked is None else asked.head)


def finding_block(finding: Finding) -> RenderableType:
    """Name, message and advice of a finding."""
    style = "bold yellow"
    return Group(
        Paragraph(Text(finding.name, style), Text("!", style)),
        Paragraph(printable(finding.message)),
        Paragraph(printable(finding.advice), Text("→", "green")),
    )


def side_by_side(
    runs: Sequence[Run], across: Sequence[Across], name: Callable[[Run], str]
) -> Iterator[RenderableType]:
    """Findings across runs."""
    for each in across:
        names = ", ".join(name(runs[index]) for index in each.runs)
        yield from ("", Text(f"Side by side: {names}", "bold"), finding_block(each.finding))


def _title(run: Run) -> Text:
    title = Text(short_name(run.source), style="bold")
    # Virtual runs are named by their link.
    link = None if run.link == run.source else run.link
    traffic = traffic_in_words(run.config)
    known = [link, None if run.size is None else f"{run.size} B", traffic, _wires(run)]
    for each in known:
        if each is not None:
            title.append(f"  {short_name(each)}", style="not bold")
    return title


def _wires(run: Run) -> str | None:
    """Names of the paired channels, where they were selected."""
    if run.channels is None or run.channels == VIRTUAL_WIRES:
        return None
    return " → ".join(short_name(name) for name in run.channels)


def _counts(run: Run) -> Text:
    total = len(run.outcome)
    if run.trigger_ns is None:
        return Text(f"{count(total)} latencies from a table, which cannot record losses")
    observed_ns = run.end_ns - run.start_ns
    late, lost = run.count(Outcome.LATE), run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + late
    behind = f", {count(late)} after the next trigger" if late else ""
    parts = [
        Text(f"{count(total)} {'trigger' if total == 1 else 'triggers'} in {_span(observed_ns)}"),
        Text(f"delivered {count(arrived)}{behind}"),
        Text(f"lost {count(lost)}"),
    ]
    if lost:
        parts[-1].append(f" = {share(lost, arrived + lost)}{_loss_interval(run.delivery)}")
        parts[-1].stylize("bold red")
    for many, name in (
        (run.count(Outcome.CENSORED), "censored"),
        (len(run.spurious_ns), "stray"),
        (len(run.glitch_ns), "glitches"),
    ):
        if many:
            parts.append(Text(f"{name} {count(many)}"))
    return Text(" · ").join(parts)


def _loss_interval(delivery: Mapping[str, Any] | None) -> str:
    if delivery is None:
        return ""
    return f" ({share_interval(1 - ratio for ratio in reversed(delivery['interval95']))})"


def share_interval(ends: Iterable[float]) -> str:
    """Interval of a share, in percent with two digits."""

    def shown(percent: float) -> str:
        if percent < 99.5:
            return f"{percent:.2g}"
        # Two digits of 99.6 would print as 1e+02.
        return f"{percent:.1f}".removesuffix(".0") if percent > 99.95 else f"{percent:.1f}"

    return f"{'–'.join(shown(100 * end) for end in ends)} %"


class _Latencies:
    """Quantiles side by side, with intervals below them; on a narrow terminal one per line."""

    def __init__(self, latency: Mapping[str, Any], *, lost: bool) -> None:
        self._note = of_delivered(lost=lost)
        unit = unit_for([latency["p50"]])
        decimals = _decimals(latency, unit)

        def shown(value: float) -> str:
            return f"{value / unit.ns:.{decimals}f}"

        self._unit = unit.name
        self._values = {name: shown(latency[name]) for name in (*QUANTILES, "max")}
        if (jitter := latency.get("jitter")) is not None:
            # Jitter is often far below the spread, because clock phases drift slowly.
            self._values[", ".join(JITTER)] = number(jitter["mean"] / unit.ns, 2)
        ends = latency["interval95"]
        self._intervals: dict[str, str] = {name: interval(ends[name], shown) for name in QUANTILES}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = self._wide()
        yield wide if wide.width() <= options.max_width else self._narrow()

    def _wide(self) -> Table:
        columns = [named("")]
        for name in self._values:
            group, is_jitter, head = name.partition(", ")
            columns.append(Column(head, group=group) if is_jitter else Column(name))
        values = [Cell(self._unit), *map(Cell, self._values.values())]
        intervals = [Cell(self._intervals.get(name, ""), style="dim") for name in self._values]
        return Table(columns, [values, [Cell("95 % CI"), *intervals]], self._note)

    def _narrow(self) -> Table:
        columns = [named(""), Column(self._unit), Column("95 % CI", right=False, style="dim")]
        rows = [
            [Cell(name.replace(", ", " ")), Cell(value), Cell(self._intervals.get(name, ""))]
            for name, value in self._values.items()
        ]
        return Table(columns, rows, self._note)


def of_delivered(*, lost: bool) -> str:
    """Note above the quantiles if messages were lost."""
    return OF_DELIVERED if lost else ""


def _decimals(latency: Mapping[str, Any], unit: Unit) -> int:
    """Decimals that show a tenth of the spread and three digits of the median, down to 1 ns."""
    spread = (latency.get("std") or 0.0) / unit.ns
    middle = abs(latency["p50"]) / unit.ns
    for_spread = math.ceil(-math.log10(spread / 10)) if spread > 0 else 0
    for_middle = 2 - math.floor(math.log10(middle)) if middle > 0 else 0
    finest = round(math.log10(unit.ns))
    return min(max(for_spread, for_middle, 0), max(for_middle, 0) + 3, finest)


def _span(nanoseconds: int) -> str:
    """Formats an observation time: ``12.4 s``, ``13 min 20 s``, ``2 h 5 min``."""
    seconds = nanoseconds / 10**9
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def location_lines(run: Run) -> Iterator[Paragraph]:
    """Yields distance, environment and delivery by simulated location."""
    for nth, line in enumerate(() if run.apart is None else run.apart["text"]):
        text = Text(line)
        if nth == 0:
            text.stylize("bold", 0, line.index(" · "))
        yield Paragraph(text)


#: Quantiles in the table of a span, besides the maximum.
SPANNED: tuple[Percentile, ...] = ("p50", "p99")


def runs_table(runs: Sequence[Run]) -> Table:
    """Messages, outcomes and latencies of virtual runs, one row each."""
    unit = unit_for([run.latency["p50"] for run in runs if run.latency is not None])
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
    """Table of outcomes and latencies of the virtual runs of a span."""
    medians = [run.latency["p50"] for run in runs if run.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    heads = [Column("delivered", key="delivery_ratio")]
    heads += [time(name, unit, f"{name}_ns") for name in (*SPANNED, "max")]
    asked = [each for each in map(RunSettings.of, runs) if each is not None]
    lost = any(run.count(Outcome.LOST) for run in runs)
    return span_table(asked, heads, map(_spanned, runs), lost=lost)


def span_table(
    asked: Sequence[RunSettings],
    heads: Sequence[Column],
    measured: Iterable[Sequence[Cell | Value]],
    *,
    lost: bool = False,
) -> Table:
    """Builds the table of runs with different settings, with one row for each run.

    Parameters
    ----------
    asked
        Settings of each run.
    heads
        Columns of the measured values, with units.
    measured
        Measured values of each run.
    lost
        Whether any of the runs lost messages.
    """
    turned = differing(asked)
    columns = [named("link", "link"), Column("B", key="size_bytes", absent="")]
    columns += [Column(printable(name), key=name, shown=printable) for name in turned]
    rows = [
        (each.link, each.size, *(values[nth] for values in turned.values()), *cells)
        for nth, (each, cells) in enumerate(zip(asked, measured, strict=True))
    ]
    # Traffic that differs is a column.
    kinds = [traffic_in_words(each.stimulus) for each in asked[:1] if "traffic" not in turned]
    words = [f"Side by side: {len(asked)} runs", *filter(None, kinds)]
    title = Text(", ".join(words), style="bold")
    return Table.of_values([*columns, *heads], rows, of_delivered(lost=lost), title=title)


def _spanned(run: Run) -> list[Cell | Value]:
    lost = run.count(Outcome.LOST)
    arrived = run.count(Outcome.DELIVERED) + run.count(Outcome.LATE)
    latency: Mapping[str, Any] = run.latency or {}
    return [delivered(arrived, lost), *(latency.get(name) for name in (*SPANNED, "max"))]
