"""Shape of the latencies of each run, one ridge a run, smallest payload on top.

Each ridge has the same height.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.pages.spec import PLOT, Spec, fill

#: Height of a row, px: many runs get less. Its top is for the name of the run.
TALL, SHORT = 84, 50
NAME = 18.0

#: Below the baseline of a ridge, px.
FOOT = 4.0

#: Bounds of the smoothing, px: below the first noise shows, above the second structure is lost.
NARROWEST, WIDEST = 1.5, 6.0


def chart(runs: Sequence[Run]) -> Spec:
    """Draws runs of which at least one has 10 deliveries, ordered by size, then as given."""
    sheet = Sheet.of(runs)
    rows = sorted(sheet.rows, key=lambda row: (row.run.size is None, row.run.size or 0))
    tall = TALL if len(rows) <= 10 else SHORT
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
        "title": _title(sheet),
        "smoothing": " to ".join(ends),
    }
    tables = {
        "runs": sheet.runs,
        "ridges": marks.by_run([row for _, row in drawn], ridges),
        **marks.names_and_notes(rows, [_note(row) for row in rows], tall),
    }
    return fill("ridge", values, tables)


def _ridge(sheet: Sheet, row: Row) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Latency, height (0 to 1) and smoothing (px) of one ridge; the arrays float64, shape (k,)."""
    place = sheet.scale.px(row.latency, PLOT)
    # Half-pixel bins: the picture cannot show finer ones.
    bins = 2 * PLOT
    counts, _ = np.histogram(place, bins=bins, range=(0.0, float(PLOT)))
    sigma = _smoothing(place)
    reach = int(np.ceil(4.0 * sigma * 2.0))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (2.0 * sigma)) ** 2)
    high = np.convolve(counts, kernel, mode="full")[reach : reach + bins]
    high = high / high.max()
    px = (np.arange(bins) + 0.5) / 2.0
    # Keep the feet of the ridge and every second point where it is flat zero: nothing to see there.
    seen = high > 1e-3
    seen |= np.roll(seen, 1) | np.roll(seen, -1)
    seen[[0, -1]] = True
    return sheet.scale.at(px[seen], PLOT), high[seen], sigma


def _smoothing(place: NDArray[np.float64]) -> float:
    """Standard deviation of the smoothing kernel, px, by the rule of Silverman within bounds."""
    low, high = np.percentile(place, (25, 75))
    scale = min(float(place.std()), float(high - low) / 1.34) or float(place.std())
    return float(np.clip(0.9 * scale * len(place) ** -0.2, NARROWEST, WIDEST))


def _note(row: Row) -> str:
    if len(row.latency) == 0:
        return "nothing delivered"
    if len(row.latency) < 10:
        return f"{len(row.latency)} delivered: no shape"
    return row.losses()


def _title(sheet: Sheet) -> str:
    if len(sheet.rows) == 1:
        return f"{sheet.rows[0].name}: where the latencies gather"
    sizes = {row.run.size for row in sheet.rows}
    ordered = len(sizes) > 1 and None not in sizes
    return "Where the latencies gather" + (", smallest payload on top" if ordered else "")
