"""Latency against the phase of the clock that was found behind it: what the link waits for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.questions.runs import Finding, Outcome, Run
from airlag.views.pages import absent, marks, theme
from airlag.views.pages.sheet import PLOT, Row, Sheet, axis, span
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.thin import Marks, Pixels, share_marks

#: Heights of the points and of the two histograms below them, px, by how many runs there are.
HEIGHTS = ((1, (240, 70)), (4, (170, 50)), (1_000_000, (110, 34)))

#: Findings that name a period, the most telling first; the first one a run has is used.
PERIODIC = ("power-save", "own-period", "phase-not-explored")

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
    """Draw latency against the phase of the trigger, and the phases themselves, a panel a run.

    Phase 0 is where the completions gather.

    Parameters
    ----------
    runs
        At least one with a finding that names a period.

    Returns
    -------
    dict
        Above, a point a transfer; below, how triggers (grey) and completions (colour) spread over
        the period: completions on one peak over even triggers are the link's own clock.
    """
    sheet = Sheet.of(runs)
    folds = [
        _Fold(row, *found) for row in sheet.rows for found in [_found(row)] if found is not None
    ]
    heights = next(both for most, both in HEIGHTS if len(folds) <= most)
    shared = share_marks([fold.places(heights[0]) for fold in folds])
    bands = [_bands(sheet, fold) for fold in folds]
    without = len(sheet.rows) - len(folds)
    panels = []
    tables: dict[str, Columns] = {}
    for place, (fold, own) in enumerate(zip(folds, bands, strict=True)):
        row = fold.row
        half = 0.5 * fold.period_ns / sheet.unit.ns
        phases, outline = _phases(sheet, fold)
        first = absent.AT if row.lost else 8
        key = [("completions", row.colour), ("triggers", theme.QUIET)]
        tables |= {
            f"transfers-{row.number}": _transfers(sheet, fold, shared, place),
            f"words-{row.number}": marks.side_words(_words(sheet, fold), first),
            f"phases-{row.number}": phases,
            f"outline-{row.number}": outline,
            f"key-{row.number}": marks.side_words(key),
            **{band.values["data"]: band.table for band in own},
        }
        panels.append(
            {
                "number": row.number,
                "clock": f"{row.name}: {_clock(fold, sheet)}",
                "colour": row.colour,
                "title_offset": absent.TITLE_ABOVE_BAND if own else absent.TITLE_ABOVE_CHART,
                "period": [-half, half],
                "up": axis(row.latency, log=False),
                "shares": [0.0, 1.05 * float(max(max(phases["t"]), max(phases["c"])))],
                "bands": [{"band": band.values} for band in own],
            }
        )
    values = {
        **sheet.values,
        "title": _title(folds),
        "marks": marks.of_marks(shared),
        "sharing": absent.sharing(band for own in bands for band in own),
        "without": f"{without} run{'s have' if without > 1 else ' has'} no period and "
        f"{'are' if without > 1 else 'is'} not drawn."
        if without
        else "",
        "order": [fold.row.number for fold in folds for _ in range(2)],
        "heights": {"points": heights[0], "phases": heights[1]},
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
        self.finding = finding
        self.period_ns = period_ns
        done = (row.run.completion_ns[row.index] - row.run.start_ns).astype(np.float64)
        turns = np.exp(2j * np.pi * (done / period_ns))
        self.origin_ns = float(np.angle(turns.mean())) / (2.0 * np.pi) * period_ns
        self.completion = self._phase(done)
        self.trigger = self._phase((row.run.trigger_ns - row.run.start_ns).astype(np.float64))

    def _phase(self, since_start: NDArray[np.float64]) -> NDArray[np.float64]:
        half = 0.5 * self.period_ns
        return np.asarray((since_start - self.origin_ns + half) % self.period_ns - half)

    def places(self, height: int) -> tuple[Pixels, Pixels]:
        """Where the transfers fall, px right and px up, float64, shape ``(n,)`` each."""
        low, high = span(self.row.latency, log=False)
        return (
            self.trigger[self.row.index] / self.period_ns * PLOT,
            (self.row.latency - low) / (high - low) * height,
        )


def _bands(sheet: Sheet, fold: _Fold) -> list[absent.Band]:
    lost = fold.row.indices(Outcome.LOST)
    if not len(lost):
        return []
    ns = sheet.unit.ns
    half = 0.5 * fold.period_ns / ns
    axis = f"phase of trigger, {sheet.unit.name}"
    return [absent.Band.of(fold.row, Outcome.LOST, fold.trigger[lost] / ns, (-half, half), axis)]


def _transfers(sheet: Sheet, fold: _Fold, shared: Marks, place: int) -> Columns:
    row, ns = fold.row, sheet.unit.ns
    kept = shared.kept[place]
    return {
        "i": row.index[kept],
        "x": np.round(fold.trigger[row.index[kept]] / ns, 5),
        "y": np.round(row.latency[kept], 5),
        "c": np.round(fold.completion[kept] / ns, 5),
        "n": shared.stand_for[place],
    }


def _phases(sheet: Sheet, fold: _Fold) -> tuple[Columns, Columns]:
    """How triggers and completions spread over the period: bars, and the corners of a line."""
    ns = sheet.unit.ns
    half = 0.5 * fold.period_ns / ns
    edges = np.linspace(-half, half, BINS + 1)
    columns = {}
    for name, phase in (("t", fold.trigger), ("c", fold.completion)):
        counts, _ = np.histogram(phase / ns, bins=edges)
        columns[name] = np.round(counts / max(int(counts.sum()), 1), 5)
    edges = np.round(edges, 5)
    # A step reaches to the next point: the last one needs a point at the end of the period.
    outline = {"x": edges, "t": [*columns["t"].tolist(), float(columns["t"][-1])]}
    return {"x": edges[:-1], "x2": edges[1:], **columns}, outline


def _words(sheet: Sheet, fold: _Fold) -> list[tuple[str, str]]:
    """Losses, and what the fold rests on."""
    said = [(f"period {quantity.duration(fold.period_ns, sheet.unit, digits=7)}", theme.QUIET)]
    # A power-save period is an own period with a name: the measure of it is with the latter.
    for finding in fold.row.run.findings:
        if finding.evidence.get("period_ns") == fold.period_ns and "r" in finding.evidence:
            for key, of in (("r", "completions"), ("r_trigger", "triggers")):
                gathered = finding.evidence.get(key)
                if isinstance(gathered, (int, float)):
                    said.append((f"R of {of} {gathered:.3f}", theme.QUIET))
            break
    if fold.row.lost:
        said.insert(0, (f"{quantity.count(fold.row.lost)} lost", theme.LOST))
    return said


def _clock(fold: _Fold, sheet: Sheet) -> str:
    period = quantity.duration(fold.period_ns, sheet.unit, digits=7)
    if fold.finding.name == "power-save":
        return f"answers wait for a beacon every {period}"
    if fold.finding.name == "phase-not-explored":
        return f"triggers keep step with a clock of {period}"
    return f"answers keep step with a clock of {period}"


def _title(folds: list[_Fold]) -> str:
    names = {fold.finding.name for fold in folds}
    if names == {"power-save"}:
        return "How long a transfer waits for the beacon"
    if names == {"phase-not-explored"}:
        return "Triggers meet the link at few phases of its clock"
    return "How long a transfer waits for the link's own clock"
