"""``airlag sweep``: a table, a dataset, and one-line errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from told import Airlag

SWEEP = """
links = ["nrf24-2m"]
sizes = [12, 64]
count = 30
replications = 2
[set]
frame_loss = [0, 0.2]
retransmit_count = 0
"""


@pytest.fixture
def file(folder: Path) -> Path:
    path = folder / "lossy.toml"
    path.write_text(SWEEP)
    return path.relative_to(folder)


def test_a_table_tells_what_differs(airlag: Airlag, file: Path) -> None:
    said = airlag("sweep", file, "--scheduler", "threads")
    assert (said.code, said.err) == (0, "")
    lines = [line.split() for line in said.out.splitlines()]
    (head,) = [line for line in lines if line[:1] == ["link"]]
    assert [word.rstrip(",") for word in head[:4]] == ["link", "B", "frame_loss", "runs"]
    of_links = [line for line in lines if line[:1] == ["nrf24-2m"]]
    assert [line[1:4] for line in of_links] == [
        ["12", "0.0", "2"], ["64", "0.0", "2"], ["12", "0.2", "2"], ["64", "0.2", "2"],
    ]  # fmt: skip
    assert of_links[0][4:6] == ["100", "%"]
    assert of_links[3][4:6] != ["100", "%"]
    assert "4 configurations, 8 runs" in said.out
    assert "sweeps/lossy/runs" in said.out


def test_the_table_is_a_file_too(airlag: Airlag, file: Path, folder: Path) -> None:
    said = airlag("sweep", file, "--scheduler", "threads", "-o", "here", "--table", "t.csv")
    assert (said.code, said.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO((folder / "t.csv").read_text())))
    assert [row["frame_loss"] for row in rows] == ["0.0", "0.0", "0.2", "0.2"]
    told = json.loads(airlag("sweep", file, "-o", "here", "--json").out)
    assert (told["before"], told["runs"], told["complete"]) == (8, 8, True)
    means = [each["means"]["p99_ns"] for each in told["table"]]
    assert [float(row["p99_ns"]) for row in rows] == means
    assert [each["settings"]["frame_loss"] for each in told["table"]] == [0, 0, 0.2, 0.2]


REFUSED = {
    "a key": (SWEEP + "\n[sett]\nx = 1\n", [], "lossy.toml: no key `sett`; did you mean `set`?"),
    "no TOML": ("links = [", [], "lossy.toml: invalid TOML"),
    "a scheduler": (
        SWEEP,
        ["--scheduler", "thread"],
        "no scheduler 'thread'; did you mean threads",
    ),
    "10^12": (
        SWEEP + "tx_power = { from = 0, to = 1, step = 1e-11 }\n",
        [],
        "400 000 000 004 configurations with 2 replications are 800 000 000 008 runs",
    ),
    "processes": (SWEEP, ["--workers", "0"], "'0' is not a valid number of processes"),
    "a file for a folder": (SWEEP, ["-o", "lossy.toml"], "is not a folder"),
    "a folder of others": (SWEEP, ["-o", "."], "has other content"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_one_line(name: str, airlag: Airlag, file: Path) -> None:
    text, options, right = REFUSED[name]
    file.write_text(text)
    said = airlag("sweep", file, *options)
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert right in said.err
