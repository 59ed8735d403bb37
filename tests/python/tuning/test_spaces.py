"""What a parameter may be: as it is typed, and in the steps that hardware has."""

from __future__ import annotations

import math

import pytest

from airlag import LinkError
from airlag.tuning.limits import limits
from airlag.tuning.space import clauses, parameter, space_of
from airlag.tuning.spans import Choice, Span
from airlag.tuning.steps import finest


def test_the_bench_is_asked_in_which_steps_hardware_takes_a_number() -> None:
    interval = parameter("ble-nus-notify", "connection_interval", "7.5ms..100ms", 12, {})
    assert interval == Span("connection_interval", 7.5, 100.0, 1.25, "ms", 30.0)
    assert interval.text(interval.at(0.999)) == "100ms"
    delay = parameter("nrf24-2m", "retransmit_delay", "250us..4ms", 12, {})
    assert isinstance(delay, Span)
    assert (delay.low, delay.step, delay.many) == (0.25, 0.25, 16)
    loss = parameter("nrf24-2m", "frame_loss", "0..0.1", 12, {})
    assert isinstance(loss, Span)
    assert loss.step is None
    assert loss.many == math.inf
    assert parameter("ble-nus-notify", "latency", "0..4", 12, {}).many == 5


@pytest.mark.parametrize("step", [0.625, 1.25, 2.0, 50.0])
@pytest.mark.parametrize("from_above", [False, True])
def test_a_step_is_found_from_whichever_end_is_there(step: float, from_above: bool) -> None:
    low, high = 10 * step, 50 * step

    def refusal(number: float) -> str | None:
        on = math.isclose(number / step, round(number / step), abs_tol=1e-9)
        return None if on and not (from_above and number < 20 * step) else "no such number"

    found = finest(refusal, low, high, 0.005)
    assert found is not None
    assert math.isclose(found / step, round(found / step)), "it is on the steps"
    # 0.625 is none of the digits that are tried: the first that fits is twice that.
    assert found <= 2 * step


def test_each_value_gets_as_much_of_the_unit_interval() -> None:
    shares = [nth / 1200 for nth in range(1200)]
    for one in (
        Choice("phy", ("1M", "2M", "coded"), "1M"),
        Span("latency", 0, 4, 1, "", None),
        Span("interval", 7.5, 15.0, 1.25, "ms", None),
    ):
        drawn = [one.at(share) for share in shares]
        counts = {value: drawn.count(value) for value in one.all()}
        assert set(drawn) == set(counts)
        assert max(counts.values()) - min(counts.values()) <= 1


def test_the_knobs_of_a_link_are_turned_with_their_prices() -> None:
    space = space_of("nrf24-2m", 128, {}, {"window": "1..3", "frame_loss": "0|0.1"})
    named = {one.name: one for one in space.parameters}
    assert {"acknowledge", "payload", "window", "frame_loss"} <= set(named)
    assert "retries" in space.price("acknowledge", "false")
    assert space.price("acknowledge", "true") == ""
    free = space_of("nrf24-2m", 128, {}, {}, free=True)
    assert "acknowledge" not in {one.name for one in free.parameters}
    # A knob that is set is not turned.
    assert "window" not in {
        one.name for one in space_of("nrf24-2m", 128, {"window": "2"}, {}).parameters
    }
    # What a knob gives up at one value, a number on the way there does.
    ble = space_of("ble-nus-notify", 12, {}, {"connection_interval": "7.5ms..100ms"})
    assert ble.price("connection_interval", 10.0) == ble.prices["connection_interval"]["7.5ms"]
    assert ble.price("connection_interval", 50.0) == ""


def test_clauses_keep_commas_within_values() -> None:
    told = clauses("neighbours=same-link:5,10m|ble:3, window=1..3")
    assert told == {"neighbours": "same-link:5,10m|ble:3", "window": "1..3"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("loss", "is no limit"),
        ("loss<0.1", "no unit of loss"),
        ("p99<20", "it is in ns or us or ms or s"),
        ("p98<20ms", "did you mean"),
        ("max<20ms", "nobody can be sure"),
        ("goodput>10kbit/s,", "is no limit"),
    ],
)
def test_a_limit_that_is_none_is_told(text: str, says: str) -> None:
    with pytest.raises(LinkError, match=says):
        limits(text)


def test_limits_are_in_the_units_of_their_metrics() -> None:
    loss, charge, goodput = limits("loss<0.1%, charge<=50µC,goodput>1Mbit/s")
    assert (loss.value, loss.most) == (0.001, True)
    assert charge.value == 50_000.0
    assert (goodput.value, goodput.most, goodput.text) == (1000.0, False, "goodput ≥ 1.000 Mbit/s")
