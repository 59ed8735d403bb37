"""Existing files are kept: runs have unique names, and other files are replaced only on request."""

from __future__ import annotations

from pathlib import Path

import pytest
from told import Airlag

from airlag.core import profiles
from airlag.questions import bench, store
from airlag.questions.bench import Request
from traces import link, logic2_csv

ONE = ("run", "ble-nus-notify", "--size", "12", "--count", "5")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_two_settings_give_two_files(airlag: Airlag, folder: Path) -> None:
    for interval in ("7.5ms", "30ms"):
        told = airlag(*ONE, "--set", f"connection_interval={interval}", "-o", "out/")
        assert told.code == 0, told.err
    assert len(names(folder / "out")) == 2
    kept = [store.load(path).config["settings"] for path in sorted((folder / "out").iterdir())]
    assert sorted(map(str, kept)) == [
        "{'connection_interval': '7500'}",
        # What the profile has is not a setting.
        "{}",
    ]


@pytest.mark.parametrize(
    "other",
    [
        Request("uart-115200-dma", 12, 6),
        Request("uart-115200-dma", 12, 5, 300_000_000),
        Request("uart-115200-dma", 12, 5, phase="frozen"),
        Request("uart-115200-dma", 12, 5, seed=2),
        Request("uart-115200-dma", 13, 5),
        Request("uart-115200-dma", 12, 5, settings={"baud": "9600"}),
        Request("uart-115200-dma", 12, 5, settings={"baud": "9600/1"}),
    ],
)
def test_runs_that_differ_in_anything_have_names_of_their_own(other: Request) -> None:
    assert bench.file_name(Request("uart-115200-dma", 12, 5)) != bench.file_name(other)
    assert "/" not in bench.file_name(other)


def test_many_settings_make_a_name_that_a_file_may_have() -> None:
    many = [
        Request("x", 12, settings={f"parameter_{n}": "1" * n for n in range(m)}) for m in (40, 41)
    ]
    found = [bench.file_name(request) for request in many]
    assert found[0] != found[1]
    assert max(map(len, found)) < 255


def test_a_setting_that_changes_nothing_is_no_part_of_a_run(airlag: Airlag, folder: Path) -> None:
    own = str(profiles.link("ble-nus-notify")["parameters"]["connection_interval"]["value"])
    assert airlag(*ONE, "-o", "out/").code == 0
    assert airlag(*ONE, "-o", "out/", "--set", f"connection_interval={own}").code == 0
    assert len(names(folder / "out")) == 1


def test_the_same_run_may_be_written_again_and_another_may_not(
    airlag: Airlag, folder: Path
) -> None:
    assert airlag(*ONE, "-o", "run.parquet").code == 0
    before = (folder / "run.parquet").read_bytes()
    assert airlag(*ONE, "-o", "run.parquet").code == 0
    assert (folder / "run.parquet").read_bytes() == before
    other = airlag(*ONE, "--seed", "2", "-o", "run.parquet")
    assert other.code == 2
    assert other.err == (
        "airlag: run.parquet: cannot be written (it has other contents; use --force to "
        "replace it); choose another path with -o\n"
    )
    assert (folder / "run.parquet").read_bytes() == before
    assert airlag(*ONE, "--seed", "2", "-o", "run.parquet", "--force").code == 0
    assert (folder / "run.parquet").read_bytes() != before


COMMANDS = {
    "run": ([*ONE, "-o", "made.parquet"], "made.parquet"),
    "sniff": ([*ONE, "--sniff", "made.pcapng"], "made.pcapng"),
    "analyze": (["analyze", "good.csv", "-o", "made.parquet"], "made.parquet"),
    "csv": (["convert", "good.csv", "made.csv"], "made.csv"),
    "vcd": (["convert", "good.csv", "made.vcd"], "made.vcd"),
    "session": (["convert", "good.csv", "made.sr"], "made.sr"),
    "parquet": (["convert", "good.csv", "made.parquet"], "made.parquet"),
    "page": (["report", "good.csv", "-o", "made.html"], "made.html"),
    "svg": (["report", "good.csv", "-o", "made.svg"], "made.svg"),
    "png": (["report", "good.csv", "-o", "made.png"], "made.png"),
    "explain": (["explain", "uart-115200-dma", "-o", "made.html"], "made.html"),
    "match": (
        ["match", "good.csv", "--link", "gpio-stm32-ll-o3", "-o", "made.parquet"],
        "made.parquet",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_leaves_a_foreign_file_alone_unless_forced(
    name: str, airlag: Airlag, capture: Path, folder: Path
) -> None:
    del capture
    arguments, made = COMMANDS[name]
    target = folder / made
    target.write_text("precious")
    refused = airlag(*arguments)
    assert refused.code == 2
    assert target.read_text() == "precious"
    (line,) = refused.err.splitlines()
    assert line.startswith(f"airlag: {made}: ")
    assert "--force" in line
    forced = airlag(*arguments, "--force")
    assert forced.code == 0, forced.err
    content = target.read_bytes()
    assert content != b"precious"
    # What a command has written it writes again, and says so.
    again = airlag(*arguments)
    assert again.code == 0, again.err
    assert target.read_bytes() == content
    assert made in again.out
    assert names(folder) == sorted([made, "good.csv"])


def test_a_page_is_drawn_again_of_other_runs(airlag: Airlag, capture: Path, folder: Path) -> None:
    logic2_csv(folder / "other.csv", link(count=30))
    for suffix in ("html", "svg", "png"):
        assert airlag("report", capture, "-o", f"page.{suffix}").code == 0
        before = (folder / f"page.{suffix}").read_bytes()
        assert airlag("report", "other.csv", "-o", f"page.{suffix}").code == 0
        assert (folder / f"page.{suffix}").read_bytes() != before


def test_a_capture_is_not_replaced_by_another(airlag: Airlag, capture: Path, folder: Path) -> None:
    logic2_csv(folder / "other.csv", link(count=30))
    before = (folder / "other.csv").read_bytes()
    assert airlag("convert", capture, "other.csv").code == 2
    assert (folder / "other.csv").read_bytes() == before


def test_what_was_written_is_said_beside_data(airlag: Airlag, capture: Path) -> None:
    assert airlag("analyze", capture, "-o", "run.parquet").out.endswith("wrote run.parquet\n")
    told = airlag("analyze", capture, "-o", "run.parquet", "--json")
    assert told.err == "airlag: wrote run.parquet\n"
    told = airlag(*ONE, "--size", "12,20", "-o", "out/", "--json")
    assert told.err == "airlag: wrote 2 files to out/\n"
