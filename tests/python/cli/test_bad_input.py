"""Any invalid input: exit code 2, and one line with the problem, its place and a remedy."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from told import Airlag

from traces import MS, link, logic2_csv, make

HEADER = "Time [s],Channel 0,Channel 1\n"
Spoil = Callable[[Path], str]

#: One spoiled file a name: how to make it, and what the line must say besides the file's name.
BAD: dict[str, tuple[str, Spoil, list[str]]] = {}


def bad(name: str, *must_say: str) -> Callable[[Spoil], Spoil]:
    def note(make_it: Spoil) -> Spoil:
        BAD[make_it.__name__] = (name, make_it, list(must_say))
        return make_it

    return note


@bad("absent.csv", "No such file")
def absent(path: Path) -> str:
    assert not path.exists()
    return ""


@bad("empty.csv", "empty; expected a capture")
def empty(path: Path) -> str:
    path.write_bytes(b"")
    return ""


@bad("cut.csv", "line 3: ", "truncated|columns|expected")
def truncated(path: Path) -> str:
    path.write_text(HEADER + "0.000000000,0,0\n0.100000")
    return ""


@bad("noise.bin", "expected Logic 2 CSV")
def binary(path: Path) -> str:
    path.write_bytes(bytes(range(256)) * 64)
    return ""


@bad("torn.csv", "line 3: ", "binary data where text is expected")
def binary_in_text(path: Path) -> str:
    path.write_bytes(HEADER.encode() + b"0.000000000,0,0\n\xff\xfe\x00\x01,1,0\n0.2,0,0\n")
    return ""


@bad("backwards.csv", "line 4: ", "time order")
def not_monotonic(path: Path) -> str:
    path.write_text(HEADER + "0.000000000,0,0\n0.200000000,1,0\n0.100000000,0,0\n0.3,0,0\n")
    return ""


@bad("later.sal", "version", "airlag reads")
def unknown_version(path: Path) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("meta.json", '{"version": 99, "data": {}}')
        for number in (0, 1):
            content = b"<SALEAE>" + (99).to_bytes(4, "little") + bytes(64)
            archive.writestr(f"digital-{number}.bin", content)
    return ""


@bad("good.csv", "line 1: ", 'no channel "radio"; the file has Channel 0, Channel 1')
def missing_channel(path: Path) -> str:
    logic2_csv(path, link())
    return "--completion radio"


@bad("millis.csv", "line 1: ", r'unit "ms" is unknown; expected Time \[s\]')
def wrong_unit(path: Path) -> str:
    path.write_text("Time [ms],Channel 0,Channel 1\n0.0,0,0\n1.0,1,0\n2.0,0,1\n")
    return ""


@bad("table.txt", 'unit "parsec" is unknown; expected s, ms, us or ns')
def wrong_unit_of_a_table(path: Path) -> str:
    path.write_text("rtt [parsec]\n1.0\n2.0\n")
    return ""


@bad("endless.csv", "longer than", "expected")
def huge_line(path: Path) -> str:
    path.write_text(HEADER + "0.000000000,0,0\n" + "1" * 2_000_000 + "\n")
    return ""


@bad("bomb.sal", "unpack|at most|larger", "at most|expected")
def zip_bomb(path: Path) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("meta.json", b" " * 200_000_000)
        archive.writestr("digital-0.bin", b"<SALEAE>" + bytes(64))
    return ""


@bad("bomb.sr", "unpack|at most|larger", "at most|expected")
def zip_bomb_of_metadata(path: Path) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("version", b"2")
        archive.writestr("metadata", b" " * 200_000_000)
        archive.writestr("logic-1-1", bytes(64))
    return ""


@bad("flat.csv", 'channel "Channel 1" never changes', "check the wiring")
def constant_channel(path: Path) -> str:
    logic2_csv(path, make([[(0, 9 * MS, False, [MS, 2 * MS])], [(0, 9 * MS, False, [])]]))
    return ""


@bad("one.csv", 'no channel "1"')
def one_channel(path: Path) -> str:
    path.write_text("Time [s],Channel 0\n0.0,0\n0.1,1\n0.2,0\n")
    return ""


@bad("words.csv", "line 3: ", 'bad level "high"; expected 0, 1 or X')
def bad_level(path: Path) -> str:
    path.write_text(HEADER + "0.0,0,0\n0.1,high,0\n0.2,0,0\n")
    return ""


@bad("volts.csv", "line 2: ", "analogue", "expected digital edges")
def analogue(path: Path) -> str:
    path.write_text(HEADER + "0.0,0.01,3.30\n0.1,0.02,3.29\n")
    return ""


@bad("half.parquet", "damaged or cut short")
def truncated_run(path: Path) -> str:
    path.write_bytes(b"PAR1" + bytes(100))
    return ""


@bad("folder", "digital_0.bin|directory|expected")
def folder_without_captures(path: Path) -> str:
    path.mkdir()
    return ""


@pytest.mark.parametrize("kind", sorted(BAD))
def test_bad_input_gets_one_line_and_exit_code_2(kind: str, airlag: Airlag, folder: Path) -> None:
    name, spoil, must_say = BAD[kind]
    options = spoil(folder / name).split()
    told = airlag("analyze", name, *options)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith(f"airlag: {name}")
    assert "Traceback" not in told.err
    for pattern in must_say:
        assert re.search(pattern, told.err), told.err


@pytest.mark.parametrize("kind", sorted(set(BAD) - {"missing_channel"}))
def test_a_bad_file_does_not_hide_the_good_ones_around_it(
    kind: str, airlag: Airlag, folder: Path
) -> None:
    name, spoil, _ = BAD[kind]
    spoil(folder / name)
    logic2_csv(folder / "before.csv", link())
    logic2_csv(folder / "after.csv", link())
    told = airlag("analyze", "before.csv", name, "after.csv")
    assert told.code == 2
    assert told.err.count("\n") == 1
    assert re.findall(r"^\S+\.csv", told.out, re.MULTILINE) == ["before.csv", "after.csv"]


def test_control_characters_of_a_hostile_file_do_not_reach_the_terminal(
    airlag: Airlag, folder: Path
) -> None:
    (folder / "evil.csv").write_text(HEADER + "0.0,0,0\n0.1,\x1b[2Jboo,0\n0.2,0,0\n")
    told = airlag("analyze", "evil.csv")
    assert told.code == 2
    assert "\x1b" not in told.err


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["frobnicate"], "see airlag --help"),
        (["analyze"], "see airlag analyze --help"),
        (["analyze", "--min-lo", "1us", "good.csv"], "--min-low"),
        (["analyze", "--min-low", "200", "good.csv"], "write 200us, 200ms or 200s"),
        (["analyze", "--overlap", "2lightyears", "good.csv"], "expected ns, us, ms, s"),
        (["analyze", "--size", "twelve", "good.csv"], "expected a number of bytes, such as 128"),
        (["analyze", "--size", "0", "good.csv"], "expected a number of bytes, such as 128"),
        (["analyze", "--trigger", "1", "--completion", "1", "good.csv"], "choose two channels"),
        (["analyze", "--invert", "5", "good.csv"], "neither the trigger"),
        (["analyze", "--fail-on", "bad-luck", "good.csv"], "lost-transfers"),
        (["analyze", "good.csv", "-o", "run.txt"], "end it with .parquet"),
        (["analyze", "good.csv", "-o", "nowhere/run.parquet"], "choose another path"),
        (["analyze", "good.csv", "-o", "good.csv/"], "expected a folder"),
        (["analyze", "good.csv", "good.csv", "-o", "run.parquet"], "end it with / for a folder"),
        (["convert", "good.csv"], "see airlag convert --help"),
        (["convert", "good.csv", "good.csv"], "choose another name"),
        (["convert", "good.csv", "good.doc"], r"end it with \.csv, \.vcd, \.sr"),
        (["convert", "good.csv", "nowhere/good.vcd"], "nowhere/good.vcd: No such file"),
        (["convert", "absent.csv", "good.vcd"], "No such file"),
        (["report", "good.csv", "-o", "report.pdf"], r"\.svg, \.png or \.html"),
        (["compare", "good.csv"], "two"),
    ],
)
def test_a_command_line_that_is_not_understood_gets_one_line_too(
    arguments: list[str], remedy: str, airlag: Airlag, capture: Path
) -> None:
    told = airlag(*arguments)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert re.search(remedy, told.err), told.err
    assert capture.exists()
