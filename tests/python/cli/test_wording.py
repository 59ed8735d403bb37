"""Text agrees with results: with keys of findings, and with the line above it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from traces import link, logic2_csv

FAR = ("--set", "range=10km")


def flat(text: str) -> str:
    return " ".join(text.split())


def lost_transfers(airlag: Airlag, *words: Any) -> tuple[dict[str, Any], str, str]:
    """Evidence, message and advice of the finding about losses."""
    (run,) = json.loads(airlag(*words, "--json").out)
    (found,) = (one for one in run["findings"] if one["name"] == "lost-transfers")
    return found["evidence"], found["message"], found["advice"]


def test_a_link_cannot_only_where_no_knob_helps(airlag: Airlag) -> None:
    asked = ("recommend", "ieee802154-ack", "sik-64k", "--size", "128", "--deadline")
    told = flat(airlag(*asked, "16.6ms").out)
    # Settings that cost nothing lower the floor of 31.03 ms, but not below the deadline.
    assert "deadline: lower bound 23.3 ms, 6.698 ms above the limit of 16.6 ms" in told
    # A task that is woken keeps the deadline.
    assert "--set trigger_notice=woken" in told
    assert "deadline: lower bound" not in flat(airlag(*asked, "25ms", "--trade").out)


def test_where_nothing_arrives_nothing_is_counted(airlag: Airlag) -> None:
    asked = ("goodput", "nrf24-2m", "--size", "12", "--count", "50")
    far, near = (airlag(*asked, *where) for where in (FAR, ()))
    assert (far.code, near.code) == (0, 0)
    assert "no deliveries; ceiling 212.9 kbit/s" in far.out
    assert re.search(r"delivered \d", near.out)
    assert not re.search(r"delivered \d", far.out)
    asked = ("load", "nrf24-2m", "--size", "12", "--count", "50", "--utilisation", "2")
    far, near = (airlag(*asked, *where) for where in (FAR, ()))
    assert "exclude losses" in near.out
    assert "exclude losses" not in far.out


def test_a_whole_is_written_as_one(airlag: Airlag) -> None:
    asked = ("run", "nrf24-2m", "--size", "12", "--count", "20", "--deadline", "5ms", *FAR)
    counts, finding, _ = airlag(*asked).out.partition("! lost-transfers")
    assert finding
    assert "missed by 20 of 20 = 100 % (84–100 %)" in flat(counts)
    assert set(re.findall(r"= (\S+) %", flat(counts))) == {"100"}


def test_no_receiver_is_blamed_that_had_no_time(airlag: Airlag) -> None:
    asked = ("run", "lora-sf7-250k", "--size", "128", "--count", "60", "--period", "60ms")
    (run,) = json.loads(airlag(*asked, "--json").out)
    assert run["findings"][0]["name"] == "overload"
    assert run["causes"]["overload"]["offered_per_s"] == pytest.approx(1000 / 60)
    assert run["causes"]["overload"]["carried_per_s"] < 1000 / 108
    evidence, message, advice = lost_transfers(airlag, *asked)
    assert "dead_from" not in evidence
    assert "receiver" not in message + advice
    assert "Trigger more than 108.7 ms apart" in advice
    assert "the link is overloaded" in advice
    # One that had time is.
    logic2_csv(Path("scattered.csv"), link(count=400, lost=range(7, 400, 50)))
    evidence, _, advice = lost_transfers(airlag, "analyze", "scattered.csv")
    assert "dead_from" not in evidence
    assert "receiver" in advice


def test_a_receiver_that_stopped_is_said_to_have_stopped_and_one_that_never_started_is_not(
    airlag: Airlag,
) -> None:
    logic2_csv(Path("dead.csv"), link(count=60, lost=range(40, 60)))
    stopped, said, what_to_do = lost_transfers(airlag, "analyze", "dead.csv")
    assert stopped["dead_from"] == 40
    assert "from trigger 40 on: the receiver stopped." in said
    assert "a valid run" in what_to_do
    never, message, advice = lost_transfers(
        airlag, "run", "nrf24-2m", "--size", "12", "--count", "50", *FAR
    )
    assert "dead_from" not in never
    assert "Fade margin" in message
    assert "the receiver stopped" not in message + advice
    assert "a valid run" not in message + advice


def test_the_completion_that_came_next_is_named_where_there_is_one(airlag: Airlag) -> None:
    for name, lost, named in (("dead", range(40, 60), False), ("one", [20], True)):
        logic2_csv(Path(f"{name}.csv"), link(count=60, lost=lost))
        evidence, message, _ = lost_transfers(airlag, "analyze", f"{name}.csv")
        assert ("dead_from" in evidence) is not named
        assert ("Paired with the next completion" in message) is named
