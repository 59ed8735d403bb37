"""Two runs side by side: the verdict before the numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import airlag
from airlag import Finding, Run
from airlag.core.answered import ask
from airlag.questions.demo import write_captures
from traces import MS, link, logic2_csv


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return airlag.analyze(logic2_csv(tmp_path / "good.csv", link(count=400, lost=[7])))


def test_a_run_does_not_differ_from_itself(run: Run) -> None:
    told = airlag.compare(run, run)
    assert told["comparable"]
    assert (told["b_quicker"], told["ks"]) == (0.5, 0.0)
    for row in (*told["latency_ns"].values(), told["delivery"]):
        assert row["difference"] == 0
        low, high = row["interval95"]
        assert low <= 0
        assert high is None or high >= 0


def test_benches_are_compared_as_their_runs_are() -> None:
    lossy = {"frame_loss": "0.3"}
    first = airlag.run("nrf24-2m", 12, count=200, phase="frozen")
    second = airlag.run("nrf24-250k", 128, count=150, settings=lossy)
    told = airlag.compare(first, second)
    assert len(told["differs"]) == 4
    assert told["obstacles"]
    assert set(told["charge"]) == {"sender", "receiver"}
    a = {"link": "nrf24-2m", "size": 12, "count": 200, "phase": "frozen"}
    b = {"link": "nrf24-250k", "size": 128, "count": 150, "settings": lossy}
    assert ask("compare-runs", a=a, b=b) == dict(told)


def test_a_shift_is_found_with_its_sign(run: Run, tmp_path: Path) -> None:
    slower = airlag.analyze(logic2_csv(tmp_path / "slow.csv", link(count=400, latency=30 * MS)))
    forth, back = airlag.compare(run, slower), airlag.compare(slower, run)
    assert (forth["b_quicker"], back["b_quicker"]) == (0, 1)
    for name in ("p50", "p95", "p99"):
        there, again = forth["latency_ns"][name], back["latency_ns"][name]
        assert there["difference"] == pytest.approx(27 * MS, abs=0.1 * MS)
        assert there["difference"] == -again["difference"]
        assert there["interval95"][0] > 0


def test_runs_that_froze_their_phase_cannot_be_compared(tmp_path: Path) -> None:
    first, second = airlag.analyze_many(write_captures(tmp_path)[2:])
    told = airlag.compare(first, second)
    assert not told["comparable"]
    assert len(told["obstacles"]) == 2
    assert told["latency_ns"]["p50"]["difference"] == pytest.approx(5.7 * MS, rel=0.01)


def test_what_only_shows_across_runs_forbids_comparing_them(run: Run) -> None:
    timer = Finding("timer-across-runs", {}, "Each froze another phase.", "…")
    frozen = replace(run, findings=(timer,))
    assert airlag.compare(frozen, run)["comparable"]
    told = airlag.compare(frozen, frozen)
    assert not told["comparable"]
    assert told["obstacles"] == ["Each froze another phase."]


def test_a_table_of_latencies_has_nothing_to_be_judged_by(run: Run, tmp_path: Path) -> None:
    (tmp_path / "table.txt").write_text("0.001\n0.002\n0.003\n")
    with pytest.raises(ValueError, match=r"table\.txt: a table of latencies"):
        airlag.compare(run, airlag.analyze(tmp_path / "table.txt"))
