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
from airlag.views.pages.spec import Spec, fill

#: Bars that can be told apart; longer trains are told in parts.
BARS = 200
#: 97.5 % quantile of the normal distribution.
Z = 1.959963984540054


def chart(found: Sequence[Burst]) -> Spec:
    """Draws which positions of a train were lost, a panel for each of at least one link and size.

    The band holds 95 % of the bars if losses are independent, around a rule at their mean. The
    panels share their axes.
    """
    panels = []
    tables: dict[str, Any] = {}
    for nth, each in enumerate(found):
        train, rate = each.train, 1 - each.delivery
        parts = min(train.count, BARS)
        edges = [part * train.count // parts for part in range(parts + 1)]
        lost = [
            (begin, end, sum(each.lost_at[begin:end]) / ((end - begin) * train.trials))
            for begin, end in pairwise(edges)
        ]
        many = max(1, round(train.count / parts)) * train.trials
        reach = Z * math.sqrt(rate * (1 - rate) / many)
        tables |= {
            f"band-{nth}": [
                {"low": 100 * max(0.0, rate - reach), "high": 100 * min(1.0, rate + reach)}
            ],
            f"mean-{nth}": [{"lost": 100 * rate}],
            f"positions-{nth}": [
                {
                    "from": begin + 0.5,
                    "to": end + 0.5,
                    "lost": 100 * part,
                    "positions": f"{begin + 1}" if end == begin + 1 else f"{begin + 1} to {end}",
                    "share": f"{quantity.number(100 * part)} %",
                }
                for begin, end, part in lost
                if part > 0
            ],
        }
        title = "position in the train" if each is found[-1] else ""
        panels.append({"nth": nth, "name": _name(each), "x_title": title})
    positions = [0.5, max(each.train.count for each in found) + 0.5]
    values = {"title": _title(found), "positions": positions, "panels": panels}
    return fill("burst", values, tables)


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
