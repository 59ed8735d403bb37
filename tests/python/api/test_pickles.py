"""Results are equal after pickling, copying and passing to other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made import KINDS, made

import airlag
from airlag import Run, _airlag
from traces import link, plain


def told(result: Any) -> Any:
    """All that a result says."""
    return [repr(result), *([result.to_json()] if hasattr(result, "to_json") else [])]


@pytest.mark.parametrize("kind", KINDS)
def test_pickled_and_copied_results_are_the_same(
    kind: str, virtual: Run, capture: Path, table: Path
) -> None:
    result = made(kind, virtual, capture, table)
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert told(again) == told(result)
    assert told(copy.deepcopy(result)) == told(result)
    assert told(copy.copy(result)) == told(result)


def test_transfers_keep_all_that_they_tell() -> None:
    run = airlag.run("nrf24-2m", size=32, count=60, range="30m", environment="office", places=5)
    transfers = run.transfers
    assert transfers is not None
    again = pickle.loads(pickle.dumps(transfers))
    places = transfers.places(0.99)
    assert places is not None
    assert places["count"] == 5
    assert again.places(0.99) == places
    assert again.summary() == transfers.summary()
    assert len(again) == len(transfers)
    assert attributes(again) == attributes(transfers)


def test_transfers_keep_what_their_capture_tells() -> None:
    bare = link(count=20, lost=[3])
    trace = airlag.Trace.from_edges(
        bare.names,
        [
            [(*stretch, bare.edges_ns(channel, place)) for place, stretch in enumerate(stretches)]
            for channel, stretches in enumerate(map(bare.segments, range(len(bare.names))))
        ],
        1_700_000_000 * 10**9,
        50e6,
    )
    transfers = _airlag.pair(trace)
    told = attributes(pickle.loads(pickle.dumps(transfers)))
    assert told == attributes(transfers)
    assert told.keys() >= {"trigger_ns", "glitch_low_ns", "latency_ns", "names", "start_ns"}


def attributes(transfers: airlag.Transfers) -> dict[str, Any]:
    """All that can be read off, arrays as lists."""
    names = [name for name in dir(transfers) if not name.startswith("_")]
    values = {name: getattr(transfers, name) for name in names}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in values.items()
        if not callable(value)
    }


def test_a_trace_keeps_every_edge(capture: Path) -> None:
    trace = airlag.read(capture)
    assert plain(pickle.loads(pickle.dumps(trace))) == plain(trace)
    assert plain(copy.deepcopy(trace)) == plain(trace)


def test_a_pickled_run_shares_its_arrays_with_its_transfers(virtual: Run) -> None:
    again = pickle.loads(pickle.dumps(virtual))
    assert again.transfers.trigger_ns is again.trigger_ns


def test_damaged_pickles_are_refused_in_one_line(virtual: Run) -> None:
    transfers = virtual.transfers
    assert transfers is not None
    restored, (instants, outcome, about) = transfers.__reduce__()
    with pytest.raises(ValueError, match="60 triggers need as many completions and outcomes"):
        restored(instants, outcome[:-1], about)


def _later(run: Run) -> tuple[str, float, Run]:
    assert run.latency is not None
    return repr(run), run.latency["p99"], run


def test_runs_go_to_another_process_and_back(virtual: Run) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (shown, p99, back), *_ = pool.map(_later, [virtual])
    assert virtual.latency is not None
    assert (shown, p99) == (repr(virtual), virtual.latency["p99"])
    assert back.to_json() == virtual.to_json()
    assert airlag.compare(virtual, back)["ks"] == 0
