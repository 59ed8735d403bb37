"""A Pico as the instrument: the image as it is flashed, from emulated pins to a run."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import airlag
from airlag._airlag import Trace

from .pico import Pico, Plugged
from .pico import plugged as plugged

pytestmark = pytest.mark.peers

#: Sampling period of the image, ns.
TICK = 16
#: The record has begun by then, ns after the first packet.
LEAD = 2_000_000


def random_edges(rate: float, lasting_ns: int, channels: int) -> list[tuple[float, int]]:
    """One edge per slot, at a random instant in it and on a random channel."""
    rng, slot = random.Random(1), 1e9 / rate
    return [
        (LEAD + (nth + rng.uniform(0.1, 0.9)) * slot, rng.randrange(channels))
        for nth in range(int(lasting_ns / slot))
    ]


def record(
    pico: Pico, folder: Path, name: str, *words: str, limit_s: float | None = 300
) -> tuple[Trace | None, str, int]:
    """Records it; the edges, standard error and the exit code."""
    file = folder / name
    address = f"pico:{pico.device}" + "".join(word for word in words if word.startswith("?"))
    options = [word for word in words if not word.startswith("?")]
    done = subprocess.run(
        [sys.executable, "-m", "airlag", "record", address, *options, "-o", str(file)],
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )
    return airlag.read(file) if file.exists() else None, done.stderr, done.returncode


def edges_of(trace: Trace, channel: int) -> NDArray[np.int64]:
    """All edges of a channel, ns."""
    parts = range(len(trace.segments(channel)))
    return np.concatenate([trace.edges_ns(channel, part) for part in parts])


def all_edges(trace: Trace) -> list[tuple[int, int]]:
    """Edges of all channels in time order, as (ns, channel)."""
    return sorted(
        (int(at), channel)
        for channel, _ in enumerate(trace.names)
        for at in edges_of(trace, channel)
    )


def same_instants(edges: list[tuple[int, int]], injected: list[tuple[float, int]]) -> None:
    """Every edge is there, on its channel, and all have the same delay to a sampling period."""
    assert [channel for _, channel in edges] == [channel for _, channel in injected]
    delays = [at - on for (at, _), (on, _) in zip(edges, injected, strict=True)]
    assert max(delays) - min(delays) <= TICK


def test_edges_at_known_instants_come_out_within_a_sampling_period(
    plugged: Plugged, tmp_path: Path
) -> None:
    injected = random_edges(100_000, 100_000_000, channels=8)
    # Four edges at once, then two 96 ns apart: less than 80 ns apart, one stamp would do for both.
    later = LEAD + 110_000_000
    together = [(later, channel) for channel in range(4)]
    injected += [*together, (later + 1_000, 4), (later + 1_096, 4)]
    pico = plugged(injected)
    trace, err, code = record(pico, tmp_path, "run.parquet", "--for", "130ms")
    counted = pico.stop()
    assert (code, err, counted["edges"]) == (0, "", len(injected))
    assert trace is not None
    same_instants(all_edges(trace), injected)
    assert len(trace.segments(0)) == 1


@pytest.mark.timeout(0)
def test_no_edge_is_lost_for_as_long_as_the_option_says(
    plugged: Plugged, tmp_path: Path, pico_seconds: float, request: pytest.FixtureRequest
) -> None:
    """Counters of the image wrap after 34 s, so ``--pico-seconds 60`` shows that, too."""
    rng, slot = np.random.default_rng(1), 1e9 / 100_000
    many = int(pico_seconds * 100_000)
    at = LEAD + (np.arange(many) + rng.uniform(0.1, 0.9, many)) * slot
    pins = rng.integers(0, 8, many)
    pico = plugged(np.column_stack([at, pins]))
    words = ("?silence=600s", "--for", f"{pico_seconds * 1000 + 30:.0f}ms")
    begun = time.monotonic()
    trace, err, code = record(pico, tmp_path, "run.parquet", *words, limit_s=None)
    took = time.monotonic() - begun
    counted = pico.stop()
    assert (code, err, counted["edges"]) == (0, "", many)
    assert trace is not None
    assert [len(trace.segments(channel)) for channel in range(8)] == [1] * 8
    delays = [edges_of(trace, channel) - at[pins == channel] for channel in range(8)]
    recorded = sum(map(len, delays))
    least, most = min(each.min() for each in delays), max(each.max() for each in delays)
    result = (
        f"{recorded:,} of {many:,} edges in {counted['since'] / 1e9:.1f} s of virtual time, "
        f"spread of delays {most - least:.1f} ns, {took:.0f} s on the wall clock"
    )
    request.config.get_terminal_writer().line(f"\n{result}")
    assert recorded == many
    assert most - least <= TICK


def test_a_host_that_takes_nothing_leaves_a_counted_gap(plugged: Plugged, tmp_path: Path) -> None:
    injected = random_edges(100_000, 220_000_000, channels=2)
    # The image buffers 12,000 edges, 0.12 s of these.
    pico = plugged(injected, stalls=[(20_000_000, 170_000_000)])
    # The emulator takes seconds for what the host lets pass.
    words = ("?silence=600s", "--channels", "0,1", "--for", "240ms")
    trace, err, code = record(pico, tmp_path, "run.parquet", *words)
    pico.stop()
    assert (code, trace is not None, err.count("\n")) == (0, True, 1), err
    assert trace is not None
    (_, gap, _), (begin, _, _) = trace.segments(0)
    edges = all_edges(trace)
    before, after = (
        [edge for edge in edges if edge[0] <= gap],
        [edge for edge in edges if edge[0] > gap],
    )
    # The first row after a gap has the levels that it found, and is no edge of the record.
    lost = len(injected) - len(edges) - 1
    counted = err.partition(" samples")[0].rpartition(": ")[2]
    assert int("".join(filter(str.isdigit, counted))) == lost
    same_instants(before, injected[: len(before)])
    same_instants(after, injected[len(injected) - len(after) :])
    assert begin - gap > 50_000_000


def test_triggers_are_made_as_ordered_and_recorded(plugged: Plugged, tmp_path: Path) -> None:
    pico = plugged()
    period = 2_000_000
    words = ("?period=2ms&phase=uniform&pulse=20us&seed=3", "--channels", "0,1", "--for", "150ms")
    trace, _, _ = record(pico, tmp_path, "run.parquet", *words)
    # The host is gone, and so are the triggers; a second record begins anew, without any.
    second, err, _ = record(pico, tmp_path, "second.parquet", "--for", "50ms")
    driven = pico.stop()["driven"]
    assert trace is not None
    recorded = edges_of(trace, 0)
    assert len(recorded) > 140
    made = np.array([at for at, _, _ in driven])[: len(recorded)]
    delays = recorded - made
    assert delays.max() - delays.min() <= TICK
    rises = made[::2]
    assert set(np.diff(made)[::2].tolist()) == {20_000}
    lateness = rises - rises[0] - period * np.arange(len(rises))
    assert lateness.max() - lateness.min() <= period / 2
    assert lateness.std() > period / 10
    assert second is None or not all_edges(second)
    assert err.count("\n") <= 1


def test_a_pico_that_is_unplugged_leaves_what_it_sent(plugged: Plugged, tmp_path: Path) -> None:
    injected = random_edges(1_000, 20_000_000, channels=2)
    pico = plugged(injected)
    process = subprocess.Popen(
        [sys.executable, "-m", "airlag", "record", f"pico:{pico.device}", "-o", "run.parquet"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    pico.wait_for_edges()
    pico.unplug()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.count("\n")) == (2, 1)
    same_instants(all_edges(airlag.read(tmp_path / "run.parquet")), injected)


def test_what_the_image_cannot_do_is_refused(plugged: Plugged, tmp_path: Path) -> None:
    pico = plugged()
    for words in (("?period=1us",), ("?phase=uniform",), ("--channels", "8")):
        trace, err, code = record(pico, tmp_path, "run.parquet", *words)
        assert (trace, err.count("\n"), code) == (None, 1, 2)
    pico.stop()
