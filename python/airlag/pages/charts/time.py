"""Latency along the capture, run by run: drifts, steps, bursts, and when transfers were lost."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import numpy as np

from airlag import quantity
from airlag.pages import absent, marks, theme
from airlag.pages.charts import moments
from airlag.pages.sheet import AXIS, LOG_BEYOND, PLOT, Row, Sheet, log_ticks, span
from airlag.pages.thin import Marks, Pixels, share_marks
from airlag.runs import Outcome, Run

#: What the axis counts.
SECONDS = "time since the run began, s"

#: Height of the chart of a run by how many runs there are, px.
HEIGHTS = ((1, 300), (4, 170), (12, 110), (1_000_000, 70))


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    if all(run.trigger_ns is None for run in runs):
        return "a table of latencies has no clock"
    if all(run.trigger_ns is None or len(run.outcome) == 0 for run in runs):
        return "no trigger was seen"
    return None


def chart(runs: Sequence[Run]) -> marks.Spec:
    """Draw latency against the instant of the trigger, a panel a run.

    Parameters
    ----------
    runs
        At least one with a clock; runs without one are left out and named.

    Returns
    -------
    marks.Spec
        Each panel has its own axes. Lost transfers are crosses in a band above the panel,
        censored ones diamonds, completions that came late triangles.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.rows if row.run.trigger_ns is not None and len(row.run.outcome)]
    height = next(high for most, high in HEIGHTS if len(rows) <= most)
    frames = [_Frame(row, height) for row in rows]
    shared = share_marks([frame.places() for frame in frames])
    panels = [
        _panel(sheet, frame, shared, place, last=place == len(frames) - 1)
        for place, frame in enumerate(frames)
    ]
    without = [row.name for row in sheet.rows if row.run.trigger_ns is None]
    return marks.stacked(
        [panel for panel, _ in panels],
        spacing=18,
        title=marks.titled(
            _title(rows),
            "In the band above a panel: lost transfers as crosses, or bars where there are many; "
            "those cut off by the end of the capture as diamonds."
            if any(row.lost or row.censored for row in rows)
            else "",
            "A triangle came after the next trigger."
            if any(row.run.count(Outcome.LATE) for row in rows)
            else "",
            marks.how_many(shared),
            absent.sharing(band for _, bands in panels for band in bands),
            f"No clock, not drawn: {', '.join(without)}." if without else "",
        ),
        meta={
            "panels": [row.number for row in rows],
            "latency": {"axis": "y", "unit": sheet.unit.name},
            "time": {
                "x": {
                    "title": SECONDS,
                    "ends": {str(frame.row.number): frame.last_s for frame in frames},
                },
                "i": {
                    "title": "transfer",
                    "ends": {str(row.number): len(row.run.outcome) - 0.5 for row in rows},
                },
            },
            "everywhere": {str(row.number): moments.everywhere(row) for row in rows},
        },
    )


class _Frame:
    """Axes of the panel of one run."""

    def __init__(self, row: Row, height: int) -> None:
        self.row = row
        self.height = height
        self.seconds = row.since_start(row.index)
        every = row.since_start(np.arange(len(row.run.outcome), dtype=np.int64))
        self.last_s = max(float(every.max()), 1e-9)
        latency = row.latency
        middle = row.quantile("p50")
        self.log = bool(
            len(latency)
            and latency.min() > 0.0
            and middle is not None
            and latency.max() / latency.min() > LOG_BEYOND
        )
        self.low, self.high = span(latency, log=self.log) if len(latency) else (0.0, 1.0)

    def places(self) -> tuple[Pixels, Pixels]:
        """Where the transfers fall, px right and px up, float64, shape ``(n,)`` each."""
        latency = self.row.latency
        if self.log:
            up = np.log(latency / self.low) / np.log(self.high / self.low)
        else:
            up = (latency - self.low) / (self.high - self.low)
        return self.seconds / self.last_s * PLOT, up * self.height


def _panel(
    sheet: Sheet, frame: _Frame, shared: Marks, place: int, *, last: bool
) -> tuple[marks.Spec, list[Marks]]:
    """Panel of one run, and the marks in the band above it."""
    row = frame.row
    x = alt.X(
        "x:Q",
        scale=marks.scale(0.0, frame.last_s),
        axis=alt.Axis(
            title=SECONDS if last else None,
            grid=False,
            tickCount=10,
            format="~f",
        ),
    )
    layers = [*moments.layers(row, x, frame.height), _points(sheet, frame, shared, place, x)]
    bands = []
    for outcome in (Outcome.LOST, Outcome.CENSORED):
        index = row.indices(outcome)
        if len(index):
            at = row.since_start(index)
            band, drawn = absent.band(outcome, index, at, x, (0.0, frame.last_s), "triggered at, s")
            layers.append(band)
            bands.append(drawn)
    layers.append(_words(sheet, row, frame.height))
    title = None
    if len(sheet.rows) > 1:
        offset = absent.TITLE_ABOVE_BAND if bands else absent.TITLE_ABOVE_CHART
        title = alt.Title(text=row.name, fontSize=12, offset=offset)
    return marks.layered(*layers, width=PLOT, height=frame.height, title=title), bands


def _points(sheet: Sheet, frame: _Frame, shared: Marks, place: int, x: alt.X) -> alt.Chart:
    row = frame.row
    kept = shared.kept[place]
    codes = row.run.outcome[row.index[kept]]
    data = marks.table(
        {
            "i": row.index[kept],
            "x": np.round(frame.seconds[kept], 4),
            "y": row.latency[kept],
            "n": shared.stand_for[place],
            "late": (codes == Outcome.LATE).astype(np.int64),
        }
    )
    kind = " (log axis)" if frame.log else ""
    axis = alt.Axis(
        title=f"latency, {sheet.unit.name}{kind}",
        minExtent=AXIS,
        tickCount=max(2, frame.height // 36),
    )
    if frame.log:
        axis = alt.Axis(
            title=f"latency, {sheet.unit.name}{kind}",
            minExtent=AXIS,
            values=log_ticks(frame.low, frame.high),
            format="~r",
            labelOverlap=True,
        )
    drawn: alt.Chart = (
        alt.Chart(data)
        .mark_point(
            filled=True,
            size=marks.mark_area(shared),
            color=row.colour,
            aria=False,
        )
        .encode(
            x=x,
            y=alt.Y(
                "y:Q",
                scale=marks.scale(frame.low, frame.high, log=frame.log),
                axis=axis,
            ),
            opacity=marks.crowding(shared),
            shape=alt.Shape(
                "late:N",
                scale=alt.Scale(domain=[0, 1], range=["circle", "triangle-up"]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("i:Q", title="transfer"),
                alt.Tooltip("x:Q", title="triggered at, s", format=",.4~f"),
                alt.Tooltip("y:Q", title=f"latency, {sheet.unit.name}", format=",.6~f"),
                alt.Tooltip("n:Q", title="transfers in this mark"),
            ],
        )
    )
    return drawn


def _words(sheet: Sheet, row: Row, height: int) -> alt.Chart:
    said = [
        (f"{quantity.count(many)} {word}", colour)
        for many, word, colour in (
            (row.lost, "lost", theme.LOST),
            (row.censored, "censored", theme.CENSORED),
        )
        if many
    ]
    if not len(row.latency):
        said.append(("nothing delivered", theme.LOST))
    first = absent.AT if said else 8
    digits = row.digits(sheet.unit)
    for key in ("p50", "p99", "max"):
        value = row.quantile(key)
        if value is not None and first + marks.LINE * len(said) < height:
            said.append((f"{key} {quantity.duration(value, sheet.unit, digits)}", theme.QUIET))
    return marks.side_words(said, first)


def _title(rows: list[Row]) -> str:
    if len(rows) > 1:
        return "Latency along each run"
    row = rows[0]
    for finding in row.run.findings:
        if finding.name == "drift-ramp" and isinstance(finding.evidence.get("ppm"), (int, float)):
            slope = quantity.number(float(finding.evidence["ppm"]), 3)  # type: ignore[arg-type]
            return f"{row.name}: latency drifts by {slope} us every second"
    if row.lost:
        return f"{row.name}: latency along the run; {row.losses()}"
    return f"{row.name}: latency along the run"
