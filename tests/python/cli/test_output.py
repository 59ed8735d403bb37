"""Stored runs: the files that ``-o`` writes, and that they contain the data of the capture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from told import Airlag

from traces import link, logic2_csv


def test_one_capture_goes_into_one_file(airlag: Airlag, capture: Path, folder: Path) -> None:
    first = airlag("analyze", capture, "-o", "run.parquet", "--json")
    again = airlag("analyze", "run.parquet", "--json")
    assert (first.code, again.code) == (0, 0)
    assert again.out == first.out
    assert sorted(path.name for path in folder.iterdir()) == ["good.csv", "run.parquet"]


def test_several_captures_go_into_a_folder_that_is_made_for_them(
    airlag: Airlag, folder: Path
) -> None:
    logic2_csv(folder / "a.csv", link())
    logic2_csv(folder / "b.csv", link())
    assert airlag("analyze", "a.csv", "b.csv", "-o", "runs/").code == 0
    assert sorted(path.name for path in (folder / "runs").iterdir()) == ["a.parquet", "b.parquet"]


@pytest.mark.parametrize(
    ("captures", "kept"),
    [
        (["x/12B.csv", "y/12B.csv"], ["x__12B.parquet", "y__12B.parquet"]),
        (["12B.csv", "12B.txt"], ["12B.csv.parquet", "12B.txt.parquet"]),
        (["12B.csv", "./12B.csv"], ["12B.parquet"]),
    ],
)
def test_captures_that_share_a_name_do_not_share_a_file(
    captures: list[str], kept: list[str], airlag: Airlag, folder: Path
) -> None:
    for name in captures:
        (folder / name).parent.mkdir(exist_ok=True)
        logic2_csv(folder / name, link())
    assert airlag("analyze", *captures, "-o", "runs/").code == 0
    assert sorted(path.name for path in (folder / "runs").iterdir()) == kept


def test_options_pair_a_saved_run_anew(airlag: Airlag, capture: Path) -> None:
    airlag("analyze", capture, "-o", "run.parquet", "--link", "nrf24-2m", "--size", "128")
    (plain,) = json.loads(airlag("analyze", "run.parquet", "--json").out)
    (swapped,) = json.loads(
        airlag("analyze", "run.parquet", "--json", "--trigger", "1", "--completion", "0").out
    )
    assert (plain["link"], plain["size"]) == ("nrf24-2m", 128)
    assert (plain["triggers"], swapped["triggers"]) == (40, 38)


def test_a_capture_keeps_every_channel_not_only_the_two_it_was_paired_by(
    airlag: Airlag, folder: Path
) -> None:
    (folder / "three.csv").write_text(
        "Time [s],A,B,C\n0.0,0,0,0\n0.1,1,0,0\n0.2,0,1,1\n0.3,1,0,0\n0.4,0,1,1\n0.5,0,0,0\n"
    )
    airlag("analyze", "three.csv", "-o", "run.parquet")
    (by_b,) = json.loads(airlag("analyze", "run.parquet", "--json").out)
    (by_c,) = json.loads(airlag("analyze", "run.parquet", "--json", "--completion", "C").out)
    assert by_b["latency_ns"]["p50"] == by_c["latency_ns"]["p50"] == 100_000_000
    told = airlag("analyze", "run.parquet", "--completion", "D")
    assert told.err == 'airlag: run.parquet: no channel "D"; the file has A, B, C\n'


def test_fail_on_turns_a_finding_into_exit_code_1(airlag: Airlag, capture: Path) -> None:
    assert airlag("analyze", capture).code == 0
    assert airlag("analyze", capture, "--fail-on", "power-save").code == 0
    failed = airlag("analyze", capture, "--fail-on", "power-save", "--fail-on", "lost-transfers")
    assert failed.code == 1
    assert failed.err == ""


def test_fail_on_takes_limits_wherever_there_are_runs(airlag: Airlag, capture: Path) -> None:
    # Two of 40 transfers are lost, and none takes a second.
    for command in (["analyze", capture], ["compare", capture, capture]):
        assert airlag(*command, "--fail-on", "p99>1s", "--fail-on", "loss>6%").code == 0
        failed = airlag(*command, "--fail-on", "p50>1ns", "--fail-on", "loss>1%")
        assert failed.code == 1
        assert failed.err.count("--fail-on") == (2 if command[0] == "analyze" else 4)
    bench = ("run", "nrf24-2m", "--size", "12", "--count", "50")
    assert airlag(*bench, "--fail-on", "p99>1s", "--fail-on", "loss>99%").code == 0
    failed = airlag(*bench, "--fail-on", "max>1ns", "--fail-on", "forward.p99>1s")
    # One-way delays are of probes only: what is not measured fails.
    assert (failed.code, failed.err.count("--fail-on")) == (1, 2)
