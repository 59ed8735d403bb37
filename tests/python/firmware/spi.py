"""SPI in master mode, a byte at a time (RM0090, section 28.5)."""

from __future__ import annotations

from collections.abc import Callable

from .cortex_m4 import Registers


class Spi(Registers):
    """Every byte written is exchanged at once with ``peer``.

    What it leaves out: clock, mode, frame format, DMA. A byte that is not read before the next one
    is written is an error here; the chip would raise an overrun flag.
    """

    SR, DR = 0x08, 0x0C
    RXNE, TXE = 1 << 0, 1 << 1

    def __init__(self) -> None:
        super().__init__()
        self.peer: Callable[[int], int] = lambda _: 0xFF
        self._received: int | None = None

    def read(self, offset: int) -> int:
        if offset == self.SR:
            return self.TXE | (self.RXNE if self._received is not None else 0)
        if offset == self.DR:
            byte, self._received = self._received or 0, None
            return byte
        return super().read(offset)

    def write(self, offset: int, value: int) -> None:
        if offset == self.DR:
            assert self._received is None, "overrun: a byte was written before the last was read"
            self._received = self.peer(value & 0xFF)
        else:
            super().write(offset, value)
