"""Three ways to misread a radio, as captures that anyone can make and open.

Each is a mistake that bench scripts make in ways that are hard to see: a lost packet taken for a
late one, one trigger pulse taken for two, the fixture's own tick taken for the radio. The captures
come from a fixed seed; :func:`naive_latencies_ns` reads them as such a script would.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from airlag._airlag import Trace, write

Times = NDArray[np.int64]

#: Root of every random number in the captures.
SEED = 1
_US, _MS, _S = 10**3, 10**6, 10**9
#: Sampling grid of the pretended analyser, ns; 50 million samples a second.
_GRID_NS = 20
_STROBE_NS = 50 * _US


@dataclass(frozen=True, slots=True)
class Lesson:
    """One mistake, and how it is caught."""

    #: What is taken for what.
    mistake: str
    #: File names of the captures that invite it; the ending is the format.
    captures: tuple[str, ...]
    #: Names of the findings that catch it.
    findings: tuple[str, ...]


LESSONS = (
    Lesson("A loss taken for a delay", ("lost-is-not-late.csv",), ("lost-transfers",)),
    Lesson("One pulse taken for two", ("one-pulse-two-edges.vcd",), ("trigger-glitch",)),
    Lesson(
        "A tick taken for the radio",
        ("frozen-tick-1.csv", "frozen-tick-2.vcd"),
        ("drift-ramp",),
    ),
)


def write_captures(folder: Path, *, force: bool = False) -> list[Path]:
    """Writes the captures of all :data:`LESSONS` into a folder, and says where they are."""
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
    """Latencies as a throw-away script sees them, ns.

    Every rise of the first channel is a trigger, and the next rise of the second channel completes
    it, however much later.
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
    """A slow radio that loses two packets of a hundred; nothing is ever late."""
    triggers = _schedule(400, 250 * _MS)
    arrived = random.random(len(triggers)) >= 0.02
    latencies = 21_380 * _US + _spread(random, len(triggers), 12 * _US)
    return _trace(_pulses(triggers, 50 * _US), (triggers + latencies)[arrived], 250 * _MS)


def _notched(random: np.random.Generator) -> Trace:
    """Trigger pulses whose falling edge rings: 20 ns low, 40 ns high, then low."""
    triggers = _schedule(60, 2 * _S)
    latencies = 1_137 * _MS + _spread(random, len(triggers), 400 * _US)
    fall = 500 * _US
    offsets = np.array([0, fall, fall + 20, fall + 60], np.int64)
    edges = (triggers[:, np.newaxis] + offsets).ravel()
    return _trace(edges, triggers + latencies, 2 * _S)


def _ticking(random: np.random.Generator, phase_ns: int) -> Trace:
    """A fast radio whose firmware looks at the trigger once per 10 ms tick.

    The trigger period is a multiple of the tick, so the wait hardly moves within a run: only by
    the 2.5 us a second that the two crystals differ.
    """
    triggers = _schedule(600, 200 * _MS)
    tick_ns = 10 * _MS
    wait = (phase_ns - (triggers * 5) // 2_000_000) % tick_ns
    latencies = 2_400 * _US + wait + _spread(random, len(triggers), 15 * _US)
    return _trace(_pulses(triggers, 50 * _US), triggers + latencies, 200 * _MS)


def _schedule(count: int, period_ns: int) -> Times:
    return (100 * _MS + np.arange(count, dtype=np.int64) * period_ns).astype(np.int64)


def _spread(random: np.random.Generator, count: int, width_ns: int) -> Times:
    """Means of three uniform numbers: a hump that ends at this width on both sides of 0."""
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
