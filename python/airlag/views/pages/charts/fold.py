"""Latency against the phase of the clock that was found behind it: what the link waits for.

Above, a point a transfer; below, how triggers (grey) and completions (colour) spread over the
period: completions on one peak over even triggers are the link's own clock. Phase 0 is where the
completions gather.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.questions.runs import Finding, Outcome, Run
from airlag.views.pages import marks, theme
from airlag.views.pages.marks import share_marks
from airlag.views.pages.sheet import Row, Scale, Sheet
from airlag.views.pages.spec import PLOT, Columns, Spec, fill

#: Heights of the points and of the two histograms below them, px, by how many runs there are.
HEIGHTS = ((1, (240, 70)), (4, (170, 50)), (1_000_000, (110, 34)))

#: Findings that name a period, the most telling first; the first one a run has is used. What a
#: report says of them: of all runs, and of one with that period.
PERIODIC = {
    "power-save": (
        "How long a transfer waits for the beacon",
        "answers wait for a beacon every",
    ),
    "own-period": (
        "How long a transfer waits for the link's own clock",
        "answers keep step with a clock of",
    ),
    "phase-not-explored": (
        "Triggers meet the link at few phases of its clock",
        "triggers keep step with a clock of",
    ),
}

#: Bins of one period in the histograms.
BINS = 80


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    if any(_found(row) for row in Sheet.of(runs).rows):
        return None
    if all(run.trigger_ns is None for run in runs):
        return "a table of latencies has no clock to fold on"
    return "no run has a period of its own"


def chart(runs: Sequence[Run]) -> Spec:
    """Draws runs of which at least one has a finding that names a period, a panel a run."""
    sheet = Sheet.of(runs)
    ns = sheet.unit.ns
    folds = [_Fold(row, *found) for row in sheet.rows if (found := _found(row)) is not None]
    points, phases = next(both for most, both in HEIGHTS if len(folds) <= most)
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
                _words(fold, period), marks.AT if row.lost else 8
            ),
            f"phases-{row.number}": {
                "x": edges[:-1],
                "x2": edges[1:],
                "t": triggers,
                "c": completions,
            },
            # A step reaches to the next point: the last one needs a point at the end of the period.
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
    """Finding that gives the period of a run, and the period, ns."""
    if row.run.trigger_ns is None or not len(row.latency):
        return None
    for name in PERIODIC:
        for finding in row.run.findings:
            period = finding.evidence.get("period_ns")
            if finding.name == name and isinstance(period, (int, float)) and period > 0:
                return finding, float(period)
    return None


class _Fold:
    """One run folded on its period; phases in ns from ``-period / 2`` to ``period / 2``."""

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


def _words(fold: _Fold, period: str) -> list[tuple[str, str]]:
    """Losses, and what the fold rests on."""
    lost = fold.row.lost
    said = [(f"{quantity.count(lost)} lost", theme.LOST)] if lost else []
    said.append((f"period {period}", theme.QUIET))
    # A power-save period is an own period with a name: the measure of it is with the latter.
    for finding in fold.row.run.findings:
        if finding.evidence.get("period_ns") == fold.period_ns and "r" in finding.evidence:
            for key, of in (("r", "completions"), ("r_trigger", "triggers")):
                gathered = finding.evidence.get(key)
                if isinstance(gathered, (int, float)):
                    said.append((f"R of {of} {gathered:.3f}", theme.QUIET))
            break
    return said
