"""Latency along the capture, run by run: drifts, steps, bursts, and when transfers were lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from airlag.core import quantity
from airlag.questions.runs import Outcome, Run
from airlag.views.pages import absent, marks, theme
from airlag.views.pages.charts import moments
from airlag.views.pages.sheet import LOG_BEYOND, PLOT, Row, Sheet, axis_between, span
from airlag.views.pages.spec import Columns, Spec, fill
from airlag.views.pages.thin import Marks, Pixels, share_marks

#: What the axis counts.
SECONDS = "time since the run began, s"

#: How a reader finds what has no latency, and what came late.
ABSENT = (
    "In the band above a panel, lost transfers are crosses, or bars where there are many, and "
    "transfers cut off by the end of the capture are diamonds."
)
LATE = "A triangle completed after the next trigger."

#: Height of the chart of a run by how many runs there are, px.
HEIGHTS = ((1, 300), (4, 170), (12, 110), (1_000_000, 70))


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    if all(run.trigger_ns is None for run in runs):
        return "a table of latencies has no clock"
    if all(run.trigger_ns is None or len(run.outcome) == 0 for run in runs):
        return "no trigger was seen"
    return None


def chart(runs: Sequence[Run], *, compared: bool = False) -> Spec:
    """Draw latency against the instant of the trigger, a panel a run.

    Parameters
    ----------
    runs
        At least one with a clock; runs without one are left out and named.
    compared
        Whether the panels share their axes; otherwise each has its own.

    Returns
    -------
    dict
        Lost transfers are crosses in a band above their panel, censored ones diamonds, completions
        that came late triangles.
    """
    sheet = Sheet.of(runs)
    rows = [row for row in sheet.rows if row.run.trigger_ns is not None and len(row.run.outcome)]
    height = next(high for most, high in HEIGHTS if len(rows) <= most)
    groups = [rows] * len(rows) if compared else [[row] for row in rows]
    frames = [_Frame(row, group, height) for row, group in zip(rows, groups, strict=True)]
    shared = share_marks([frame.places() for frame in frames])
    bands = {row.number: _bands(frame) for row, frame in zip(rows, frames, strict=True)}
    panels = []
    tables: dict[str, Columns] = {}
    for place, frame in enumerate(frames):
        row = frame.row
        own = bands[row.number]
        words = _words(sheet, row, height)
        tables |= {
            f"transfers-{row.number}": _transfers(frame, shared, place),
            f"moments-{row.number}": moments.table(row),
            f"words-{row.number}": marks.side_words(
                words, absent.AT if _gone(row) or not len(row.latency) else 8
            ),
            **{band.values["data"]: band.table for band in own},
        }
        panels.append(
            {
                "number": row.number,
                "name": row.name,
                "colour": row.colour,
                "title_offset": absent.TITLE_ABOVE_BAND if own else absent.TITLE_ABOVE_CHART,
                "across": {"domain": [0.0, frame.last_s], "nice": False, "zero": False},
                "x_title": SECONDS if place == len(frames) - 1 else "",
                "up": frame.up,
                "moments": bool(moments.of(row)),
                "bands": [{"band": band.values} for band in own],
            }
        )
    without = [row.name for row in sheet.rows if row.run.trigger_ns is None]
    values = {
        **sheet.values,
        "title": _title(rows),
        "absent_words": ABSENT if any(map(_gone, rows)) else "",
        "late_words": LATE if any(row.run.count(Outcome.LATE) for row in rows) else "",
        "marks": marks.of_marks(shared),
        "sharing": absent.sharing(band for own in bands.values() for band in own),
        "without": f"No clock, not drawn: {', '.join(without)}." if without else "",
        "several": len(sheet.rows) > 1,
        "seconds": SECONDS,
        "order": [row.number for row in rows],
        "height": height,
        "y_ticks": max(2, height // 36),
        "ends_s": {str(frame.row.number): frame.last_s for frame in frames},
        "ends_i": {str(row.number): len(row.run.outcome) - 0.5 for row in rows},
        "everywhere": {str(row.number): moments.everywhere(row) for row in rows},
        "panels": panels,
    }
    return fill("time", values, tables)


def _gone(row: Row) -> bool:
    return bool(row.lost or row.censored)


class _Frame:
    """Axes of the panel of one run, which show all runs of a group."""

    def __init__(self, row: Row, group: Sequence[Row], height: int) -> None:
        self.row = row
        self.height = height
        self.seconds = row.since_start(row.index)
        every = [
            each.since_start(np.arange(len(each.run.outcome), dtype=np.int64)) for each in group
        ]
        self.last_s = max(1e-9, *(float(each.max()) for each in every))
        latency = np.concatenate([each.latency for each in group])
        middles = [p50 for each in group if (p50 := each.quantile("p50")) is not None]
        self.log = bool(
            len(latency)
            and latency.min() > 0.0
            and middles
            and latency.max() / latency.min() > LOG_BEYOND
        )
        self.ends = span(latency, log=self.log) if len(latency) else (0.0, 1.0)
        self.up = axis_between(*self.ends, log=self.log)

    def places(self) -> tuple[Pixels, Pixels]:
        """Where the transfers fall, px right and px up, float64, shape ``(n,)`` each."""
        latency, (low, high) = self.row.latency, self.ends
        if self.log:
            up = np.log(latency / low) / np.log(high / low)
        else:
            up = (latency - low) / (high - low)
        return self.seconds / self.last_s * PLOT, up * self.height


def _bands(frame: _Frame) -> list[absent.Band]:
    row = frame.row
    return [
        absent.Band.of(row, outcome, row.since_start(index), (0.0, frame.last_s), "triggered at, s")
        for outcome in (Outcome.LOST, Outcome.CENSORED)
        if len(index := row.indices(outcome))
    ]


def _transfers(frame: _Frame, shared: Marks, place: int) -> Columns:
    row, kept = frame.row, shared.kept[place]
    codes = row.run.outcome[row.index[kept]]
    return {
        "i": row.index[kept],
        "x": np.round(frame.seconds[kept], 4),
        "y": row.latency[kept],
        "n": shared.stand_for[place],
        "late": (codes == Outcome.LATE).astype(np.int64),
    }


def _words(sheet: Sheet, row: Row, height: int) -> list[tuple[str, str]]:
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
    return said


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
