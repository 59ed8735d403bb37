"""Parameters, limits and metrics of the core, as Python sees them."""

from __future__ import annotations

import math

import pytest

from airlag import LinkError
from airlag._airlag import TuneSpace, pareto_front
from airlag.questions.tuning.metrics import METRICS, SHARES, TIMES, limits
from airlag.questions.tuning.objective import Scope


def space(link: str, over: str, **settings: str) -> TuneSpace:
    """The space of one parameter."""
    name, _, values = over.partition("=")
    asked = Scope(link=link, size=12, over={name: values}, settings=settings)
    return asked.space(knobs=False)


def test_values_cross_as_numbers_and_as_words() -> None:
    (interval,) = space("ble-nus-notify", "connection_interval=7.5ms..100ms").parameters
    assert interval.key == "connection_interval (ms)"
    assert interval.span == (7.5, 100.0, 1.25)
    assert interval.home == 30.0
    assert interval.text(interval.at(0.999)) == "100ms"
    (acknowledge,) = space("nrf24-2m", "acknowledge=true|false").parameters
    assert (acknowledge.key, acknowledge.span) == ("acknowledge", None)
    assert acknowledge.all() == ["true", "false"]
    assert acknowledge.around("true") == ["false"]
    assert acknowledge.near("false") == "false"


def test_knobs_have_prices() -> None:
    scope = Scope(link="nrf24-2m", size=128, over={"window": "1..3", "frame_loss": "0|0.1"})
    found = scope.space(knobs=True)
    named = {one.name: one for one in found.parameters}
    assert {"acknowledge", "payload", "window", "frame_loss"} <= set(named)
    assert "retries" in found.price("acknowledge", "false")
    assert found.price("acknowledge", "true") == ""
    settings = {"acknowledge": "false", "window": named["window"].text(1.0)}
    (turned,) = found.turned(settings)
    assert turned[:3] == ("acknowledge", "true", "false")
    assert "retries" in turned[3]
    free = Scope(link="nrf24-2m", size=128).space(knobs=True, free=True)
    assert "acknowledge" not in {one.name for one in free.parameters}


@pytest.mark.parametrize("text", ["loss", "loss<0.1", "p98<20ms", "max<20ms"])
def test_a_limit_that_cannot_be_read_is_named(text: str) -> None:
    with pytest.raises(LinkError, match=text[:3]):
        limits(text)


def test_limits_and_values_are_written_in_fitting_units() -> None:
    loss, charge, goodput = limits("loss<0.1%, charge<=50µC,goodput>1Mbit/s")
    assert (loss.text, charge.value) == ("loss ≤ 0.1 %", 50_000.0)
    assert (goodput.value, goodput.most, goodput.text) == (1000.0, False, "goodput ≥ 1.000 Mbit/s")
    assert METRICS["charge"].text(1500.0) == "1.500 uC"
    assert METRICS["p99"].text(None) == METRICS["p99"].text(math.inf) == "–"
    assert METRICS["goodput"].column == "goodput_kbit_per_s"
    assert all(one.units is TIMES for one in METRICS.values() if one.unit == "ns")
    assert SHARES["%"] == 0.01


def test_a_front_has_the_first_of_equals() -> None:
    assert pareto_front([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [2.0, 2.0]]) == [0, 1]
