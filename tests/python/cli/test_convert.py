"""Between capture formats: every edge keeps its nanosecond."""

from __future__ import annotations

import itertools
import json
import struct
from pathlib import Path

import pytest
from told import Airlag

import airlag as library
from airlag.questions.demo import write_captures
from traces import edges_of

SUFFIXES = ("csv", "vcd", "parquet")


@pytest.mark.parametrize(("first", "second"), list(itertools.product(SUFFIXES, SUFFIXES)))
def test_there_and_back_again(first: str, second: str, airlag: Airlag, folder: Path) -> None:
    original = write_captures(folder)[0]
    assert airlag("convert", original, f"there.{first}").code == 0
    assert airlag("convert", f"there.{first}", f"back.{second}").code == 0
    back = library.read(f"back.{second}")
    assert back.names == ["trigger", "completion"]
    assert edges_of(back) == edges_of(library.read(original))


def test_a_sigrok_session_keeps_edges_on_its_sampling_grid(airlag: Airlag, folder: Path) -> None:
    (folder / "short.csv").write_text(
        "Time [s],trigger,completion\n0.000000000,0,0\n0.000100000,1,0\n0.000102000,0,1\n"
        "0.000110000,0,0\n0.000200000,1,1\n0.000400000,1,1\n"
    )
    assert airlag("convert", "short.csv", "short.sr").code == 0
    assert airlag("convert", "short.sr", "back.csv").code == 0
    assert [
        [segment[3] for segment in channel] for channel in edges_of(library.read("back.csv"))
    ] == [[segment[3] for segment in channel] for channel in edges_of(library.read("short.csv"))]


def test_a_converted_run_gives_the_same_numbers(airlag: Airlag, folder: Path) -> None:
    original = write_captures(folder)[1]
    for suffix in SUFFIXES:
        airlag("convert", original.name, f"copy.{suffix}")
    told = [
        json.loads(airlag("analyze", "--json", name).out)[0]
        for name in (original.name, *(f"copy.{suffix}" for suffix in SUFFIXES))
    ]
    for run in told:
        del run["source"]
        assert run == told[0]


def test_a_capture_that_cannot_be_paired_can_be_converted(airlag: Airlag, folder: Path) -> None:
    (folder / "one.csv").write_text("Time [s],A\n0.0,0\n0.1,1\n0.2,0\n0.3,0\n")
    assert airlag("convert", "one.csv", "one.parquet").code == 0
    assert airlag("convert", "one.parquet", "back.csv").code == 0
    assert edges_of(library.read("back.csv")) == edges_of(library.read("one.csv"))


def test_json_says_what_was_written(airlag: Airlag, capture: Path) -> None:
    told = airlag("convert", capture, "good.vcd", "--json")
    assert json.loads(told.out) == [
        {
            "source": "good.csv",
            "target": "good.vcd",
            "channels": [{"name": "Channel 0", "edges": 80}, {"name": "Channel 1", "edges": 76}],
        }
    ]


def test_a_saleae_binary_export_is_a_folder(airlag: Airlag, folder: Path) -> None:
    def channel(*edges_s: float) -> bytes:
        header = struct.pack("<8siiIddQ", b"<SALEAE>", 0, 0, 0, 0.0, 1.0, len(edges_s))
        return header + struct.pack(f"<{len(edges_s)}d", *edges_s)

    (folder / "export").mkdir()
    (folder / "export" / "digital_0.bin").write_bytes(channel(0.1, 0.2, 0.5, 0.6))
    (folder / "export" / "digital_1.bin").write_bytes(channel(0.13, 0.14, 0.55, 0.56))
    (run,) = json.loads(airlag("analyze", "--json", "export").out)
    assert (run["source"], run["triggers"], run["delivered"]) == ("export", 2, 2)
    assert airlag("convert", "export", "export.csv").code == 0
    (again,) = json.loads(airlag("analyze", "--json", "export.csv").out)
    assert again | {"source": "export"} == run
