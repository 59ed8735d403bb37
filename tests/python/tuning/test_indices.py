"""Sobol's indices against functions whose indices are known."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import pytest

import airlag
from airlag import LinkError
from airlag.core.records import Index
from airlag.questions.tuning.sobol import CHANCE, design, indices

# What several of them look at takes long to make.
pytestmark = pytest.mark.xdist_group("indices")


def test_ishigami_has_the_indices_that_its_formula_gives() -> None:
    # Ishigami and Homma, 1990, with a = 7 and b = 0.1: from the integrals.
    a, b = 7.0, 0.1
    fifth, ninth = math.pi**4 / 5, math.pi**8
    variance = a**2 / 8 + b * fifth + b**2 * ninth / 18 + 0.5
    first = {
        "x": 0.5 * (1 + b * fifth) ** 2 / variance,
        "y": a**2 / 8 / variance,
        "z": 0.0,
        "nothing": 0.0,
    }
    together = 8 * b**2 * ninth / 225 / variance
    total = {**first, "x": first["x"] + together, "z": together}
    drawn = math.pi * (2 * design(4, 1024, 3) - 1)
    x, y, z, _ = drawn.T
    values = np.sin(x) + a * np.sin(y) ** 2 + b * z**4 * np.sin(x)
    found = {one["name"]: Index(one) for one in indices(values, list(first), 3)}
    for name, one in found.items():
        assert contains(one.first_interval95, first[name], 0.02)
        assert contains(one.total_interval95, total[name], 0.02)
    assert contains(found["nothing"].first_interval95, 0)
    assert contains(found["nothing"].total_interval95, 0)


def contains(interval: Sequence[float], value: float, room: float = 0.0) -> bool:
    """Whether a value lies in an interval that is narrow enough to say something."""
    low, high = interval
    assert high - low < 0.5
    return low - room <= value <= high + room


def test_the_design_is_drawn_from_the_seed() -> None:
    assert (design(3, 16, 5) == design(3, 16, 5)).all()
    assert (design(3, 16, 5) != design(3, 16, 6)).any()
    assert (design(3, 16, 0) == design(3, 16, 0)).all()
    assert design(3, 16, 5).shape == (16 * 5, 3)


def test_what_nothing_moves_has_no_indices() -> None:
    assert indices(np.ones(16 * 5), ["a", "b", "c"], 1) == []


@pytest.fixture(scope="module")
def told() -> airlag.Indices:
    return airlag.indices(
        "ble-nus-notify",
        12,
        over="connection_interval=7.5ms..60ms/7.5ms,call_sealing=sealed|plain",
        of="p50,loss",
        samples=128,
        count=20,
    )


def test_on_a_link_the_interval_matters_and_sealing_of_calls_does_not(
    told: airlag.Indices,
) -> None:
    p50, loss = told.metrics
    named = {one.name: one for one in p50.indices}
    assert set(named) == {"connection_interval", "call_sealing", CHANCE}
    assert p50.indices[0].name == "connection_interval"
    assert named["connection_interval"].first_interval95[0] > 0
    assert contains(named["call_sealing"].first_interval95, 0)
    assert contains(named["call_sealing"].total_interval95, 0)
    assert (loss.deviation, len(loss.indices)) == (0.0, 0)
    assert told.runs <= 8 * 2 * 8, "the same setting under the same seed runs once"
    assert "loss: no parameter has an effect" in repr(told)
    assert json.dumps(told.to_json())


def test_its_chart_has_a_panel_for_what_moves(told: airlag.Indices) -> None:
    drawn = told.plot().to_dict()
    assert len(drawn["vconcat"]) == 1
    assert "call_sealing" in json.dumps(drawn)


def test_what_has_no_value_somewhere_is_told() -> None:
    with pytest.raises(LinkError, match="p99 has no value at frame_loss"):
        airlag.indices("nrf24-2m", 32, over="frame_loss=0.7..0.9", of="p99", samples=2, count=20)
