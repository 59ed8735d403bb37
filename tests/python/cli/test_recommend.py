"""``airlag recommend``: which link to choose, on the command line."""

from __future__ import annotations

import json
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
    told = recommended(airlag, "--size", "12", "--deadline", "2ms")
    candidates = told["candidates"]
    assert [each["verdict"] for each in candidates] == sorted(
        (each["verdict"] for each in candidates), key=VERDICTS.index
    )
    verdicts = {each["link"]: each for each in candidates if not each["tuned"]}
    assert verdicts["nrf24-2m"]["verdict"] == "passes"
    assert verdicts["espnow"]["verdict"] == "fails"
    assert verdicts["espnow"]["seen"]["largest"]["name"] == "tick wait"
    first = candidates[0]
    assert first["command"][:3] == ["airlag", "run", first["link"]]
    (run,) = json.loads(airlag(*first["command"][1:], "--json").out)
    assert run["latency_ns"]["p50"] == first["seen"]["p50_ns"]["ns"]
    assert run["latency_ns"]["p99"] == first["seen"]["quantile_ns"]["ns"]
    assert run["latency_ns"]["interval95"]["p99"] == first["seen"]["quantile_ns"]["interval95"]


def test_the_terminal_tells_who_passes_who_fails_and_why(airlag: Airlag) -> None:
    links = ("nrf24-2m", "ieee802154-ack", "lora-sf7-250k")
    asked = ("recommend", *links, "--size", "128", "--deadline", "16.6ms")
    told = airlag(*asked)
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    assert "128 B within 16.6ms at p99 · at most 1 % lost" in told.out
    assert "→ --set flush_after_read=false" in told.out
    assert "ms of it tick wait" in told.out
    assert "→ first choice: airlag run nrf24-2m --size 128 --set " in told.out
    kept, failed = told.out.index("keeps the deadline"), told.out.index("does not ")
    assert kept < told.out.index("nrf24-2m") < failed < told.out.index("lora-sf7-250k")
    assert told == airlag(*asked)


def test_what_has_no_propagation_model_is_listed_apart(airlag: Airlag) -> None:
    asked = ("nrf24-2m", "uart-115200-irq", "--size", "12", "--deadline", "20ms", "--range", "5m")
    verdicts = {each["link"]: each for each in recommended(airlag, *asked)["candidates"]}
    apart = verdicts["uart-115200-irq"]
    assert "range" not in apart["settings"]
    assert apart["verdict"] == "range-unknown"
    assert apart["reason"].startswith("range unknown: no propagation model")
    out = airlag("recommend", *asked).out
    assert out.index("\nrange unknown  ") < out.index("uart-115200-irq")


def test_nothing_that_passes_is_exit_code_1(airlag: Airlag) -> None:
    asked = ("nrf24-2m", "espnow", "--size", "1024", "--deadline", "100us")
    told = recommended(airlag, *asked, code=1)
    assert {each["verdict"] for each in told["candidates"]} == {"fails"}
    assert "Nothing is sure to keep" in airlag("recommend", *asked).out


def test_the_command_repeats_distance_period_and_seed(airlag: Airlag) -> None:
    asked = ("--size", "12", "--deadline", "5ms", "--range", "1m", "--environment", "home")
    told = recommended(
        airlag, "nrf24-2m", *asked, "--period", "50ms", "--seed", "3", "--percentile", "99.9"
    )
    first = told["candidates"][0]
    for words in (["--period", "50ms"], ["--seed", "3"], ["--count", "60000"], ["--places", "60"]):
        at = first["command"].index(words[0])
        assert first["command"][at : at + 2] == words
    assert {"range=1m", "environment=home"} <= set(first["command"])
    (run,) = json.loads(airlag(*first["command"][1:], "--json").out)
    assert run["latency_ns"]["p99.9"] == first["seen"]["quantile_ns"]["ns"]
    assert run["lost"] == first["seen"]["lost"]["count"] == 0


def test_over_a_distance_it_is_places_that_keep_the_deadline(airlag: Airlag) -> None:
    asked = ("nrf24-250k", "--size", "12", "--deadline", "20ms", "--range")
    (near, *_), (far, *_) = (
        recommended(airlag, *asked, distance, code=code)["candidates"]
        for distance, code in (("20m", 0), ("400m", 1))
    )
    assert (near["verdict"], far["verdict"]) == ("passes", "fails")
    for each in (near, far):
        places = each["seen"]["places"]
        low, high = places["keep"]["interval95"]
        assert places["count"] == 60
        assert low <= places["keep"]["ratio"] <= high
        assert f"of {places['count']} places keep it" in each["reason"]
    assert near["seen"]["fade_margin_db"] > 20 > far["seen"]["fade_margin_db"]
    told = airlag("recommend", *asked, "20m", "--places-share", "80%")
    assert "20m apart, outdoor: at 80 % of places" in " ".join(told.out.split())


def test_a_wire_counts_where_it_is_asked_for(airlag: Airlag) -> None:
    # Twelve bytes take 65 us at the highest rate there is.
    told = recommended(airlag, "--size", "12", "--deadline", "50us", "--wired", code=1)
    wires = [each for each in told["candidates"] if each["link"].startswith("uart-")]
    assert len(wires) == 27
    assert all(each["reason"].startswith("cannot: its floor is") for each in wires)
    told = recommended(airlag, "uart-9600-dma", "--size", "12", "--deadline", "1ms")
    assert [each["verdict"] for each in told["candidates"]] == ["passes", "fails"]
    assert told["candidates"][0]["settings"]["baud"] == "1843200"


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        ([], "Missing option '--deadline'"),
        (["--deadline", "16"], "'16' has no unit; write 16us, 16ms or 16s"),
        (["--deadline", "0ms"], "write one from 1ns to 10000s"),
        (["--deadline", "1ms", "--percentile", "101"], "write one from 50 to 99.99, such as 99"),
        (["--deadline", "1ms", "--percentile", "high"], "'high' is no percentile"),
        (["--deadline", "1ms", "--max-loss", "0"], "write one from 0.01% to 50%, such as 0.1%"),
        (["--deadline", "1ms", "--max-loss", "nan%"], "is no loss a bench can show"),
        (["--deadline", "1ms", "--size", "5000"], "7 to 2048 bytes, not 5000"),
        (["--deadline", "1ms", "--range", "30"], "write one in m or km, such as 30m"),
        (["--deadline", "1ms", "--range", "0m"], "is no distance"),
        (["--deadline", "1ms", "--range", "3m", "--environment", "hall"], "it is free-space | "),
        (["--deadline", "1ms", "nrf24-2n"], "did you mean `nrf24-2m`"),
        (["--deadline", "1ms", "--places-share", "90%"], "changes nothing without a --range"),
        (["--deadline", "1ms", "--range", "3m", "--places-share", "99.9%"], "share of places"),
        (["--deadline", "1ms", "--environment", "home"], "changes nothing without a --range"),
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


def test_the_library_tells_of_progress_and_of_errors() -> None:
    steps: list[int] = []
    told = recommendation.recommend(Task(12, 200_000), steps.append)
    assert len(steps) == steps[0] == len({each.link for each in told.candidates})
    with pytest.raises(LinkError, match="7 to 2048 bytes"):
        recommendation.recommend(Task(3, 200_000))
