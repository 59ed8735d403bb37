"""The transport over Bleak, with a Bleak that has no adapter but a peripheral of ours."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import bleak.exc
import pytest
from package_ends import SEED

from airlag._airlag import RpcPeripheral
from airlag.rpc import Disconnected, NotFound, connect
from airlag.rpc.functional import run
from airlag.rpc.transport import CHARACTERISTIC, SERVICE
from airlag.rpc.transport import bleak as ours

ADDRESS = "C0:00:00:00:00:02"
NAME = "My board"


@dataclass
class Air:
    """What there is to be found, and what becomes of it."""

    serves: list[str] = field(default_factory=lambda: [SERVICE])
    characteristic: str | None = CHARACTERISTIC
    scan: Exception | None = None
    connect: Exception | None = None
    write: Exception | None = None
    client: Client | None = None


class Client:
    """As much of ``BleakClient`` as the transport uses."""

    air: Air

    def __init__(self, device: Any, disconnected_callback: Callable[[Any], None]) -> None:
        self.address = device.address
        self.gone = disconnected_callback
        self.connected = False
        self.services = self
        self.peripheral = RpcPeripheral(247, bytes(32), identity_seed=SEED)
        self.air.client = self

    async def connect(self) -> None:
        if self.air.connect is not None:
            raise self.air.connect
        self.connected = True

    async def disconnect(self) -> None:
        self.connected = False

    def get_characteristic(self, uuid: str) -> Any:
        if uuid != self.air.characteristic:
            return None
        return SimpleNamespace(uuid=uuid, max_write_without_response_size=244)

    async def start_notify(self, characteristic: Any, callback: Callable[..., None]) -> None:
        self.notify = lambda container: callback(characteristic, bytearray(container))

    async def write_gatt_char(self, characteristic: Any, data: bytes, response: bool) -> None:
        assert (characteristic.uuid, response) == (CHARACTERISTIC, False)
        if self.air.write is not None:
            raise self.air.write
        self.peripheral.received(data, 0)
        while (container := self.peripheral.outgoing()) is not None:
            self.notify(container)


class Scanner:
    """As much of ``BleakScanner`` as the transport uses."""

    air: Air

    @classmethod
    async def find_device_by_filter(
        cls, meant: Callable[..., bool], timeout: float, service_uuids: list[str] | None = None
    ) -> Any:
        assert timeout in (0.5, ours.SCAN_S)
        assert service_uuids in (None, [SERVICE])
        if cls.air.scan is not None:
            raise cls.air.scan
        device = SimpleNamespace(address=ADDRESS, name=None)
        said = SimpleNamespace(service_uuids=cls.air.serves, local_name=NAME)
        return device if meant(device, said) else None


def replace_bleak(monkeypatch: pytest.MonkeyPatch, client: type[Client]) -> Air:
    """Replaces Bleak by ``client`` and the scanner of this module, which share an air."""
    air = Air()
    monkeypatch.setattr(Client, "air", air, raising=False)
    monkeypatch.setattr(Scanner, "air", air, raising=False)
    monkeypatch.setattr(ours, "BleakClient", client)
    monkeypatch.setattr(ours, "BleakScanner", Scanner)
    return air


@pytest.fixture
def air(monkeypatch: pytest.MonkeyPatch) -> Air:
    return replace_bleak(monkeypatch, Client)


def opened(address: str | None = None) -> None:
    async def opening() -> None:
        await (await ours.Bleak.open(address, scan_s=0.5)).close()

    asyncio.run(opening())


@pytest.mark.parametrize("address", [None, ADDRESS, NAME])
def test_the_functional_tests_pass(air: Air, address: str | None) -> None:
    async def checked() -> None:
        transport = await ours.Bleak.open(address, scan_s=0.5)
        assert (transport.mtu, transport.address) == (247, ADDRESS)
        async with connect(transport) as client:
            assert [each["problem"] async for each in run(client)] == [None] * 12

    asyncio.run(checked())
    assert air.client is not None
    assert not air.client.connected


def test_a_peripheral_that_disconnects_ends_the_calls(air: Air) -> None:
    async def gone() -> None:
        async with connect(await ours.Bleak.open(scan_s=0.5)) as client:
            assert air.client is not None
            air.client.gone(air.client)
            with pytest.raises(Disconnected, match="the peripheral disconnected"):
                await client.echo("after")

    asyncio.run(gone())


def test_a_write_that_fails_ends_the_connection_in_one_line(air: Air) -> None:
    async def failing() -> None:
        async with connect(await ours.Bleak.open(scan_s=0.5)) as client:
            air.write = bleak.exc.BleakError("Not connected\nand more")
            with pytest.raises(Disconnected, match=r"^Not connected$"):
                await client.echo("after")

    asyncio.run(failing())


def test_what_is_not_found_is_told(air: Air) -> None:
    with pytest.raises(NotFound, match=r"no peripheral advertised C0:.*:03 within 0.5 s"):
        opened("C0:00:00:00:00:03")
    air.serves = ["0000180f-0000-1000-8000-00805f9b34fb"]
    with pytest.raises(NotFound, match=f"no peripheral advertised service {SERVICE}"):
        opened()


def test_a_computer_without_bluetooth_is_told(air: Air) -> None:
    air.scan = bleak.exc.BleakError("Bluetooth is off")
    with pytest.raises(NotFound, match=r"no Bluetooth adapter .*\(Bluetooth is off\)"):
        opened()


def test_a_connection_that_fails_is_told(air: Air) -> None:
    air.connect = TimeoutError()
    with pytest.raises(Disconnected, match=rf"{ADDRESS}: connection failed \(TimeoutError\)"):
        opened()


def test_a_peripheral_without_the_characteristic_is_let_go(air: Air) -> None:
    air.characteristic = None
    with pytest.raises(NotFound, match=f"{ADDRESS} does not serve characteristic"):
        opened()
    assert air.client is not None
    assert not air.client.connected


@pytest.mark.parametrize(("package", "extra"), [("bleak", "ble"), ("bumble", "bumble")])
def test_a_package_that_is_missing_is_one_line_with_what_to_install(
    package: str, extra: str
) -> None:
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from airlag.rpc import NotInstalled\n"
        f"try: import airlag.rpc.transport.{package}\n"
        "except NotInstalled as error: print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == f"{package} is not installed; pip install 'airlag[{extra}]'\n"


def test_the_client_loads_neither_transport() -> None:
    program = "import sys, airlag.rpc; print([m for m in ('bleak', 'bumble') if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"
