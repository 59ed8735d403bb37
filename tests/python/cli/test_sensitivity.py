"""``airlag links NAME --sensitivity`` on the command line: effects of assumed constants."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from told import Airlag

from airlag.cli.links import sensitivity_shown
from airlag.questions.sensitivity import MATTERS, sensitivity

ASKED = ("links", "nrf24-2m", "--sensitivity", "--size", "12")


def test_an_effect_is_what_airlag_run_says_of_the_changed_link(airlag: Airlag) -> None:
    told = airlag(*ASKED, "--json")
    assert (told.code, told.err) == (0, "")
    (found,) = json.loads(told.out)
    effects = [one["effect"] for one in found["constants"]]
    assert effects == sorted(effects, reverse=True)
    spi = next(one for one in found["constants"] if one["name"] == "spi_byte")
    assert spi["doubled"]["value"] == 2 * spi["value"]
    ran = airlag("run", "nrf24-2m", "--size", "12", "--set", "spi_byte=1992", "--json")
    (run,) = json.loads(ran.out)
    latency = run["latency_ns"]
    assert (spi["doubled"]["p50_ns"], spi["doubled"]["p99_ns"]) == (latency["p50"], latency["p99"])
    changed = max(abs(latency[p] / found[f"{p}_ns"] - 1) for p in ("p50", "p99"))
    assert spi["effect"] == pytest.approx(changed)
    why = {one["name"]: one["why"] for one in found["left_out"]}
    assert (why["frame_loss"], why["broken_ack"]) == ("zero", "a choice")


def test_the_table_fits_a_mail_and_names_what_is_left_out(airlag: Airlag) -> None:
    told = airlag(*ASKED)
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    for word in ("nrf24-2m 12 B", "spi_byte", "halved", "effect below 0.1 %", "frame_loss (zero)"):
        assert word in " ".join(told.out.split())
    assert airlag(*ASKED) == told


def test_a_bound_is_told_with_what_it_is_worth(airlag: Airlag) -> None:
    (found,) = json.loads(airlag(*ASKED, "--json").out)
    (link,) = json.loads(airlag("links", "nrf24-2m", "--json").out)
    spi = next(one for one in found["constants"] if one["name"] == "spi_byte")
    bound = link["parameters"]["spi_byte"]["bound"]
    assert spi["bound"] == bound == [995, 998]
    ends = [spi["within"][end] for end in ("lowest", "highest")]
    assert [end["value"] for end in ends] == bound
    moved = [abs(end[p] / found[p] - 1) for end in ends for p in ("p50_ns", "p99_ns")]
    assert spi["within"]["effect"] == pytest.approx(max(moved))
    assert link["parameters"]["strobe"]["bound"] is None
    assert "996 ns (995 to 998)" in " ".join(airlag("links", "nrf24-2m").out.split())
    assert "995 to 998" in " ".join(airlag(*ASKED).out.split())


def test_what_is_open_is_worth_more_than_another_seed() -> None:
    told = sensitivity("spp-esp32-woken")
    assert [one.name for one in told.open] == ["wake"]
    poll = next(one for one in told.constants if one.name == "poll_interval")
    assert poll.effect is not None
    assert poll.effect > MATTERS
    assert poll.worth == 0.0, "its bound leaves nothing but itself"


def test_a_board_without_a_link_shows_no_payload(airlag: Airlag) -> None:
    (found,) = json.loads(airlag("links", "gpio-stm32-ll-o3", "--sensitivity", "--json").out)
    assert found["size"] is None


def test_a_value_the_bench_refuses_is_told() -> None:
    told = sensitivity("ble-nus-notify", count=20, settings={"chunk": "197"})
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(*sensitivity_shown(told))
    assert "of up to 244 B, not 394" in " ".join(console.export_text().split())


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("links", "--sensitivity"), "needs one link"),
        (("links", "nrf25", "--sensitivity"), "nrf25"),
    ],
)
def test_half_a_question_is_answered_with_what_is_missing(
    airlag: Airlag, asked: tuple[str, ...], told: str
) -> None:
    answer = airlag(*asked)
    assert answer.code == 2
    assert told in answer.err
