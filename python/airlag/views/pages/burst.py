"""Which messages of a train were lost, by their position: a panel a link, one above the other.

A bar is the share of trains that lost the message at its position. The band is where nearly all
bars end if losses are independent and equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from airlag.core import quantity
from airlag.questions.identity import settings_in_words
from airlag.questions.trains import Burst
from airlag.views.pages.sheet import LAYOUT
from airlag.views.pages.spec import Spec, fill

#: Bars that can be told apart; longer trains are told in parts.
BARS = 200
#: 97.5 % quantile of the normal distribution.
Z = 1.959963984540054


def chart(found: Sequence[Burst]) -> Spec:
    """Draw which positions of a train were lost, a panel for each of at least one link and size.

    Returns
    -------
    dict
        In each panel a bar a position, as high as the share of trains in which it was lost, before
        a band that holds 95 % of such bars if losses are independent, around a rule at their mean.
        The panels share their axes.
    """
    panels = []
    tables: dict[str, Any] = {}
    most = max(each.train.count for each in found)
    for nth, each in enumerate(found):
        rate = 1 - each.delivery
        bins = _bins(each)
        many = max(1, round(each.train.count / len(bins))) * each.train.trials
        reach = Z * math.sqrt(rate * (1 - rate) / many)
        ends = {"low": 100 * max(0.0, rate - reach), "high": 100 * min(1.0, rate + reach)}
        tables |= {
            f"band-{nth}": [ends],
            f"mean-{nth}": [{"lost": 100 * rate}],
            f"positions-{nth}": [
                {
                    "from": begin + 0.5,
                    "to": end + 0.5,
                    "lost": 100 * part,
                    "positions": f"{begin + 1}" if end == begin + 1 else f"{begin + 1} to {end}",
                    "share": f"{quantity.number(100 * part)} %",
                }
                for begin, end, part in bins
                if part > 0
            ],
        }
        title = "position in the train" if each is found[-1] else ""
        panels.append({"nth": nth, "name": _name(each), "x_title": title})
    positions = [0.5, most + 0.5]
    values = {**LAYOUT, "title": _title(found), "positions": positions, "panels": panels}
    return fill("burst", values, tables)


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
