"""Tables of the validation page: a difference has a reason, and a capture its published figure."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))

import validation_tables as tables

NEAR = tables.Row("gpio-stm32-ll-os", None, 1.0, "latency-comparison", "place", {"p50": 1.05}, None)


def used() -> list[tables.Row]:
    """A row for each reason."""
    off = replace(NEAR, quantiles_ms={"p50": 2.0})
    named = [
        ("espnow", 12),
        ("ble-nus-notify", 12),
        ("websocket-pi4-wifi", 12),
        ("nrf24-2m-raw", 12),
        ("ble-nimble-fixed-notify", 1024),
    ]
    return [replace(off, link=link, size=size) for link, size in named]


def test_a_row_names_its_command_its_source_and_its_ratio() -> None:
    *_, last = tables.medians([*used(), NEAR]).splitlines()
    assert "`airlag run gpio-stm32-ll-os --count 200`" in last
    assert "[place](sources.md#latency-comparison)" in last
    assert "| 1.05 |" in last


def test_a_difference_without_a_reason_is_refused() -> None:
    off = replace(NEAR, quantiles_ms={"p50": 1.2})
    with pytest.raises(ValueError, match="no reason for airlag run gpio-stm32-ll-os"):
        tables.medians([*used(), off])


def test_a_replay_that_differs_needs_a_reason_too() -> None:
    off = replace(NEAR, replayed=0.8)
    with pytest.raises(ValueError, match="no reason"):
        tables.medians([*used(), off])


def test_a_reason_without_a_row_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no row needs \['tick'\]"):
        tables.medians(used()[1:])


def test_a_published_figure_finds_the_capture_of_its_run() -> None:
    # Two runs of 12 B were published; a third, of writes, has no capture.
    assert tables.replayed("ble-nus-notify", 12, 16.5) == pytest.approx(16.5, rel=0.05)
    assert tables.replayed("ble-nus-notify", 12, 13.4) == pytest.approx(13.4, rel=0.05)
    assert tables.replayed("ble-nus-write", 12, 16.5) is None
