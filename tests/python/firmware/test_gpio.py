"""The image without a link boots, waits, and answers every trigger with one strobe."""

from __future__ import annotations

from collections.abc import Callable

from .stm32f429 import Stm32f429

TRIGGER, STROBE, RED = "PA0", "PE15", "PB14"


def test_it_boots_and_waits_with_its_light_off(boot: Callable[[str], Stm32f429]) -> None:
    board = boot("gpio")
    board.settle()
    assert [level for pin, level in board.changes if pin == RED] == [1, 0]
    assert board.pulses(STROBE) == 0


def test_every_rising_edge_is_answered_once(boot: Callable[[str], Stm32f429]) -> None:
    board = boot("gpio")
    board.settle()
    for answered in (1, 2, 3):
        board.drive(TRIGGER, 1)
        board.settle()
        assert board.pulses(STROBE) == answered
        board.drive(TRIGGER, 0)
        board.settle()
        assert board.pulses(STROBE) == answered


def test_another_pin_is_not_the_trigger(boot: Callable[[str], Stm32f429]) -> None:
    board = boot("gpio")
    board.settle()
    for pin in ("PB0", "PA1", "PE0"):
        board.drive(pin, 1)
        board.settle()
    assert board.pulses(STROBE) == 0
