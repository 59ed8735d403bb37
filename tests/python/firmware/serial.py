"""A serial port and the DMA controller that serves it (RM0090, sections 10.5 and 30.6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from .cortex_m4 import Registers


class Uart(Registers):
    """Bytes out are collected in ``sent``, bytes from outside wait in ``line`` until the one before
    is taken; the line is idle behind the last one.

    A looped port sends a byte in a turn, receives it, and loses it while it holds one.

    What it leaves out: the baud rate (so ``line`` is never overrun), errors, break, flow control.
    """

    SR, DR, CR1, CR3 = 0x00, 0x04, 0x0C, 0x14
    IDLE, RXNE, TC, TXE = 1 << 4, 1 << 5, 1 << 6, 1 << 7
    DMAR, DMAT = 1 << 6, 1 << 7

    def __init__(self, irq: int) -> None:
        super().__init__()
        self.sent = bytearray()
        self.line: deque[int] = deque()
        self.loops = False
        #: Bytes that a looped port has lost.
        self.overruns = 0
        self._returning: int | None = None
        self._irq = irq
        self._held: int | None = None
        self._idle = False

    def receive(self, data: bytes) -> None:
        """Bytes come in from outside."""
        self.line.extend(data)

    def take(self) -> int | None:
        """Takes the byte that is held, as reading DR does."""
        byte, self._held = self._held, None
        is_last = byte is not None and not self.line and self._returning is None
        self._idle = self._idle or is_last
        return byte

    def status(self) -> int:
        held = self.RXNE if self._held is not None else 0
        free = self.TXE | self.TC if self._returning is None else 0
        return free | held | (self.IDLE if self._idle else 0)

    def read(self, offset: int) -> int:
        if offset == self.SR:
            return self.status()
        if offset == self.DR:
            # Reading SR and then DR takes the idle flag back; the images always do both.
            self._idle = False
            return self.take() or 0
        return super().read(offset)

    def write(self, offset: int, value: int) -> None:
        if offset == self.DR:
            self.sent.append(value & 0xFF)
            self._returning = value & 0xFF if self.loops else None
        elif offset != self.SR:
            super().write(offset, value)

    def step(self) -> None:
        if self._returning is not None:
            self.overruns += self._held is not None
            self._held, self._returning = self._returning, None
        if self._held is None and self.line:
            self._held = self.line.popleft()

    def idle(self) -> bool:
        return bool(self.line) or self._returning is not None

    def interrupts(self) -> Iterable[int]:
        # The enable bits of CR1 stand where the flags of SR stand.
        enables = self.read(self.CR1) & (self.IDLE | self.RXNE | self.TC | self.TXE)
        return {self._irq} if self.status() & enables else ()


class Dma(Registers):
    """Streams between memory and a port, a byte a step; ``ports`` says which stream serves which.

    What it leaves out: FIFOs, bursts, widths above a byte, double buffers, priorities, errors.
    """

    EN, TCIE, HTIE, CIRC = 1 << 0, 1 << 4, 1 << 3, 1 << 8
    DIRECTION, TO_PORT = 3 << 6, 1 << 6
    HALF, FULL = 1 << 4, 1 << 5

    def __init__(
        self,
        irqs: Mapping[int, int],
        ports: Mapping[int, Uart],
        load: Callable[[int, int], bytes],
        store: Callable[[int, bytes], None],
    ) -> None:
        super().__init__()
        self._irqs, self._ports = irqs, ports
        self._load, self._store = load, store
        self._flags = dict.fromkeys(irqs, 0)
        self._length = dict.fromkeys(irqs, 0)

    @staticmethod
    def _place(stream: int) -> tuple[int, int]:
        """Register (low or high) and shift of a stream's flags."""
        return stream // 4, (0, 6, 16, 22)[stream % 4]

    def read(self, offset: int) -> int:
        if offset in (0x00, 0x04):  # LISR, HISR
            places = {stream: self._place(stream) for stream in self._flags}
            return sum(
                self._flags[stream] << shift
                for stream, (register, shift) in places.items()
                if register == offset // 4
            )
        return super().read(offset)

    def write(self, offset: int, value: int) -> None:
        if offset in (0x08, 0x0C):  # LIFCR, HIFCR: cleared by writing 1
            for stream in self._flags:
                register, shift = self._place(stream)
                if register == (offset - 8) // 4:
                    self._flags[stream] &= ~(value >> shift)
            return
        stream, register = divmod(offset - 0x10, 0x18)
        if register == 0 and value & self.EN and not self.read(offset) & self.EN:
            self._length[stream] = self.read(offset + 4)
        super().write(offset, value)

    def step(self) -> None:
        for stream, port in self._ports.items():
            at = 0x10 + 0x18 * stream
            control = self.read(at)
            if not control & self.EN:
                continue
            place = self.read(at + 0x0C) + self._length[stream] - self.read(at + 4)
            if control & self.DIRECTION == self.TO_PORT:
                if port.read(Uart.CR3) & Uart.DMAT:
                    port.write(Uart.DR, self._load(place, 1)[0])
                    self._count(stream)
            elif port.read(Uart.CR3) & Uart.DMAR:
                byte = port.take()
                if byte is not None:
                    self._store(place, bytes([byte]))
                    self._count(stream)

    def _count(self, stream: int) -> None:
        at = 0x10 + 0x18 * stream
        control, length = self.read(at), self._length[stream]
        left = self.read(at + 4) - 1
        if left == length // 2:
            self._flags[stream] |= self.HALF
        if left == 0:
            self._flags[stream] |= self.FULL
            if control & self.CIRC:
                left = length
            else:
                super().write(at, control & ~self.EN)
        super().write(at + 4, left)

    def idle(self) -> bool:
        return any(
            self.read(0x10 + 0x18 * stream) & self.EN
            and self.read(0x10 + 0x18 * stream) & self.DIRECTION == self.TO_PORT
            for stream in self._ports
        )

    def interrupts(self) -> Iterable[int]:
        asked = set()
        for stream, flags in self._flags.items():
            control = self.read(0x10 + 0x18 * stream)
            full = flags & self.FULL and control & self.TCIE
            half = flags & self.HALF and control & self.HTIE
            if full or half:
                asked.add(self._irqs[stream])
        return asked
