"""Where along a run its findings happen: a line at a moment, a band over a stretch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import altair as alt
import numpy as np

from airlag.pages import marks, theme
from airlag.pages.sheet import Row
from airlag.runs import Finding

#: Below the top of the panel, px: the first name, and how far the next is below it.
FIRST, NEXT = 9.0, 13.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What happened to some transfers of a run.

    Attributes
    ----------
    first, last
        The transfers it is true of; the same one where something changed with it.
    says
        In a few words, after the name of the finding.
    """

    first: int
    last: int
    says: str


def of(row: Row) -> list[Moment]:
    """The findings of a run that have a place in it, in the order they are listed.

    Losses and censored transfers have marks of their own, one each.
    """
    return [found for finding in row.run.findings for found in _placed(row, finding)]


def everywhere(row: Row) -> list[str]:
    """Names of the findings that are true of the run as a whole."""
    placed = {finding.name for finding in row.run.findings if any(_placed(row, finding))} | _MARKED
    return [finding.name for finding in row.run.findings if finding.name not in placed]


#: Findings whose transfers each have a mark.
_MARKED = {"lost-transfers", "censored-end"}


def _placed(row: Row, finding: Finding) -> Iterator[Moment]:
    evidence, last = finding.evidence, len(row.run.outcome) - 1
    match finding.name, evidence:
        case "trend", {"at_index": int(at)} if at <= last:
            yield Moment(at, at, f"trend: jump at transfer {at}")
        case "lost-transfers", {"dead_from": int(at)} if at <= last:
            yield Moment(at, last, f"lost-transfers: nothing arrives from transfer {at} on")
        case "warm-up", {"count": int(many)} if 0 < many <= len(row.index):
            yield Moment(0, int(row.index[many - 1]), f"warm-up: the first {many}")


def layers(row: Row, x: alt.X, height: int) -> list[alt.Chart]:
    """Bands and lines of the findings of a run, with their names; none where none has a place.

    Parameters
    ----------
    row
        A run with a clock.
    x
        Axis of time of its panel.
    height
        Of its panel, px.
    """
    found = of(row)
    if not found:
        return []
    first = np.array([each.first for each in found], np.int64)
    last = np.array([each.last for each in found], np.int64)
    down = [FIRST + NEXT * nth for nth in range(len(found))]
    data = marks.table(
        {
            "i": first - 0.5,
            "i2": last + 0.5,
            "x": row.since_start(first),
            "x2": row.since_start(last),
            "px": down,
            "text": [each.says for each in found],
        }
    )
    base = alt.Chart(data)
    foot = alt.Y2Value(height)  # type: ignore[no-untyped-call]
    words: alt.Chart = base.mark_text(align="left", dx=4, color=theme.INK, aria=False).encode(
        x=x, y=alt.Y("px:Q", scale=None), text=alt.Text("text:N")
    )
    return [
        base.mark_rect(color=theme.QUIET, opacity=0.18, aria=False).encode(
            x=x, x2=alt.X2("x2:Q"), y=marks.y_px(0), y2=foot
        ),
        base.mark_rule(color=theme.QUIET, strokeDash=[4, 2], aria=False).encode(
            x=x,
            y=marks.y_px(0),
            y2=foot,
            tooltip=[alt.Tooltip("text:N", title="finding"), alt.Tooltip("i:Q", title="from")],
        ),
        words,
    ]
