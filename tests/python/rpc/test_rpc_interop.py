"""``blerpc-protocol`` at one end, ours at the other: both ways round, encrypted and not."""

from __future__ import annotations

import asyncio

import pytest
from blerpc_protocol import (
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
    ContainerType,
)
from direct import Direct
from hypothesis import given, settings
from hypothesis import strategies as st
from package_ends import FLASH, IDENTITY, SEED, PackageCentral, PackagePeripheral

from airlag._airlag import RpcCentral, RpcPeripheral
from airlag.rpc import Disconnected, Encryption, connect
from airlag.rpc import benchmark_pb2 as messages
from airlag.rpc.functional import run

#: A later container of the package holds at most 255 B, so its splitter works up to this MTU.
PACKAGE_MTU = 3 + 4 + 255
#: Below it, a step of the key exchange does not fit into a container: 129 B and a header.
SEALED_MTU = 3 + 4 + 129


def ours(mtu: int, encryption: Encryption = "require") -> RpcPeripheral:
    return RpcPeripheral(mtu, bytes(range(32)), identity_seed=SEED, encryption=encryption)


@pytest.mark.parametrize("pipelined", [True, False])
@pytest.mark.parametrize(
    ("central", "encrypts", "sealed"),
    [
        ("require", True, True),
        ("prefer", True, True),
        ("prefer", False, False),
        ("off", False, False),
    ],
)
def test_our_central_passes_its_tests_with_a_peripheral_of_the_package(
    central: Encryption, encrypts: bool, sealed: bool, pipelined: bool
) -> None:
    async def checked() -> None:
        peripheral = PackagePeripheral(247, encryption=encrypts)
        transport = Direct(peripheral)
        async with connect(transport, encryption=central, pipelined=pipelined) as client:
            assert [each["problem"] async for each in run(client)] == [None] * 12
            assert await client.flash_read(100, 500) == FLASH[100:600]
            assert client.peer["identity"] == (IDENTITY if sealed else None)
            assert client.peer["timeout_ms"] == 100
            assert client.peer["max_request"] == client.peer["max_response"] == 65535
        assert peripheral.encrypted == sealed

    asyncio.run(checked())


def test_our_central_does_not_speak_in_the_clear_where_it_must_not() -> None:
    async def refused() -> None:
        async with connect(Direct(PackagePeripheral(247, encryption=False))):
            pass

    with pytest.raises(Disconnected, match="does not encrypt"):
        asyncio.run(refused())


@pytest.mark.parametrize(
    ("encryption", "sealed"),
    [("require", True), ("prefer", True), ("prefer", False), ("off", False)],
)
def test_a_central_of_the_package_calls_our_peripheral(
    encryption: Encryption, sealed: bool
) -> None:
    central = PackageCentral(ours(247, encryption), 247, encryption=sealed)
    assert (central.encrypted, central.identity) == (sealed, IDENTITY if sealed else None)
    assert central.timeout_ms >= 100
    text = "B" * 250
    echoed = central.call("echo", messages.EchoRequest(message=text).SerializeToString())
    assert messages.EchoResponse.FromString(echoed).message == text
    asked = messages.FlashReadRequest(address=5, length=8000).SerializeToString()
    read = messages.FlashReadResponse.FromString(central.call("flash_read", asked))
    assert (read.address, len(read.data)) == (5, 8000)
    data = messages.DataWriteRequest(data=bytes(8192)).SerializeToString()
    written = messages.DataWriteResponse.FromString(central.call("data_write", data))
    assert written.length == 8192
    asked = messages.CounterStreamRequest(count=20).SerializeToString()
    items = [
        messages.CounterStreamResponse.FromString(item)
        for item in central.stream("counter_stream", asked)
    ]
    assert [(item.seq, item.value) for item in items] == [(seq, 10 * seq) for seq in range(20)]
    counted = [
        messages.CounterUploadRequest(seq=seq, value=10 * seq).SerializeToString()
        for seq in range(20)
    ]
    answer = messages.CounterUploadResponse.FromString(central.upload("counter_upload", counted))
    assert answer.received_count == 20


def test_a_method_that_is_not_there_does_not_hang_a_central_of_the_package() -> None:
    central = PackageCentral(ours(247), 247)
    # It knows two codes, and takes any other for an error, too; none at all is what its own do.
    assert central.error("no_such_method", b"") in (None, 0x01, 0x02)
    echoed = central.call("echo", messages.EchoRequest(message="on").SerializeToString())
    assert messages.EchoResponse.FromString(echoed).message == "on"


def greeted(mtu: int) -> tuple[RpcCentral, PackagePeripheral]:
    """Our central after its greeting, in the clear, with all it sent up to then taken away."""
    central = RpcCentral(mtu, bytes(32), encryption="off", pipelined=False)
    peripheral = PackagePeripheral(mtu, encryption=False)
    for now_ns in range(10):
        while (container := central.outgoing()) is not None:
            peripheral.received(container)
        while (container := peripheral.outgoing()) is not None:
            central.received(container, now_ns)
    assert ("ready", None, "") in [(kind, who, "") for kind, who, _ in central.events()]
    return central, peripheral


@given(mtu=st.integers(23, PACKAGE_MTU), message=st.binary(max_size=2000))
@settings(max_examples=100, deadline=None)
def test_containers_of_our_central_are_the_packages_byte_for_byte(mtu: int, message: bytes) -> None:
    central, _ = greeted(mtu)
    central.call("data_write", message)
    sent = sent_by(central)
    transaction = sent[0][0]
    command = CommandPacket(CommandType.REQUEST, "data_write", message).serialize()
    right = [each.serialize() for each in ContainerSplitter(mtu).split(command, transaction)]
    assert sent == right


@given(mtu=st.integers(23, 517), message=st.binary(max_size=2000))
@settings(max_examples=100, deadline=None)
def test_the_package_assembles_what_our_central_sends(mtu: int, message: bytes) -> None:
    central, _ = greeted(mtu)
    central.call("data_write", message)
    assembler, whole = ContainerAssembler(), None
    for packet in sent_by(central):
        assert len(packet) <= mtu - 3
        container = Container.deserialize(packet)
        assert container.container_type in (ContainerType.FIRST, ContainerType.SUBSEQUENT)
        assert container.serialize() == packet
        assert whole is None
        whole = assembler.feed(container)
    assert whole == CommandPacket(CommandType.REQUEST, "data_write", message).serialize()


@given(mtu=st.integers(23, PACKAGE_MTU), size=st.integers(0, 2000), address=st.integers(0, 100))
@settings(max_examples=100, deadline=None)
def test_containers_of_our_peripheral_are_the_packages_byte_for_byte(
    mtu: int, size: int, address: int
) -> None:
    central = PackageCentral(ours(mtu, "off"), mtu, encryption=False)
    before = len(central.wire)
    asked = messages.FlashReadRequest(address=address, length=size).SerializeToString()
    answer = central.call("flash_read", asked)
    assert len(messages.FlashReadResponse.FromString(answer).data) == size
    wire = central.wire[before:]
    transaction = wire[0][1][0]
    command = CommandPacket(CommandType.RESPONSE, "flash_read", answer).serialize()
    right = [each.serialize() for each in ContainerSplitter(mtu).split(command, transaction)]
    assert [packet for way, packet in wire if way == "<"] == right


@given(
    mtu=st.integers(SEALED_MTU, PACKAGE_MTU), text=st.text(max_size=60), size=st.integers(0, 4000)
)
@settings(max_examples=40, deadline=None)
def test_sealed_calls_pass_at_any_mtu_in_both_directions(mtu: int, text: str, size: int) -> None:
    request = messages.EchoRequest(message=text).SerializeToString()
    central = PackageCentral(ours(mtu), mtu)
    assert central.call("echo", request) == request
    data = messages.DataWriteRequest(data=bytes(size)).SerializeToString()
    written = messages.DataWriteResponse.FromString(central.call("data_write", data))
    assert written.length == size

    async def called() -> tuple[str, int]:
        async with connect(Direct(PackagePeripheral(mtu), mtu)) as client:
            return await client.echo(text), await client.data_write(bytes(size))

    assert asyncio.run(called()) == (text, size)


@given(mtu=st.integers(SEALED_MTU, 517), text=st.text(max_size=60), size=st.integers(0, 4000))
@settings(max_examples=60, deadline=None)
def test_sealed_calls_between_ours_pass_at_any_mtu(mtu: int, text: str, size: int) -> None:
    async def called() -> tuple[str, int, int, bool]:
        async with connect(Direct(ours(mtu), mtu)) as client:
            calls = client.echo(text), client.data_write(bytes(size)), client.flash_read(9, size)
            echoed, written, read = await asyncio.gather(*calls)
            return echoed, written, len(read), bool(client.peer["encrypted"])

    assert asyncio.run(called()) == (text, size, size, True)


def sent_by(central: RpcCentral) -> list[bytes]:
    sent = []
    while (container := central.outgoing()) is not None:
        sent.append(container)
    return sent
