"""Ports of an emulated nRF52840: pins, a serial port, random numbers, and what is always ready.

Registers are those of the product specification v1.7. It leaves out pull resistors, drive
strengths, baud rates and errors on the line. Registers not named here only remember what was
written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from .cortex_m4 import CortexM4, Registers
from .nrf_time import Events

UARTE0_IRQ, GPIOTE_IRQ = 2, 6


class Clock(Events):
    """Every clock that is started is ready."""

    def task(self, offset: int) -> None:
        if offset in (0x00, 0x08):  # HFCLKSTART, LFCLKSTART
            self.event(0x100 if offset == 0x00 else 0x104)

    def read(self, offset: int) -> int:
        if offset in (0x40C, 0x418):  # HFCLKSTAT, LFCLKSTAT: running from the crystal
            return 0x1_0001
        return super().read(offset)


class Gpio(Registers):
    """One port: levels from outside in, changes of the outputs out."""

    OUT, OUTSET, OUTCLR, IN, LATCH, CNF = 0x504, 0x508, 0x50C, 0x510, 0x520, 0x700

    def __init__(self, port: int, changed: Callable[[str, int], None]) -> None:
        super().__init__()
        self.port = port
        self.driven = 0
        self._changed = changed

    def read(self, offset: int) -> int:
        if offset == self.IN:
            return self.driven
        if offset == self.LATCH:
            return self.words.get(self.LATCH, 0) | self.sensed()
        return super().read(offset)

    def sensed(self) -> int:
        """Pins whose level is the one that they sense."""
        pins = 0
        for pin in range(32):
            sense = self.words.get(self.CNF + 4 * pin, 0) >> 16 & 3
            level = self.driven >> pin & 1
            if (sense == 2 and level) or (sense == 3 and not level):
                pins |= 1 << pin
        return pins

    def write(self, offset: int, value: int) -> None:
        before = self.words.get(self.OUT, 0)
        after = {
            self.OUT: value,
            self.OUTSET: before | value,
            self.OUTCLR: before & ~value,
        }.get(offset)
        if offset == self.LATCH:  # cleared by writing 1
            self.words[self.LATCH] = self.words.get(self.LATCH, 0) & ~value
        elif after is None:
            super().write(offset, value)
        else:
            self.words[self.OUT] = after
            for pin in range(32):
                if (before ^ after) >> pin & 1:
                    self._changed(f"P{self.port}.{pin:02}", after >> pin & 1)


class Ports(Registers):
    """Both ports, which share a block."""

    def __init__(self, changed: Callable[[str, int], None]) -> None:
        super().__init__()
        self.ports = [Gpio(0, changed), Gpio(1, changed)]

    def _find(self, offset: int) -> tuple[Gpio, int]:
        # Port 1 begins 0x300 after port 0, whose own registers begin at 0x504.
        return (self.ports[1], offset - 0x300) if offset >= 0x800 else (self.ports[0], offset)

    def read(self, offset: int) -> int:
        port, at = self._find(offset)
        return port.read(at)

    def write(self, offset: int, value: int) -> None:
        port, at = self._find(offset)
        port.write(at, value)


class Gpiote(Events):
    """The event of a sensing pin."""

    IRQ = GPIOTE_IRQ
    PORT = 0x17C

    def __init__(self, ports: Ports) -> None:
        super().__init__()
        self._ports = ports
        self._was = False

    def step(self) -> None:
        detects = any(port.sensed() for port in self._ports.ports)
        if detects and not self._was:
            self.event(self.PORT)
        self._was = detects


class Uarte(Events):
    """Bytes out are collected in ``sent``; bytes from outside wait in ``line`` for the DMA.

    What it leaves out: the baud rate, so that nothing is ever overrun, errors, and flow control.
    """

    IRQ = UARTE0_IRQ
    ENDRX, ENDTX, RXTO, RXSTARTED, TXSTARTED, TXSTOPPED = 0x110, 0x120, 0x144, 0x14C, 0x150, 0x158
    RXD, TXD = 0x534, 0x544

    def __init__(self, chip: CortexM4) -> None:
        super().__init__()
        self.sent = bytearray()
        self.line: deque[int] = deque()
        self._chip = chip
        self._receives = False
        self._taken = 0

    def receive(self, data: bytes) -> None:
        """Bytes come in from outside."""
        self.line.extend(data)

    def task(self, offset: int) -> None:
        if offset == 0x00:  # STARTRX
            self._receives, self._taken = True, 0
            self.event(self.RXSTARTED)
        elif offset == 0x04:  # STOPRX
            self._receives = False
            self.event(self.RXTO)
        elif offset == 0x08:  # STARTTX
            size = self.words.get(self.TXD + 4, 0)
            self.sent += self._chip.memory(self.words[self.TXD], size)
            self.words[self.TXD + 8] = size
            self.event(self.TXSTARTED)
            self.event(self.ENDTX)
        elif offset == 0x0C:  # STOPTX
            self.event(self.TXSTOPPED)

    def step(self) -> None:
        size = self.words.get(self.RXD + 4, 0)
        while self._receives and self.line and self._taken < size:
            place = self.words[self.RXD] + self._taken
            self._chip.write_memory(place, bytes([self.line.popleft()]))
            self._taken += 1
        if self._receives and self._taken == size > 0:
            self._receives = False
            self.words[self.RXD + 8] = size
            self.event(self.ENDRX)

    def idle(self) -> bool:
        return self._receives and bool(self.line)


class Erased(Registers):
    """Memory in which all bits are set, except ``words``."""

    def __init__(self, words: dict[int, int]) -> None:
        super().__init__()
        self.words.update(words)

    def read(self, offset: int) -> int:
        return self.words.get(offset, 0xFFFF_FFFF)


#: Factory information: the build code of the chip.
FACTORY = {0x104: int.from_bytes(b"AAC0", "big")}
#: User settings: P0.18 is the reset pin, and pins have 3.0 V. Without that, an image sets it and
#: restarts.
USER = {0x200: 18, 0x204: 18, 0x304: 0xFFFF_FFFC}


class Flash(Registers):
    """The controller of the flash is always ready."""

    def read(self, offset: int) -> int:
        return super().read(offset) | (1 if offset == 0x400 else 0)


class Random(Events):
    """Numbers that anybody could foresee, each as soon as it is asked for."""

    VALRDY, VALUE = 0x100, 0x508

    def __init__(self) -> None:
        super().__init__()
        self._state = 1

    def read(self, offset: int) -> int:
        if offset == self.VALRDY:
            return 1
        if offset == self.VALUE:  # Numerical Recipes, section 7.1
            self._state = (1_664_525 * self._state + 1_013_904_223) & 0xFFFF_FFFF
            return self._state >> 24
        return super().read(offset)
