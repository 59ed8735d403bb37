"""``--region`` on the command line: whether a transmission is permitted."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import pytest
from told import Airlag

from airlag import _airlag
from airlag.core.answered import ask
from airlag.core.types import Region
from airlag.questions import budget
from airlag.questions.bench import Request, emulate

#: The band of 1 % around 868.3 MHz, and what it is allowed by.
LORA = ("lora-sf7-250k", "--size", "12", "--count", "60", "--set", "frequency=868.3MHz")
#: The line of a run on the terminal.
LINE = re.compile(r"^ +law  ", re.MULTILINE)


def law(airlag: Airlag, *words: Any) -> dict[str, Any]:
    told = airlag(*words, "--json")
    assert (told.code, told.err) == (0, "")
    (run,) = json.loads(told.out)
    found: dict[str, Any] = run["law"]
    return found


def test_lora_sends_ten_times_as_often_as_it_may(airlag: Airlag) -> None:
    told = law(airlag, "run", *LORA, "--region", "eu")
    assert (told["region"], told["standing"], told["allowed"]) == ("eu", "not allowed", False)
    assert told["airtime"] == pytest.approx(0.103, rel=0.01)
    (radio,) = told["radios"]
    (verdict,) = radio["verdicts"]
    assert verdict["band_khz"] == [868_000, 868_600]
    power, duty = verdict["kindest"]["checks"]
    assert (power["standing"], duty["standing"]) == ("within", "not allowed")
    # In percent of an hour, of which one is allowed.
    assert duty["value"] == pytest.approx(100 * told["airtime"])
    assert duty["rarer"] == pytest.approx(duty["value"])
    assert duty["clause"] in told["reason"]


def test_at_a_lower_rate_it_is_allowed(airlag: Airlag) -> None:
    told = law(airlag, "run", *LORA, "--period", "3s", "--region", "eu")
    assert (told["standing"], told["otherwise"]) == ("within", [])


def test_the_terminal_tells_clause_and_remedy_and_that_it_is_no_advice(airlag: Airlag) -> None:
    told = airlag("run", *LORA, "--region", "eu")
    said = " ".join(told.out.split())
    assert "law eu not allowed (on the air 10.3 % of the time): " in said
    assert "duty cycle in an hour 10.3 %, at most 1 % by Decision" in said
    assert "2006/771/EC" in said
    assert "allowed at 1/10.4 of this rate" in said
    assert said.count("not legal advice") == 1
    assert max(map(len, told.out.splitlines())) <= 80


def test_without_a_region_only_what_no_region_allows_gets_a_word(airlag: Airlag) -> None:
    forbidden = airlag("run", *LORA).out
    assert "not allowed in the EU or US as configured" in forbidden
    assert LINE.search(forbidden)
    for allowed in (("nrf24-2m", "--size", "12"), ("uart-115200-irq", "--size", "12")):
        assert not LINE.search(airlag("run", *allowed, "--count", "20").out)
    (run,) = json.loads(airlag("run", *LORA, "--json").out)
    assert "law" not in run


def test_a_wire_asks_nobody(airlag: Airlag) -> None:
    words = ("run", "uart-115200-irq", "--size", "12", "--count", "20", "--region", "eu")
    (run,) = json.loads(airlag(*words, "--json").out)
    assert run["law"] is None
    assert not LINE.search(airlag(*words).out)


def test_a_sniffed_run_is_judged_as_any(airlag: Airlag) -> None:
    words = ("run", *LORA, "--region", "us", "--json")
    sniffed = airlag(*words, "--sniff", "frames.pcapng")
    assert json.loads(sniffed.out) == json.loads(airlag(*words).out)


def test_explain_judges_the_run_it_explains(airlag: Airlag) -> None:
    words = ("lora-sf7-250k", "--size", "12", "--region", "us")
    told = law(airlag, "explain", *words)
    assert told == law(airlag, "run", *words)
    assert "law us" in airlag("explain", *words).out


def test_what_a_region_forbids_is_no_advice() -> None:
    # 250 kHz around 868.45 MHz lie in 868.0 to 868.6 MHz, 500 kHz do not.
    settings = {"frequency": "868450000"}
    request = Request("lora-sf7-250k", 12, 400, 30_000_000_000, settings=settings)
    free, ruled = (budget.advise(request, "median", region) for region in (None, "eu"))

    def offered(advice: budget.Advice) -> set[str]:
        changes = (*advice.single, *advice.trades, *advice.combined)
        return {name for change in changes for name in change.settings}

    assert "bandwidth" in offered(free)
    assert "bandwidth" not in offered(ruled)
    assert offered(ruled)


def test_recommend_fails_what_is_not_allowed_with_its_clause(airlag: Airlag) -> None:
    words = ("recommend", "nrf24-2m", "lora-sf7-250k", "--size", "12", "--deadline", "100ms")
    told = json.loads(airlag(*words, "--region", "us", "--json").out)
    assert told["task"]["region"] == "us"
    own = {each["link"]: each for each in told["candidates"]}
    assert own["nrf24-2m"]["verdict"] == "passes"
    assert own["nrf24-2m"]["law"]["allowed"]
    # A region moves what it does not allow to what it does.
    lora = own["lora-sf7-250k"]
    assert (lora["verdict"], lora["law"]["allowed"]) == ("passes", True)
    assert lora["settings"]
    assert "--region us" in " ".join(lora["command"])
    loud = ("--set", "bandwidth=250kHz", "--set", "tx_power=17")
    fixed = airlag(*words, "--region", "us", *loud, "--json")
    lora = {each["link"]: each for each in json.loads(fixed.out)["candidates"]}["lora-sf7-250k"]
    assert (lora["verdict"], lora["law"]["standing"]) == ("fails", "not allowed")
    assert lora["reason"].startswith("law: ")
    assert "47 CFR" in lora["reason"]
    said = " ".join(airlag(*words, "--region", "us").out.split())
    assert "permitted in the US" in said
    assert "not legal advice" in said


def test_a_run_in_python_knows_every_region() -> None:
    run = emulate(Request("espnow", 12, 20))
    assert set(run.law) == set(get_args(Region)) == set(_airlag.regions())
    assert "law" not in run.facts
    asked = emulate(Request("espnow", 12, 20, region="eu"))
    assert asked.facts["law"] == run.law["eu"]


def test_no_region_but_those_that_are_known(airlag: Airlag) -> None:
    told = airlag("run", "nrf24-2m", "--region", "moon")
    assert (told.code, told.out) == (2, "")
    assert "region 'moon' is unknown; write eu or us" in told.err
    with pytest.raises(ValueError, match="unknown variant `moon`, expected `eu` or `us`"):
        ask("run", link="nrf24-2m", size=12, region="moon")
    told = airlag("run", "nrf24-2m", "--traffic", "back-to-back", "--region", "eu")
    assert (told.code, told.out) == (2, "")
    assert "--region does not apply to --traffic back-to-back" in told.err
