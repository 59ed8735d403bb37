"""``airlag compare``: the verdict first; the first run is the yardstick."""

from __future__ import annotations

import json
from pathlib import Path

from told import Airlag

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
