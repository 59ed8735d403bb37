"""Charge per message on the command line: figures, batteries, and requests without an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from told import Airlag

from airlag.questions import charge


def told(airlag: Airlag, *words: str) -> list[dict[str, Any]]:
    found = airlag(*words, "--json")
    assert found.code == 0, found.err
    runs: list[dict[str, Any]] = json.loads(found.out)
    return runs


def test_a_run_says_what_a_message_costs_and_how_long_a_battery_lasts(airlag: Airlag) -> None:
    words = ("run", "ble-nus-notify", "--size", "12", "--count", "50")
    (run,) = told(airlag, *words, "--battery", "CR2032", "--rate", "1/min")
    sender, fed = run["charge"]["sender"], run["fed"]["sender"]
    states = sum(state["nc"] for part in sender["parts"] for state in part["states"])
    waking = sum(part["wakes"] * part["wake_nc"] for part in sender["parts"])
    assert sender["total_nc"] == pytest.approx(states + waking)
    average = sender["idle_na"] + sender["marginal_nc"] / 60
    assert fed["average_na"] == pytest.approx(average)
    years = 235e6 / (average + 235e6 * 0.01 / 8766) / 8766
    assert fed["life"]["years"] == pytest.approx(years)
    text = airlag(*words, "--battery", "CR2032").out
    assert "charge  sender" in text
    assert "CR2032 lasts" in text


def test_the_slices_of_a_message_add_up_in_the_table(airlag: Airlag) -> None:
    (run,) = told(airlag, "explain", "nrf24-2m", "--size", "12")
    for end in run["slices_charge"].values():
        assert sum(item["mean_nc"] for item in end["items"]) == pytest.approx(end["message_nc"])
    names = [item["name"] for item in run["budget"]["items"]]
    assert {item["name"] for item in run["slices_charge"]["sender"]["items"]} == set(names)


def test_a_coin_cell_does_not_send_wifi(airlag: Airlag) -> None:
    text = airlag("run", "espnow", "--size", "12", "--count", "20", "--battery", "CR2032").out
    assert "but supplies 30 mA of the peak" in " ".join(text.split())


def test_a_link_whose_parts_nobody_lists_says_so_where_it_is_asked(airlag: Airlag) -> None:
    words = ("run", "websocket-pi4-wifi", "--size", "12", "--count", "5")
    assert told(airlag, *words)[0]["charge"] is None
    assert "charge" not in airlag(*words).out
    assert "charge  no current data" in airlag(*words, "--rate", "1/s").out


def test_two_runs_are_compared_by_what_they_cost(airlag: Airlag, tmp_path: Any) -> None:
    for link in ("nrf24-2m", "nrf24-250k"):
        where = str(tmp_path / f"{link}.parquet")
        assert airlag("run", link, "--size", "12", "--count", "50", "-o", where).code == 0
    pair = [str(tmp_path / f"{link}.parquet") for link in ("nrf24-2m", "nrf24-250k")]
    (found,) = json.loads(airlag("compare", *pair, "--json").out)
    first, second = found["charge"]["sender"]["marginal_nc"]
    assert 0 < first < second
    assert "charge  sender" in airlag("compare", *pair).out


def test_a_battery_is_judged_with_the_processor_of_a_product(airlag: Airlag) -> None:
    asked = ("--size", "12", "--deadline", "200ms", "--battery-life", "1y", "--battery", "2xAA")
    assert airlag("recommend", "nrf24-2m", *asked).code == 1
    found = airlag("recommend", "nrf24-2m", *asked, "--processor", "nrf54l15-cpu", "--json")
    assert found.code == 0
    told = json.loads(found.out)
    assert told["task"]["processor"] == "nrf54l15-cpu"
    assert all(one["settings"]["processor"] == "nrf54l15-cpu" for one in told["candidates"])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("run", "nrf24-2m", "--battery", "CR2023"), "did you mean `CR2032`"),
        (("run", "nrf24-2m", "--rate", "often"), "'often' is not a message rate"),
        (("run", "nrf24-2m", "--rate", "0/s"), "is out of range for a message rate"),
        (("recommend", "--deadline", "1s", "--max-charge", "50"), "is not a charge"),
        (("recommend", "--deadline", "1s", "--rate", "1/s"), "no effect without --battery"),
        (("recommend", "--deadline", "1s", "--battery-life", "x"), "is not a battery life"),
        (("recommend", "--deadline", "1s", "--processor", "nrf54"), "own | none |"),
        (("run", "ble-nus-notify", "--set", "processor=none"), "on the radio's chip"),
    ],
)
def test_what_nobody_can_be_asked_is_one_line(
    words: tuple[str, ...], why: str, airlag: Airlag
) -> None:
    found = airlag(*words)
    assert found.code == 2
    lines = " ".join(found.err.split())
    assert why in lines


def test_quantities_are_read_as_they_are_written() -> None:
    assert charge.parse_charge("50uC") == 50e3
    assert charge.parse_rate("6/min") == pytest.approx(0.1)
    assert charge.parse_life("90d") == pytest.approx(90 / 365.25)
    assert charge.charge_in_words(1830.0) == "1.830 uC"
    assert charge.current_in_words(26e6) == "26.00 mA"
    assert charge.rate_in_words(1 / 60) == "1/min"
    assert charge.years_in_words(0.5) == "182.6 days"
