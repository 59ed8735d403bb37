"""``--neighbour``: other transmitters, on the command line and in campaigns."""

from __future__ import annotations

import json
from pathlib import Path

from told import Airlag

SHORT = ("--size", "12", "--count", "100", "--period", "50ms")


def test_a_neighbour_is_part_of_the_run_and_repeats_it(airlag: Airlag) -> None:
    words = ("run", "ieee802154-blind", *SHORT, "--neighbour", "wifi:60%@ch1,20cm", "--json")
    (run,) = json.loads(airlag(*words).out)
    (alone,) = json.loads(airlag("run", "ieee802154-blind", *SHORT, "--json").out)
    assert run["lost"] > alone["lost"]
    named = ("--set", "neighbours=wifi:60%@ch1,20cm")
    (same,) = json.loads(airlag("run", "ieee802154-blind", *SHORT, *named, "--json").out)
    assert same == run


def test_every_question_takes_neighbours(airlag: Airlag) -> None:
    wifi = ("--neighbour", "wifi:20%@ch1", "--neighbour", "ble:1")
    for words in (
        ("run", "espnow", "--size", "12", "--count", "30"),
        ("goodput", "espnow", "--size", "128", "--count", "50"),
        ("load", "espnow", "--size", "128", "--count", "50", "--utilisation", "0.5"),
    ):
        told = airlag(*words, *wifi)
        assert told.err == "", words
        assert told.out != airlag(*words).out, words


def test_what_recommend_judged_among_others_its_command_repeats(airlag: Airlag) -> None:
    words = ("recommend", "nrf24-2m", "--size", "12", "--deadline", "50ms", "--period", "5ms")
    told = json.loads(airlag(*words, "--neighbour", "ble:2", "--json").out)
    assert told["task"]["neighbours"] == ["ble:2"]
    assert all(each["settings"]["neighbours"] == "ble:2" for each in told["candidates"])
    assert "neighbours ble:2" in " ".join(airlag(*words, "--neighbour", "ble:2").out.split())


def test_a_campaign_names_neighbours(airlag: Airlag, folder: Path) -> None:
    (folder / "crowd.toml").write_text(
        'name = "crowd"\n[[runs]]\nlinks = ["nrf24-2m"]\nsizes = [12]\ncount = 20\n'
        'neighbours = ["same-link:2", "ble:1"]\n'
    )
    assert airlag("campaign", "crowd.toml").code == 0
    (folder / "wrong.toml").write_text(
        'name = "wrong"\n[[runs]]\nlinks = ["nrf24-2m"]\nsizes = [12]\nneighbours = "ble:1"\n'
    )
    told = airlag("campaign", "wrong.toml")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert '`neighbours` must be a list, such as ["wifi:30%@ch6"]' in told.err


def test_a_wrong_neighbour_is_refused_in_one_line(airlag: Airlag) -> None:
    for link, spec, said in (
        ("nrf24-2m", "wify:30%@ch6", "no such neighbour; did you mean `wifi`"),
        ("nrf24-2m", "wifi:30%", "its channel is 1 to 13, as in wifi:30%@ch6"),
        ("nrf24-2m", "ble:0", "the amount is a share above 0% up to 100%, or a count from 1 to 50"),
        ("uart-115200-irq", "ble:1", "has no radio on this bench"),
    ):
        told = airlag("run", link, *SHORT, "--neighbour", spec)
        assert (told.code, told.out, told.err.count("\n")) == (2, "", 1), told.err
        assert said in told.err
