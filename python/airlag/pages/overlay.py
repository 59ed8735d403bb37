"""A capture and the virtual run that was held against it: both distributions, both along time."""

from __future__ import annotations

import os
from collections.abc import Sequence

from airlag.pages import chart_file, marks
from airlag.pages.charts import CHARTS
from airlag.runs import Run

#: Which charts of a report, one above the other.
PARTS = ("ridge", "distribution", "time")


def write_overlay(
    runs: Sequence[Run],
    said: str,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
) -> None:
    """Write a capture and the bench as one picture; the ending of the path decides what it is.

    Parameters
    ----------
    runs
        The capture, and the bench under its triggers.
    said
        Whether the one explains the other, in a sentence; a semicolon begins a line.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    """
    chart_file.write(chart(runs, said), path, name="overlay", what="a match", force=force)


def chart(runs: Sequence[Run], said: str) -> marks.Spec:
    """Draw where latencies gather, how many arrived within which time, and each along its run.

    Parameters
    ----------
    runs
        The capture, and the bench under its triggers; both have transfers that arrived.
    said
        Whether the one explains the other.
    """
    panels = [CHARTS[part][0](runs) for part in PARTS]
    first, *rest = (part.strip() for part in said.split(";"))
    spec = marks.stacked(panels, spacing=48, title=marks.titled(first, *rest))
    own = {"color": "independent", "strokeDash": "independent", "shape": "independent"}
    return spec | {"resolve": {"scale": own}}
