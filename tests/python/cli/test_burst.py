"""``airlag run --traffic back-to-back``: which messages of a train arrive, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

THREAD = ("run", "thread-up", "--size", "79", "--traffic", "back-to-back")


def tried(airlag: Airlag, *more: str) -> dict[str, Any]:
    (found,) = json.loads(airlag(*THREAD, *more, "--json").out)
    return dict(found)


def test_the_later_packets_are_lost_and_it_says_why(airlag: Airlag) -> None:
    found = tried(airlag)
    assert abs(found["delivery"] - 0.823) < 0.03
    low, high = found["delivery_interval"]
    assert low <= found["delivery"] <= high
    assert len(found["lost_at"]) == 100
    assert sum(found["lost_at"]) == found["incidents"]["no message buffers"]
    assert not any(found["lost_at"][:40])
    assert found["position"]["mean"] > found["position"]["independent"][1]
    assert [one["seed"] for one in found["trials"]] == list(range(1, 11))
    told = " ".join(airlag(*THREAD).out.split())
    assert "The later messages are lost: " in told
    assert "events: no message buffers" in told


def test_paced_or_repeated_all_arrive(airlag: Airlag) -> None:
    unpaced = tried(airlag)["goodput_kbps"]
    assert "lost" in airlag(*THREAD, "--trials", "3").out
    for how in (("--pace", "16ms"), ("--repeat", "--count", "1000")):
        found = tried(airlag, *how, "--trials", "3")
        assert found["delivery"] == 1.0
        assert found["position"] is None
        assert found["goodput_kbps"] > 0.9 * unpaced
        assert "lost" not in airlag(*THREAD, *how, "--trials", "3").out


def test_independent_losses_are_called_so(airlag: Airlag) -> None:
    lossy = ("--set", "frame_loss=0.3", "--set", "retries=1", "--set", "when_full=wait")
    told = " ".join(airlag(*THREAD, *lossy).out.split())
    assert "Losses do not depend on position: " in told


def test_what_fragments_lose_stands_beside_the_formula(airlag: Airlag) -> None:
    asked = [*THREAD, "--count", "2000", "--trials", "1", "--set", "when_full=wait"]
    asked += ["--set", "frame_loss=0.02", "--set", "retries=0"]
    asked[3] = "79,432"
    one, five = json.loads(airlag(*asked, "--json").out)
    assert (one["fragments"], five["fragments"]) == (1, 5)
    told = " ".join(airlag(*asked).out.split())
    assert "a message has 5 frames and is lost if any frame is: " in told
    assert "1 - (1 - p)^5 is " in told


def test_one_train_has_no_interval(airlag: Airlag) -> None:
    assert tried(airlag, "--trials", "1")["delivery_interval"] is None
    several, one = (airlag(*THREAD, "--trials", trials).out for trials in ("3", "1"))
    assert "interval" in several
    assert "interval" not in one


def test_the_same_seed_gives_the_same_bytes(airlag: Airlag) -> None:
    asked = (*THREAD, "--seed", "5", "--trials", "2", "--json")
    assert airlag(*asked).out == airlag(*asked).out


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_chart_is_drawn(airlag: Airlag, folder: Path, suffix: str) -> None:
    chart = folder / f"lost.{suffix}"
    assert airlag(*THREAD, "--trials", "2", "-o", str(chart)).code == 0
    content = chart.read_bytes()
    if suffix == "svg":
        assert b"the later messages are lost" in content
        # Vermillion: what is lost.
        assert b"#d55e00" in content
    assert len(content) > 1_000


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--period", "10ms"), "--period does not apply to --traffic back-to-back"),
        (("--sniff", "x.pcapng"), "--sniff does not apply to --traffic back-to-back"),
        (("-o", "x.parquet"), "end it with .svg, .png or .html"),
        (("--trials", "0"), "is not a valid number of trains"),
        (("--pace", "1ns"), "is not a valid pace"),
    ],
)
def test_what_means_nothing_is_refused(airlag: Airlag, more: tuple[str, ...], told: str) -> None:
    said = airlag(*THREAD, *more)
    assert (said.code, told in said.err) == (2, True), said.err


def test_options_of_trains_need_trains(airlag: Airlag) -> None:
    said = airlag("run", "nrf24-2m", "--size", "12", "--pace", "1ms")
    assert said.code == 2
    assert "--pace does not apply to --traffic trigger" in said.err


def test_a_link_of_one_way_cannot_repeat(airlag: Airlag) -> None:
    asked = ("--size", "79", "--traffic", "back-to-back", "--trials", "1", "--count", "10")
    for link in ("uart-115200-irq", "gpio-stm32-ll-o3"):
        said = airlag("run", link, *asked, "--repeat")
        assert said.code in (0, 2)
        assert said.err.count("\n") == (said.code == 2)


TRAIN = ("explain", "thread-up", "--size", "79", "--traffic", "back-to-back", "--trials", "2")


def test_lost_messages_of_a_train_are_explained(airlag: Airlag) -> None:
    said = airlag(*TRAIN)
    assert (said.code, said.err) == (0, "")
    told = " ".join(said.out.split())
    assert "cause full queue: 100 % of the lost messages were refused" in told
    assert "→ best change: --pace " in told
    assert "→ alternative: --repeat delivered" in told


def test_a_pace_that_is_recommended_keeps_its_promise(airlag: Airlag) -> None:
    (found,) = json.loads(airlag(*TRAIN, "--json").out)
    assert found["cause"] == "refused"
    assert found["refused"] == sum(found["lost_at"])
    first = found["remedies"][0]
    assert first["delivery"] == 1.0
    # For a train of any length: not quicker than the link carries.
    assert first["pace_ns"] >= found["arrived_every_ns"]
    words = ("--pace", f"{first['pace_ns']}ns", "--count", "400")
    (paced,) = json.loads(airlag("run", *TRAIN[1:], *words, "--json").out)
    assert paced["delivery"] == 1.0
    assert paced["goodput_kbps"] > 0.9 * found["goodput_kbps"]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--pace", "20ms"), "--pace needs --traffic back-to-back"),
        (("--traffic", "back-to-back", "--for", "tail"), "--for does not apply to back-to-back"),
        (
            ("--traffic", "echo"),
            "traffic 'echo' is unknown; write rpc-echo, rpc-read, rpc-write, rpc-stream, "
            "rpc-upload or back-to-back",
        ),
    ],
)
def test_options_of_trains_and_of_messages_do_not_mix(
    airlag: Airlag, words: tuple[str, ...], line: str
) -> None:
    said = airlag("explain", "thread-up", *words)
    assert said.code == 2
    assert line in said.err
