"""Runs that several tests look at."""

from __future__ import annotations

from pathlib import Path

import pytest

import airlag
from airlag.questions.demo import write_captures


@pytest.fixture(scope="session")
def virtual() -> airlag.Run:
    """A run of the virtual bench with one setting of its own."""
    return airlag.run("nrf24-2m", size=32, count=60, seed=3, retransmit_delay="750us")


@pytest.fixture(scope="session")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A capture of 400 triggers, six of which are lost."""
    return write_captures(tmp_path_factory.mktemp("captures"))[0]


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of latencies: no clock, no triggers."""
    path = tmp_path_factory.mktemp("table") / "table.csv"
    path.write_text("latency_ms\n" + "".join(f"{5 + place % 7}\n" for place in range(50)))
    return path
