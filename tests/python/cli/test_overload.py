"""An overloaded link: reported before any latency, of runs, saved runs and captures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

import airlag as library
from airlag.questions import store
from traces import link, logic2_csv

#: A message takes 5.4 s.
SLOW = ("lora-sf11-62k5", "--size", "128", "--period", "250ms", "--count", "200")
FLOOR_NS = 5_441_000_000


def of_json(airlag: Airlag, *arguments: Any) -> dict[str, Any]:
    told = airlag(*arguments, "--json")
    assert told.code == 0, told.err
    (run,) = json.loads(told.out)
    found: dict[str, Any] = run
    return found


def test_both_rates_stand_above_the_latencies(airlag: Airlag) -> None:
    told = airlag("run", *SLOW, "--region", "eu")
    head, _, rest = told.out.partition("p50")
    assert "! overload" in head
    assert "4.00 messages per second are offered" in " ".join(head.split())
    assert "! overload" not in rest


def test_a_saved_run_is_what_it_was(airlag: Airlag) -> None:
    made = of_json(airlag, "run", *SLOW, "-o", "slow.parquet")
    kept = of_json(airlag, "analyze", "slow.parquet")
    for key in ("triggers", "delivered", "late", "lost", "censored", "spurious", "latency_ns"):
        assert kept[key] == made[key], key
    assert [one["name"] for one in kept["findings"]] == [one["name"] for one in made["findings"]]
    assert made["latency_ns"]["min"] >= FLOOR_NS
    assert made["delivered"] == made["late"] > 0


def test_transfers_of_other_triggers_are_refused(airlag: Airlag) -> None:
    run = library.run("lora-sf11-62k5", 128, period="250ms", count=60)
    kept = {**run.config["matched"], "outcome": [0]}
    store.save(replace(run, config={**run.config, "matched": kept}), Path("other.parquet"))
    told = airlag("analyze", "other.parquet")
    assert told.code == 2
    assert "1 outcomes of 60 triggers; save the run again" in told.err


def test_a_capture_of_a_link_that_is_too_slow_warns_before_its_latencies(airlag: Airlag) -> None:
    logic2_csv(Path("quick.csv"), link(count=400))
    plain = airlag("analyze", "quick.csv")
    assert "period-too-short" not in plain.out
    told = airlag("analyze", "quick.csv", "--link", "lora-sf11-62k5", "--size", "128")
    head, _, _ = told.out.partition("p50")
    assert "! period-too-short" in head
    assert "do not show which completion belongs" in " ".join(head.split())


@pytest.mark.parametrize("period", ["1us", "49us"])
def test_a_period_within_a_trigger_pulse_is_refused_in_one_line(
    period: str, airlag: Airlag
) -> None:
    told = airlag("run", "nrf24-2m", "--size", "12", "--period", period, "--count", "5")
    assert (told.code, told.out) == (2, "")
    assert told.err.count("\n") == 1
    assert "choose 50 us or more" in told.err
