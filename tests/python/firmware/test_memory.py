"""Memory of the images for an nRF52840 and a Nucleo-F429ZI, as their READMEs state it, and calls
that the DK serves.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

import pytest
from elftools.elf.elffile import ELFFile

from boards import RECEIVER, RESPONDER, ROUND_TRIP
from peers import absent

from .conftest import IMAGES, ROOT
from .cortex_m4 import PATIENCE
from .nrf52840 import Nrf52840
from .nrf_bench import Bench
from .nucleo import TRIGGER, control
from .stm32f429 import Stm32f429
from .test_rpc import PAINT, Connection, read

BOARDS = ("nrf52840", "stm32f429")
ROW = re.compile(r"^\| (`[^|]+`) \| ([\d.]+) KiB \| ([\d.]+) KiB \| (.*?) \|$", re.M)
#: Image, flash, static memory and stack, KiB, by board.
TABLES = {
    board: [
        (name, *sizes)
        for names, *sizes in ROW.findall((ROOT / f"firmware/{board}/README.md").read_text())
        for name in re.findall(r"`([\w-]+)`", names)
    ]
    for board in BOARDS
}
TABLE = [row for rows in TABLES.values() for row in rows]
#: End of the memory of each board, and the bytes below it that may be stack.
TOPS, DEEPEST = {Nrf52840: 0x2004_0000, Stm32f429: 0x2003_0000}, 24_576
Board = TypeVar("Board", Nrf52840, Stm32f429)
#: Relative deviation of a size that another version of the compiler may cause.
COMPILER = 0.1


def image(name: str) -> Path:
    """An image. Without images, tests are skipped, and fail where peers are required."""
    path = IMAGES / name
    if not path.is_file():
        absent(f"no image {name}; build it with make firmware")
    return path


def painted(board: Board) -> Board:
    """Paints all that may be stack, before the board has run."""
    board.write_memory(TOPS[type(board)] - DEEPEST, bytes([PAINT]) * DEEPEST)
    return board


def depth(board: Nrf52840 | Stm32f429) -> int:
    """Bytes of stack that were in use since it was painted."""
    left = board.memory(TOPS[type(board)] - DEEPEST, DEEPEST)
    clean = len(left) - len(left.lstrip(bytes([PAINT])))
    assert clean > 0
    return DEEPEST - clean


def stated(name: str) -> float:
    """Stack of an image in the README, bytes."""
    [stack] = [stack for each, _, _, stack in TABLE if each == name]
    return float(stack.removesuffix(" KiB")) * 1024


@pytest.mark.parametrize("board", BOARDS)
def test_every_image_is_in_the_table_of_sizes(board: str) -> None:
    images = {path.stem for path in (ROOT / f"firmware/{board}/src/bin").glob("*.rs")}
    assert {name for name, *_ in TABLES[board]} == images


@pytest.mark.peers
@pytest.mark.parametrize(("name", "flash", "static"), [row[:3] for row in TABLE])
def test_flash_and_static_memory_are_those_of_the_readme(
    name: str, flash: str, static: str
) -> None:
    sizes = {"flash": 0, "static": 0}
    with image(name).open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            sizes["flash"] += segment["p_filesz"]
            if segment["p_vaddr"] >= 0x2000_0000:
                sizes["static"] += segment["p_memsz"]
    assert sizes["flash"] / 1024 == pytest.approx(float(flash), rel=COMPILER)
    assert sizes["static"] / 1024 == pytest.approx(float(static), rel=COMPILER)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["dk-esb", "dk-ieee802154"])
def test_the_stack_of_a_radio_image_is_that_of_the_readme(name: str) -> None:
    deepest = 0
    for role in range(5):
        bench = Bench(painted(Nrf52840(image(name))))
        bench.start(role=role, size=2_048)
        bench.trigger(us=60_000)
        deepest = max(deepest, depth(bench.board))
    assert deepest == pytest.approx(stated(name), rel=COMPILER)


@pytest.mark.peers
@pytest.mark.parametrize("name", ["uart-poll", "uart-irq", "uart-dma"])
def test_the_stack_of_an_image_for_a_wire_is_that_of_the_readme(name: str) -> None:
    deepest, message = 0, b""
    for role in range(5):
        board = painted(Stm32f429(image(name)))
        board.settle()
        control(board, role=role, size=2_048)
        if role in (RECEIVER, RESPONDER, ROUND_TRIP):
            board.uart.receive(message)
            board.settle(patience=20 * PATIENCE)
        board.drive(TRIGGER, 1)
        board.settle(patience=20 * PATIENCE)
        # The message of the sender, for the other roles.
        message = message or bytes(board.uart.sent)
        deepest = max(deepest, depth(board))
    assert len(message) == 2_048
    assert deepest == pytest.approx(stated(name), rel=COMPILER)


@pytest.mark.peers
def test_the_dk_serves_encrypted_calls_on_the_stack_of_the_readme() -> None:
    board = painted(Nrf52840(image("dk-rpc")))
    board.settle()
    connection = Connection(board)
    assert connection.settle() == [("ready", None, "")]
    message = read(connection)
    assert isinstance(message, bytes)
    assert message.endswith(bytes(range(256)) * 32)
    assert depth(board) == pytest.approx(stated("dk-rpc"), rel=COMPILER)
