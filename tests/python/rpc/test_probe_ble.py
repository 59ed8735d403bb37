"""``airlag probe ble:``, with a stand-in for Bleak whose characteristic answers after a delay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from test_rpc_bleak import NAME, Air, Client, replace_bleak

import airlag
from airlag import _airlag
from airlag.rpc.transport import CHARACTERISTIC
from airlag.rpc.transport import bleak as ours

pytestmark = pytest.mark.real_time

#: Time between a write and its notification, s.
DELAY_S = 0.004
UUID = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"


class Echoing(Client):
    """Reflects each message after a delay, except the fifth."""

    def __init__(self, device: Any, disconnected_callback: Callable[[Any], None]) -> None:
        super().__init__(device, disconnected_callback)
        self.reflector = _airlag.MessageReflector()
        self.written = 0

    async def write_gatt_char(self, characteristic: Any, data: bytes, response: bool) -> None:
        assert (characteristic.uuid, response) == (self.air.characteristic, False)
        self.written += 1
        if self.written == 5:
            return
        answer = self.reflector.answer(bytes(data))
        assert answer is not None
        asyncio.get_running_loop().call_later(DELAY_S, self.notify, answer)


class Calling(Client):
    """Peripheral with the benchmark service, which answers after a delay."""

    async def write_gatt_char(self, characteristic: Any, data: bytes, response: bool) -> None:
        assert (characteristic.uuid, response) == (CHARACTERISTIC, False)
        self.peripheral.received(data, 0)
        while (container := self.peripheral.outgoing()) is not None:
            asyncio.get_running_loop().call_later(DELAY_S, self.notify, container)


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return replace_bleak(monkeypatch, Echoing)


@pytest.mark.parametrize("uuid", [CHARACTERISTIC, UUID])
def test_round_trips_are_reported_beside_that_of_the_carrier(air: Air, uuid: str) -> None:
    air.characteristic = uuid
    query = "" if uuid == CHARACTERISTIC else f"?characteristic={uuid}"
    done = airlag.probe(f"ble:{NAME}{query}", period="10ms", count=40, timeout="500ms")
    assert done.run.source == f"ble:{NAME}{query}"
    assert (done.run.count(airlag.Outcome.DELIVERED), done.lost_unknown) == (39, 0)
    # The loss has a direction, because the reflector counts the messages it receives.
    assert done.lost_forward + done.lost_return == 1
    assert done.round_trip_ns is not None
    assert done.carrier_round_trip_ns is not None
    assert done.carrier_round_trip_ns["n"] == 100
    assert done.carrier_round_trip_ns["p50"] > 0
    # A timer of the event loop can expire early by its resolution.
    assert done.round_trip_ns["min"] > 0.99 * DELAY_S * 1e9
    assert air.client is not None
    assert not air.client.connected


def test_the_echo_of_the_rpc_is_probed(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "BleakClient", Calling)
    done = airlag.probe(f"rpc:ble:{NAME}", pattern="closed-loop", count=20)
    assert done.run.count(airlag.Outcome.DELIVERED) == 20
    assert done.round_trip_ns is not None
    assert done.round_trip_ns["min"] > 0.99 * DELAY_S * 1e9
    assert (done.forward_ns, done.carrier_round_trip_ns is None) == (None, False)
    assert air.client is not None
    assert not air.client.connected


def test_errors_are_one_line(air: Air) -> None:
    with pytest.raises(airlag.LinkError, match=r"use 12 to 244 bytes$"):
        airlag.probe(f"ble:{NAME}", size=245, count=1)
    for target in (f"ble:{NAME}?mtu=5", f"ble:{NAME}?characteristic=", "ble:"):
        with pytest.raises(airlag.LinkError, match=r"write ble:NAME\?characteristic=UUID$"):
            airlag.probe(target, count=1)
    air.characteristic = UUID
    with pytest.raises(airlag.LinkError, match="does not serve characteristic"):
        airlag.probe(f"ble:{NAME}", count=1)
