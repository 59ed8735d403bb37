"""``-o table.csv|.md|.json``: the table of every command that prints one, as a file."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from test_widths import ASKED, COMMANDS, SMALL
from told import Airlag

#: Which columns scripts look for, and one of the units in their names.
KEYS = {
    "analyze": ["source", "triggers", "lost", "p50_ns", "p99_high_ns", "jitter_mean_ns"],
    "channels": ["source", "channel", "edges", "rises_hz", "shortest_pulse_ns"],
    "compare": ["first_run", "quantity", "unit", "difference_low"],
    "match": ["source", "link", "quantile", "captured_ns", "off_percent"],
    "run": ["source", "size_bytes", "seed", "delivered", "p95_ns", "max_ns"],
    "explain": ["link", "slice", "class", "mean_ns", "p99_percent"],
    "goodput": ["link", "class", "a_message_ns", "goodput_kbps", "ceiling_kbps"],
    "load": ["link", "offered_kbps", "p99_ns", "refused", "lost"],
    "recommend": ["link", "verdict", "deadline_ns", "quantile_ns", "reason"],
    "links": ["family", "link", "floor_ns", "ceiling_kbps", "about"],
    "link": ["link", "constant", "value", "unit", "least", "source", "choices"],
    "sensitivity": ["constant", "halved", "doubled"],
    "campaign": ["family", "link", "published_ns", "frozen_phase_p50_ns", "asynchronous_lost"],
    "question": ["line", "size", "messages", "latency_p50_ns"],
    "tunnel bench": ["tunnel", "goodput_kbps", "sparse_p50_ns", "bulk_p95_ns"],
    "rpc bench": ["platform", "benchmark", "published", "measured", "unit"],
    "gains": ["platform", "gain"],
}


@pytest.fixture
def inputs(folder: Path, capture: Path) -> Path:
    del capture
    (folder / "small.toml").write_text(SMALL)
    (folder / "asked.toml").write_text(ASKED)
    return folder


def test_every_command_that_prints_a_table_is_asked_for_one() -> None:
    assert KEYS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_table_is_written_as_a_sheet_and_as_markdown(
    name: str, airlag: Airlag, inputs: Path
) -> None:
    told = airlag(*COMMANDS[name], "-o", "table.csv")
    assert (told.code, told.err) == (0, "")
    assert told.out.endswith("wrote table.csv\n")
    with (inputs / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert set(KEYS[name]) <= rows[0].keys()
    assert all(None not in row and None not in row.values() for row in rows)
    for key in (key for key in rows[0] if key.endswith(("_ns", "_kbps", "_percent"))):
        # Numbers as they are: no thousands apart, no unit behind them.
        assert all(float(row[key]) is not None for row in rows if row[key])
    told = airlag(*COMMANDS[name], "-o", "table.md")
    assert told.code == 0, told.err
    assert "| ---" in (inputs / "table.md").read_text()


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if name not in ("rpc bench", "gains", "tunnel bench")]
)
def test_json_has_the_rows_of_the_sheet(name: str, airlag: Airlag, inputs: Path) -> None:
    for ending in ("csv", "json"):
        assert airlag(*COMMANDS[name], "-o", f"table.{ending}").code == 0
    with (inputs / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = json.loads((inputs / "table.json").read_text())
    assert len(told) == len(rows)
    for one, row in zip(told, rows, strict=True):
        for key, value in one.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                assert float(row[key]) == value
            elif isinstance(value, str):
                assert row[key] == value


def test_the_figures_are_those_that_json_has(airlag: Airlag, inputs: Path) -> None:
    asked = ("run", "nrf24-2m", "--size", "12,128", "--count", "60", "--set", "rate=1000")
    runs = json.loads(airlag(*asked, "-o", "runs.json", "--json").out)
    rows = json.loads((inputs / "runs.json").read_text())
    assert [row["p50_ns"] for row in rows] == [run["latency_ns"]["p50"] for run in runs]
    assert [row["size_bytes"] for row in rows] == [12, 128]
    assert {row["settings"] for row in rows} == {"rate=1000kbit/s"}
    ends = runs[0]["latency_ns"]["interval95"]["p95"]
    assert [rows[0]["p95_low_ns"], rows[0]["p95_high_ns"]] == ends


def test_trains_have_a_table_too(airlag: Airlag, inputs: Path) -> None:
    asked = ("run", "nrf24-2m", "--size", "12", "--traffic", "back-to-back", "--trials", "2")
    assert airlag(*asked, "-o", "trains.csv").code == 0
    with (inputs / "trains.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["link"], row["trains"], row["messages"]) == ("nrf24-2m", "2", "200")


def test_a_foreign_file_is_left_alone_unless_forced(airlag: Airlag, inputs: Path) -> None:
    (inputs / "table.csv").write_text("precious")
    for name in ("analyze", "load", "links", "campaign", "explain"):
        told = airlag(*COMMANDS[name], "-o", "table.csv")
        assert told.code == 2
        (line,) = told.err.splitlines()
        assert "table.csv" in line
        assert "--force" in line
        assert (inputs / "table.csv").read_text() == "precious"
    assert airlag(*COMMANDS["links"], "-o", "table.csv", "--force").code == 0


@pytest.mark.parametrize("name", ["links", "channels", "compare", "goodput", "load", "recommend"])
def test_a_name_without_a_format_is_told_which_there_are(
    name: str, airlag: Airlag, inputs: Path
) -> None:
    del inputs
    told = airlag(*COMMANDS[name], "-o", "table.txt")
    assert told.code == 2
    (line,) = told.err.splitlines()
    assert ".csv, .md or .json" in line


def test_a_campaign_that_writes_its_table_writes_nothing_else(airlag: Airlag, inputs: Path) -> None:
    assert airlag(*COMMANDS["campaign"], "-o", "table.csv").code == 0
    assert not (inputs / "reports").exists()
    assert airlag(*COMMANDS["campaign"], "-o", "table.csv", "--keep").code == 2
