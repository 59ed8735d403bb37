"""``airlag boards`` with boards on pseudo terminals."""

from __future__ import annotations

import json
from collections.abc import Iterator

import jsonschema
import pytest
from told import Airlag

from airlag import _airlag
from airlag.core.schemas import schema
from boards import ControlledBoard


@pytest.fixture
def board() -> Iterator[ControlledBoard]:
    made = ControlledBoard("nrf24-sender")
    yield made
    made.close()


def test_a_board_is_described(airlag: Airlag, board: ControlledBoard) -> None:
    told = airlag("boards", board.device)
    assert (told.code, told.err) == (0, "")
    head, *lines = told.out.splitlines()
    assert head == f"{board.device}  pico, nrf24-sender 0.1.2, sender, running, protocol 1"
    assert [line.split() for line in lines[:3]] == [
        ["setting", "value", "lowest", "highest", "unit"],
        ["role", "0", "0", "1"],
        ["size", "12", "7", "2", "048", "B"],
    ]
    assert lines[-1] == "  counters: sent 0, received 0"
    told = airlag("boards", board.device, "--json")
    (answer,) = json.loads(told.out)
    jsonschema.Draft202012Validator(schema("boards")).validate([answer])
    assert answer["settings"][1] == {
        "name": "size",
        "value": 12,
        "unit": "B",
        "lowest": 7,
        "highest": 2048,
    }


def test_settings_are_changed_and_a_running_board_is_started_again(
    airlag: Airlag, board: ControlledBoard
) -> None:
    changes = ("--set", "size=128", "--set", "role=1")
    (answer,) = json.loads(airlag("boards", board.device, *changes, "--json").out)
    assert (answer["role"], answer["state"]) == ("receiver", "running")
    assert [(run["size"], run["role"]) for run in board.runs] == [(128, 1)]
    (answer,) = json.loads(airlag("boards", board.device, "--stop", "--json").out)
    assert (answer["state"], len(board.runs)) == ("stopped", 1)
    # A stopped board stays stopped, unless it is to start.
    airlag("boards", board.device, "--set", "role=0", "--set", "count=5")
    assert len(board.runs) == 1
    (answer,) = json.loads(airlag("boards", board.device, "--start", "--json").out)
    assert {one["name"]: one["value"] for one in answer["counters"]}["sent"] == 5


def test_an_instrument_has_no_settings(airlag: Airlag) -> None:
    instrument = ControlledBoard("instrument", {})
    told = airlag("boards", instrument.device)
    assert told.out == f"{instrument.device}  pico, instrument 0.1.2, running, protocol 1\n"
    told = airlag("boards", instrument.device, "--set", "size=12")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "unknown setting size" in told.err
    instrument.close()


@pytest.mark.parametrize(
    ("defect", "said"),
    [
        (lambda _: b"$GPGGA,garbage\r\n\0", "no valid response in "),
        (lambda line: line[: len(line) // 2], "no valid response in "),
        (lambda _: b"", "no response, within 3s"),
    ],
)
def test_a_board_that_does_not_answer_is_one_line(
    airlag: Airlag, board: ControlledBoard, defect: object, said: str
) -> None:
    other = ControlledBoard("nrf24-receiver")
    board.defect = defect  # type: ignore[assignment]
    told = airlag("boards", board.device, other.device, "--json")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert f"{board.device}: {said}" in told.err
    # Other boards are described all the same.
    assert [each["device"] for each in json.loads(told.out)] == [other.device]
    other.close()


def test_a_change_that_is_not_possible_is_one_line(airlag: Airlag, board: ControlledBoard) -> None:
    for words, said in (
        (("--set", "sise=12"), "unknown setting sise; expected role, size, count"),
        (("--set", "size=3000"), "size=3000 is out of range; expected 7 to 2048"),
        (("--set", "size"), "size: expected a name and a whole number"),
        (("--set", "size=1.5"), "size=1.5: expected a name and a whole number"),
    ):
        told = airlag("boards", board.device, *words)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
        assert said in told.err
    assert board.runs == []
    for device in ("/dev/null", "/dev/absent"):
        told = airlag("boards", device)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
        assert told.err.endswith("; expected a serial device\n")


def test_connected_boards_are_listed_and_only_named_ones_are_changed(
    airlag: Airlag, board: ControlledBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_airlag, "connected_boards", lambda: [board.device])
    assert json.loads(airlag("boards", "--json").out)[0]["device"] == board.device
    for words in (("--set", "size=128"), ("--stop",), ("--start",)):
        told = airlag("boards", *words)
        assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
        assert "needs a DEVICE" in told.err
    assert (board.values["size"], board.runs) == (12, [])
    monkeypatch.setattr(_airlag, "connected_boards", list)
    told = airlag("boards")
    assert (told.code, told.err.count("\n"), told.out) == (2, 1, "")
