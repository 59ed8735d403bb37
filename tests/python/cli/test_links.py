"""``airlag links``: families, filters, parameters, and suggestions for unknown names."""

from __future__ import annotations

import json

import pytest
from told import Airlag

from airlag import _airlag
from airlag.core import profiles


def test_links_stand_with_their_family(airlag: Airlag) -> None:
    kinds = {name: profiles.link(name)["kind"] for name in _airlag.links()}
    listed: list[tuple[str, str]] = []
    family = ""
    for line in airlag("links").out.splitlines():
        if line and not line.startswith(" "):
            family = line
        elif line[2:].split(" ")[0] in kinds:
            listed.append((line.split()[0], family))
    assert sorted(listed) == sorted(kinds.items())
    # Each family stands there once.
    families = [family for _, family in listed]
    assert sorted(families, key=list(dict.fromkeys(families)).index) == families


@pytest.mark.parametrize(
    ("asked", "some", "none"),
    [
        ("nrf24", "nrf24-250k-raw", "lora-sf7-250k"),
        ("ble-nus", "ble-nus-early-write", "ble-bluedroid-write"),
        ("*-woken", "espnow-woken", "espnow"),
        ("ble", "rpc-macos", "wifi-udp-tuned"),
    ],
)
def test_a_family_or_part_of_names_is_listed(
    asked: str, some: str, none: str, airlag: Airlag
) -> None:
    told = airlag("links", asked, "--json")
    names = [each["name"] for each in json.loads(told.out)]
    assert some in names
    assert none not in names
    assert len(names) > 1


def test_with_a_payload_the_list_tells_floor_and_ceiling(airlag: Airlag) -> None:
    told = airlag("links", "nrf24", "--size", "128").out
    (line,) = (line for line in told.splitlines() if line.split()[:1] == ["nrf24-2m"])
    floor = profiles.floor("nrf24-2m", 128)["ns"]
    ceiling = _airlag.link_ceiling("nrf24-2m", 128)
    assert line.split()[1:4] == [f"{floor / 1e6:.3f}", f"{ceiling:.1f}", "1.9"]
    # A published figure stands only beside the payload it was published for.
    (line,) = (
        line
        for line in airlag("links", "nrf24", "--size", "100").out.splitlines()
        if line.split()[:1] == ["nrf24-2m"]
    )
    assert line.split()[3] == "–"
    assert (
        "floor 1.645 ms · ceiling 567.6 kbit/s" in airlag("links", "nrf24-2m", "--size", "128").out
    )


def test_boards_without_a_message_have_a_floor_and_carry_nothing(airlag: Airlag) -> None:
    told = airlag("links", "gpio", "--size", "128")
    assert (told.code, told.err) == (0, "")
    (line,) = (each for each in told.out.splitlines() if "gpio-stm32-ll-o3" in each)
    assert line.split()[2] == "–"


def test_a_constant_is_shown_with_its_help_and_its_choices(airlag: Airlag) -> None:
    told = " ".join(airlag("links", "nrf24-2m").out.split())
    assert "rate 2000 kbit/s air data rate; 250 | 1000 | 2000" in told
    assert "retransmit_count 5 retransmissions, ARC; 0 to 15" in told
    assert "true | false" in told
    # What every link has, and what recommend --environment says is told here.
    assert "neighbours" in told
    (link,) = json.loads(airlag("links", "nrf24-2m", "--json").out)
    for name, constant in link["parameters"].items():
        assert constant["about"] in told, name
        assert constant["choices"] or constant["between"], name
    environments = link["parameters"]["environment"]["choices"]
    assert len(environments) > 2
    assert " | ".join(environments) in told


def test_near_names_are_of_the_family_that_was_typed(airlag: Airlag) -> None:
    for command in (["run"], ["links"], ["goodput"], ["explain"]):
        told = airlag(*command, "ble-nus")
        if command == ["links"]:
            assert told.code == 0
            continue
        assert told.code == 2
        (line,) = told.err.splitlines()
        assert "`ble-nus-notify`" in line
        assert "`ble-nus-write`" in line
    (line,) = airlag("run", "wifi-tcp-turned").err.splitlines()
    assert line == "airlag: no link `wifi-tcp-turned`; did you mean `wifi-tcp-tuned`?"
    (line,) = airlag("links", "ble-nus-nose").err.splitlines()
    assert "`ble-nus-" in line
