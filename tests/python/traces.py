"""Traces for tests: as plain data that can be compared, drawn at random, and as capture files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from airlag import Trace

MS = 10**6

#: One stretch of a channel: begin, end, initial level, edges; ns.
Segment = tuple[int, int, bool, list[int]]


def make(channels: Sequence[Sequence[Segment]], names: Sequence[str] | None = None) -> Trace:
    """A trace from plain data."""
    told = names or [f"Channel {index}" for index in range(len(channels))]
    return Trace.from_edges(
        told,
        [
            [
                (begin, end, initial, np.array(edges, np.int64))
                for begin, end, initial, edges in channel
            ]
            for channel in channels
        ],
        None,
        None,
    )


def plain(trace: Trace) -> dict[str, Any]:
    """Everything in a trace, comparable with ``==``."""
    return {
        "epoch_unix_ns": trace.epoch_unix_ns,
        "sample_rate_hz": trace.sample_rate_hz,
        "names": trace.names,
        "channels": edges_of(trace),
    }


def edges_of(trace: Trace) -> list[list[Segment]]:
    """The channels of a trace as plain data."""
    return [
        [
            (begin, end, initial, trace.edges_ns(channel, segment).tolist())
            for segment, (begin, end, initial) in enumerate(trace.segments(channel))
        ]
        for channel in range(len(trace.names))
    ]


def link(
    count: int = 40, lost: Sequence[int] = (), period: int = 100 * MS, latency: int = 3 * MS
) -> Trace:
    """Triggers every ``period``, each completed ``latency`` to 2 ms later unless lost, ns."""
    triggers = [10 * MS + index * period for index in range(count)]
    completions = [
        at + latency + index * 618_034 % (2 * MS)
        for index, at in enumerate(triggers)
        if index not in lost
    ]
    end = triggers[-1] + 2 * period
    return make(
        [
            [(0, end, False, [edge for at in triggers for edge in (at, at + MS)])],
            [(0, end, False, [edge for at in completions for edge in (at, at + 50_000)])],
        ]
    )


def beyond_all_links(count: int = 40) -> Trace:
    """Triggers every 100 ms, each completed within 4 ns: less than any link takes."""
    triggers = [10 * MS + index * 100 * MS for index in range(count)]
    end = triggers[-1] + 200 * MS
    fast = [edge for index, at in enumerate(triggers) for edge in (at + 2 + index % 3, at + 50_000)]
    return make(
        [
            [(0, end, False, [edge for at in triggers for edge in (at, at + MS)])],
            [(0, end, False, fast)],
        ]
    )


def logic2_csv(path: Path, trace: Trace) -> Path:
    """Writes the first two channels as a Logic 2 CSV, without help from the code under test."""
    (a,), (b,) = edges_of(trace)[:2]
    levels = [a[2], b[2]]
    instants = sorted({a[0], a[1], *a[3], *b[3]})
    edges = [set(a[3]), set(b[3])]
    lines = ["Time [s],Channel 0,Channel 1"]
    for at in instants:
        levels = [level ^ (at in edges[index]) for index, level in enumerate(levels)]
        lines.append(f"{at // 10**9}.{at % 10**9:09d},{levels[0]:d},{levels[1]:d}")
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


@st.composite
def segments(draw: st.DrawFn) -> list[Segment]:
    """One channel: up to three stretches in time order, each with up to 12 edges."""
    stretches = []
    at = draw(st.integers(-(10**12), 10**12))
    for _ in range(draw(st.integers(0, 3))):
        steps = draw(st.lists(st.integers(0, 10**9), max_size=12))
        begin = at
        edges = []
        for step in steps:
            at += step
            edges.append(at)
        at += draw(st.integers(0, 10**9))
        stretches.append((begin, at, draw(st.booleans()), edges))
        at += draw(st.integers(1, 10**9))
    return stretches


@st.composite
def traces(draw: st.DrawFn, fewest: int = 0, most: int = 4) -> Trace:
    """Any trace: gaps, edges at one instant, channels without edges, odd names."""
    channels = draw(st.lists(segments(), min_size=fewest, max_size=most))
    names = draw(
        st.lists(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
            min_size=len(channels),
            max_size=len(channels),
        )
    )
    return Trace.from_edges(
        names,
        [
            [(b, e, i, np.array(edges, np.int64)) for b, e, i, edges in channel]
            for channel in channels
        ],
        draw(st.none() | st.integers(-(2**62), 2**62)),
        draw(st.none() | st.floats(1, 1e9)),
    )
