"""Calls through a whole GATT stack: two devices of Bumble's, without a radio."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from package_ends import IDENTITY, SEED, PackagePeripheral

from airlag._airlag import RpcPeripheral
from airlag.core.types import RpcTest
from airlag.rpc import Disconnected, Encryption, IdentityChanged, NotFound, Trust, connect
from airlag.rpc.functional import TESTS, run
from airlag.rpc.speed import SPEEDS, measure
from airlag.rpc.transport import bumble_pair
from airlag.rpc.transport.bumble import Bumble
from airlag.rpc.transport.bumble_pair import MakeAnswering


async def checked(
    make: MakeAnswering | None, encryption: Encryption, mtu: int = 247
) -> tuple[list[RpcTest], dict[str, object], int]:
    transport = await bumble_pair.connected(make, mtu=mtu, encryption=encryption)
    async with connect(transport, encryption=encryption) as client:
        return [each async for each in run(client)], client.peer, transport.mtu


def passed(found: list[RpcTest]) -> None:
    assert [each["problem"] for each in found] == [None] * 12
    assert [each["test"] for each in found] == list(TESTS)
    assert all(each["passed"] and each["latency_ns"] for each in found)


@pytest.mark.parametrize("encryption", ["require", "off"])
def test_two_devices_pass_all_functional_tests(encryption: Encryption) -> None:
    found, peer, mtu = asyncio.run(checked(None, encryption))
    passed(found)
    assert peer["encrypted"] == (encryption == "require")
    assert mtu == 247


@pytest.mark.parametrize(("encryption", "mtu"), [("off", 23), ("require", 185), ("require", 517)])
def test_tests_pass_at_other_mtus(encryption: Encryption, mtu: int) -> None:
    found, _, negotiated = asyncio.run(checked(None, encryption, mtu))
    if mtu == 23:
        # 8 KiB are more than 256 containers of 20 B, which the protocol cannot number.
        failed = [each["test"] for each in found if not each["passed"]]
        assert failed == ["flash_read_8kb", "data_write_8kb"]
    else:
        passed(found)
    assert negotiated == mtu


@pytest.mark.parametrize("encryption", ["require", "off"])
def test_a_peripheral_of_the_package_passes_them_too(encryption: Encryption) -> None:
    def make(mtu: int) -> PackagePeripheral:
        return PackagePeripheral(mtu, encryption=encryption == "require")

    found, peer, _ = asyncio.run(checked(make, encryption))
    passed(found)
    assert peer["identity"] == (IDENTITY if encryption == "require" else None)
    assert peer["calls_in_flight"] == 1


def test_all_benchmarks_have_a_result() -> None:
    async def measured() -> list[str]:
        async with connect(await bumble_pair.connected()) as client:
            rows = [row async for row in measure(client, "linux")]
            return [row["benchmark"] for row in rows if row["measured"] > 0]

    assert asyncio.run(measured()) == list(SPEEDS)


class Silent(PackagePeripheral):
    """Agrees on everything, and answers no call."""

    def __init__(self, mtu: int) -> None:
        super().__init__(mtu, encryption=False)
        self.asked = asyncio.Event()

    def _request(self, _transaction: int, _payload: bytes) -> None:
        self.asked.set()


def test_a_peripheral_that_goes_away_ends_the_calls_in_flight() -> None:
    async def gone() -> None:
        silent: list[Silent] = []

        def make(mtu: int) -> Silent:
            silent.append(Silent(mtu))
            return silent[0]

        transport = await bumble_pair.connected(make)
        async with connect(transport, encryption="off") as client:
            call = asyncio.create_task(client.echo("hello"))
            while not silent:
                await asyncio.sleep(0)
            await silent[0].asked.wait()
            await transport.disconnect()
            with pytest.raises(Disconnected, match="disconnected"):
                await call
            with pytest.raises(Disconnected, match="disconnected"):
                await client.echo("again")

    asyncio.run(gone())


def test_a_device_that_serves_something_else_is_not_found() -> None:
    with pytest.raises(
        NotFound, match=r"no peripheral advertised C0:00:00:00:00:07 within 0\.05 s"
    ):
        asyncio.run(bumble_pair.connected(address="C0:00:00:00:00:07", scan_s=0.05))


def test_a_controller_that_is_not_there_is_one_line() -> None:
    for hci in ("nope", "tcp-client:127.0.0.1:1", "serial:/dev/nothing"):
        with pytest.raises(NotFound, match=f"no controller {hci} ") as caught:
            asyncio.run(Bumble.open(hci))
        assert "\n" not in str(caught.value)


def test_a_controller_that_does_not_answer_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        hci = f"tcp-client:127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(NotFound, match=r"^the controller does not respond within 0\.05 s$"):
            asyncio.run(Bumble.open(hci, scan_s=0.05))


def test_a_peripheral_with_another_key_is_refused_over_the_air(tmp_path: Path) -> None:
    async def met(seed: bytes) -> None:
        def make(mtu: int) -> RpcPeripheral:
            return RpcPeripheral(mtu, bytes(32), identity_seed=seed)

        async with connect(await bumble_pair.connected(make), trust=trust) as client:
            assert await client.echo("hello") == "hello"

    trust = Trust(tmp_path / "peripherals.txt")
    asyncio.run(met(SEED))
    asyncio.run(met(SEED))
    with pytest.raises(IdentityChanged, match=bumble_pair.PERIPHERAL):
        asyncio.run(met(bytes(32)))
