"""Latency against offered bandwidth: tunnels over each other, and a published measurement of one.

A solid curve is the latency of a sparse flow beside the bulk. A dashed curve is what the published
measurement calls latency: how much longer than intended the bulk took to arrive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from airlag.core import quantity
from airlag.questions.tunnel_bench import told
from airlag.views.pages import theme
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import Spec, fill

if TYPE_CHECKING:
    from airlag.core.types import RealLoad, Tunnel, VirtualLoad

    Load = VirtualLoad | RealLoad


#: What is shorter has no place on an axis of powers of ten, ms.
SHORTEST = 1.0

#: What was published of the naive tunnel: the most it carried, kbit/s, and where.
PUBLISHED_KBPS = 185.0
SOURCE = "EITN30, Performance evaluation"
#: Its name as a curve.
LINE = f"published: T · (B / {PUBLISHED_KBPS:g} kbit/s - 1), {SOURCE}"

#: What the ceiling of each is of.
_OF: Mapping[Tunnel, str] = {
    "tunnel": "block acknowledgement",
    "naive": "each payload acknowledged",
}

#: Colours of the tunnels: orange, next to the vermillion of losses, comes last.
_COLOURS = (theme.RUN_COLOURS[0], *theme.RUN_COLOURS[2:], theme.RUN_COLOURS[1])

#: What is drawn of each load.
SPARSE, EXCESS = "sparse flow, p95", "longer than intended"


def chart(found: Sequence[Load]) -> Spec:
    """Draws latency against offered bandwidth, both logarithmic, and below it what was lost.

    For each tunnel a solid line of the sparse flow and a dashed one of the excess, the published
    line, rules at the ceilings, crosses where packets were lost, and their share below. Loads
    without an offered bandwidth (TCP) are left out.
    """
    drawn = [load for load in found if load["offered_kbps"] is not None]
    names = list(dict.fromkeys(told(load) for load in drawn))
    rows = [row for load in drawn for row in _rows(load)]
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
            "tunnel": told(load),
            "x": load["offered_kbps"],
            "y": 100 * (load["lost"] or 0) / max(load["offered"] or 0, 1),
        }
        for load in drawn
    ]
    tables = {"loads": rows, "published": line, "ceilings": rules, "losses": losses}
    return fill("under-load", values, tables)


def _rows(load: Load) -> list[dict[str, Any]]:
    sparse, excess = load["sparse_latency_ns"], load["completion_excess_ns"]
    lost, offered = load["lost"], load["offered"]
    shown = {
        "tunnel": told(load),
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
    """The published line over the loads that the naive tunnel was offered; nothing without it."""
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
    """What the formulas allow, one for each tunnel and its settings."""
    found: dict[str, dict[str, Any]] = {}
    for load in loads:
        if load["clock"] == "virtual" and (kbps := load["ceiling_kbps"]) is not None:
            name = told(load)
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
        lines.append("Dotted rules: ceilings of the formulas.")
    if published:
        lines.append(
            "Wide grey line: the published measurement of the naive tunnel, with an unlimited "
            "queue. The queue on the bench holds 500 packets and drops the rest."
        )
    if any(load["lost"] or load["sparse_lost"] for load in loads):
        lines.append("Cross: packets of this load were lost, most of them in queues.")
    late = _late(loads)
    return [*lines, late] if late else lines


def _late(loads: Sequence[Load]) -> str:
    """How late the emulation was where it ran in real time."""
    late = [load["late_ns"] for load in loads if load["clock"] == "real"]
    known = [one for one in late if one is not None and one["n"]]
    if not known:
        return ""
    p50, p99 = (max(one[name] for one in known) / 1e6 for name in ("p50", "p99"))
    return (
        f"Scheduling delay of the emulator: median up to {quantity.number(p50, 3)} ms, "
        f"p99 up to {quantity.number(p99, 3)} ms."
    )
