"""The image that serves the benchmark: a central asks it over the serial port, and what it takes of
memory is measured.

The stack is painted, and the deepest place that was written to is looked up afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from elftools.elf.elffile import ELFFile

from airlag._airlag import RpcCentral

from .conftest import IMAGES
from .nrf52840 import Nrf52840
from .stm32f429 import Stm32f429

#: Of the connection, bytes: packets of 244.
MTU = 247
#: Beginning and end of what may be stack; the chip has more.
TOP, DEEPEST = 0x2003_0000, 16_384
PAINT = 0xA5
#: Turns in which the board makes its keys.
PATIENCE = 60_000


def varint(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])


class Connection:
    """A central, and the board's serial port as its link."""

    def __init__(self, board: Stm32f429 | Nrf52840) -> None:
        self.board = board
        self.central = RpcCentral(MTU, bytes(range(32)))
        self._taken = 0

    def settle(self) -> list[tuple[str, int | None, bytes | str]]:
        """Goes on until neither end has anything to send."""
        while (packet := self.central.outgoing()) is not None:
            self.board.uart.receive(bytes([len(packet)]) + packet)
            self.board.settle(patience=PATIENCE)
            for answer in self._packets():
                self.central.received(answer, 0)
        return self.central.events()

    def _packets(self) -> Iterator[bytes]:
        sent = self.board.uart.sent
        while self._taken < len(sent):
            end = self._taken + 1 + sent[self._taken]
            yield bytes(sent[self._taken + 1 : end])
            self._taken = end


def paint(board: Stm32f429) -> None:
    """Paints what is stack and not in use."""
    bottom = TOP - DEEPEST
    board.write_memory(bottom, bytes([PAINT]) * (board.stack - bottom))


def depth(board: Stm32f429) -> int:
    """Bytes of stack that were in use since it was painted."""
    left = board.memory(TOP - DEEPEST, DEEPEST)
    clean = len(left) - len(left.lstrip(bytes([PAINT])))
    assert clean > 0
    return DEEPEST - clean


def statics() -> int:
    """Bytes of the image's variables: of the server, of the executor, of the drivers."""
    with (IMAGES / "rpc").open("rb") as file:
        sections = [ELFFile(file).get_section_by_name(name) for name in (".data", ".bss")]
        return sum(section["sh_size"] for section in sections)


@pytest.fixture
def connection(boot: Callable[[str], Stm32f429]) -> Connection:
    board = boot("rpc")
    board.settle()
    found = Connection(board)
    paint(board)
    assert found.settle() == [("ready", None, "")]
    return found


def read(connection: Connection) -> bytes | str:
    """Reads 8 KiB."""
    ticket = connection.central.call("flash_read", b"\x08\x00\x10" + varint(8_192))
    [(name, answered, message)] = connection.settle()
    assert (name, answered) == ("reply", ticket)
    return message


def test_a_sealed_read_of_8_kib_takes_4_7_kib_of_memory(connection: Connection) -> None:
    paint(connection.board)
    message = read(connection)
    assert isinstance(message, bytes)
    assert message.endswith(bytes(range(256)) * 32)
    # The image in all: server, executor, drivers; and every frame of the stack.
    assert statics() < 2_400
    assert statics() + depth(connection.board) < 4_800


def test_a_key_exchange_takes_less_than_7_kib_of_memory(connection: Connection) -> None:
    assert statics() + depth(connection.board) < 7_168


def test_requests_in_the_clear_are_refused(connection: Connection) -> None:
    connection.board.uart.receive(b"\x09\x07\x00\x00\x03\x00\x03\x40\x00x")
    connection.board.settle(patience=PATIENCE)
    assert isinstance(read(connection), bytes)
