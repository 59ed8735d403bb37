"""Results go through pickle, copies and processes, and come out the same."""

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
from airlag import Run
from traces import plain


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


def test_transfers_keep_their_arrays_statistics_and_places() -> None:
    run = airlag.run("nrf24-2m", size=32, count=60, range="30m", environment="office", places=5)
    transfers = run.transfers
    assert transfers is not None
    again = pickle.loads(pickle.dumps(transfers))
    for name in (
        "trigger_ns", "completion_ns", "outcome", "spurious_ns", "glitch_ns", "glitch_low_ns",
        "latency_ns",
    ):  # fmt: skip
        assert np.array_equal(getattr(again, name), getattr(transfers, name))
    assert (again.start_ns, again.end_ns) == (transfers.start_ns, transfers.end_ns)
    assert (again.names, len(again)) == (transfers.names, len(transfers))
    assert again.summary() == transfers.summary()
    places = transfers.places(0.99)
    assert places is not None
    assert places["count"] == 5
    assert again.places(0.99) == places


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
