"""Forty steps of a newcomer's first hour: each says what is seen, in terminals of three widths."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable

import pytest
from desk import Desk

Step = Callable[[Desk], None]
STEPS: list[Step] = []


def step(what: Step) -> Step:
    """One thing a newcomer does."""
    STEPS.append(what)
    return what


# --- what is this? ---


@step
def asks_for_nothing(desk: Desk) -> None:
    told = desk.type(code=0)
    for command in ("analyze", "run", "match", "compare", "report", "links"):
        assert command in told.text


@step
def asks_which_version(desk: Desk) -> None:
    assert desk.type("--version").text == "airlag 0.1.0"


@step
def asks_what_a_command_does(desk: Desk) -> None:
    told = desk.type("analyze", "--help").text
    assert "--trigger" in told
    assert "--completion" in told


@step
def mistypes_a_command(desk: Desk) -> None:
    assert "analyze" in desk.type("analyse", "12B.csv", code=2).text


# --- a capture ---


@step
def lists_the_channels(desk: Desk) -> None:
    told = desk.type("channels", "12B.csv")
    assert "Channel 0" in told.text
    assert "600" in told.text
    assert "594" in told.text


@step
def reads_a_capture(desk: Desk) -> None:
    told = desk.type("analyze", "12B.csv")
    assert "Channel 0 → Channel 1" in told.text
    assert "delivered 297" in told.text
    assert "lost 3 = 1.0 %" in told.text
    # Quantiles do not count what was lost, and say so.
    assert "exclude losses" in told.text
    assert "lost-transfers" in told.text


@step
def pairs_the_wrong_way_round(desk: Desk) -> None:
    told = desk.type("analyze", "12B.csv", "--trigger", "1", "--completion", "0").text
    assert "swapped-channels" in told
    assert "Channel 1 → Channel 0" in told


@step
def names_channels_instead_of_counting_them(desk: Desk) -> None:
    told = desk.type("analyze", "12B.csv", "--trigger", "Channel 0", "--completion", "Channel 1")
    assert "delivered 297" in told.text


@step
def names_a_file_that_is_not_there(desk: Desk) -> None:
    assert "12C.csv" in desk.type("analyze", "12C.csv", code=2).text


@step
def gives_a_picture_for_a_capture(desk: Desk) -> None:
    told = desk.type("analyze", "picture.png", "12B.csv", code=2).text
    # The one that can be read is, and the other named.
    assert "picture.png" in told
    assert "delivered 297" in told


@step
def has_only_a_few_transfers(desk: Desk) -> None:
    assert "few-samples" in desk.type("analyze", "few.csv").text


@step
def wants_json(desk: Desk) -> None:
    (run,) = json.loads("\n".join(desk.type("analyze", "12B.csv", "--json").lines))
    assert run["triggers"] == 300
    assert run["lost"] == 3
    assert run["channels"] == ["Channel 0", "Channel 1"]


@step
def wants_a_table_for_a_spreadsheet(desk: Desk) -> None:
    desk.type("analyze", "12B.csv", "few.csv", "-o", "table.csv", "--force")
    with (desk.folder / "table.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["run"] if "run" in row else row["source"] for row in rows] == ["12B.csv", "few.csv"]


@step
def converts_it(desk: Desk) -> None:
    desk.type("convert", "12B.csv", "12B.vcd", "--force")
    assert "delivered 297" in desk.type("analyze", "12B.vcd").text


# --- links ---


@step
def lists_the_links(desk: Desk) -> None:
    told = desk.type("links").text
    for link in ("nrf24-2m", "ble-nus-notify", "espnow", "lora-sf7-250k", "thread-up"):
        assert link in told


@step
def lists_a_family(desk: Desk) -> None:
    every = desk.type("links").text
    told = desk.type("links", "ble", "--size", "128").text
    for link, of_family in (("ble-nus-notify", True), ("nrf24-2m", False)):
        assert link in every
        assert (link in told) is of_family


@step
def looks_at_one_link(desk: Desk) -> None:
    told = desk.type("links", "ble-nus-notify").text
    assert "connection_interval" in told
    assert "Bluetooth Core Specification" in told
    # Choices stand beside the constant that has them.
    assert "1M" in told
    assert "2M" in told


@step
def types_half_a_name(desk: Desk) -> None:
    told = desk.type("run", "ble-nus", code=2).text
    assert "ble-nus-notify" in told
    assert "ble-nus-write" in told
    assert "espnow" not in told


@step
def mistypes_a_setting(desk: Desk) -> None:
    told = desk.type("run", "ble-nus-notify", "--set", "conection_interval=30ms", code=2).text
    assert "did you mean `connection_interval`" in told


@step
def sets_what_cannot_be(desk: Desk) -> None:
    told = desk.type("run", "nrf24-250k", "--size", "12", "--set", "retransmit_delay=250us", code=2)
    assert "SETUP_RETR" in told.text


# --- the virtual bench ---


@step
def runs_a_link(desk: Desk) -> None:
    told = desk.type("run", "nrf24-2m", "--size", "12").text
    assert "delivered 1 000" in told
    assert "nrf24-2m" in told


@step
def runs_it_again(desk: Desk) -> None:
    first, second = (desk.type("run", "nrf24-2m", "--size", "12").lines for _ in range(2))
    assert first == second


@step
def runs_two_settings(desk: Desk) -> None:
    told = desk.type(
        "run", "ble-nus-notify", "--size", "12", "--count", "200",
        "--set", "connection_interval=7.5ms,30ms",
    ).text  # fmt: skip
    assert "connection_interval=7.5" in told
    # What the profile has is told where others differ from it.
    assert "30ms" in told


@step
def sets_one_thing_twice(desk: Desk) -> None:
    told = desk.type(
        "run", "ble-nus-notify", "--set", "mtu=100", "--set", "mtu=50", code=2
    ).text  # fmt: skip
    assert "mtu" in told
    assert "twice" in told


@step
def moves_the_radios_apart(desk: Desk) -> None:
    told = desk.type("run", "nrf24-2m", "--size", "12", "--set", "range=200m").text
    assert "outdoor" in told
    assert "locations" in told


@step
def puts_somebody_beside_it(desk: Desk) -> None:
    told = desk.type("run", "ieee802154-ack", "--size", "12", "--neighbour", "wifi:30%@ch6,1m")
    assert "wifi:30%@ch6" in told.text


@step
def asks_whether_one_may(desk: Desk) -> None:
    told = desk.type("run", "lora-sf7-250k", "--size", "12", "--region", "eu").text
    assert "not allowed" in told
    assert "2006/771/EC" in told


@step
def keeps_a_run(desk: Desk) -> None:
    told = desk.type("run", "nrf24-2m", "--size", "12", "-o", "kept.parquet", "--force")
    assert "wrote kept.parquet" in told.text
    assert "delivered 1 000" in desk.type("analyze", "kept.parquet").text


@step
def keeps_another_under_its_name(desk: Desk) -> None:
    desk.once("kept.parquet", "run", "nrf24-2m", "--size", "12", "-o", "kept.parquet")
    told = desk.type("run", "espnow", "--size", "12", "-o", "kept.parquet", code=2).text
    assert "--force" in told
    assert "nrf24-2m" in desk.type("analyze", "kept.parquet", "--json").text


@step
def loses_patience(desk: Desk) -> None:
    desk.type(
        "run", "lora-sf11-62k5", "--count", "200000", "-o", "long/", code=130, interrupted=True
    )
    # Nothing half written.
    assert all(path.suffix == ".parquet" for path in (desk.folder / "long").glob("*"))


# --- why, and what to do ---


@step
def asks_where_the_time_goes(desk: Desk) -> None:
    told = desk.type("explain", "nrf24-2m", "--size", "12").text
    assert "settle" in told
    assert "--set payload=" in told


@step
def draws_one_packet(desk: Desk) -> None:
    desk.type("explain", "nrf24-2m", "--size", "12", "-o", "packet.svg", "--force")
    assert "<svg" in (desk.folder / "packet.svg").read_text(encoding="utf-8")


@step
def asks_what_it_carries(desk: Desk) -> None:
    told = desk.type("goodput", "nrf24-2m", "--size", "1024").text
    assert "kbit/s" in told


@step
def asks_for_a_link_for_a_deadline(desk: Desk) -> None:
    told = desk.type("recommend", "--deadline", "5ms", "--size", "12").text
    assert "meets every requirement" in told
    assert "nrf24-2m" in told


@step
def asks_for_what_no_link_does(desk: Desk) -> None:
    told = desk.type("recommend", "--deadline", "1us", "--size", "1024", code=1).text
    assert "No link meets every requirement." in told
    floors = re.findall(r"deadline: lower bound (\S+) (\w+),", " ".join(told.split()))
    assert len(floors) > 10
    microseconds = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
    assert min(float(value) * microseconds[unit] for value, unit in floors) > 1.0


# --- comparing and matching ---


@step
def compares_what_cannot_be(desk: Desk) -> None:
    desk.once("12.parquet", "run", "nrf24-2m", "--size", "12", "-o", "12.parquet")
    desk.once("128.parquet", "run", "nrf24-2m", "--size", "128", "-o", "128.parquet")
    told = desk.type("compare", "12.parquet", "128.parquet").text
    assert "12 B" in told
    assert "128 B" in told
    assert "size" in told


@step
def compares_two_settings(desk: Desk) -> None:
    for interval in ("7.5", "30"):
        desk.once(
            f"ble{interval}.parquet", "run", "ble-nus-notify", "--size", "12", "--count", "400",
            "--set", f"connection_interval={interval}ms", "-o", f"ble{interval}.parquet",
        )  # fmt: skip
    told = desk.type("compare", "ble7.5.parquet", "ble30.parquet").text
    assert "connection_interval" in told
    assert "7.5" in told
    assert "30" in told


@step
def holds_a_capture_against_the_wrong_link(desk: Desk) -> None:
    told = desk.type("match", "12B.csv", "--link", "nrf24-2m").text
    assert "does not explain" in told


@step
def asks_which_link_it_was(desk: Desk) -> None:
    desk.once("12.parquet", "run", "nrf24-2m", "--size", "12", "-o", "12.parquet")
    assert "nrf24-2m" in desk.type("match", "12.parquet", "--among", "nrf24-*").text


# --- what is handed on ---


@step
def draws_a_report(desk: Desk) -> None:
    desk.type("report", "12B.csv", "few.csv", "-o", "report.html", "--force")
    desk.type("report", "12B.csv", "-o", "report.svg", "--force")
    assert (desk.folder / "report.html").stat().st_size > 10_000


def test_there_are_forty() -> None:
    assert len(STEPS) == 40


@pytest.mark.parametrize("what", STEPS, ids=lambda what: what.__name__)
def test_a_newcomer(what: Step, desk: Desk) -> None:
    what(desk)
