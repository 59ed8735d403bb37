"""A capture and the virtual run that was held against it: both distributions, both along time."""

from __future__ import annotations

import os
from collections.abc import Sequence

from airlag.questions.runs import Run
from airlag.views.pages import chart_file
from airlag.views.pages.charts import distribution, ridge, time
from airlag.views.pages.spec import Spec, stacked


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


def chart(runs: Sequence[Run], said: str) -> Spec:
    """Draw where latencies gather, how many arrived within which time, and each along its run.

    Parameters
    ----------
    runs
        The capture, and the bench under its triggers; both have transfers that arrived.
    said
        Whether the one explains the other.
    """
    charts = {
        "ridge": ridge.chart(runs),
        "distribution": distribution.chart(runs),
        "time": time.chart(runs, compared=True),
    }
    first, *rest = (part.strip() for part in said.split(";"))
    return stacked(charts, first, rest)
