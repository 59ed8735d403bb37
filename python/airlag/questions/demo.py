"""Three mistakes in measuring a radio, as generated captures.

Bench scripts make these mistakes in ways that are hard to notice: a lost packet is counted as late,
one trigger pulse is counted twice, or the fixture's tick is attributed to the radio. The captures
have a fixed seed. :func:`naive_latencies_ns` evaluates the captures like such a script.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import Trace, write

Times = NDArray[np.int64]

#: Random seed of the captures.
SEED = 1
_US, _MS, _S = 10**3, 10**6, 10**9
#: Sample interval of the simulated analyser, ns: 50 MS/s.
_GRID_NS = 20
_STROBE_NS = 50 * _US


@dataclass(frozen=True, slots=True)
class Lesson:
    """One mistake, and the findings that reveal it."""

    #: Name of the mistake.
    mistake: str
    #: File names of the captures; the extension selects the format.
    captures: tuple[str, ...]
    #: Findings that reveal it.
    findings: tuple[str, ...]


LESSONS = (
    Lesson("A loss counted as a delay", ("lost-is-not-late.csv",), ("lost-transfers",)),
    Lesson("One pulse counted twice", ("one-pulse-two-edges.vcd",), ("trigger-glitch",)),
    Lesson(
        "A tick attributed to the radio",
        ("frozen-tick-1.csv", "frozen-tick-2.vcd"),
        ("drift-ramp",),
    ),
)


def write_captures(folder: Path, *, force: bool = False) -> list[Path]:
    """Writes the captures of all :data:`LESSONS` into a folder; returns their paths."""
    random = np.random.default_rng(SEED)
    traces = (
        _lossy(random),
        _notched(random),
        _ticking(random, phase_ns=1_200 * _US),
        _ticking(random, phase_ns=6_900 * _US),
    )
    names = [name for lesson in LESSONS for name in lesson.captures]
    for name, trace in zip(names, traces, strict=True):
        write(folder / name, trace, force)
    return [folder / name for name in names]


def naive_latencies_ns(trace: Trace) -> Times:
    """Latencies as a naive script computes them, ns.

    Each rise of the first channel counts as a trigger. The next rise of the second channel,
    however late, counts as the completion of this trigger.
    """
    triggers, completions = _rises(trace, 0), _rises(trace, 1)
    following = np.searchsorted(completions, triggers, side="right")
    answered = following < len(completions)
    latencies: Times = completions[following[answered]] - triggers[answered]
    return latencies


def _rises(trace: Trace, channel: int) -> Times:
    (_, _, initial) = trace.segments(channel)[0]
    rises: Times = trace.edges_ns(channel, 0)[int(initial) :: 2]
    return rises


def _lossy(random: np.random.Generator) -> Trace:
    """Slow radio with 2 % loss and without late packets."""
    triggers = _schedule(400, 250 * _MS)
    arrived = random.random(len(triggers)) >= 0.02
    latencies = 21_380 * _US + _spread(random, len(triggers), 12 * _US)
    return _trace(_pulses(triggers, 50 * _US), (triggers + latencies)[arrived], 250 * _MS)


def _notched(random: np.random.Generator) -> Trace:
    """Trigger pulses with a ringing falling edge: 20 ns low, 40 ns high, then low."""
    triggers = _schedule(60, 2 * _S)
    latencies = 1_137 * _MS + _spread(random, len(triggers), 400 * _US)
    fall = 500 * _US
    offsets = np.array([0, fall, fall + 20, fall + 60], np.int64)
    edges = (triggers[:, np.newaxis] + offsets).ravel()
    return _trace(edges, triggers + latencies, 2 * _S)


def _ticking(random: np.random.Generator, phase_ns: int) -> Trace:
    """Capture of a fast radio whose firmware polls the trigger every 10 ms.

    The trigger period is a multiple of 10 ms, so the wait from trigger to poll changes only
    by crystal drift, 2.5 us per second.
    """
    triggers = _schedule(600, 200 * _MS)
    tick_ns = 10 * _MS
    wait = (phase_ns - (triggers * 5) // 2_000_000) % tick_ns
    latencies = 2_400 * _US + wait + _spread(random, len(triggers), 15 * _US)
    return _trace(_pulses(triggers, 50 * _US), triggers + latencies, 200 * _MS)


def _schedule(count: int, period_ns: int) -> Times:
    return (100 * _MS + np.arange(count, dtype=np.int64) * period_ns).astype(np.int64)


def _spread(random: np.random.Generator, count: int, width_ns: int) -> Times:
    """Means of three uniform numbers: a symmetric distribution of bounded width."""
    around: Times = np.rint((random.random((count, 3)).mean(axis=1) * 2 - 1) * width_ns).astype(
        np.int64
    )
    return around


def _pulses(rises: Times, width_ns: int) -> Times:
    return np.stack([rises, rises + width_ns], axis=1).ravel()


def _trace(trigger_edges: Times, completions: Times, rest_ns: int) -> Trace:
    strobes = _pulses(np.sort(completions), _STROBE_NS)
    edges = [channel // _GRID_NS * _GRID_NS for channel in (trigger_edges, strobes)]
    end = int(edges[0][-1]) + rest_ns
    return Trace.from_edges(
        ["trigger", "completion"],
        [[(0, end, False, channel)] for channel in edges],
        None,
        _S / _GRID_NS,
    )
