"""An emulated Nucleo-F429ZI on a bench: its pins, and the port to its host."""

from __future__ import annotations

from boards import RUN

from .control import Wire
from .stm32f429 import Stm32f429

TRIGGER, MARK, STROBE, RED = "PA0", "PE14", "PE15", "PB14"


def control(board: Stm32f429, **settings: int) -> Wire:
    """The port to the host. With settings, the board is stopped, set and started again."""
    port = Wire(board.host, board.settle)
    if settings:
        # A board without its radio has failed, and does not stop.
        port.counters(RUN, b"\0")
        port.set(**settings)
        port.counters(RUN, b"\1")
    return port


def pulse(board: Stm32f429) -> None:
    """A pulse at the trigger."""
    for level in (1, 0):
        board.drive(TRIGGER, level)
        board.settle()
