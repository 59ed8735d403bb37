"""Charts with one row per run: ranking, box plot with all transfers, and ridges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from airlag.core import quantity
from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.marks import share_marks
from airlag.views.pages.sheet import Row, Sheet, axis_between
from airlag.views.pages.spec import PLOT, Columns, Spec, fill

#: Height of a row and of its bar, px; smaller for many runs.
LEAGUE_TALL, LEAGUE_SHORT = (36, 14), (28, 9)

#: Largest-to-smallest ratio above which bars from zero would hide the short ones.
BARS_UP_TO = 50.0


def no_league(runs: Sequence[Run]) -> str | None:
    """Returns one line on why the chart does not apply, or ``None``."""
    if len(runs) < 2:
        return "a ranking needs at least two runs"
    if not _placed(Sheet.of(runs)):
        return "no run has an upper quartile"
    return None


def league(runs: Sequence[Run]) -> Spec:
    """Draws two or more runs as bars, sorted by length: the upper quartile of the latency.

    Bars start at zero and have a tick at the median. If the upper quartiles differ too much, points
    on a log axis replace the bars. Runs without deliveries come last, without a bar.
    """
    sheet = Sheet.of(runs)
    placed = _placed(sheet)
    named = {row.number for row, _ in placed}
    left_out = [row for row in sheet.rows if row.number not in named]
    rows = [row for row, _ in placed] + left_out
    shortest, longest = placed[0][1], placed[-1][1]
    log = shortest > 0.0 and longest > BARS_UP_TO * shortest
    tall, bar = LEAGUE_TALL if len(rows) <= 16 else LEAGUE_SHORT
    # The name is at the top of the row, the bar below it.
    drop = 8.0 / tall
    bars, values, losses = [], [], []
    for place, (row, p75) in enumerate(placed):
        at = (row.number, place + drop)
        p50 = (row.quantile("p50") or 0.0) / sheet.unit.ns
        bars.append((*at, p75, p50, row.lost, len(row.run.outcome)))
        values.append((*at, sheet.text(p75 * sheet.unit.ns)))
        if row.lost:
            losses.append((*at, f"{quantity.share(row.lost, row.known)} lost"))
    for place, row in enumerate(left_out, len(placed)):
        losses.append((row.number, place + drop, "nothing delivered"))
    # A log axis has no zero for bars to start from, so points with leader lines replace them.
    low = min(shortest, *(p50 for *_, p50, _, _ in bars if p50 > 0.0)) / 1.5 if log else 0.0
    filled = {
        **sheet.values,
        **marks.rows_down(rows, tall),
        "title": _league_title(sheet, placed),
        "shape": "Point" if log else "Bar",
        "log": log,
        "bar": bar,
        "axis": axis_between(low, longest * (1.15 if log else 1.02), log=log),
        "lossy": bool(losses),
    }
    tables = {
        "runs": sheet.runs,
        "bars": marks.table(("r", "y", "x", "p50", "lost", "triggers"), bars),
        "values": marks.table(("r", "y", "text"), values),
        "losses": marks.table(("r", "y", "text"), losses),
        "names": marks.names_and_notes(rows, [""] * len(rows), tall)["names"],
    }
    return fill("league", filled, tables)


def _placed(sheet: Sheet) -> list[tuple[Row, float]]:
    """Rows with their 75th percentile in the sheet's unit, smallest first."""
    found = [(row, row.quantile("p75")) for row in sheet.rows]
    return sorted(
        ((row, value / sheet.unit.ns) for row, value in found if value is not None),
        key=lambda each: (each[1], each[0].number),
    )


def _league_title(sheet: Sheet, placed: list[tuple[Row, float]]) -> str:
    (first, shortest), (last, longest) = placed[0], placed[-1]
    ns = sheet.unit.ns
    if len(placed) == 1:
        return f"Three in four transfers of {first.name} take at most {sheet.text(ns * shortest)}"
    short, long = sheet.texts(ns * shortest, ns * longest)
    if short == long:
        return f"Three in four transfers of every run take at most {short}"
    return f"Three in four transfers take at most {short} ({first.name}) to {long} ({last.name})"


class Layout(NamedTuple):
    """Vertical layout of a row, px from its top."""

    tall: float
    box_at: float
    box_high: float
    points_from: float
    points_to: float


#: Spacious layout for up to :data:`ROOMY` runs: name, box, points; and a compact one.
ROOMY = 8
WIDE = Layout(tall=82, box_at=29, box_high=20, points_from=44, points_to=74)
TIGHT = Layout(tall=52, box_at=23, box_high=11, points_from=32, points_to=47)

#: Quantiles of a box.
QUANTILES = ("p1", "p25", "p50", "p75", "p99")

#: Golden-ratio steps spread points evenly without random numbers.
GOLDEN = 0.6180339887498949


def box(runs: Sequence[Run]) -> Spec:
    """Draws every transfer as a point below the box of its run, with losses as text.

    At least one of the runs has a delivery.
    """
    sheet = Sheet.of(runs)
    rows = sheet.delivered
    tall, _, high, top, foot = layout = WIDE if len(sheet.rows) <= ROOMY else TIGHT
    # Vertical position of the points in their row, px from its top.
    turns = [np.arange(len(row.latency), dtype=np.float64) * GOLDEN % 1.0 for row in rows]
    spread = [np.asarray(top + (foot - top) * each, np.float64) for each in turns]
    shared = share_marks(
        [(sheet.scale.px(row.latency, PLOT), down) for row, down in zip(rows, spread, strict=True)]
    )
    transfers = (
        {
            "i": row.index[kept],
            "x": row.latency[kept],
            "y": np.round(row.number - 0.5 + down[kept] / tall, 3),
            "n": many,
        }
        for row, down, kept, many in zip(rows, spread, shared.kept, shared.stand_for, strict=True)
    )
    notes = [row.losses() if len(row.latency) else "nothing delivered" for row in sheet.rows]
    values = {
        **sheet.values,
        **marks.rows_down(sheet.rows, tall),
        "title": _box_title(sheet),
        "marks": marks.of_marks(shared),
        "box": high,
        "whisker": high * 0.6,
    }
    tables = {
        "runs": sheet.runs,
        "transfers": marks.by_run(rows, transfers),
        "boxes": _boxes(sheet, layout),
        **marks.names_and_notes(sheet.rows, notes, tall),
    }
    return fill("box", values, tables)


def _boxes(sheet: Sheet, layout: Layout) -> Columns:
    boxes = []
    for row in sheet.delivered:
        found = [ns / sheet.unit.ns for ns in row.quantiles(*QUANTILES)]
        if len(found) == len(QUANTILES):
            boxes.append((row.number, row.number - 0.5 + layout.box_at / layout.tall, *found))
    return marks.table(("r", "y", *QUANTILES), boxes)


def _box_title(sheet: Sheet) -> str:
    rows = sheet.delivered
    middle = [(p50, row) for row in rows if (p50 := row.quantile("p50")) is not None]
    if not middle:
        return "Latency of every transfer"
    if len(sheet.rows) == 1:
        row = rows[0]
        low, high = row.quantile("p25"), row.quantile("p75")
        if low is None or high is None or low == high:
            return f"{row.name}: half of the transfers take {sheet.text(middle[0][0])}"
        first, second = sheet.texts(low, high)
        return f"{row.name}: the middle half takes {first} to {second}"
    fastest = min(middle, key=lambda each: each[0])
    slowest = max(middle, key=lambda each: each[0])
    first, second = sheet.texts(fastest[0], slowest[0])
    if first == second:
        return f"Every median is {first}"
    return f"Medians from {first} ({fastest[1].name}) to {second} ({slowest[1].name})"


#: Height of a row, px, including the name at its top; smaller for many runs.
RIDGE_TALL, RIDGE_SHORT = 84, 50
NAME = 18.0

#: Space below the baseline of a ridge, px.
FOOT = 4.0

#: Bounds of the smoothing bandwidth, px: noise shows below it, structure is lost above it.
NARROWEST, WIDEST = 1.5, 6.0


def ridge(runs: Sequence[Run]) -> Spec:
    """Draws latency densities of runs, smallest payload first; equal payloads keep their order.

    At least one of the runs must have 10 delivered transfers. All ridges have the same height.
    """
    sheet = Sheet.of(runs)
    rows = sorted(sheet.rows, key=lambda row: (row.run.size is None, row.run.size or 0))
    tall = RIDGE_TALL if len(rows) <= 10 else RIDGE_SHORT
    base = 0.5 - FOOT / tall
    crest = 1.0 - (NAME + FOOT) / tall
    drawn = [(place, row) for place, row in enumerate(rows) if len(row.latency) >= 10]
    smoothing, ridges = [], []
    for place, row in drawn:
        x, high, sigma = _ridge(sheet, row)
        smoothing.append(sigma)
        foot = np.full(len(x), np.round(place + base, 4))
        ridges.append({"x": x, "y": np.round(place + base - crest * high, 4), "y2": foot})
    ends = dict.fromkeys(f"{each:.1f}" for each in (min(smoothing), max(smoothing)))
    values = {
        **sheet.values,
        **marks.rows_down(rows, tall),
        "title": _ridge_title(sheet),
        "smoothing": " to ".join(ends),
    }
    tables = {
        "runs": sheet.runs,
        "ridges": marks.by_run([row for _, row in drawn], ridges),
        **marks.names_and_notes(rows, [_note(row) for row in rows], tall),
    }
    return fill("ridge", values, tables)


def _ridge(sheet: Sheet, row: Row) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Latency, height (0 to 1; float64, shape (k,)) and smoothing (px) of one ridge."""
    place = sheet.scale.px(row.latency, PLOT)
    # Half-pixel bins match the resolution of the picture.
    bins = 2 * PLOT
    counts, _ = np.histogram(place, bins=bins, range=(0.0, float(PLOT)))
    sigma = _smoothing(place)
    reach = int(np.ceil(4.0 * sigma * 2.0))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (2.0 * sigma)) ** 2)
    high = np.convolve(counts, kernel, mode="full")[reach : reach + bins]
    high = high / high.max()
    px = (np.arange(bins) + 0.5) / 2.0
    # Keep the feet of the ridge; thin out flat zeros.
    seen = high > 1e-3
    seen |= np.roll(seen, 1) | np.roll(seen, -1)
    seen[[0, -1]] = True
    return sheet.scale.at(px[seen], PLOT), high[seen], sigma


def _smoothing(place: NDArray[np.float64]) -> float:
    """Standard deviation of the smoothing kernel, px: Silverman's rule within bounds."""
    low, high = np.percentile(place, (25, 75))
    scale = min(float(place.std()), float(high - low) / 1.34) or float(place.std())
    return float(np.clip(0.9 * scale * len(place) ** -0.2, NARROWEST, WIDEST))


def _note(row: Row) -> str:
    if len(row.latency) == 0:
        return "nothing delivered"
    if len(row.latency) < 10:
        return f"{len(row.latency)} delivered: no shape"
    return row.losses()


def _ridge_title(sheet: Sheet) -> str:
    if len(sheet.rows) == 1:
        return f"{sheet.rows[0].name}: distribution of latencies"
    sizes = {row.run.size for row in sheet.rows}
    ordered = len(sizes) > 1 and None not in sizes
    return "Distribution of latencies" + (", smallest payload on top" if ordered else "")
