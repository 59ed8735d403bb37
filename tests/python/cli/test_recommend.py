"""``airlag recommend`` on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from airlag import LinkError
from airlag.questions import recommendation
from airlag.questions.recommendation import VERDICTS, Task


def recommended(airlag: Airlag, *arguments: Any, code: int = 0) -> dict[str, Any]:
    told = airlag("recommend", "--json", *arguments)
    assert (told.code, told.err) == (code, "")
    (one,) = [json.loads(told.out)]
    assert isinstance(one, dict)
    return one


def test_a_deadline_separates_links_and_the_command_repeats_the_first(airlag: Airlag) -> None:
    links = ("nrf24-2m", "espnow", "lora-sf7-250k")
    told = recommended(airlag, *links, "--size", "12", "--deadline", "2ms", "--set", "tick_phase=0")
    candidates = told["candidates"]
    assert [each["verdict"] for each in candidates] == sorted(
        (each["verdict"] for each in candidates), key=VERDICTS.index
    )
    verdicts = {each["link"]: each for each in candidates}
    assert verdicts["nrf24-2m"]["verdict"] == "passes"
    assert verdicts["lora-sf7-250k"]["verdict"] == "fails"
    first = candidates[0]
    assert first["command"][:3] == ["airlag", "run", first["link"]]
    (run,) = json.loads(airlag(*first["command"][1:], "--json").out)
    assert run["latency_ns"]["p50"] == first["seen"]["p50_ns"]["ns"]
    assert run["latency_ns"]["p99"] == first["seen"]["quantile_ns"]["ns"]
    assert run["latency_ns"]["interval95"]["p99"] == first["seen"]["quantile_ns"]["interval95"]


def test_the_terminal_shows_a_matrix_and_why(airlag: Airlag) -> None:
    links = ("nrf24-2m", "ieee802154-ack", "lora-sf7-250k")
    asked = ("recommend", *links, "--size", "128", "--deadline", "16.6ms", "--region", "us")
    told = airlag(*asked)
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    assert "128 B within 16.6ms at p99 · at most 1 % lost" in told.out
    assert "with --set trigger_notice=woken" in told.out
    assert "→ first choice: airlag run nrf24-2m --size 128 " in told.out
    kept, failed = told.out.index("meets every requirement"), told.out.index("\nfails  ")
    assert kept < told.out.index("nrf24-2m") < failed < told.out.index("lora-sf7-250k")
    assert {"p99,", "delivery,", "law"} <= set(told.out.split())
    assert told == airlag(*asked)


def test_every_criterion_has_a_value_a_limit_and_a_distance(airlag: Airlag) -> None:
    asked = ("ble-nus-notify", "espnow", "--size", "12", "--deadline", "50ms", "--range", "60m")
    asked += ("--environment", "office", "--battery", "CR2032", "--battery-life", "2y")
    told = recommended(airlag, *asked, "--region", "eu", "--period", "100ms", code=1)
    assert told["task"]["per_second"] == 10
    for each in told["candidates"]:
        names = [one["name"] for one in each["criteria"]]
        assert names == ["deadline", "delivery", "law", "battery life", "peak current"]
        for one in each["criteria"]:
            if None not in (one["value"], one["limit"]):
                assert one["distance"] == pytest.approx(abs(one["value"] - one["limit"]))
    espnow = next(each for each in told["candidates"] if each["link"] == "espnow")
    peak = espnow["criteria"][4]
    assert (peak["verdict"], peak["limit"], peak["unit"]) == ("fails", 30, "mA")


def test_the_matrix_is_a_picture_and_a_page_with_distances_and_commands(
    airlag: Airlag, folder: Path
) -> None:
    links = ("nrf24-2m", "lora-sf7-250k")
    asked = ("recommend", *links, "--size", "12", "--deadline", "2ms", "--region", "us")
    told = airlag(*asked, "-o", "matrix.html")
    assert (told.code, told.err) == (0, "")
    page = (folder / "matrix.html").read_text()
    assert "lora-sf7-250k" in page
    assert "airlag run nrf24-2m --size 12" in page
    beyond = re.search(r"([\d.]+) ! \(([\d.]+)\)", page)
    assert beyond is not None
    latency, distance = map(float, beyond.groups())
    assert latency - distance == pytest.approx(2.0, abs=0.1)
    assert airlag(*asked, "-o", "matrix.svg").code == 0
    drawn = (folder / "matrix.svg").read_text()
    assert "deadline, ms" in drawn
    assert "not allowed" not in drawn
    refused = airlag(*asked, "-o", "matrix.gif")
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_a_budget_that_ends_is_named(airlag: Airlag) -> None:
    asked = ("--size", "12", "--deadline", "20ms", "--percentile", "99.99", "--budget", "1s")
    told = recommended(airlag, *asked, code=1)
    assert not told["complete"]
    open_ = [each["link"] for each in told["candidates"] if each["verdict"] == "undecided"]
    assert open_
    said = " ".join(airlag("recommend", *asked).out.split())
    assert f"undecided within 1 s of CPU time: {open_[0]}" in said


def test_what_has_no_propagation_model_is_undecided(airlag: Airlag) -> None:
    asked = ("nrf24-2m", "uart-115200-irq", "--size", "12", "--deadline", "20ms", "--range", "5m")
    verdicts = {each["link"]: each for each in recommended(airlag, *asked)["candidates"]}
    apart = verdicts["uart-115200-irq"]
    assert "range" not in apart["settings"]
    assert apart["verdict"] == "undecided"
    assert "no propagation model" in apart["reason"]


def test_nothing_that_passes_is_exit_code_1(airlag: Airlag) -> None:
    asked = ("nrf24-2m", "espnow", "--size", "1024", "--deadline", "100us")
    told = recommended(airlag, *asked, code=1)
    assert {each["verdict"] for each in told["candidates"]} == {"fails"}
    assert "No link meets every requirement" in airlag("recommend", *asked).out


def test_the_command_repeats_distance_period_and_seed(airlag: Airlag) -> None:
    asked = ("--size", "12", "--deadline", "5ms", "--range", "1m", "--environment", "home")
    told = recommended(airlag, "nrf24-2m", *asked, "--period", "50ms", "--seed", "3")
    first = told["candidates"][0]
    for words in (["--period", "50ms"], ["--seed", "3"], ["--places", "60"]):
        at = first["command"].index(words[0])
        assert first["command"][at : at + 2] == words
    assert {"range=1m", "environment=home"} <= set(first["command"])
    (run,) = json.loads(airlag(*first["command"][1:], "--json").out)
    assert run["lost"] == first["seen"]["lost"]["count"] == 0


def test_over_a_distance_it_is_a_location_that_keeps_the_deadline(airlag: Airlag) -> None:
    asked = ("nrf24-250k", "--size", "12", "--deadline", "20ms", "--range")
    (near, *_), (far, *_) = (
        recommended(airlag, *asked, distance, code=code)["candidates"]
        for distance, code in (("20m", 0), ("400m", 1))
    )
    assert (near["verdict"], far["verdict"]) == ("passes", "fails")
    assert near["seen"]["fade_margin_db"] > 15 > far["seen"]["fade_margin_db"]
    told = airlag("recommend", *asked, "20m", "--places-share", "80%")
    assert "20m apart, outdoor: at 80 % of locations" in " ".join(told.out.split())


def test_a_wire_counts_where_it_is_asked_for(airlag: Airlag) -> None:
    # Twelve bytes take 65 us at the highest rate there is.
    told = recommended(airlag, "--size", "12", "--deadline", "50us", "--wired", code=1)
    wires = [each for each in told["candidates"] if each["link"].startswith("uart-")]
    assert len(wires) == 27
    assert all("deadline: lower bound " in each["reason"] for each in wires)
    told = recommended(airlag, "uart-9600-dma", "--size", "12", "--deadline", "1ms")
    assert [each["verdict"] for each in told["candidates"]] == ["passes"]
    assert int(told["candidates"][0]["settings"]["baud"]) >= 115200


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        ([], "Missing option '--deadline'"),
        (["--deadline", "16"], "'16' has no unit; write 16us, 16ms or 16s"),
        (["--deadline", "0ms"], "expected one from 1ns to 10000s"),
        (["--deadline", "1ms", "--percentile", "101"], "expected one from 50 to 99.99, such as 99"),
        (["--deadline", "1ms", "--percentile", "high"], "'high' is not a valid percentile"),
        (["--deadline", "1ms", "--max-loss", "0"], "expected one from 0.01% to 50%, such as 0.1%"),
        (["--deadline", "1ms", "--max-loss", "nan%"], "is not a valid loss ratio"),
        (["--deadline", "1ms", "--size", "5000"], "7 to 2048 bytes, not 5000"),
        (["--deadline", "1ms", "--range", "30"], "write one in m or km, such as 30m"),
        (["--deadline", "1ms", "--range", "0m"], "is not a distance"),
        (
            ["--deadline", "1ms", "--range", "3m", "--environment", "hall"],
            "it must be free-space | ",
        ),
        (["--deadline", "1ms", "nrf24-2n"], "did you mean `nrf24-2m`"),
        (["--deadline", "1ms", "--places-share", "90%"], "has no effect without --range"),
        (["--deadline", "1ms", "--range", "3m", "--places-share", "99.9%"], "share of locations"),
        (["--deadline", "1ms", "--environment", "home"], "has no effect without --range"),
        (
            ["--deadline", "1ms", "--budget", "0ms"],
            "is not a valid budget; expected one from 100ms",
        ),
        (["--deadline", "1ms", "nrf24-2m", "--set", "rat=1"], "did you mean `rate`"),
    ],
)
def test_what_cannot_be_asked_gets_one_line_and_exit_code_2(
    arguments: list[str], remedy: str, airlag: Airlag
) -> None:
    told = airlag("recommend", *arguments)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert remedy in told.err, told.err


def test_the_library_reports_progress_and_errors() -> None:
    steps: list[tuple[int, int]] = []
    task = Task(size=12, deadline_ns=200_000, links=["nrf24-2m", "espnow"])
    recommendation.recommend(task, lambda *step: steps.append(step))
    assert steps
    assert steps == sorted(steps)
    assert all(done <= foreseen for done, foreseen in steps)
    with pytest.raises(LinkError, match="7 to 2048 bytes"):
        recommendation.recommend(Task(size=3, deadline_ns=200_000))
