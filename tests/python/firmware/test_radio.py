"""The bus activity of the radio images equals that of the drivers' own tests, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from .bus_script import Line, ScriptedChip, Section, Transaction, parse
from .conftest import ROOT
from .nucleo import RED, STROBE, TRIGGER
from .stm32f429 import Stm32f429, Timer

SELECT = "PD14"
SCRIPTS = ROOT / "crates/drivers/tests/bus"
#: Image and script without their end, and which pins of the board the chip is wired to.
RADIOS = {
    "nrf24": {"CE": "PD15", "IRQ": "PB4"},
    "sx127x": {"RESET": "PD15", "DIO0": "PB4", "DIO5": "PC7"},
}

Boot = Callable[[str], Stm32f429]


def wire(board: Stm32f429, radio: str, role: str) -> ScriptedChip:
    script = parse(SCRIPTS / f"{radio}-{role}.txt")
    return ScriptedChip(board, script, SELECT, RADIOS[radio])


@pytest.mark.parametrize("radio", RADIOS)
def test_a_sender_is_set_up_and_waits_for_its_trigger(boot: Boot, radio: str) -> None:
    board = boot(f"{radio}-sender")
    chip = wire(board, radio, "sender")
    board.settle()
    assert chip.remaining(), "the message was sent without a trigger"
    assert chip.seen[-1] == Section("message")
    assert board.output(RED) == 0


@pytest.mark.parametrize("radio", RADIOS)
def test_a_trigger_puts_the_message_on_the_bus(boot: Boot, radio: str) -> None:
    board = boot(f"{radio}-sender")
    chip = wire(board, radio, "sender")
    board.settle()
    board.drive(TRIGGER, 1)
    board.settle()
    assert chip.remaining() == []
    assert (board.pulses(STROBE), board.output(RED)) == (0, 0)


@pytest.mark.parametrize("radio", RADIOS)
def test_a_message_from_the_chip_raises_the_strobe(boot: Boot, radio: str) -> None:
    board = boot(f"{radio}-receiver")
    chip = wire(board, radio, "receiver")
    board.settle()
    assert chip.remaining() == []
    assert (board.pulses(STROBE), board.output(RED)) == (1, 0)


@pytest.mark.parametrize("radio", RADIOS)
def test_a_message_with_one_wrong_bit_raises_nothing(
    boot: Boot, radio: str, messages: list[bytes]
) -> None:
    board = boot(f"{radio}-receiver")

    def damage(line: Line) -> Line:
        if not isinstance(line, Transaction) or messages[0] not in line.answer:
            return line
        answer = bytearray(line.answer)
        answer[8] ^= 0x01
        return replace(line, answer=bytes(answer))

    whole = parse(SCRIPTS / f"{radio}-receiver.txt")
    damaged = [damage(line) for line in whole]
    assert sum(a != b for a, b in zip(whole, damaged, strict=True)) == 1
    chip = ScriptedChip(board, damaged, SELECT, RADIOS[radio])
    board.settle()
    assert chip.remaining() == []
    assert board.pulses(STROBE) == 0


def test_the_reset_of_an_sx127x_is_asked_for_with_a_tick_to_spare(boot: Boot) -> None:
    """100 us (datasheet, section 7.2.2), and a tick: the timer may be set at the end of one."""
    board = boot("sx127x-sender")
    wire(board, "sx127x", "sender")
    released: list[int] = []
    board.watchers.append(
        lambda pin, _: released.append(board.timer.read(Timer.CNT)) if pin == "PD15" else None
    )
    board.settle()
    tick_us = (board.timer.read(Timer.PSC) + 1) / 84
    assert len(released) == 1
    assert (released[0] - 1) * tick_us >= 100


@pytest.mark.parametrize("radio", RADIOS)
@pytest.mark.parametrize("role", ["sender", "receiver"])
def test_without_a_radio_the_red_light_stays_on(boot: Boot, radio: str, role: str) -> None:
    board = boot(f"{radio}-{role}")
    board.settle()
    board.drive(TRIGGER, 1)
    board.settle()
    assert (board.output(RED), board.pulses(STROBE)) == (1, 0)
