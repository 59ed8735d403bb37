"""Transfers that did not arrive: marks in a band above a chart, as they have no latency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from airlag.core.quantity import count
from airlag.questions.runs import Outcome
from airlag.views.pages import theme
from airlag.views.pages.sheet import Row, Scale
from airlag.views.pages.spec import PLOT, Columns
from airlag.views.pages.thin import Marks, share_marks

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


class Band(NamedTuple):
    """The transfers of a run with one outcome, in the band above its chart."""

    #: How they look: the variable ``band`` of the specification.
    values: dict[str, Any]
    #: A row a mark: its transfer, its place, how many transfers it stands for.
    table: Columns
    marks: Marks


def band(
    row: Row, outcome: Outcome, at: NDArray[np.float64], ends: tuple[float, float], axis: str
) -> Band:
    """Marks of the transfers of a run that are lost or censored.

    Parameters
    ----------
    at, ends
        Where each of them is on the axis of the chart, and its ends, float64.
    axis
        What it shows, for the tooltip.
    """
    right = Scale(*ends).px(at, PLOT)
    drawn = share_marks([(right, np.zeros(len(right)))], EVERY_ONE_UP_TO)
    kept = drawn.kept[0]
    dense = len(kept) >= BARS_FROM
    name = outcome.name.lower()
    look = {
        "data": f"{name}-{row.number}",
        "name": name,
        "axis": axis,
        "shape": theme.BAR if dense else SHAPES[outcome],
        "size": 70 if dense else 42,
        "stroke": COLOURS[outcome],
        "width": 0.8 if dense else 1.6,
    }
    index = row.indices(outcome)[kept]
    return Band(look, {"i": index, "x": at[kept].round(5), "n": drawn.stand_for[0]}, drawn)


def panel(row: Row, bands: Sequence[Band], **more: Any) -> dict[str, Any]:
    """What a specification has to know of the panel of a run with these bands above it."""
    return {
        "number": row.number,
        "colour": row.colour,
        "title_offset": TITLE_ABOVE_BAND if bands else TITLE_ABOVE_CHART,
        "bands": [{"band": band.values} for band in bands],
        **more,
    }


def sharing(bands: Iterable[Band]) -> str:
    """Line on losses that share marks; empty when each has its own."""
    every = [band.marks for band in bands]
    transfers, drawn = sum(each.transfers for each in every), sum(each.count for each in every)
    if transfers == drawn:
        return ""
    return f"{count(transfers)} that did not arrive as {count(drawn)} marks above."
