"""Latency against the phase of the clock that was found behind it: what the link waits for."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag import quantity
from airlag.pages import absent, marks, theme
from airlag.pages.sheet import AXIS, PLOT, Row, Sheet, span
from airlag.pages.thin import Marks, Pixels, share_marks
from airlag.runs import Finding, Outcome, Run

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


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw latency against the phase of the trigger, and the phases themselves, a panel a run.

    Phase 0 is where the completions gather.

    Parameters
    ----------
    runs
        At least one with a finding that names a period.

    Returns
    -------
    marks.Spec
        Above, a point a transfer; below, how triggers (grey) and completions (colour) spread over
        the period: completions on one peak over even triggers are the link's own clock.
    """
    sheet = Sheet.of(runs)
    folds = [
        _Fold(row, *found) for row in sheet.rows for found in [_found(row)] if found is not None
    ]
    heights = next(both for most, both in HEIGHTS if len(folds) <= most)
    shared = share_marks([fold.places(heights[0]) for fold in folds])
    panels = [_panel(sheet, fold, shared, place, heights) for place, fold in enumerate(folds)]
    without = len(sheet.rows) - len(folds)
    return marks.stacked(
        [panel for panel, _ in panels],
        spacing=26,
        title=marks.titled(
            _title(folds),
            "Above, each transfer by the phase of its trigger. Below, the phases of all triggers "
            "(grey line) and of all completions (filled); phase 0 is where completions gather.",
            marks.how_many(shared),
            absent.sharing(band for _, bands in panels for band in bands),
            f"{without} run{'s have' if without > 1 else ' has'} no period and "
            f"{'are' if without > 1 else 'is'} not drawn."
            if without
            else "",
        ),
        meta={"panels": [fold.row.number for fold in folds for _ in range(2)]},
    )


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


def _panel(
    sheet: Sheet,
    fold: _Fold,
    shared: Marks,
    place: int,
    heights: tuple[int, int],
) -> tuple[marks.Spec, list[Marks]]:
    """Panel of one run, and the marks in the band above it."""
    ns = sheet.unit.ns
    half = 0.5 * fold.period_ns / ns
    scale = marks.scale(-half, half)
    x_above = alt.X(
        "x:Q", scale=scale, axis=alt.Axis(title=None, labels=False, ticks=False, tickCount=12)
    )
    row = fold.row
    layers = [_points(sheet, fold, shared, place, x_above)]
    lost = row.indices(Outcome.LOST)
    bands = []
    if len(lost):
        at = fold.trigger[lost] / ns
        what = f"phase of trigger, {sheet.unit.name}"
        band, drawn = absent.band(Outcome.LOST, lost, at, x_above, (-half, half), what)
        layers.append(band)
        bands.append(drawn)
    layers.append(_words(sheet, fold))
    above = marks.layered(
        *layers,
        width=PLOT,
        height=heights[0],
        title=alt.Title(
            text=f"{row.name}: {_clock(fold, sheet)}",
            fontSize=12,
            offset=absent.TITLE_ABOVE_BAND if bands else absent.TITLE_ABOVE_CHART,
        ),
    )
    return marks.stacked([above, _phases(sheet, fold, scale, heights[1])], spacing=6), bands


def _points(sheet: Sheet, fold: _Fold, shared: Marks, place: int, x: alt.X) -> alt.Chart:
    row, ns = fold.row, sheet.unit.ns
    kept = shared.kept[place]
    low, high = span(row.latency, log=False)
    data = marks.table(
        {
            "i": row.index[kept],
            "x": fold.trigger[row.index[kept]] / ns,
            "y": row.latency[kept],
            "c": fold.completion[kept] / ns,
            "n": shared.stand_for[place],
        },
        decimals=5,
    )
    drawn: alt.Chart = (
        alt.Chart(data)
        .mark_circle(
            size=marks.mark_area(shared),
            color=row.colour,
            aria=False,
        )
        .encode(
            x=x,
            y=alt.Y(
                "y:Q",
                scale=marks.scale(low, high),
                axis=alt.Axis(title=f"latency, {sheet.unit.name}", minExtent=AXIS),
            ),
            opacity=marks.crowding(shared),
            tooltip=[
                alt.Tooltip("i:Q", title="transfer"),
                alt.Tooltip("x:Q", title=f"phase of trigger, {sheet.unit.name}", format=",.5~f"),
                alt.Tooltip("c:Q", title=f"phase of completion, {sheet.unit.name}", format=",.5~f"),
                alt.Tooltip("y:Q", title=f"latency, {sheet.unit.name}", format=",.5~f"),
                alt.Tooltip("n:Q", title="transfers in this mark"),
            ],
        )
    )
    return drawn


def _phases(sheet: Sheet, fold: _Fold, scale: alt.Scale, height: int) -> marks.Spec:
    """Draw how triggers and completions spread over the period."""
    ns = sheet.unit.ns
    half = 0.5 * fold.period_ns / ns
    edges = np.linspace(-half, half, BINS + 1)
    columns = {}
    for name, phase in (("t", fold.trigger), ("c", fold.completion)):
        counts, _ = np.histogram(phase / ns, bins=edges)
        columns[name] = counts / max(int(counts.sum()), 1)
    data = marks.table({"x": edges[:-1], "x2": edges[1:], **columns}, decimals=5)
    x = alt.X(
        "x:Q",
        scale=scale,
        axis=alt.Axis(title=f"phase in the period, {sheet.unit.name}", tickCount=12),
    )
    axis = alt.Axis(title="share", format="~%", tickCount=2, minExtent=AXIS)
    top = float(max(columns["t"].max(), columns["c"].max())) * 1.05
    y_scale = alt.Scale(domain=[0.0, top], nice=False)
    tooltip = [
        alt.Tooltip("x:Q", title="phase from", format=",.4~f"),
        alt.Tooltip("x2:Q", title="to", format=",.4~f"),
        alt.Tooltip("t:Q", title="of triggers", format=".1%"),
        alt.Tooltip("c:Q", title="of completions", format=".1%"),
    ]
    filled = (
        alt.Chart(data)
        .mark_rect(color=fold.row.colour, opacity=0.65, aria=False)
        .encode(
            x=x,
            x2=alt.X2("x2:Q"),
            y=alt.Y("c:Q", scale=y_scale, axis=axis),
            y2=alt.Y2Datum(0),
            tooltip=tooltip,
        )
    )
    # A step reaches to the next point: the last one needs a point at the end of the period.
    ends = marks.table({"x": edges, "t": [*columns["t"], columns["t"][-1]]}, decimals=5)
    outline = (
        alt.Chart(ends)
        .mark_line(interpolate="step-after", color=theme.QUIET, strokeWidth=1.3, aria=False)
        .encode(x=x, y=alt.Y("t:Q", scale=y_scale, axis=axis))
    )
    key = marks.side_words([("completions", fold.row.colour), ("triggers", theme.QUIET)])
    return marks.layered(filled, outline, key, width=PLOT, height=height)


def _words(sheet: Sheet, fold: _Fold) -> alt.Chart:
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
    return marks.side_words(said, absent.AT if fold.row.lost else 8)


def _clock(fold: _Fold, sheet: Sheet) -> str:
    period = quantity.duration(fold.period_ns, sheet.unit, digits=7)
    if fold.finding.name == "power-save":
        return f"answers wait for a beacon every {period}"
    if fold.finding.name == "phase-not-explored":
        return f"triggers keep step with a clock of {period}"
    return f"answers keep the beat of a clock of {period}"


def _title(folds: list[_Fold]) -> str:
    names = {fold.finding.name for fold in folds}
    if names == {"power-save"}:
        return "How long a transfer waits for the beacon"
    if names == {"phase-not-explored"}:
        return "Triggers meet the link at few phases of its clock"
    return "How long a transfer waits for the link's own clock"
