"""Calls as traffic: ``run``, ``explain``, ``goodput`` and ``load`` know them by name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from told import Airlag

from airlag.core.answered import ask
from airlag.questions.bench import CALLS, Request, emulate
from airlag.questions.budget import explain
from airlag.questions.runs import Outcome


def answered(airlag: Airlag, *arguments: str) -> Any:
    told = airlag(*arguments, "--json")
    assert (told.code, told.err) == (0, "")
    return json.loads(told.out)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_waits_for_one_event_and_then_for_another(call: str) -> None:
    run = emulate(Request("rpc-nrf52", 5, count=200, traffic=call))
    assert (run.count(Outcome.DELIVERED), run.count(Outcome.LOST)) == (200, 0)
    assert run.latency is not None
    # The request waits for anything up to an interval of 30 ms, the answer for a whole one; a
    # stream is six packets of 0.6 ms.
    assert 30e6 < run.latency["min"] < 35e6
    assert 60e6 < run.latency["max"] < 65e6


def test_every_nanosecond_of_a_call_is_somebodys() -> None:
    told = explain(Request("rpc-nrf52", 200, count=100, traffic="rpc-write"))
    assert told.budget is not None
    names = {item.name for item in told.budget.items}
    assert {"interval wait", "handler", "encryption", "host", "air"} <= names
    assert "other" not in names
    assert told.floor.terms[0].name.startswith("request: ")
    assert told.floor.terms[-1].name.startswith("answer: ")


def test_explain_says_where_the_article_contradicts_itself(airlag: Airlag) -> None:
    told = airlag("explain", "rpc-echo")
    assert (told.code, told.err) == (0, "")
    text = " ".join(told.out.split())
    assert text.startswith("rpc-macos 5 B rpc-echo")
    assert "published, for back-to-back calls: echo_roundtrip 60.6 ms/call" in text
    contradiction = "the article states "
    assert f"{contradiction}an interval of 15 ms and a round trip of about 30 ms for macOS" in text
    other = airlag("explain", "rpc-iphone16", "--traffic", "rpc-echo", "--size", "5")
    assert "60.0 ms/call" in " ".join(other.out.split())
    assert contradiction not in " ".join(other.out.split())


def test_calls_in_flight_carry_more(airlag: Airlag) -> None:
    asked = ("goodput", "rpc-nrf52", "--traffic", "rpc-write", "--size", "200", "--count", "200")
    (one,) = answered(airlag, *asked)
    (many,) = answered(airlag, *asked, "--set", "calls_in_flight=8")
    assert one["traffic"] == many["traffic"] == "rpc-write"
    assert many["goodput_kbps"] > 10 * one["goodput_kbps"]
    assert many["goodput_kbps"] < many["ceiling_kbps"]


def test_a_loaded_link_answers_sooner_as_its_events_go_on(airlag: Airlag) -> None:
    (found,) = answered(
        airlag,
        *("load", "rpc-nrf52", "--traffic", "rpc-write", "--size", "200", "--count", "200"),
        *("--set", "calls_in_flight=8", "--utilisation", "0.1,0.6,3"),
    )
    light, middle, heavy = (point["latency_ns"]["p50"] for point in found["points"])
    assert middle < light < heavy


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "nrf24-2m", "--traffic", "rpc-echo", "--size", "5"), "is one-way"),
        (("run", "gpio-stm32-ll-o3", "--traffic", "rpc-echo"), "one-way"),
        (
            ("run", "rpc-macos", "--traffic", "rpc-echo", "--size", "300"),
            "rpc-echo takes 1 to 256 B, not 300",
        ),
        (
            ("goodput", "rpc-macos", "--traffic", "rpc-stream", "--size", "1001"),
            "rpc-stream takes 1 to 1000 items, not 1001",
        ),
        (("explain", "rpc-echo", "--set", "calls_in_flight=17"), "must be 1 to 16"),
        (("rpc", "bench", "--gains", "--transport", "bumble"), "--gains is only available"),
    ],
)
def test_calls_that_cannot_be_made_get_one_line(
    airlag: Airlag, words: tuple[str, ...], says: str
) -> None:
    told = airlag(*words)
    assert (told.code, told.out) == (2, "")
    assert says in told.err
    assert told.err.count("\n") == 1


def test_each_gain_is_shown_alone_and_together(airlag: Airlag) -> None:
    rows = answered(airlag, "rpc", "bench", "--gains", "--platform", "macos")
    gains = list(dict.fromkeys(row["gain"] for row in rows))
    assert gains[0] == "published settings"
    assert gains[-2:] == ["all but the interval", "all"]
    echo = {row["gain"]: row for row in rows if row["benchmark"] == "echo_roundtrip"}
    assert echo["published settings"]["published"] == 60.6
    assert echo["all"]["published"] is None
    assert echo["all"]["settings"]["calls_in_flight"] == "16"
    assert 20 * echo["all"]["measured"] < echo["published settings"]["measured"]
    told = airlag("rpc", "bench", "--gains", "--platform", "macos")
    assert [line for line in told.out.splitlines() if line.startswith("all ")]
    assert max(map(len, told.out.splitlines())) <= 80


def test_published_figures_stand_only_beside_the_link_they_were_published_for(
    airlag: Airlag,
) -> None:
    for changed in (("--set", "connection_interval=15ms"), ("--link", "ble-nus-write")):
        rows = answered(airlag, "rpc", "bench", "--platform", "macos", *changed)
        assert {row["published"] for row in rows} == {None}
    known = {each["name"]: each["link"] for each in ask("rpc-platforms")}
    assert known["macos"] == "rpc-macos"
