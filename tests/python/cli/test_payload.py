"""A board without a link has no message: no command requires or shows a payload."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

import airlag as library
from airlag import _airlag
from airlag.core import payload, profiles
from airlag.questions import bench
from airlag.questions.bench import Request, emulate
from airlag.questions.matching import match, rank

BOARD = "gpio-stm32-ll-o3"
WITHOUT = [name for name in _airlag.links() if profiles.link(name)["medium"] is None]

#: Every command that runs such a board, and what it takes besides.
COMMANDS = {
    "run": ["run", BOARD, "--count", "20"],
    "explain": ["explain", BOARD],
    "sensitivity": ["links", BOARD, "--sensitivity"],
    "recommend": ["recommend", BOARD, "--deadline", "1us"],
    "match": ["match", "kept.parquet", "--link", BOARD],
}


def printed(airlag: Airlag, *arguments: Any) -> Any:
    told = airlag(*arguments, "--json")
    assert (told.code, told.err) == (0, "")
    return json.loads(told.out)


@pytest.fixture
def kept(folder: Path) -> Path:
    """A run of the board."""
    library.save(emulate(Request(BOARD, None, 40)), folder / "kept.parquet")
    return folder / "kept.parquet"


def test_what_has_no_medium_has_no_payload_and_all_else_has() -> None:
    assert WITHOUT
    for link in _airlag.links():
        asked = _airlag.payloads(link, [12, 128])
        assert asked == ([None] if link in WITHOUT else [12, 128])
        published = [figure["size"] for figure in profiles.link(link)["published"]]
        assert all((size is None) == (link in WITHOUT) for size in published)


def test_a_size_goes_to_the_links_that_have_a_message() -> None:
    assert payload.of_each([BOARD, "nrf24-2m"], [7], [12]) == {BOARD: [None], "nrf24-2m": [7]}
    assert payload.of_each([BOARD], None, [12]) == {BOARD: [None]}
    with pytest.raises(_airlag.LinkError, match="no message"):
        payload.of_each(WITHOUT, [7], [12])


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_asks_for_a_payload_or_shows_one(
    command: str, airlag: Airlag, kept: Path
) -> None:
    del kept
    told = airlag(*COMMANDS[command])
    assert (told.code, told.err) == (0, "")
    assert " B" not in told.out
    found = printed(airlag, *COMMANDS[command])
    objects = [found["task"], *found["candidates"]] if command == "recommend" else found
    assert objects
    assert all(each["size"] is None for each in objects)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_payload_that_nothing_carries_is_refused_in_one_line(
    command: str, airlag: Airlag, kept: Path
) -> None:
    del kept
    told = airlag(*COMMANDS[command], "--size", "12")
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert told.err.startswith(f"airlag: {BOARD}")
    assert "no message" in told.err
    assert "no payload" in told.err


def test_a_message_without_a_payload_is_refused() -> None:
    with pytest.raises(_airlag.LinkError, match="nrf24-2m: the message size is missing"):
        emulate(Request("nrf24-2m", None))


def test_a_kept_run_is_named_without_a_payload(airlag: Airlag, folder: Path) -> None:
    assert airlag("run", BOARD, "--count", "20", "-o", "out/").code == 0
    assert [path.name for path in (folder / "out").iterdir()] == [f"{BOARD}-count=20.parquet"]


def test_a_file_that_was_kept_with_a_payload_opens_without(airlag: Airlag, kept: Path) -> None:
    made = emulate(Request(BOARD, None, 40))
    library.save(replace(made, size=12), kept, force=True)
    (found,) = printed(airlag, "analyze", kept)
    assert (found["link"], found["size"]) == (BOARD, None)
    (told,) = printed(airlag, "explain", kept)
    assert told["size"] is None
    assert told["latency_ns"] == made.latency
    assert airlag("report", kept, "-o", "report.svg").code == 0
    assert "12 B" not in (kept.parent / "report.svg").read_text("utf-8")


def test_the_bytes_in_the_name_of_a_capture_are_not_those_of_a_board(kept: Path) -> None:
    named = library.analyze(kept.rename(kept.with_name("pin-12B.parquet")))
    assert match(named, BOARD).size is None
    assert all((one.size is None) == (one.link in WITHOUT) for one in rank(named).candidates)


def test_a_published_figure_is_found(airlag: Airlag, folder: Path) -> None:
    link = "gpio-stm32duino-o1"
    (folder / "one.toml").write_text(f'[[runs]]\nlinks = ["{link}"]\ncount = 20\n')
    told = airlag("campaign", "one.toml", "--json")
    (found,) = json.loads(told.out)
    assert (found["size"], found["published_ns"]) == (None, 1500)
    page = (folder / "reports" / "one.html").read_text("utf-8")
    assert f"{link} B" not in page
    assert bench.file_name(Request(link, None)) == f"{link}.parquet"


def test_one_packet_of_a_board_is_an_answer(airlag: Airlag, folder: Path) -> None:
    assert airlag("explain", BOARD, "-o", "one.svg").code == 0
    picture = (folder / "one.svg").read_text("utf-8")
    assert f"One answer of {BOARD}" in picture
    assert "None" not in picture
