"""``airlag goodput`` and ``airlag load`` on the command line."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from airlag.questions.load import Offer, load
from airlag.views.pages import output
from airlag.views.pages.traffic import load as chart

POINTS = ("--utilisation", "0.3,0.9,2", "--count", "200")


def answered(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag(*arguments, "--json")
    assert (told.code, told.err) == (0, "")
    found: list[dict[str, Any]] = json.loads(told.out)
    return found


def test_goodput_stands_beside_its_ceiling_and_its_time_adds_up(airlag: Airlag) -> None:
    found = answered(airlag, "goodput", "nrf24-2m", "uart-115200-dma", "--size", "128")
    assert [each["link"] for each in found] == ["nrf24-2m", "uart-115200-dma"]
    for each in found:
        # Formulas know nothing of crystals, which are a few parts in a million fast or slow.
        assert 0 < each["goodput_kbps"] < 1.0001 * each["ceiling_kbps"]
        assert each["delivered"] == 1000
        assert sum(slice_["ns"] for slice_ in each["spent"]) == each["elapsed_ns"]
        assert each["settings"] == {}


def test_goodput_on_the_terminal_tells_where_the_time_goes(airlag: Airlag) -> None:
    told = airlag("goodput", "nrf24-2m", "--size", "128", "--set", "frame_loss=0.01")
    assert (told.code, told.err) == (0, "")
    assert max(map(len, told.out.splitlines())) <= 80
    for word in ("kbit/s", "of the ceiling", "medium", "bus", "ceiling: one message takes"):
        assert word in told.out


def test_load_tells_of_every_point_and_of_the_knee(airlag: Airlag) -> None:
    (found,) = answered(airlag, "load", "nrf24-2m", *POINTS, "--set", "retransmit_count=15")
    assert found["settings"] == {"retransmit_count": "15"}
    assert (found["queue"], found["arrivals"], found["size"]) == (64, "poisson", 128)
    light, near, heavy = found["points"]
    assert abs(found["knee_kbps"] / found["goodput_kbps"] - 1) < 0.05
    assert light["lost"] == light["refused"] == 0
    assert light["queue_mean"] < near["queue_mean"] < heavy["queue_mean"] <= 64
    assert 0 < heavy["refused"] <= heavy["lost"] < heavy["offered"] == 200
    assert light["latency_ns"]["p99"] < heavy["latency_ns"]["p50"]


def test_rates_are_given_in_kbit_a_second_too(airlag: Airlag) -> None:
    asked = ("load", "nrf24-2m", "--rate", "10..40", "--arrivals", "periodic", "--count", "50")
    (found,) = answered(airlag, *asked)
    rates = [point["offered_kbps"] for point in found["points"]]
    assert (len(rates), rates[0], rates[-1]) == (13, 10.0, 40.0)
    assert found["knee_kbps"] is None


def test_the_same_seed_prints_the_same_bytes(airlag: Airlag) -> None:
    asked = ("load", "espnow", *POINTS, "--arrivals", "burst")
    assert airlag(*asked) == airlag(*asked)


def test_load_on_the_terminal_fits_a_mail(airlag: Airlag) -> None:
    told = airlag("load", "nrf24-2m", *POINTS)
    assert max(map(len, told.out.splitlines())) <= 80
    assert "knee " in told.out
    assert "ceiling " in told.out


@pytest.mark.parametrize("command", ["goodput", "load"])
def test_what_carries_no_bytes_says_so_and_the_others_are_printed(
    airlag: Airlag, command: str
) -> None:
    told = airlag(
        command, "gpio-stm32-ll-o3", "nrf24-2m", "--size", "32", "--count", "50", "--json"
    )
    assert told.code == 2
    assert [each["link"] for each in json.loads(told.out)] == ["nrf24-2m"]
    assert told.err == (
        "airlag: gpio-stm32-ll-o3 is a single board without a link and carries no bytes; "
        "choose a link between two boards\n"
    )


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("--utilisation", "3..0.1"), "0.1..3"),
        (("--rate", "fast"), "10..500"),
        (("--queue", "0"), "such as 64"),
        (("--arrivals", "fair"), "periodic, poisson or burst"),
        (("-o", "load.gif"), ".svg, .png or .html"),
    ],
)
def test_what_is_not_understood_is_one_line_with_what_would_be_right(
    airlag: Airlag, arguments: tuple[str, str], right: str
) -> None:
    told = airlag("load", "nrf24-2m", *arguments)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert right in told.err


def test_the_chart_overlays_links_and_names_knee_and_ceiling(tmp_path: Path) -> None:
    offer = Offer(utilisations=(0.3, 0.9, 2.0), count=100)
    found = [load(link, offer) for link in ("nrf24-2m", "lora-sf7-250k")]
    output.write_chart("load", chart(found), tmp_path / "load.svg")
    drawn = (tmp_path / "load.svg").read_text()
    for word in ("nrf24-2m", "lora-sf7-250k", "knee", "ceiling", "p99", "goodput, kbit/s"):
        assert word in drawn
    output.write_chart("load", chart(found), tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == drawn
    output.write_chart("load", chart(found), tmp_path / "load.png")
    width, height = struct.unpack(">II", (tmp_path / "load.png").read_bytes()[16:24])
    assert min(width, height) > 800
    output.write_chart("load", chart(found), tmp_path / "load.html")
    page = (tmp_path / "load.html").read_text()
    assert "default-src 'none'" in page
    assert 'id="spec-load"' in page
