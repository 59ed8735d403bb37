"""``--set``: each constant once, lists with a run per value, and reported settings."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from airlag.cli.settings import MOST_RUNS, span
from airlag.questions import store
from airlag.questions.bench import Request, emulate

BLE = "ble-nus-notify"
INTERVAL = "--set", "connection_interval=7.5ms"


def objects(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag(*arguments, "--json")
    assert told.code == 0, told.err
    found: list[dict[str, Any]] = json.loads(told.out)
    return found


@pytest.mark.parametrize(
    "command",
    [
        "run nrf24-2m --size 12",
        "run thread-up --size 12 --traffic back-to-back",
        "goodput nrf24-2m --size 12",
        "load nrf24-2m --size 12",
        "explain nrf24-2m --size 12",
        "match capture.csv --link nrf24-2m",
        "emulate hc05-57600 --serial --for 1ms",
        "rpc bench",
        "rpc test",
        "tunnel bench --virtual",
    ],
)
def test_one_constant_is_set_once(command: str, airlag: Airlag) -> None:
    told = airlag(*command.split(), "--set", "rate=250", "--set", "rate = 1000")
    assert (told.code, told.out) == (2, "")
    assert told.err == ("airlag: --set rate is given twice, as 250 and as 1000; write it once\n"), (
        told.err
    )


@pytest.mark.parametrize(
    "command",
    [
        "run nrf24-2m --size 12 --count 20",
        "goodput nrf24-2m --size 12",
        "load nrf24-2m --size 12 --count 10",
        "explain nrf24-2m --size 12",
        "indices nrf24-2m --size 12 --of p99 --over rate=1000|2000 --samples 2",
    ],
)
def test_a_range_is_an_option_of_every_command_that_runs_a_link(
    command: str, airlag: Airlag
) -> None:
    placed = airlag(*command.split(), "--range", "1km", "--environment", "urban", "--json")
    same = airlag(*command.split(), "--set", "range=1km", "--set", "environment=urban", "--json")
    assert (placed.code, placed.out) == (same.code, same.out)
    told = airlag(*command.split(), "--environment", "urban")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "--range" in told.err


def test_who_is_on_the_air_is_said_in_one_way(airlag: Airlag) -> None:
    asked = ("run", "espnow", "--size", "12", "--set", "neighbours=ble:1", "--neighbour", "ble:2")
    told = airlag(*asked)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "use one of them" in told.err
    # Several neighbours are several.
    (run,) = objects(
        airlag, *asked[:4], "--count", "5", "--neighbour", "ble:1", "--neighbour", "ble:2"
    )
    assert run["settings"] == {"neighbours": "ble:1;ble:2"}


def test_lists_span_runs_in_the_order_typed(airlag: Airlag) -> None:
    lists = ("--set", "rate=1000,250", "--set", "channel=3, 4", "--size", "128,12")
    runs = objects(airlag, "run", "nrf24-2m", *lists, "--count", "5")
    assert [(run["settings"], run["size"]) for run in runs] == [
        ({"channel": channel, "rate": rate}, size)
        for rate, channel, size in product(["1000", "250"], ["3", "4"], [128, 12])
    ]


def test_a_list_with_a_wrong_value_hides_no_right_one(airlag: Airlag) -> None:
    told = airlag("run", "nrf24-2m", "--size", "12", "--set", "rate=250,3", "--json")
    assert told.code == 2
    assert [run["settings"] for run in json.loads(told.out)] == [{"rate": "250"}]
    assert told.err == 'airlag: nrf24-2m: `rate` cannot be "3"; it must be 250 | 1000 | 2000\n'


def test_a_comma_that_belongs_to_a_value_parts_nothing(airlag: Airlag) -> None:
    crowd = "neighbours=same-link:2,10m"
    (run,) = objects(airlag, "run", "espnow", "--size", "12", "--count", "5", "--set", crowd)
    assert run["settings"] == {"neighbours": "same-link:2,10m"}
    whole = span({"neighbours": "a,b"}, {"espnow": [12]})
    assert [each.settings for each in whole] == [{"neighbours": "a,b"}]
    parted = span({"rate": "250, 1000"}, {"nrf24-2m": [12]})
    assert [each.settings for each in parted] == [{"rate": "250"}, {"rate": "1000"}]


def test_a_value_that_is_the_same_twice_is_run_once(airlag: Airlag) -> None:
    runs = objects(
        airlag,
        "run",
        BLE,
        "--size",
        "12",
        "--count",
        "5",
        "--set",
        "connection_interval=7.5ms,7500",
    )
    assert [run["settings"] for run in runs] == [{"connection_interval": "7500"}]


def test_too_large_a_span_is_refused_in_one_line(airlag: Airlag) -> None:
    many = ",".join(str(each) for each in range(1, 126))
    told = airlag("run", "nrf24-2m", "--set", f"channel={many}", "--set", f"spi_byte={many}")
    assert (told.code, told.out) == (2, "")
    assert told.err == (
        "airlag: links, --set and --size span 46 875 runs; choose fewer values, for at most "
        "10 000\n"
    )
    # As many as allowed are made, and one link too many is one too many.
    pairs = {"channel": ",".join(str(each) for each in range(100))}
    sizes = list(range(7, 107))
    assert len(span(pairs, {"nrf24-2m": sizes})) == MOST_RUNS
    with pytest.raises(ValueError, match="span 10 100 runs"):
        span(pairs, {"nrf24-2m": [*sizes, 107]})


def rows(told: str) -> list[list[str]]:
    """Words of the lines of the table at the end."""
    _, _, table = told.partition("Side by side:")
    return [line.split() for line in table.splitlines()[1:] if line]


def test_a_span_ends_in_one_table_of_what_differs(airlag: Airlag) -> None:
    asked = ("run", BLE, "--count", "40", "--set", "connection_interval=7.5ms,30ms")
    told = airlag(*asked, "--size", "12,128")
    assert told.code == 0, told.err
    head, *body = rows(told.out)
    assert head[:3] == ["link", "B", "connection_interval"]
    assert [row[:3] for row in body] == [
        [BLE, size, interval] for interval in ("7.5ms", "30ms") for size in ("12", "128")
    ]
    assert "p99, ms" in " ".join(head)
    runs = objects(airlag, *asked, "--size", "12,128")
    for row, run in zip(body, runs, strict=True):
        assert float(row[-3]) == pytest.approx(run["latency_ns"]["p50"] / 1e6, rel=1e-3)
        assert float(row[-1]) == pytest.approx(run["latency_ns"]["max"] / 1e6, rel=1e-3)
    # What is no span has no table, even where three payloads are run because none was typed.
    assert "Side by side" in told.out
    assert "Side by side" not in airlag("run", "nrf24-2m", "--count", "5").out


def test_goodput_and_load_span_too(airlag: Airlag) -> None:
    rates = ("--set", "rate=250,2000", "--count", "50")
    told = airlag("goodput", "nrf24-2m", "--size", "128", *rates)
    head, *body = rows(told.out)
    assert head == ["link", "B", "rate", "kbit/s", "of", "the", "ceiling,", "%", "delivered"]
    assert [row[:3] for row in body] == [
        ["nrf24-2m", "128", "250kbit/s"],
        ["nrf24-2m", "128", "2000kbit/s"],
    ]
    assert "with  rate=250kbit/s" in told.out
    found = objects(airlag, "goodput", "nrf24-2m", "--size", "128", *rates)
    assert [each["settings"] for each in found] == [{"rate": "250"}, {}]
    loads = ("load", "nrf24-2m", "--size", "12,128", "--utilisation", "0.5", *rates)
    assert len(rows(airlag(*loads).out)) == 5
    spanned = objects(airlag, *loads)
    assert [(each["settings"], each["size"]) for each in spanned] == [
        ({"rate": "250"}, 12),
        ({"rate": "250"}, 128),
        ({}, 12),
        ({}, 128),
    ]


def test_runs_of_a_span_are_kept_under_names_that_differ(airlag: Airlag, folder: Path) -> None:
    asked = ("--size", "12", "--count", "5", "--set", "connection_interval=7.5ms,30ms")
    assert airlag("run", BLE, *asked, "-o", "kept/").code == 0
    kept = sorted(path.name for path in (folder / "kept").iterdir())
    assert kept == [
        f"{BLE}-12B-count=5-connection_interval=7500.parquet",
        f"{BLE}-12B-count=5.parquet",
    ]
    again = objects(airlag, "analyze", *(f"kept/{name}" for name in kept))
    assert [run["settings"] for run in again] == [{"connection_interval": "7500"}, {}]


def test_headers_say_what_is_not_as_by_default(airlag: Airlag, folder: Path) -> None:
    asked = ("--size", "12", *INTERVAL, "--phase", "frozen", "--period", "50ms", "--count", "20")
    said = "with  connection_interval=7.5ms · frozen phase · every 50ms"
    assert said in airlag("run", BLE, *asked, "-o", "a.parquet").out
    assert said in airlag("analyze", "a.parquet").out
    assert (
        "with  connection_interval=7.5ms" in airlag("explain", BLE, "--size", "12", *INTERVAL).out
    )
    assert "with  " not in airlag("run", BLE, "--size", "12", "--count", "20").out
    assert store.load(folder / "a.parquet").config["settings"] == {"connection_interval": "7500"}


def test_a_setting_that_is_the_profiles_own_is_none(airlag: Airlag) -> None:
    (run,) = objects(
        airlag, "run", BLE, "--size", "12", "--count", "5", "--set", "connection_interval=30ms"
    )
    assert run["settings"] == {}
    asked = Request(BLE, 12, 5, settings={"connection_interval": "30ms"})
    assert emulate(asked).to_json()["settings"] == {}


def test_published_figures_of_calls_stand_only_beside_what_they_are_of(airlag: Airlag) -> None:
    def says(*more: str) -> bool:
        told = airlag("explain", "rpc-echo", *more)
        assert told.code == 0, told.err
        return "published, for back-to-back calls" in told.out

    assert says()
    assert not says("--size", "50")
    assert not says("--set", "connection_interval=45ms")
