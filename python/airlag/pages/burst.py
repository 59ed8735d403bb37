"""Which messages of a train were lost, by their position: a panel a link, one above the other.

The bars are the trains in which the message at that position was lost; the band is where nearly all
of them would end if each message were lost by itself, as often as any other.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import pairwise

import altair as alt

from airlag import quantity
from airlag.asked import settings_in_words
from airlag.burst import Burst
from airlag.pages import chart_file, marks, theme
from airlag.pages.sheet import PLOT

#: Height of a panel, px.
HEIGHT = 150
#: Bars that can be told apart; longer trains are told in parts.
BARS = 200
#: 97.5 % quantile of the normal distribution.
Z = 1.959963984540054


def write_burst(
    found: Sequence[Burst], path: str | os.PathLike[str], *, force: bool = False
) -> None:
    """Write the chart of lost positions; the ending of the path decides what it is.

    Parameters
    ----------
    found
        At least one.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another; one line.
    """
    chart_file.write(chart(found), path, name="burst", what="trains", force=force)


def chart(found: Sequence[Burst]) -> marks.Spec:
    """Draw which positions of a train were lost, a panel for each link and size.

    Parameters
    ----------
    found
        At least one.

    Returns
    -------
    marks.Spec
        For each a bar a position, its height the trains in which it was lost, before a band that
        holds 95 % of such bars if losses are independent, around a rule at their mean.
    """
    panels = [_panel(each, each is found[-1]) for each in found]
    return marks.stacked(panels, spacing=26, title=marks.titled(_title(found), *_reading()))


def _panel(each: Burst, last: bool) -> marks.Spec:
    bins = _bins(each)
    places = each.train.count
    rate = 1 - each.delivery
    values = [
        {
            "from": begin + 0.5,
            "to": end + 0.5,
            "lost": 100 * part,
            "positions": f"{begin + 1}" if end == begin + 1 else f"{begin + 1} to {end}",
            "share": f"{quantity.number(100 * part)} %",
        }
        for begin, end, part in bins
        if part > 0
    ]
    many = max(1, round(places / len(bins))) * each.train.trials
    reach = Z * math.sqrt(rate * (1 - rate) / many)
    band = [{"low": 100 * max(0.0, rate - reach), "high": 100 * min(1.0, rate + reach)}]
    across = alt.Scale(domain=[0.5, places + 0.5], nice=False)
    title = "position in the train" if last else None
    x = alt.X("from:Q", scale=across, axis=alt.Axis(title=title, tickMinStep=1, format="d"))
    up = alt.Scale(domain=[0, 100])
    y = alt.Y("lost:Q", scale=up, axis=alt.Axis(title="lost, % of trains", tickCount=5))
    expected = (
        alt.Chart(alt.InlineData(values=band))
        .mark_rect(color=theme.QUIET, opacity=0.22, aria=False)
        .encode(y=alt.Y("low:Q", scale=up), y2="high:Q")
    )
    mean = (
        alt.Chart(alt.InlineData(values=[{"lost": 100 * rate}]))
        .mark_rule(color=theme.QUIET, strokeDash=[4, 3], aria=False)
        .encode(y=y)
    )
    bars = (
        alt.Chart(alt.InlineData(values=values))
        .mark_rect(color=theme.LOST, aria=False)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            y2=alt.datum(0),
            tooltip=[alt.Tooltip(f"{key}:N", title=key) for key in ("positions", "share")],
        )
    )
    return marks.layered(
        expected,
        bars,
        mean,
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(_name(each)),
    )


def _bins(each: Burst) -> list[tuple[int, int, float]]:
    """Positions from, to and what share of them was lost."""
    places = each.train.count
    parts = min(places, BARS)
    edges = [part * places // parts for part in range(parts + 1)]
    return [
        (begin, end, sum(each.lost_at[begin:end]) / ((end - begin) * each.train.trials))
        for begin, end in pairwise(edges)
    ]


def _name(each: Burst) -> str:
    train = each.train
    how = [f"{each.link}, {train.size} B"]
    how += settings_in_words(each.link, train.settings)
    if train.pace_ns is not None:
        how.append(f"one every {quantity.exact(train.pace_ns)}")
    if train.repeat:
        how.append("repeated")
    return f"{', '.join(how)}: {quantity.number(100 * each.delivery)} % delivered"


def _title(found: Sequence[Burst]) -> str:
    if len(found) > 1:
        return "Which messages of a train are lost"
    (each,) = found
    if not each.lost:
        return f"{each.link}: every message arrives"
    shift = each.position
    if shift is None or shift.which == "any":
        return f"{each.link}: any message may be lost"
    return f"{each.link}: the {shift.which} messages are lost"


def _reading() -> Sequence[str]:
    return (
        "A bar: in how many of the trains the message at that position did not arrive. "
        "Dashed: the share lost of all messages.",
        "Band: where 95 % of the bars would end if every message were lost by itself, as often as "
        "any other.",
    )
