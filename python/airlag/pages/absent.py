"""What did not arrive: marks in a band above a chart, because they have no latency to stand at."""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag.pages import marks, theme
from airlag.pages.sheet import PLOT
from airlag.pages.thin import Marks, Pixels, share_marks
from airlag.quantity import count
from airlag.runs import Outcome

#: Middle of the band, px from the top of the chart below it.
AT = -10

#: Above a chart with a band, its title keeps this distance, px; above one without, the other.
TITLE_ABOVE_BAND, TITLE_ABOVE_CHART = 20, 8

#: Up to this many in one band each has a mark; more share marks where they would overlap.
EVERY_ONE_UP_TO = 2000

#: From this many on in one band, losses are thin bars, which show where they are dense.
BARS_FROM = 150

SHAPES = {Outcome.LOST: theme.CROSS, Outcome.CENSORED: "diamond"}
COLOURS = {Outcome.LOST: theme.LOST, Outcome.CENSORED: theme.CENSORED}


def shared(right: Pixels) -> Marks:
    """Marks of a band.

    Parameters
    ----------
    right
        Where its transfers fall, px, float64, shape ``(n,)``.
    """
    return share_marks([(right, np.zeros(len(right)))], EVERY_ONE_UP_TO)


def band(
    outcome: Outcome,
    index: NDArray[np.int64],
    at: NDArray[np.float64],
    x: alt.X,
    ends: tuple[float, float],
    what: str,
) -> tuple[alt.Chart, Marks]:
    """Mark transfers above a chart.

    Parameters
    ----------
    outcome
        What became of them: lost or censored.
    index
        Which transfers, int64, shape ``(n,)``.
    at
        Where they stand on the axis of the chart, in its unit, float64, shape ``(n,)``.
    x
        That axis.
    ends
        Its ends, in its unit.
    what
        What the axis shows, for the tooltip.

    Returns
    -------
    altair.Chart
        Crosses for losses, diamonds for censored transfers.
    Marks
        How many marks these are.
    """
    drawn = shared((at - ends[0]) / (ends[1] - ends[0]) * PLOT)
    kept = drawn.kept[0]
    dense = len(kept) >= BARS_FROM
    name = outcome.name.lower()
    data = marks.table(
        {"i": index[kept], "x": at[kept], "n": drawn.stand_for[0]},
        decimals=5,
    )
    chart: alt.Chart = (
        alt.Chart(data)
        .transform_calculate(outcome=f"'{name}'")
        .mark_point(
            shape=theme.BAR if dense else SHAPES[outcome],
            size=70 if dense else 42,
            stroke=COLOURS[outcome],
            strokeWidth=0.8 if dense else 1.6,
            aria=False,
        )
        .encode(
            x=x,
            y=marks.y_px(AT),
            tooltip=[
                alt.Tooltip("outcome:N"),
                alt.Tooltip("i:Q", title="transfer"),
                alt.Tooltip("x:Q", title=what, format=",.5~f"),
                alt.Tooltip("n:Q", title="transfers in this mark"),
            ],
        )
    )
    return chart, drawn


def sharing(bands: Iterable[Marks]) -> str:
    """Say when losses share marks; nothing when each has its own."""
    every = list(bands)
    transfers, drawn = sum(each.transfers for each in every), sum(each.count for each in every)
    if transfers == drawn:
        return ""
    return f"{count(transfers)} that did not arrive as {count(drawn)} marks above."
