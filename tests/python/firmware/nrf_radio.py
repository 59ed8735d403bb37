"""The radio of an emulated nRF52840: registers and memory to bits on the air, and bits to memory.

It follows the product specification v1.7, section 6.20. It leaves out: noise, the delay of the
demodulator, whitening, more than one address, Bluetooth and the fields of its long range. A frame
that begins before the receiver is ready is missed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .cortex_m4 import CortexM4
from .nrf_time import Events, Time

RADIO, RADIO_IRQ = 0x4000_1000, 1
#: Fast ramp-up, ns (section 6.20.15.8), and the slow one.
RAMP_UP = {1: 40_000, 0: 130_000}
#: Modes: duration of a bit in ns.
BIT_NS = {0: 1_000, 1: 500, 15: 4_000}
IEEE802154 = 15
#: What precedes a frame of IEEE 802.15.4: 32 zeros and its delimiter.
ZEROS = 32

Bits = tuple[int, ...]


@dataclass(frozen=True)
class Frame:
    """A frame on the air: times in ns, MHz above 2400, and all its bits in their order."""

    begin: int
    end: int
    frequency: int
    bits: Bits


def bits_of(data: bytes, low_first: bool) -> Bits:
    """Bits of bytes in the order of transmission."""
    order = range(8) if low_first else range(7, -1, -1)
    return tuple(byte >> bit & 1 for byte in data for bit in order)


def number(bits: Bits) -> int:
    """Value of bits, the first one highest."""
    value = 0
    for bit in bits:
        value = value << 1 | bit
    return value


def field(value: int, size: int) -> Bits:
    """Bits of a value, the highest one first."""
    return tuple(value >> bit & 1 for bit in range(size - 1, -1, -1))


class Radio(Events):
    """States, frames and short-cuts."""

    IRQ = RADIO_IRQ
    TXEN, RXEN, START, DISABLE = 0x00, 0x04, 0x08, 0x10
    READY, END, DISABLED, CRCOK, CRCERROR, PHYEND = 0x100, 0x10C, 0x110, 0x130, 0x134, 0x16C
    SHORTS, PACKETPTR, FREQUENCY, MODE, PCNF0, PCNF1 = 0x200, 0x504, 0x508, 0x510, 0x514, 0x518
    BASE0, PREFIX0, CRCCNF, CRCPOLY, CRCINIT = 0x51C, 0x524, 0x534, 0x538, 0x53C
    STATE, MODECNF0, SFD, POWER = 0x550, 0x650, 0x660, 0xFFC
    READY_START, END_DISABLE, PHYEND_DISABLE = 1 << 0, 1 << 1, 1 << 20

    def __init__(self, chip: CortexM4, time: Time, signal: Callable[[int], bool]) -> None:
        super().__init__()
        self._chip, self._time, self._signal = chip, time, signal
        self._generation = 0
        self._ready: int | None = None
        self._state = "disabled"
        #: Frames that were sent.
        self.sent: list[Frame] = []
        #: Called at the end of each frame that is sent.
        self.watchers: list[Callable[[Frame], None]] = []

    def write(self, offset: int, value: int) -> None:
        if offset == self.POWER and not value & 1:
            self._generation += 1
            self.words.clear()
            self.enabled, self._state = 0, "disabled"
        else:
            super().write(offset, value)

    def read(self, offset: int) -> int:
        if offset == self.STATE:
            return {"disabled": 0, "receive": 3, "transmit": 11}[self._state]
        return super().read(offset)

    def _word(self, offset: int) -> int:
        return self.words.get(offset, 0)

    def event(self, offset: int) -> None:
        super().event(offset)
        self._signal(RADIO + offset)

    def task(self, offset: int) -> None:
        if offset == self.DISABLE:
            self._disable()
        elif offset in (self.TXEN, self.RXEN):
            assert self._state == "disabled", (
                f"task {offset:#x} while the radio is on: {self._state}"
            )
            self._state, self._ready = "transmit" if offset == self.TXEN else "receive", None
            ramp = RAMP_UP[self._word(self.MODECNF0) & 1]
            self._after(ramp, self._transmit if offset == self.TXEN else self._listen)

    def _after(self, ns: int, action: Callable[[], None]) -> None:
        """Does something later, unless the radio is disabled before."""
        generation = self._generation
        self._time.at(
            self._time.now + ns, lambda: action() if generation == self._generation else None
        )

    def _disable(self) -> None:
        self._generation += 1
        self._state = "disabled"
        self.event(self.DISABLED)

    def _end(self) -> None:
        """The end of a frame."""
        self.event(self.END)
        shorts = self._word(self.SHORTS)
        ends = shorts & self.END_DISABLE
        if self._word(self.MODE) == IEEE802154:
            self.event(self.PHYEND)
            ends |= shorts & self.PHYEND_DISABLE
        if ends:
            self._disable()

    def _transmit(self) -> None:
        self.event(self.READY)
        assert self._word(self.SHORTS) & self.READY_START
        bits = self._preamble() + self._address() + self._packet()
        begin, end = self._time.now, self._time.now + len(bits) * self._bit_ns()
        frame = Frame(begin, end, self._word(self.FREQUENCY) & 0x7F, bits)

        def sent() -> None:
            self.sent.append(frame)
            self._end()
            for watcher in self.watchers:
                watcher(frame)

        self._after(end - begin, sent)

    def _listen(self) -> None:
        self.event(self.READY)
        assert self._word(self.SHORTS) & self.READY_START
        self._ready = self._time.now

    def hear(self, bits: Bits, begin: int) -> None:
        """A frame begins at a time in the future, and is received if the radio listens then."""

        def begins() -> None:
            if self._state == "receive" and self._ready is not None and self._ready <= begin:
                self._after(len(bits) * self._bit_ns(), lambda: self._received(bits))

        self._time.at(begin, begins)

    def _bit_ns(self) -> int:
        return BIT_NS[self._word(self.MODE)]

    def _is_ieee(self) -> bool:
        return self._word(self.MODE) == IEEE802154

    def _preamble(self) -> Bits:
        plen = self._word(self.PCNF0) >> 24 & 3
        if self._is_ieee():
            assert plen == 2
            return (0,) * ZEROS
        assert plen == 0
        first = self._address()[0]
        return (first, 1 - first) * 4

    def _address(self) -> Bits:
        """Base address without its low bytes, and prefix, lowest bits first; or the delimiter."""
        if self._is_ieee():
            return bits_of(bytes([self._word(self.SFD)]), low_first=True)
        base = self._word(self.PCNF1) >> 16 & 7
        address = self._word(self.BASE0).to_bytes(4, "little")[4 - base :]
        return bits_of(address + bytes([self._word(self.PREFIX0) & 0xFF]), low_first=True)

    def _lengths(self) -> tuple[int, int, bool, int]:
        """Bits of length and S1, whether the lowest bit is first, and bytes of CRC in a length."""
        pcnf0, pcnf1 = self._word(self.PCNF0), self._word(self.PCNF1)
        assert not pcnf0 >> 8 & 1, "S0 is not modelled"
        assert not pcnf1 >> 25 & 1, "whitening is not modelled"
        included = self._word(self.CRCCNF) & 3 if pcnf0 >> 26 & 1 else 0
        return pcnf0 & 0xF, pcnf0 >> 16 & 0xF, not pcnf1 >> 24 & 1, included

    def _packet(self) -> Bits:
        """Fields and CRC from memory."""
        length_bits, s1_bits, low_first, included = self._lengths()
        place = self._word(self.PACKETPTR)
        length = self._chip.memory(place, 1)[0]
        control = bytes([length]) + (self._chip.memory(place + 1, 1) if s1_bits else b"")
        size = length - included
        assert size <= self._word(self.PCNF1) & 0xFF
        payload = self._chip.memory(place + len(control), size)
        bits: Bits = ()
        for value, width in zip(control, (length_bits, s1_bits), strict=False):
            one = field(value, width)
            bits += one[::-1] if low_first else one
        bits += bits_of(payload, low_first)
        return bits + self._crc(bits)

    def _crc(self, packet: Bits) -> Bits:
        """Check sequence over the packet, and over its address if that is not skipped."""
        size = 8 * (self._word(self.CRCCNF) & 3)
        covered = packet
        if self._word(self.CRCCNF) >> 8 & 3 == 0:
            covered = self._address() + packet
        elif self._word(self.CRCCNF) >> 8 & 3 == 2:
            covered = packet[8:]  # not the length of IEEE 802.15.4
        crc, polynomial = self._word(self.CRCINIT), self._word(self.CRCPOLY)
        for bit in covered:
            crc = crc << 1 ^ (bit << size)
            crc = (crc ^ polynomial if crc >> size & 1 else crc) & (1 << size) - 1
        return field(crc, size)

    def _received(self, bits: Bits) -> None:
        """The last bit of a frame: to memory if its address is that of the radio."""
        start = self._preamble() + self._address()
        if bits[: len(start)] != start:
            return
        length_bits, s1_bits, low_first, included = self._lengths()
        rest = bits[len(start) :]
        fields = b""
        for width in filter(None, (length_bits, s1_bits)):
            one, rest = rest[:width], rest[width:]
            fields += bytes([number(one[::-1] if low_first else one)])
        size = min(fields[0] - included, self._word(self.PCNF1) & 0xFF)
        body = rest[: 8 * size]
        eights = [body[at : at + 8] for at in range(0, len(body), 8)]
        payload = bytes(number(eight[::-1] if low_first else eight) for eight in eights)
        self._chip.write_memory(self._word(self.PACKETPTR), fields + payload)
        packet = bits[len(start) : len(bits) - 16]
        is_right = self._crc(packet) == bits[len(bits) - 16 :]
        self.event(self.CRCOK if is_right else self.CRCERROR)
        self._end()
