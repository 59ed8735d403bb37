"""A few known facts of real captures, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from told import Airlag


def analyzed(airlag: Airlag, *paths: Path) -> list[dict[str, Any]]:
    told = airlag("analyze", "--json", *paths)
    assert (told.code, told.err) == (0, "")
    runs: list[dict[str, Any]] = json.loads(told.out)
    return runs


@pytest.mark.parametrize(
    ("capture", "triggers", "delivered", "lost", "censored", "glitches"),
    [
        # 20 of the 533 transfers whose end was seen; the trigger after them is cut by the end.
        ("lora-rfm95/250k-SF128-1024B.csv", 534, 513, 20, 1, 0),
        ("lora-rfm95/250k-SF128-12B.csv", 1000, 999, 1, 0, 0),
        ("lora-rfm95/64k5-SF2048-4o6-1024B.csv", 55, 55, 0, 0, 55),
    ],
)
def test_lost_is_not_late_and_one_pulse_is_one_trigger(
    capture: str,
    triggers: int,
    delivered: int,
    lost: int,
    censored: int,
    glitches: int,
    airlag: Airlag,
    captures: Path,
) -> None:
    (run,) = analyzed(airlag, captures / capture)
    assert run["triggers"] == triggers
    assert (run["delivered"], run["lost"], run["censored"]) == (delivered, lost, censored)
    assert run["glitches"] == glitches
    names = [finding["name"] for finding in run["findings"]]
    assert ("lost-transfers" in names) == (lost > 0)
    assert ("trigger-glitch" in names) == (glitches > 0)


@pytest.mark.parametrize(
    "stem",
    [
        "sik/packet-size-logs__1024B-500ms-trigger",
        "sik/packet-size-logs__12B-250ms-trigger",
        "uart-fixture/baudrate-12B-logs__115200-dma",
        "uart-fixture/baudrate-12B-logs__1843200-poll",
        "uart-fixture/packet-size-tests__115200-1024B",
    ],
)
def test_the_native_file_and_its_export_give_identical_numbers(
    stem: str, airlag: Airlag, captures: Path
) -> None:
    native, exported = analyzed(airlag, captures / f"{stem}.sal", captures / f"{stem}.csv")
    assert native | {"source": ""} == exported | {"source": ""}


@pytest.mark.parametrize("capture", ["nrf24/2Mbps-12B.csv", "lora-rfm95/250k-SF128-1024B.csv"])
def test_a_saved_run_gives_the_numbers_of_its_capture(
    capture: str, airlag: Airlag, captures: Path
) -> None:
    assert airlag("analyze", captures / capture, "-o", "run.parquet").code == 0
    assert analyzed(airlag, Path("run.parquet")) == analyzed(airlag, captures / capture)


def test_every_capture_can_be_analyzed(airlag: Airlag, captures: Path) -> None:
    paths = sorted(captures.rglob("*.csv"))
    runs = analyzed(airlag, *paths)
    assert len(runs) == len(paths) > 50
    assert len({run["source"] for run in runs}) == len(paths)
