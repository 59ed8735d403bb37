"""``airlag demo``: three classic measurement mistakes on generated captures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import RenderableType
from rich.text import Text

from airlag.cli import terminal
from airlag.cli.report import write
from airlag.cli.summary import finding_block
from airlag.cli.work import Working
from airlag.core.quantity import count, duration, unit_for
from airlag.core.types import Naive
from airlag.questions import capture
from airlag.questions.analysis import analyze_many
from airlag.questions.demo import LESSONS, Times, naive_latencies_ns, write_captures
from airlag.questions.runs import Outcome, Run
from airlag.views.table import Cell, Column, Paragraph, Table, named


@dataclass(frozen=True, slots=True)
class _Reading:
    """One capture, read by a naive script and by airlag."""

    run: Run
    naive_ns: Times

    def to_json(self) -> Naive:
        """Result of the naive pairing, for JSON."""
        return {
            "transfers": len(self.naive_ns),
            "p50": float(np.median(self.naive_ns)),
            "max": int(self.naive_ns.max()),
        }


def demo(
    *,
    folder: Path = Path("reports"),
    work: Working,
) -> None:
    """Generate three small captures, and compare the results of a script and of airlag.

    The script makes three mistakes: it counts a loss as a delay, counts one pulse twice, and
    attributes a firmware tick to the radio. The page first-look.html has charts of the captures.
    """
    page = folder / "first-look.html"
    with terminal.refusing(OSError, ValueError), terminal.progress("taking a first look", 1):
        (folder / "first-look").mkdir(parents=True, exist_ok=True)
        paths = write_captures(folder / "first-look", force=work.force)
        runs = analyze_many(paths)
        naive = [naive_latencies_ns(capture.read(path)) for path in paths]
        write(runs, page, work.force)
    readings = {
        run.source: _Reading(run, naive_ns) for run, naive_ns in zip(runs, naive, strict=True)
    }
    work.wrote += [page, *paths] if work.json else []
    work.show(
        [reading.run.to_json() | {"naive": reading.to_json()} for reading in readings.values()],
        lambda: [*_shown(readings), "", Text(f"Charts of these runs: {page}")],
    )


def _shown(readings: Mapping[str, _Reading]) -> Iterator[RenderableType]:
    yield _table(list(readings.values()))
    for lesson in LESSONS:
        of_lesson = [readings[name] for name in lesson.captures]
        yield from ("", Text(lesson.mistake, style="bold"), Paragraph(_conclusion(of_lesson)))
        caught = {f.name: f for reading in of_lesson for f in reading.run.findings}
        yield from (finding_block(caught[name]) for name in lesson.findings if name in caught)


def _table(readings: Sequence[_Reading]) -> Table:
    columns = [named("capture", style=""), Column("read by", right=False, style="dim")]
    columns += [Column(name) for name in ("transfers", "lost", "median", "max")]
    rows = []
    for reading in readings:
        run, naive_ns = reading.run, reading.naive_ns
        naive = (run.source, "a script", count(len(naive_ns)), "", *_times(naive_ns))
        lost = count(run.count(Outcome.LOST))
        proper = ("", "airlag", count(len(run.latency_ns)), lost, *_times(run.latency_ns))
        rows += [[*map(Cell, naive)], [*map(Cell, proper)]]
    return Table(columns, rows, margin=0)


def _times(latencies_ns: Times) -> tuple[str, str]:
    median, longest = float(np.median(latencies_ns)), float(latencies_ns.max())
    unit = unit_for([longest])
    return duration(median, unit, 5), duration(longest, unit, 5)


def _conclusion(readings: Sequence[_Reading]) -> Text:
    """Returns conclusions from the naive numbers, computed from the naive result alone."""
    if len(readings) > 1:
        medians = [float(np.median(reading.naive_ns)) for reading in readings]
        apart = medians[-1] - medians[0]
        slower = duration(apart, unit_for([apart]))
        return Text(
            f"The script reports the second run as {slower} slower, although the radio is the same."
        )
    (reading,) = readings
    surplus = len(reading.naive_ns) - len(reading.run.outcome)
    if surplus > 0:
        return Text(f"The script counts {surplus} more transfers than triggers.")
    longest = reading.run.latency_ns.max()
    late = reading.naive_ns[reading.naive_ns > longest]
    wrong = float(np.median(late))
    told = duration(wrong, unit_for([wrong]))
    return Text(f"The script reports {told} as the latency of each of {len(late)} lost messages.")
