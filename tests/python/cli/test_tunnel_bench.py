"""``airlag tunnel bench``: tunnels under load, in virtual time."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from told import Airlag

BENCH = ("tunnel", "bench", "--virtual", "--for", "2s")


def answered(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag(*BENCH, *arguments, "--json")
    assert (told.code, told.err) == (0, "")
    found: list[dict[str, Any]] = json.loads(told.out)
    return found


def test_ours_keeps_a_sparse_flow_short_where_the_naive_one_does_not(airlag: Airlag) -> None:
    found = answered(airlag, "--offered", "50k,3M")
    assert [(each["profile"], each["offered_kbps"]) for each in found] == [
        ("tunnel", 50.0),
        ("tunnel", 3000.0),
        ("naive", 50.0),
        ("naive", 3000.0),
    ]
    ours, over, _, naive = found
    assert (ours["rate_kbps"], ours["frame_loss"], ours["settings"]) == (2000, 0, {})
    assert ours["lost"] == ours["sparse_lost"] == 0
    assert over["lost"] > 0
    assert over["goodput_kbps"] > 3 * naive["goodput_kbps"]
    assert over["goodput_kbps"] < over["ceiling_kbps"]
    assert over["sparse_latency_ns"]["p95"] < 60e6 < naive["sparse_latency_ns"]["p95"]
    assert over["completion_excess_ns"] < naive["completion_excess_ns"]


def test_rates_losses_and_settings_are_combined(airlag: Airlag) -> None:
    asked = ("--profile", "tunnel", "--offered", "100k", "--rate", "1M,250k")
    found = answered(airlag, *asked, "--frame-loss", "0,10%", "--set", "seal=plain", "--seed", "4")
    assert [(each["rate_kbps"], each["frame_loss"]) for each in found] == [
        (1000, 0.0),
        (1000, 0.1),
        (250, 0.0),
        (250, 0.1),
    ]
    assert {each["seed"] for each in found} == {4}
    assert found[1]["settings"] == {"seal": "plain", "rate": "1000", "frame_loss": "0.1"}
    assert found[2]["limit_kbps"] < found[0]["limit_kbps"]


def test_one_seed_prints_the_same_bytes(airlag: Airlag) -> None:
    asked = (*BENCH, "--offered", "200k,2M", "--frame-loss", "5%", "--json")
    assert airlag(*asked) == airlag(*asked)


def test_without_loads_they_go_from_a_tenth_of_the_limit_to_ten_times(airlag: Airlag) -> None:
    found = answered(airlag, "--profile", "naive")
    parts = [each["offered_kbps"] / each["limit_kbps"] for each in found]
    assert parts == sorted(parts)
    assert (len(parts), round(parts[0], 6), round(parts[-1], 6)) == (11, 0.1, 10)


def test_the_table_fits_a_mail(airlag: Airlag) -> None:
    told = airlag(*BENCH, "--offered", "100k,2M")
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    for word in ("tunnel, 2 Mbit/s", "naive, 2 Mbit/s", "ceiling", "goodput", "lost"):
        assert word in told.out


def test_loads_are_kept_as_parquet_and_json_and_drawn(airlag: Airlag, folder: Path) -> None:
    asked = ("--offered", "50k,2M", "-o", "loads.parquet", "--chart", "loads.svg")
    told = airlag(*BENCH, *asked, "--json")
    found = json.loads(told.out)
    assert (told.code, told.err) == (0, "airlag: wrote 2 files to ./\n")
    table = pl.read_parquet(folder / "loads.parquet")
    assert table["goodput_kbps"].to_list() == [each["goodput_kbps"] for each in found]
    p95 = table["sparse_latency_ns"].struct.field("p95").to_list()
    assert p95 == [each["sparse_latency_ns"]["p95"] for each in found]
    about = json.loads(pl.read_parquet_metadata(folder / "loads.parquet")["airlag"])
    assert about["source"] == "tunnel bench"
    drawn = (folder / "loads.svg").read_text()
    for words in ("naive, 2 Mbit/s", "published: T", "ceiling", "offered bandwidth, kbit/s"):
        assert words in drawn
    again = airlag(*BENCH, "--offered", "50k,2M", "-o", "loads.json", "--chart", "loads.png")
    assert again.code == 0
    assert json.loads((folder / "loads.json").read_text()) == found
    width, height = struct.unpack(">II", (folder / "loads.png").read_bytes()[16:24])
    assert min(width, height) > 800


def test_a_file_of_somebody_elses_stays(airlag: Airlag, folder: Path) -> None:
    (folder / "mine.json").write_text("{}")
    told = airlag(*BENCH, "--offered", "50k", "-o", "mine.json")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "mine.json" in told.err
    assert (folder / "mine.json").read_text() == "{}"
    assert airlag(*BENCH, "--offered", "50k", "-o", "mine.json", "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("--offered", "fast"), "50k,100k,1.5M"),
        (("--offered", "50k,0k"), "50k,100k,1.5M"),
        (("--rate", "2"), "2M,1M,250k"),
        (("--rate", "3M"), "250 | 1000 | 2000"),
        (("--frame-loss", "200%"), "0,1%,10%"),
        (("--profile", "best"), "tunnel or naive"),
        (("--for", "1ms"), "from 1s to 1000s"),
        (("--set", "hope=1"), "hope"),
        (("-o", "loads.txt"), ".json, .parquet"),
        (("--chart", "loads.gif"), ".svg, .png or .html"),
    ],
)
def test_what_is_not_understood_is_one_line_with_what_would_be_right(
    airlag: Airlag, arguments: tuple[str, str], right: str
) -> None:
    told = airlag(*BENCH, *arguments)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert right in told.err
