"""``airlag tune`` and ``airlag indices`` on the command line."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from told import Airlag

TUNE = ("tune", "nrf24-2m", "--size", "12", "--count", "20", "--trials", "8")
INDICES = ("indices", "nrf24-2m", "--size", "12", "--count", "20", "--samples", "4")


def test_what_to_turn_is_told_with_what_it_costs_and_how_it_was_chosen(airlag: Airlag) -> None:
    told = airlag(
        "tune", "nrf24-2m", "--count", "50", "--trials", "16", "--minimise", "p99", "--over",
        "acknowledge=false,payload=padded,address_width=5",
    )  # fmt: skip
    assert (told.code, told.err) == (0, "")
    text = " ".join(told.out.split())
    # Its column says that it gives up something: a cell does not say so again.
    assert "acknowledge true false retries: lost frames are not retransmitted" in text
    assert "95 % interval" in text
    assert "re-measured on 20 fresh seeds with 50 messages each" in text
    assert "→ airlag run nrf24-2m --size 128 --set" in text
    assert max(map(len, told.out.splitlines())) <= 80


def test_where_nothing_keeps_the_limits_the_code_is_1(airlag: Airlag) -> None:
    told = airlag(*TUNE, "--minimise", "p99", "--subject-to", "p99<1us")
    assert (told.code, told.err) == (1, "")
    assert "None of 8 settings meets the limits." in told.out


def test_a_front_is_a_table_and_a_chart_as_a_file(airlag: Airlag, folder: Path) -> None:
    asked = (*TUNE, "--minimise", "p50", "--maximise", "goodput")
    assert airlag(*asked, "-o", "front.csv").code == 0
    rows = list(csv.DictReader((folder / "front.csv").read_text().splitlines()))
    assert rows[0]["kind"] == "unchanged"
    assert float(rows[1]["p50_ns"]) <= float(rows[0]["p50_ns"])
    assert float(rows[1]["goodput_kbit_per_s_low"]) <= float(rows[1]["goodput_kbit_per_s"])
    told = airlag(*asked, "-o", "front.svg", "--json")
    assert (told.code, told.err) == (0, "airlag: wrote front.svg\n")
    assert json.loads(told.out)["maximise"] == ["goodput"]
    assert "the front under fresh seeds" in (folder / "front.svg").read_text()


def test_indices_are_told_with_intervals_and_chance(airlag: Airlag, folder: Path) -> None:
    told = airlag(*INDICES, "--over", "window=1..3", "--of", "p50", "-o", "indices.html")
    assert (told.code, told.err) == (0, "")
    assert "chance is the effect of the seed" in " ".join(told.out.split())
    assert "share of the variance" in (folder / "indices.html").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("tune", "Missing argument 'LINK'"),
        ("tune nrf24-2m", "no metric to minimise or maximise"),
        ("tune nope --minimise p99", "no link `nope`"),
        ("tune nrf24-2m --minimise p98", "did you mean `p99`"),
        ("tune nrf24-2m --minimise p99,p99", "repeats a metric"),
        ("tune nrf24-2m --minimise p99 --maximise p99", "both minimised and maximised"),
        ("tune nrf24-2m --minimise p99 --subject-to loss", "is not a limit"),
        ("tune nrf24-2m --minimise p99 --subject-to loss<1furlong", "needs a unit of loss"),
        ("tune nrf24-2m --minimise p99 --over windo=1..3", "did you mean `window`"),
        ("tune nrf24-2m --minimise p99 --over window=3..1", "lower end first"),
        ("tune nrf24-2m --minimise p99 --over window=1..1", "lower end first"),
        ("tune nrf24-2m --minimise p99 --over window=1..9", "must be 1 to 3"),
        ("tune nrf24-2m --minimise p99 --over window=1V..2V", "it must be a whole number"),
        ("tune nrf24-2m --minimise p99 --over rate=250..2000", "write rate=250|1000|2000"),
        ("tune nrf24-2m --minimise p99 --over window=", "names no values"),
        ("tune nrf24-2m --minimise p99 --over window=1..", "neither a range nor a choice"),
        ("tune nrf24-2m --minimise p99 --over retransmit_delay=1us..2us", "retransmit_delay"),
        ("tune nrf24-2m --minimise p99 --storage nowhere", "cannot be opened"),
        ("tune nrf24-2m --minimise p99 --storage sqlite:///no/such/a.db", "cannot be opened"),
        ("tune nrf24-2m --minimise p99 --trials 0", "not a valid number of settings"),
        ("tune nrf24-2m --minimise p99 -o a.pdf", "unknown format"),
        ("tune gpio-stm32-ll-o3 --maximise goodput", "no message, so no goodput"),
        ("indices nrf24-2m", "Missing option '--over'"),
        ("indices nrf24-2m --over window=1..3 --samples 100", "not a power of two"),
        ("indices nrf24-2m --over window=1..3 --of p98", "did you mean `p99`"),
        ("indices nrf24-2m --over window=1..3,window=1|2", "is given twice"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(airlag: Airlag, words: str, says: str) -> None:
    told = airlag(*words.split())
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("airlag: ")
    assert told.err.count("\n") == 1
    assert says in told.err


@pytest.mark.parametrize(
    ("library", "words", "extra"),
    [
        ("optuna", [*TUNE, "--minimise", "p99"], "tune"),
        ("SALib.sample.sobol", [*INDICES, "--over", "window=1..3"], "indices"),
    ],
)
def test_without_its_libraries_it_says_what_to_install(
    library: str,
    words: list[str],
    extra: str,
    airlag: Airlag,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, library, None)
    told = airlag(*words)
    assert told.code == 2
    assert f"pip install 'airlag[{extra}]'" in told.err
    assert told.err.count("\n") == 1
