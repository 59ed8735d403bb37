"""Both ends of a connection made of ``blerpc-protocol``, the package that settles the protocol.

The package has containers, commands and the key exchange; what an end does with them is written
here as its centrals and peripherals do it: no call while another is in flight, replies under the
transaction of their request, items of a stream and the answer to an upload under one of their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from blerpc_protocol import (
    CAPABILITY_FLAG_ENCRYPTION_SUPPORTED,
    BlerpcCryptoSession,
    CentralKeyExchange,
    CommandPacket,
    CommandType,
    Container,
    ContainerAssembler,
    ContainerSplitter,
    ContainerType,
    ControlCmd,
    PeripheralKeyExchange,
    make_capabilities_request,
    make_capabilities_response,
    make_error_response,
    make_key_exchange,
    make_stream_end_c2p,
    make_stream_end_p2c,
    make_timeout_request,
    make_timeout_response,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from airlag.rpc import benchmark_pb2 as messages

SEED = bytes(range(32))
IDENTITY = Ed25519PrivateKey.from_private_bytes(SEED).public_key().public_bytes_raw()
TIMEOUT_MS = 100
MAX_PAYLOAD = 65535
FLASH = bytes(index * 7 % 256 for index in range(8192))


class PackagePeripheral:
    """The benchmark service behind the package's half of the protocol.

    Attributes
    ----------
    encrypted
        There is a session.
    """

    def __init__(self, mtu: int, *, encryption: bool = True, seed: bytes = SEED) -> None:
        self._splitter = ContainerSplitter(mtu)
        self._assembler = ContainerAssembler()
        self._exchange = PeripheralKeyExchange(Ed25519PrivateKey.from_private_bytes(seed))
        self._encryption = encryption
        self._session: BlerpcCryptoSession | None = None
        self._out: deque[bytes] = deque()
        self._uploaded = 0

    @property
    def encrypted(self) -> bool:
        return self._session is not None

    def outgoing(self) -> bytes | None:
        return self._out.popleft() if self._out else None

    def received(self, container: bytes, now_ns: int = 0) -> None:
        del now_ns
        came = Container.deserialize(container)
        if came.container_type == ContainerType.CONTROL:
            self._control(came)
            return
        payload = self._assembler.feed(came)
        if payload is not None:
            self._request(came.transaction_id, payload)

    def _control(self, came: Container) -> None:
        transaction = came.transaction_id
        if came.control_cmd == ControlCmd.TIMEOUT:
            self._send(make_timeout_response(transaction, TIMEOUT_MS))
        elif came.control_cmd == ControlCmd.CAPABILITIES:
            flags = CAPABILITY_FLAG_ENCRYPTION_SUPPORTED if self._encryption else 0
            self._send(make_capabilities_response(transaction, MAX_PAYLOAD, MAX_PAYLOAD, flags))
        elif came.control_cmd == ControlCmd.KEY_EXCHANGE:
            answer, session = self._exchange.handle_step(came.payload)
            self._send(make_key_exchange(transaction, answer))
            self._session = session
        elif came.control_cmd == ControlCmd.STREAM_END_C2P:
            count, self._uploaded = self._uploaded, 0
            answer = messages.CounterUploadResponse(received_count=count).SerializeToString()
            self._respond(self._splitter.next_transaction_id(), "counter_upload", answer)

    def _request(self, transaction: int, payload: bytes) -> None:
        if self._session is not None:
            payload = self._session.decrypt(payload)
        elif self._encryption:
            return
        command = CommandPacket.deserialize(payload)
        assert command.cmd_type == CommandType.REQUEST
        if command.cmd_name == "counter_upload":
            item = messages.CounterUploadRequest.FromString(command.data)
            assert item.value == 10 * item.seq
            self._uploaded += 1
        elif command.cmd_name == "counter_stream":
            self._count(messages.CounterStreamRequest.FromString(command.data).count)
        else:
            answer = answered(command.cmd_name, command.data)
            if answer is None:
                self._send(make_error_response(transaction, 0x01))
            else:
                self._respond(transaction, command.cmd_name, answer)

    def _count(self, count: int) -> None:
        for seq in range(count):
            item = messages.CounterStreamResponse(seq=seq, value=10 * seq).SerializeToString()
            self._respond(self._splitter.next_transaction_id(), "counter_stream", item)
        self._send(make_stream_end_p2c(self._splitter.next_transaction_id()))

    def _respond(self, transaction: int, name: str, message: bytes) -> None:
        payload = CommandPacket(CommandType.RESPONSE, name, message).serialize()
        if self._session is not None:
            payload = self._session.encrypt(payload)
        for container in self._splitter.split(payload, transaction):
            self._send(container)

    def _send(self, container: Container) -> None:
        self._out.append(container.serialize())


def answered(name: str, request: bytes) -> bytes | None:
    """What the service answers to a call with one answer; ``None``: there is no such method."""
    if name == "echo":
        text = messages.EchoRequest.FromString(request).message
        return messages.EchoResponse(message=text).SerializeToString()
    if name == "flash_read":
        asked = messages.FlashReadRequest.FromString(request)
        data = FLASH[asked.address : asked.address + asked.length]
        return messages.FlashReadResponse(address=asked.address, data=data).SerializeToString()
    if name == "data_write":
        length = len(messages.DataWriteRequest.FromString(request).data)
        return messages.DataWriteResponse(length=length).SerializeToString()
    return None


class PackageCentral:
    """A central that waits for each answer; containers go straight to a peripheral and back.

    Attributes
    ----------
    wire
        Every container, with the way it went: ``>`` to the peripheral, ``<`` back.
    flags
        Of the peripheral's capabilities.
    """

    def __init__(self, peripheral: object, mtu: int, *, encryption: bool = True) -> None:
        self._peripheral = peripheral
        self._splitter = ContainerSplitter(mtu)
        self._assembler = ContainerAssembler()
        self._session: BlerpcCryptoSession | None = None
        self.wire: list[tuple[str, bytes]] = []
        self.identity: bytes | None = None
        self.timeout_ms = self._connect_timeout()
        self.max_request, self.max_response, self.flags = self._capabilities(encryption)
        if encryption and self.flags & CAPABILITY_FLAG_ENCRYPTION_SUPPORTED:
            self._session = self._exchange()

    @property
    def encrypted(self) -> bool:
        return self._session is not None

    def call(self, name: str, request: bytes) -> bytes:
        self._send_command(name, request)
        return self._answer(name)

    def stream(self, name: str, request: bytes) -> Iterator[bytes]:
        self._send_command(name, request)
        for came in self._received():
            if came.container_type != ContainerType.CONTROL:
                payload = self._assembler.feed(came)
                if payload is not None:
                    yield self._opened(name, payload)
            else:
                assert came.control_cmd == ControlCmd.STREAM_END_P2C
                return
        raise AssertionError("the stream has no end")

    def upload(self, name: str, items: list[bytes]) -> bytes:
        for item in items:
            self._send_command(name, item)
        self._send(make_stream_end_c2p(self._splitter.next_transaction_id()))
        return self._answer(name)

    def error(self, name: str, request: bytes) -> int | None:
        """The code of the error that a request is answered with; ``None``: with nothing."""
        self._send_command(name, request)
        for came in self._received():
            assert (came.container_type, came.control_cmd) == (
                ContainerType.CONTROL,
                ControlCmd.ERROR,
            )
            return came.payload[0]
        return None

    def _connect_timeout(self) -> int:
        answer = self._control(make_timeout_request(self._splitter.next_transaction_id()))
        return int.from_bytes(answer, "little")

    def _capabilities(self, encryption: bool) -> tuple[int, int, int]:
        flags = CAPABILITY_FLAG_ENCRYPTION_SUPPORTED if encryption else 0
        transaction = self._splitter.next_transaction_id()
        answer = self._control(make_capabilities_request(transaction, flags=flags))
        first, second, third = (int.from_bytes(answer[k : k + 2], "little") for k in (0, 2, 4))
        return first, second, third

    def _exchange(self) -> BlerpcCryptoSession:
        exchange = CentralKeyExchange()
        step2 = self._control(self._step(exchange.start()))

        def seen(identity: bytes) -> bool:
            self.identity = identity
            return True

        step4 = self._control(self._step(exchange.process_step2(step2, seen)))
        return exchange.finish(step4)

    def _step(self, payload: bytes) -> Container:
        return make_key_exchange(self._splitter.next_transaction_id(), payload)

    def _control(self, container: Container) -> bytes:
        """The payload of the control container that answers another."""
        self._send(container)
        (answer,) = self._received()
        assert answer.container_type == ContainerType.CONTROL
        assert answer.control_cmd == container.control_cmd
        assert answer.transaction_id == container.transaction_id
        return answer.payload

    def _send_command(self, name: str, message: bytes) -> None:
        payload = CommandPacket(CommandType.REQUEST, name, message).serialize()
        if self._session is not None:
            payload = self._session.encrypt(payload)
        for container in self._splitter.split(payload):
            self._send(container)

    def _answer(self, name: str) -> bytes:
        for came in self._received():
            payload = self._assembler.feed(came)
            if payload is not None:
                return self._opened(name, payload)
        raise AssertionError(f"{name} was not answered")

    def _opened(self, name: str, payload: bytes) -> bytes:
        if self._session is not None:
            payload = self._session.decrypt(payload)
        command = CommandPacket.deserialize(payload)
        assert (command.cmd_type, command.cmd_name) == (CommandType.RESPONSE, name)
        return command.data

    def _send(self, container: Container) -> None:
        self.wire.append((">", container.serialize()))
        self._peripheral.received(container.serialize(), 0)

    def _received(self) -> Iterator[Container]:
        while (container := self._peripheral.outgoing()) is not None:
            self.wire.append(("<", container))
            yield Container.deserialize(container)
