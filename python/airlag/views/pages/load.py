"""Latency and goodput against offered load: links over each other, as a picture or a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from airlag.core import quantity
from airlag.core.records import LoadPoint
from airlag.questions.identity import Asked, settings_in_words, told_apart
from airlag.questions.load import CARRIED, Loaded, sized
from airlag.views.pages import theme
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import Spec, fill

CROSSES = "Cross: the queue refused messages of this load, or the link lost some."


def chart(found: Sequence[Loaded]) -> Spec:
    """Draws latency and, below it, goodput against offered load for at least one link.

    Two panels on one axis of loads, so that no line turns back on itself. Above, for each link a
    line of p50 and a dashed one of p99, with crosses where messages were lost. Below, its goodput
    and the ceiling of it. A rule at its knee goes through both.
    """
    named = dict(zip(_names(found), found, strict=True))
    points = [(_row(name, point), point) for name, each in named.items() for point in each.points]
    known = [point.latency["p50"] for _, point in points if point.latency is not None]
    unit = quantity.unit_for(known)
    latencies = [
        row
        | {
            "quantile": which,
            "y": ns / unit.ns,
            "latency": f"{quantity.number(ns / unit.ns)} {unit.name}",
            "cross": which == "p99" and point.lost > 0,
        }
        for row, point in points
        if (told := point.latency) is not None
        for which, ns in (("p50", told["p50"]), ("p99", told["p99"]))
    ]
    goodputs = [row | {"y": point.goodput_kbps} for row, point in points if point.goodput_kbps > 0]
    knees = [{"link": name, "x": each.knee_kbps} for name, each in named.items() if each.knee_kbps]
    ceilings = [
        {"link": name, "y": each.saturated.ceiling_kbps}
        for name, each in named.items()
        if each.saturated.ceiling_kbps is not None
    ]

    def logarithmic(field: str, *tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
        # The axes stand even if nothing arrived.
        return axis([row[field] for rows in tables for row in rows] or [1.0], log=True)

    values = {
        "title": _title(found),
        "offer": _offer(found),
        "crosses": CROSSES if any(point.lost for _, point in points) else "",
        "unit": unit.name,
        "links": list(named),
        "colours": [theme.run_colour(nth) for nth in range(len(named))],
        "labels": json.dumps({name: f"{name}: {_limit(each)}" for name, each in named.items()}),
        "across": logarithmic("x", latencies, goodputs, knees),
        "up": logarithmic("y", latencies),
        "goodput": logarithmic("y", goodputs, ceilings),
    }
    tables = {"latencies": latencies, "goodputs": goodputs, "knees": knees, "ceilings": ceilings}
    return fill("load", values, tables)


def _names(found: Sequence[Loaded]) -> list[str]:
    """Name of each line: the link, its size where there are several, and what differs."""
    sizes = {each.offer.size for each in found}
    asked = [Asked(each.saturated.link, each.offer.size, each.offer.settings) for each in found]
    return [
        ", ".join(words.told if len(sizes) > 1 else [words.link, *words.differing])
        for words in told_apart(asked)
    ]


def _row(name: str, point: LoadPoint) -> dict[str, Any]:
    return {
        "link": name,
        "x": point.offered_kbps,
        "offered": f"{quantity.number(point.offered_kbps)} kbit/s, {point.utilisation:.3g}",
        "goodput": f"{quantity.number(point.goodput_kbps)} kbit/s",
        "queue": quantity.number(point.queue_mean, 3),
        "refused": quantity.share(point.refused, point.offered),
        "lost": quantity.share(point.lost - point.refused, point.offered),
    }


def _limit(each: Loaded) -> str:
    """Knee and ceiling of a link, in words."""
    knee, ceiling = each.knee_kbps, each.saturated.ceiling_kbps
    words = ["no knee at these loads" if knee is None else f"knee {quantity.number(knee)} kbit/s"]
    if ceiling is not None:
        words.append(f"ceiling {quantity.number(ceiling)} kbit/s")
    return ", ".join(words)


def _title(found: Sequence[Loaded]) -> str:
    if len(found) > 1:
        return "Latency and goodput against offered load"
    (each,) = found
    link, knee = each.saturated.link, each.knee_kbps
    if knee is None:
        return f"{link}: latency and goodput against offered load"
    return f"{link} carries up to {quantity.number(knee)} kbit/s; above that its queue is full"


def _offer(found: Sequence[Loaded]) -> str:
    offer = found[0].offer
    sizes = " or ".join(f"{size}" for size in dict.fromkeys(each.offer.size for each in found))
    sent = f"{sizes} B per message"
    if offer.traffic != CARRIED[0]:
        called = dict.fromkeys(sized(offer.traffic, each.offer.size) for each in found)
        sent = f"{' or '.join(called)} per call"
    # Settings that every line has are in none of their names.
    first, *others = (settings_in_words(one.saturated.link, one.offer.settings) for one in found)
    shared = [word for word in first if all(word in other for other in others)]
    words = [sent, *shared, f"{offer.arrivals} arrivals"]
    return f"{', '.join(words)}, queue of {quantity.count(offer.queue)}."
