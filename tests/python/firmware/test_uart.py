"""The three images for a serial wire: the same bytes out, a strobe for the same bytes in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boards import ROUND_TRIP, SENDER

from .nucleo import RED, STROBE, TRIGGER, control
from .stm32f429 import Stm32f429

IMAGES = ("uart-poll", "uart-irq", "uart-dma")


@pytest.fixture(params=IMAGES)
def board(request: pytest.FixtureRequest, boot: Callable[[str], Stm32f429]) -> Stm32f429:
    booted = boot(request.param)
    booted.settle()
    assert booted.output(RED) == 0
    return booted


def test_nothing_is_sent_before_a_trigger(board: Stm32f429) -> None:
    assert bytes(board.uart.sent) == b""


def test_the_port_runs_at_115200_baud(board: Stm32f429) -> None:
    # BRR in sixteenths: 42 MHz over 115200 is 364.6 clocks a bit.
    assert board.uart.read(0x08) == 365


def test_every_trigger_sends_the_next_message(board: Stm32f429, messages: list[bytes]) -> None:
    control(board, role=SENDER)
    for sent in range(1, len(messages) + 1):
        board.drive(TRIGGER, 1)
        board.settle()
        board.drive(TRIGGER, 0)
        board.settle()
        assert bytes(board.uart.sent) == b"".join(messages[:sent])


def test_every_message_raises_the_strobe_once(board: Stm32f429, messages: list[bytes]) -> None:
    # Six messages go round the ring of the DMA more than twice.
    for received, message in enumerate(messages * 2, start=1):
        board.uart.receive(message)
        board.settle()
        assert board.pulses(STROBE) == received
    assert (bytes(board.uart.sent), board.output(RED)) == (b"", 0)


def test_half_a_message_and_a_damaged_one_raise_nothing(
    board: Stm32f429, messages: list[bytes]
) -> None:
    board.uart.receive(messages[0][:6])
    board.settle()
    assert board.pulses(STROBE) == 0
    board.uart.receive(messages[0][6:])
    board.settle()
    assert board.pulses(STROBE) == 1
    damaged = bytearray(messages[1])
    damaged[8] ^= 0x10
    board.uart.receive(bytes(damaged))
    board.settle()
    assert board.pulses(STROBE) == 1
    board.uart.receive(messages[2])
    board.settle()
    assert board.pulses(STROBE) == 2


def test_both_ends_run_at_once(board: Stm32f429, messages: list[bytes]) -> None:
    control(board, role=ROUND_TRIP)
    board.uart.receive(messages[0])
    board.drive(TRIGGER, 1)
    board.settle()
    assert (bytes(board.uart.sent), board.pulses(STROBE)) == (messages[0], 1)
