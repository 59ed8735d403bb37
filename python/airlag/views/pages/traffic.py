"""Charts of traffic: links under load, message trains, and overloaded tunnels."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from airlag.core import quantity
from airlag.core.records import LoadPoint
from airlag.core.types import RealLoad, Tunnel, VirtualLoad
from airlag.questions.identity import RunSettings, labels, settings_in_words
from airlag.questions.load import CARRIED, Loaded, sized
from airlag.questions.trains import Burst
from airlag.questions.tunnel_bench import curve_name
from airlag.views.pages import theme
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import Spec, fill

Load = VirtualLoad | RealLoad

CROSSES = "Cross: the queue refused messages of this load, or the link lost some."


def load(found: Sequence[Loaded]) -> Spec:
    """Draws latency and, below it, goodput against offered load for at least one link.

    Both panels share the load axis. The upper panel has a solid p50 line and a dashed p99 line per
    link, with crosses where messages were lost. The lower panel has the goodput and the ceiling. A
    vertical line marks the knee in both panels.
    """
    named = dict(zip(_names(found), found, strict=True))
    points = [
        (_load_row(name, point), point) for name, each in named.items() for point in each.points
    ]
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
        if (latency := point.latency) is not None
        for which, ns in (("p50", latency["p50"]), ("p99", latency["p99"]))
    ]
    goodputs = [row | {"y": point.goodput_kbps} for row, point in points if point.goodput_kbps > 0]
    knees = [{"link": name, "x": each.knee_kbps} for name, each in named.items() if each.knee_kbps]
    ceilings = [
        {"link": name, "y": each.saturated.ceiling_kbps}
        for name, each in named.items()
        if each.saturated.ceiling_kbps is not None
    ]

    def logarithmic(field: str, *tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
        # The axis has explicit ends, because there may be no deliveries.
        return axis([row[field] for rows in tables for row in rows] or [1.0], log=True)

    values = {
        "title": _load_title(found),
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
    """Name of each line: the link, and the size and settings if they differ between lines."""
    sizes = {each.offer.size for each in found}
    asked = [RunSettings(one.saturated.link, one.offer.size, one.offer.settings) for one in found]
    return [
        ", ".join(words.words if len(sizes) > 1 else [words.link, *words.differing])
        for words in labels(asked)
    ]


def _load_row(name: str, point: LoadPoint) -> dict[str, Any]:
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
    words = [
        "no knee within these loads" if knee is None else f"knee {quantity.number(knee)} kbit/s"
    ]
    if ceiling is not None:
        words.append(f"ceiling {quantity.number(ceiling)} kbit/s")
    return ", ".join(words)


def _load_title(found: Sequence[Loaded]) -> str:
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
    # Line names omit the settings that all lines share.
    first, *others = (settings_in_words(one.saturated.link, one.offer.settings) for one in found)
    shared = [word for word in first if all(word in other for other in others)]
    words = [sent, *shared, f"{offer.arrivals} arrivals"]
    return f"{', '.join(words)}, queue of {quantity.count(offer.queue)}."


#: Maximum number of distinguishable bars; longer trains are summed in groups.
BARS = 200
#: 97.5 % quantile of the normal distribution.
Z = 1.959963984540054


def burst(found: Sequence[Burst]) -> Spec:
    """Draws losses by position of a message in its train, with one panel per link and size.

    A bar is the share of trains that lost the message at this position. The band around the mean
    loss contains 95 % of the bars if losses are independent. All panels have the same axes.
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
        panels.append({"nth": nth, "name": _burst_name(each), "x_title": title})
    positions = [0.5, max(each.train.count for each in found) + 0.5]
    values = {"title": _burst_title(found), "positions": positions, "panels": panels}
    return fill("burst", values, tables)


def _burst_name(each: Burst) -> str:
    train = each.train
    how = [f"{each.link}, {train.size} B"]
    how += settings_in_words(each.link, train.settings)
    if train.pace_ns is not None:
        how.append(f"one every {quantity.exact(train.pace_ns)}")
    if train.repeat:
        how.append("repeated")
    return f"{', '.join(how)}: {quantity.number(100 * each.delivery)} % delivered"


def _burst_title(found: Sequence[Burst]) -> str:
    if len(found) > 1:
        return "Which messages of a train are lost"
    (each,) = found
    if not each.lost:
        return f"{each.link}: every message arrives"
    shift = each.position
    if shift is None or shift.which == "any":
        return f"{each.link}: any message may be lost"
    return f"{each.link}: the {shift.which} messages are lost"


#: Lower bound of values on a logarithmic axis, ms.
SHORTEST = 1.0

#: Published maximum throughput of the naive tunnel, kbit/s, and its source.
PUBLISHED_KBPS = 185.0
SOURCE = "EITN30, Performance evaluation"
#: Legend label of the published line.
LINE = f"published: T · (B / {PUBLISHED_KBPS:g} kbit/s - 1), {SOURCE}"

#: Protocol property that each ceiling accounts for.
_OF: Mapping[Tunnel, str] = {
    "tunnel": "block acknowledgement",
    "naive": "each payload acknowledged",
}

#: Colours of the tunnels. Orange comes last, because it is closest to the vermillion of losses.
_COLOURS = (theme.RUN_COLOURS[0], *theme.RUN_COLOURS[2:], theme.RUN_COLOURS[1])

#: Series drawn for each load.
SPARSE, EXCESS = "sparse flow, p95", "longer than intended"


def under_load(found: Sequence[Load]) -> Spec:
    """Draws latency and, below it, loss against offered bandwidth on logarithmic axes.

    For each tunnel, the solid line is the latency of a sparse flow next to the bulk traffic. The
    dashed line is the latency as the published measurement defines it: the time by which the bulk
    traffic took longer to arrive than intended. Vertical lines mark the ceilings of goodput, and
    crosses mark losses. Loads without an offered bandwidth (TCP) are omitted.
    """
    drawn = [load for load in found if load["offered_kbps"] is not None]
    names = list(dict.fromkeys(curve_name(load) for load in drawn))
    rows = [row for load in drawn for row in _tunnel_rows(load)]
    line, rules = _published(drawn), _ceilings(drawn)
    across = [load["offered_kbps"] or SHORTEST for load in drawn] or [1.0]
    curves = [*names, LINE] if line else names
    clock = drawn[0]["clock"] if drawn else "virtual"
    labels = {name: name for name in curves} | {rule["tunnel"]: rule["label"] for rule in rules}
    colours = [_COLOURS[nth % len(_COLOURS)] for nth in range(len(names))]
    values = {
        "title": f"Latency and loss of tunnels against offered bandwidth, in {clock} time",
        "reading": _reading(drawn, bool(line)),
        "what": [SPARSE, EXCESS],
        "curves": curves,
        "colours": [*colours, theme.CENSORED][: len(curves)],
        "labels": json.dumps(labels),
        "across": axis(across + [rule["x"] for rule in rules], log=True),
        "up": axis([row["y"] for row in rows + line] or [1.0], log=True),
    }
    losses = [
        {
            "tunnel": curve_name(load),
            "x": load["offered_kbps"],
            "y": 100 * (load["lost"] or 0) / max(load["offered"] or 0, 1),
        }
        for load in drawn
    ]
    tables = {"loads": rows, "published": line, "ceilings": rules, "losses": losses}
    return fill("under-load", values, tables)


def _tunnel_rows(load: Load) -> list[dict[str, Any]]:
    sparse, excess = load["sparse_latency_ns"], load["completion_excess_ns"]
    lost, offered = load["lost"], load["offered"]
    shown = {
        "tunnel": curve_name(load),
        "x": load["offered_kbps"],
        "offered": f"{quantity.number(load['offered_kbps'] or 0)} kbit/s",
        "goodput": f"{quantity.number(load['goodput_kbps'])} kbit/s",
        "lost": "–" if lost is None or offered is None else quantity.share(lost, offered),
    }
    crossed = bool(lost or load["sparse_lost"])
    return [
        shown
        | {
            "what": what,
            "y": ns / 1e6,
            "cross": what == SPARSE and crossed,
            "latency": f"{quantity.number(ns / 1e6)} ms",
        }
        for what, ns in ((SPARSE, None if sparse is None else sparse["p95"]), (EXCESS, excess))
        if ns is not None and ns / 1e6 >= SHORTEST
    ]


def _published(loads: Sequence[Load]) -> list[dict[str, Any]]:
    """The published line for the naive tunnel, over its offered loads; empty if there are none."""
    naive = [load for load in loads if load["profile"] == "naive"]
    most = max((load["offered_kbps"] or 0.0 for load in naive), default=0.0) / PUBLISHED_KBPS
    if most <= 1.01:
        return []
    times = np.geomspace(1.01, most, 40)
    late_ms = naive[0]["window_ns"] / 1e6 * (times - 1)
    return [
        {"tunnel": LINE, "x": PUBLISHED_KBPS * over, "y": ms}
        for over, ms in zip(times.tolist(), late_ms.tolist(), strict=True)
        if ms >= SHORTEST
    ]


def _ceilings(loads: Sequence[Load]) -> list[dict[str, Any]]:
    """Calculated ceilings, one for each tunnel and its settings."""
    found: dict[str, dict[str, Any]] = {}
    for load in loads:
        if load["clock"] == "virtual" and (kbps := load["ceiling_kbps"]) is not None:
            name = curve_name(load)
            limit = f"{quantity.number(kbps)} kbit/s of user data, {_OF[load['profile']]}"
            rule = {"tunnel": name, "x": kbps, "label": f"{name}: ceiling {limit}"}
            found.setdefault(name, rule)
    return list(found.values())


def _reading(loads: Sequence[Load], published: bool) -> list[str]:
    if not loads:
        return ["No load was offered as UDP."]
    seconds = f"{loads[0]['window_ns'] / 1e9:g}"
    lines = [
        f"Bulk: UDP with full packets for T = {seconds} s. Sparse flow: 64 B every 100 ms. "
        "Solid, circles: p95 of the latency of the sparse flow. Dashed, triangles: how much longer "
        "than T the bulk took to arrive.",
    ]
    if any(load["clock"] == "virtual" for load in loads):
        lines.append("Dotted rules: calculated ceilings.")
    if published:
        lines.append(
            "Wide grey line: the published measurement of the naive tunnel, with an unlimited "
            "queue. The virtual bench's queue holds 500 packets and drops the rest."
        )
    if any(load["lost"] or load["sparse_lost"] for load in loads):
        lines.append("Cross: packets of this load were lost, most of them in queues.")
    late = _late(loads)
    return [*lines, late] if late else lines


def _late(loads: Sequence[Load]) -> str:
    """Scheduling delay of emulations in real time, in words."""
    late = [load["late_ns"] for load in loads if load["clock"] == "real"]
    known = [one for one in late if one is not None and one["n"]]
    if not known:
        return ""
    p50, p99 = (max(one[name] for one in known) / 1e6 for name in ("p50", "p99"))
    return (
        f"Scheduling delay of the emulator: median up to {quantity.number(p50, 3)} ms, "
        f"p99 up to {quantity.number(p99, 3)} ms."
    )
