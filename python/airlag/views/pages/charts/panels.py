"""Charts with one panel per run: latency over the run, and latency against clock phase.

In a band above a panel, crosses are lost transfers, and diamonds are censored transfers. Triangles
are late transfers. A finding is drawn as a line at an instant, or as a band over an interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.questions.runs import Finding, Outcome, Run
from airlag.views.pages import marks, theme
from airlag.views.pages.marks import share_marks
from airlag.views.pages.sheet import LOG_BEYOND, Row, Scale, Sheet
from airlag.views.pages.spec import PLOT, Columns, Spec, fill

#: Title of the time axis.
SECONDS = "time since the run began, s"

#: Reading notes for transfers without a latency, and for late ones.
ABSENT = (
    "In the band above a panel, lost transfers are crosses, or bars where there are many, and "
    "transfers cut off by the end of the capture are diamonds."
)
LATE = "A triangle is a transfer that completed after the next trigger."

#: Height of a run's chart by number of runs, px.
TIME_HEIGHTS = ((1, 300), (4, 170), (12, 110), (1_000_000, 70))

#: Offset of the first finding's name below the top of the panel, and line distance, px.
FIRST, NEXT = 9.0, 13.0
#: Findings whose transfers have individual marks.
MARKED = {"lost-transfers", "censored-end"}


def no_time(runs: Sequence[Run]) -> str | None:
    """Returns one line on why the chart does not apply, or ``None``."""
    if all(run.trigger_ns is None for run in runs):
        return "a table of latencies has no clock"
    if all(run.trigger_ns is None or len(run.outcome) == 0 for run in runs):
        return "no trigger was seen"
    return None


def time(runs: Sequence[Run], *, compared: bool = False) -> Spec:
    """Draws latency against trigger time, one panel per run with a clock (at least one run).

    The subtitle names the runs without a clock. If ``compared``, all panels have the same axes.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.rows if row.run.trigger_ns is not None and len(row.run.outcome)]
    height = next(high for most, high in TIME_HEIGHTS if len(rows) <= most)
    frames = [_frame(rows if compared else [row]) for row in rows]
    shared = share_marks(
        [
            (row.since_start(row.index) / last_s * PLOT, up.px(row.latency, height))
            for row, (last_s, up) in zip(rows, frames, strict=True)
        ]
    )
    panels = []
    every: list[marks.Band] = []
    tables: dict[str, Columns] = {}
    for place, (row, (last_s, up)) in enumerate(zip(rows, frames, strict=True)):
        bands = [
            marks.band(row, outcome, row.since_start(at), (0.0, last_s), "triggered at, s")
            for outcome in (Outcome.LOST, Outcome.CENSORED)
            if len(at := row.indices(outcome))
        ]
        every += bands
        kept = shared.kept[place]
        index = row.index[kept]
        events = [found for finding in row.run.findings for found in _events(row, finding)]
        tables |= {
            f"transfers-{row.number}": {
                "i": index,
                "x": np.round(row.since_start(index), 4),
                "y": row.latency[kept],
                "n": shared.stand_for[place],
                "late": (row.run.outcome[index] == Outcome.LATE).astype(np.int64),
            },
            f"moments-{row.number}": _table(row, events),
            f"words-{row.number}": _time_words(sheet, row, height),
            **{band.values["data"]: band.table for band in bands},
        }
        panels.append(
            marks.panel(
                row,
                bands,
                name=row.name,
                across={"domain": [0.0, last_s], "nice": False, "zero": False},
                x_title=SECONDS if row is rows[-1] else "",
                up=up.values,
                moments=bool(events),
            )
        )
    without = [row.name for row in sheet.rows if row.run.trigger_ns is None]
    values = {
        **sheet.values,
        "title": _time_title(rows),
        "absent_words": ABSENT if every else "",
        "late_words": LATE if any(row.run.count(Outcome.LATE) for row in rows) else "",
        "marks": marks.of_marks(shared),
        "sharing": marks.sharing(every),
        "without": f"No clock, not drawn: {', '.join(without)}." if without else "",
        "several": len(sheet.rows) > 1,
        "seconds": SECONDS,
        "order": [row.number for row in rows],
        "height": height,
        "y_ticks": max(2, height // 36),
        "ends_s": {str(row.number): end for row, (end, _) in zip(rows, frames, strict=True)},
        "ends_i": {str(row.number): len(row.run.outcome) - 0.5 for row in rows},
        "everywhere": {str(row.number): _everywhere(row) for row in rows},
        "panels": panels,
    }
    return fill("time", values, tables)


def _frame(group: Sequence[Row]) -> tuple[float, Scale]:
    """Axes that include all runs of a group: end time (s) and latency scale."""
    triggers = (each.since_start(np.arange(len(each.run.outcome))) for each in group)
    latency = np.concatenate([each.latency for each in group])
    log = bool(
        len(latency)
        and latency.min() > 0.0
        and any(each.quantile("p50") is not None for each in group)
        and latency.max() / latency.min() > LOG_BEYOND
    )
    up = Scale.of(latency, log=log) if len(latency) else Scale(0.0, 1.0)
    return max(1e-9, *(float(each.max()) for each in triggers)), up


class _Event(NamedTuple):
    """Event in a run: first transfer, last transfer, and a label."""

    first: int
    last: int
    label: str


def _events(row: Row, finding: Finding) -> Iterator[_Event]:
    """Yields the events of a finding, except for transfers with marks of their own."""
    evidence, last = finding.evidence, len(row.run.outcome) - 1
    match finding.name, evidence:
        case "trend", {"at_index": int(at)} if at <= last:
            yield _Event(at, at, f"trend: jump at transfer {at}")
        case "lost-transfers", {"dead_from": int(at)} if at <= last:
            yield _Event(at, last, f"lost-transfers: no deliveries from transfer {at} on")
        case "warm-up", {"count": int(many)} if 0 < many <= len(row.index):
            yield _Event(0, int(row.index[many - 1]), f"warm-up: the first {many}")


def _everywhere(row: Row) -> list[str]:
    """Names of the findings that apply to the whole run."""
    placed = {finding.name for finding in row.run.findings if any(_events(row, finding))} | MARKED
    return [finding.name for finding in row.run.findings if finding.name not in placed]


def _table(row: Row, events: Sequence[_Event]) -> Columns:
    """Bands and lines for the findings of a run with a clock, with their names."""
    first, last = (np.array([each[end] for each in events], np.int64) for end in (0, 1))
    return {
        "i": first - 0.5,
        "i2": last + 0.5,
        "x": row.since_start(first),
        "x2": row.since_start(last),
        "px": [FIRST + NEXT * nth for nth in range(len(events))],
        "text": [each.label for each in events],
    }


def _time_words(sheet: Sheet, row: Row, height: int) -> Columns:
    """Text beside a panel: losses, and as many quantiles as the height permits."""
    absent_words = ((row.lost, "lost", theme.LOST), (row.censored, "censored", theme.CENSORED))
    said = [(f"{quantity.count(many)} {word}", of) for many, word, of in absent_words if many]
    if not len(row.latency):
        said.append(("nothing delivered", theme.LOST))
    first = marks.AT if said else 8
    digits = row.digits(sheet.unit)
    for key in ("p50", "p99", "max"):
        value = row.quantile(key)
        if value is not None and first + marks.LINE * len(said) < height:
            said.append((f"{key} {quantity.duration(value, sheet.unit, digits)}", theme.QUIET))
    return marks.side_words(said, first)


def _time_title(rows: list[Row]) -> str:
    if len(rows) > 1:
        return "Latency along each run"
    row = rows[0]
    for finding in row.run.findings:
        if finding.name == "drift-ramp" and isinstance(finding.evidence.get("ppm"), (int, float)):
            slope = quantity.number(float(finding.evidence["ppm"]), 3)  # type: ignore[arg-type]
            return f"{row.name}: latency drifts by {slope} us every second"
    losses = f"; {row.losses()}" if row.lost else ""
    return f"{row.name}: latency along the run{losses}"


#: Heights of the points and of the two histograms below them, px, by number of runs.
FOLD_HEIGHTS = ((1, (240, 70)), (4, (170, 50)), (1_000_000, (110, 34)))

#: Findings that name a period, most specific first; a run's first match is used. Values are the
#: titles for all runs, and for one run with that period.
PERIODIC = {
    "power-save": ("Wait for the beacon", "completions wait for a beacon every"),
    "own-period": ("Wait for the link's own clock", "completions are synchronous with a clock of"),
    "phase-not-explored": (
        "Triggers sample only a few clock phases of the link",
        "triggers are synchronous with a clock of",
    ),
}

#: Histogram bins per period.
BINS = 80


def no_fold(runs: Sequence[Run]) -> str | None:
    """Returns one line on why the chart does not apply, or ``None``."""
    if any(_found(row) for row in Sheet.of(runs).rows):
        return None
    if all(run.trigger_ns is None for run in runs):
        return "a table of latencies has no clock to fold on"
    return "no periodicity was found in any run"


def fold(runs: Sequence[Run]) -> Spec:
    """Draws latency against the phase of a detected clock.

    At least one run must have a finding with a period. A point is a transfer. The histogram below
    the points shows the phases of triggers (grey) and of completions (colour). If triggers are
    uniform and completions have one peak, the link has a clock. Phase 0 is the peak's centre.
    """
    sheet = Sheet.of(runs)
    ns = sheet.unit.ns
    folds = [_Fold(row, *found) for row in sheet.rows if (found := _found(row)) is not None]
    points, phases = next(both for most, both in FOLD_HEIGHTS if len(folds) <= most)
    shared = share_marks(
        [
            (
                fold.trigger[fold.row.index] / fold.period_ns * PLOT,
                fold.up.px(fold.row.latency, points),
            )
            for fold in folds
        ]
    )
    panels = []
    every: list[marks.Band] = []
    tables: dict[str, Columns] = {}
    for fold, kept, many in zip(folds, shared.kept, shared.stand_for, strict=True):
        row, half = fold.row, 0.5 * fold.period_ns / ns
        lost = row.indices(Outcome.LOST)
        what = f"phase of trigger, {sheet.unit.name}"
        ends = (-half, half)
        bands = [marks.band(row, Outcome.LOST, fold.trigger[lost] / ns, ends, what)]
        bands = bands if len(lost) else []
        edges = np.linspace(-half, half, BINS + 1)
        triggers, completions = (
            _shares(each / ns, edges) for each in (fold.trigger, fold.completion)
        )
        edges = np.round(edges, 5)
        period = quantity.duration(fold.period_ns, sheet.unit, digits=7)
        key = [("completions", row.colour), ("triggers", theme.QUIET)]
        tables |= {
            f"transfers-{row.number}": {
                "i": row.index[kept],
                "x": np.round(fold.trigger[row.index[kept]] / ns, 5),
                "y": np.round(row.latency[kept], 5),
                "c": np.round(fold.completion[kept] / ns, 5),
                "n": many,
            },
            f"words-{row.number}": marks.side_words(
                _fold_words(fold, period), marks.AT if row.lost else 8
            ),
            f"phases-{row.number}": {
                "x": edges[:-1],
                "x2": edges[1:],
                "t": triggers,
                "c": completions,
            },
            # A step extends to the next point, so the last one needs a point at the period end.
            f"outline-{row.number}": {"x": edges, "t": np.append(triggers, triggers[-1])},
            f"key-{row.number}": marks.side_words(key),
            **{band.values["data"]: band.table for band in bands},
        }
        panels.append(
            marks.panel(
                row,
                bands,
                clock=f"{row.name}: {PERIODIC[fold.name][1]} {period}",
                period=[-half, half],
                up=fold.up.values,
                shares=[0.0, 1.05 * float(max(triggers.max(), completions.max()))],
            )
        )
        every += bands
    without = len(sheet.rows) - len(folds)
    have, are = ("s have", "are") if without > 1 else (" has", "is")
    names = {fold.name for fold in folds}
    values = {
        **sheet.values,
        "title": PERIODIC[names.pop() if len(names) == 1 else "own-period"][0],
        "marks": marks.of_marks(shared),
        "sharing": marks.sharing(every),
        "without": f"{without} run{have} no period and {are} not drawn." if without else "",
        "order": [fold.row.number for fold in folds for _ in range(2)],
        "heights": {"points": points, "phases": phases},
        "panels": panels,
    }
    return fill("fold", values, tables)


def _found(row: Row) -> tuple[Finding, float] | None:
    """Finding that provides the period of a run, and the period, ns."""
    if row.run.trigger_ns is None or not len(row.latency):
        return None
    for name in PERIODIC:
        for finding in row.run.findings:
            period = finding.evidence.get("period_ns")
            if finding.name == name and isinstance(period, (int, float)) and period > 0:
                return finding, float(period)
    return None


class _Fold:
    """A run folded on its period; phases in ns from ``-period / 2`` to ``period / 2``."""

    def __init__(self, row: Row, finding: Finding, period_ns: float) -> None:
        assert row.run.trigger_ns is not None
        self.row = row
        self.name = finding.name
        self.period_ns = period_ns
        self.up = Scale.of(row.latency, log=False)
        done = (row.run.completion_ns[row.index] - row.run.start_ns).astype(np.float64)
        turns = np.exp(2j * np.pi * (done / period_ns))
        self.origin_ns = float(np.angle(turns.mean())) / (2.0 * np.pi) * period_ns
        self.completion = self._phase(done)
        self.trigger = self._phase((row.run.trigger_ns - row.run.start_ns).astype(np.float64))

    def _phase(self, since_start: NDArray[np.float64]) -> NDArray[np.float64]:
        half = 0.5 * self.period_ns
        return np.asarray((since_start - self.origin_ns + half) % self.period_ns - half)


def _shares(phases: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of phases in each bin, shape ``(bins,)``."""
    counts, _ = np.histogram(phases, bins=edges)
    return np.round(counts / max(int(counts.sum()), 1), 5)


def _fold_words(fold: _Fold, period: str) -> list[tuple[str, str]]:
    """Losses, and the statistics behind the fold."""
    lost = fold.row.lost
    said = [(f"{quantity.count(lost)} lost", theme.LOST)] if lost else []
    said.append((f"period {period}", theme.QUIET))
    # A power-save period is also an own-period finding, which contains the statistic.
    for finding in fold.row.run.findings:
        if finding.evidence.get("period_ns") == fold.period_ns and "r" in finding.evidence:
            for key, of in (("r", "completions"), ("r_trigger", "triggers")):
                gathered = finding.evidence.get(key)
                if isinstance(gathered, (int, float)):
                    said.append((f"R of {of} {gathered:.3f}", theme.QUIET))
            break
    return said
