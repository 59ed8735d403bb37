"""``airlag compare``: the verdict first; the first run is the yardstick."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from told import Airlag

from airlag import analyze
from airlag.questions import store
from traces import MS, link, logic2_csv


def test_the_first_run_is_held_against_each_of_the_others(airlag: Airlag, folder: Path) -> None:
    for name, latency in (("a", 3), ("b", 5), ("c", 9)):
        logic2_csv(folder / f"{name}.csv", link(latency=latency * MS))
    told = json.loads(airlag("compare", "a.csv", "b.csv", "c.csv", "--json").out)
    assert [(pair["a"], pair["b"]) for pair in told] == [("a.csv", "b.csv"), ("a.csv", "c.csv")]
    assert [pair["latency_ns"]["p50"]["difference"] for pair in told] == [2 * MS, 6 * MS]


def test_a_bad_file_hides_neither_the_others_nor_itself(airlag: Airlag, capture: Path) -> None:
    told = airlag("compare", capture, "absent.csv", capture, "--json")
    assert told.code == 2
    assert told.err.startswith("airlag: absent.csv: ")
    assert len(json.loads(told.out)) == 1


def test_without_its_yardstick_nothing_is_compared(airlag: Airlag, capture: Path) -> None:
    told = airlag("compare", "absent.csv", capture, capture)
    assert (told.code, told.out) == (2, "")
    assert told.err.count("\n") == 1


def test_a_table_of_latencies_is_refused_and_hides_nothing(
    airlag: Airlag, capture: Path, folder: Path
) -> None:
    (folder / "table.txt").write_text("0.001\n0.002\n0.003\n")
    told = airlag("compare", capture, "table.txt", capture, "--json")
    assert told.code == 2
    assert told.err.startswith("airlag: table.txt: a table of latencies")
    assert len(json.loads(told.out)) == 1


def test_the_wires_of_a_comparison_can_be_chosen_and_a_wrong_pair_is_no_comparison(
    airlag: Airlag, folder: Path
) -> None:
    # 100 triggers every 10 ms, each answered 1 to 2 ms later.
    rows = ["Time [s],Channel 0,Channel 1", "0.0,0,0"]
    for k in range(100):
        at, late = 0.01 * (k + 1), 0.001 + 0.001 * ((k * 37) % 100) / 100
        rows += [f"{at:.6f},1,0", f"{at + 0.0005:.6f},0,0"]
        rows += [f"{at + late:.6f},0,1", f"{at + late + 0.0001:.6f},0,0"]
    (folder / "right.csv").write_text("\n".join([*rows, "1.02,0,0"]) + "\n")
    same = ("compare", "right.csv", "right.csv", "--json")
    (right,) = json.loads(airlag(*same).out)
    assert (right["comparable"], right["obstacles"]) == (True, [])
    (swapped,) = json.loads(airlag(*same, "--trigger", "1", "--completion", "0").out)
    assert (swapped["comparable"], len(swapped["obstacles"])) == (False, 2)
    wrong = airlag("compare", "right.csv", "right.csv", "--trigger", "1", "--completion", "0")
    assert wrong.code == 0
    assert "not comparable" in wrong.out
    assert "The first run has the wrong pair of channels." in " ".join(wrong.out.split())
    both = airlag("compare", "right.csv", "right.csv", "--trigger", "1", "--completion", "1")
    assert (both.code, both.out) == (2, "")
    assert both.err == "airlag: trigger and completion are both channel 1; choose two channels\n"


def kept(airlag: Airlag, name: str, *asked: str) -> str:
    told = airlag("run", *asked, "-o", f"{name}.parquet")
    assert told.code == 0, told.err
    return f"{name}.parquet"


BLE = ("ble-nus-notify", "--size", "12", "--count", "200")


def test_runs_of_one_link_are_told_apart_by_what_was_set(airlag: Airlag) -> None:
    quick = kept(airlag, "one", *BLE, "--set", "connection_interval=7.5ms")
    slow = kept(airlag, "two", *BLE)
    told = airlag("compare", quick, slow)
    lines = told.out.splitlines()
    # A name of 45 characters each does not fit beside the other.
    assert " ".join(told.out.split()).startswith(
        "ble-nus-notify 12 B, connection_interval=7.5ms and "
        "ble-nus-notify 12 B, connection_interval=30ms "
        "differ in connection_interval 7.5ms and 30ms"
    ), lines
    (pair,) = json.loads(airlag("compare", quick, slow, "--json").out)
    assert pair["differs"] == [
        {"what": "setting", "setting": "connection_interval", "a": "7500", "b": None}
    ]
    assert pair["comparable"]
    assert pair["obstacles"] == pair["notes"] == []


def test_another_size_or_phase_makes_a_comparison_moot(airlag: Airlag) -> None:
    first = kept(airlag, "first", *BLE)
    longer = kept(airlag, "longer", "ble-nus-notify", "--size", "128", "--count", "200")
    frozen = kept(airlag, "frozen", *BLE, "--phase", "frozen")
    told = json.loads(airlag("compare", first, longer, frozen, "--json").out)
    assert [[one["what"] for one in pair["differs"]] for pair in told] == [["size"], ["phase"]]
    assert [pair["comparable"] for pair in told] == [False, False]
    assert "12 B and 128 B" in told[0]["obstacles"][0]
    assert "frozen in the second" in told[1]["obstacles"][0]
    text = " ".join(airlag("compare", first, longer).out.split())
    assert "differ in size 12 B and 128 B ! not comparable The payloads differ" in text


def test_a_period_matters_only_where_messages_wait(airlag: Airlag) -> None:
    first = kept(airlag, "first", *BLE)
    calm = kept(airlag, "calm", *BLE, "--period", "500ms")
    hurried = kept(airlag, "hurried", *BLE, "--period", "20ms")
    told = json.loads(airlag("compare", first, calm, hurried, "--json").out)
    assert [one["what"] for pair in told for one in pair["differs"]] == ["period_ns"] * 2
    assert told[0]["obstacles"] == []
    assert "20 ms, and a message takes up to" in told[1]["obstacles"][0]


def test_runs_of_two_versions_are_noted(airlag: Airlag, folder: Path) -> None:
    first = kept(airlag, "first", *BLE)
    older = replace(analyze(folder / first, keep_edges=True), version="0.0.1")
    store.save(older, folder / "older.parquet")
    (pair,) = json.loads(airlag("compare", "older.parquet", first, "--json").out)
    assert [one["what"] for one in pair["differs"]] == ["version"]
    assert pair["notes"][0].startswith("The first run was made by airlag 0.0.1, the second by ")
    assert pair["comparable"]


def test_nothing_is_said_of_what_a_capture_does_not_know(airlag: Airlag, capture: Path) -> None:
    virtual = kept(airlag, "virtual", *BLE, "--set", "connection_interval=7.5ms")
    (pair,) = json.loads(airlag("compare", capture, virtual, "--json").out)
    assert pair["differs"] == pair["notes"] == []
