"""Sentences that do not contradict the line above them."""

from __future__ import annotations

import re
from pathlib import Path

from told import Airlag

from traces import link, logic2_csv

FAR = ("--set", "range=10km")


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_link_cannot_only_where_no_knob_helps(airlag: Airlag) -> None:
    asked = ("recommend", "ieee802154-ack", "sik-64k", "--size", "128", "--deadline")
    told = flat(airlag(*asked, "16.6ms").out)
    assert "sik-64k cannot: its floor is 31.03 ms, and still 23.3 ms with its knobs turned" in told
    # It keeps the deadline as it is tuned, a few lines above.
    assert "ieee802154-ack, as it is p99 is" in told
    told = flat(airlag(*asked, "25ms", "--trade").out)
    assert not re.search(r"sik-64k(, as it is)? cannot", told)


def test_where_nothing_arrives_nothing_is_counted(airlag: Airlag) -> None:
    told = airlag("goodput", "nrf24-2m", "--size", "12", "--count", "50", *FAR)
    assert told.code == 0
    assert "nothing arrives of 212.9 kbit/s" in told.out
    assert "delivered 0" not in told.out
    told = airlag("load", "nrf24-2m", "--size", "12", "--count", "50", "--utilisation", "1", *FAR)
    assert "of what was delivered" not in told.out


def test_a_whole_is_written_as_one(airlag: Airlag) -> None:
    asked = ("run", "nrf24-2m", "--size", "12", "--count", "20", "--deadline", "5ms", *FAR)
    told = flat(airlag(*asked).out)
    assert "1e+02" not in told
    assert "missed by 19 of 19 = 100 % (83–100 %)" in told
    assert "100.0 %)" not in told.split("! lost-transfers")[0]


def test_no_receiver_is_blamed_that_had_no_time(airlag: Airlag) -> None:
    hurried = flat(
        airlag("run", "lora-sf7-250k", "--size", "128", "--count", "60", "--period", "60ms").out
    )
    assert "period-too-short" in hurried
    # What it costs the receiver is no blame.
    assert "receiver" not in hurried.replace("charge receiver", "")
    assert "Trigger more than 108.7 ms apart" in hurried
    assert "a link that is given more than it carries" in hurried


def test_what_never_arrived_has_not_stopped(airlag: Airlag) -> None:
    told = flat(airlag("run", "nrf24-2m", "--size", "12", "--count", "50", *FAR).out)
    assert "never started, or hears nothing" in told
    assert "the receiver stopped" not in told
    assert "a valid run of their own" not in told


def test_a_receiver_that_stopped_is_said_to_have_stopped(airlag: Airlag) -> None:
    logic2_csv(Path("dead.csv"), link(count=60, lost=range(40, 60)))
    told = flat(airlag("analyze", "dead.csv").out)
    assert "from trigger 40 on: the receiver stopped." in told
    # There is none that comes next.
    assert "Paired with the completion that came next" not in told
