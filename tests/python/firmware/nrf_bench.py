"""An emulated nRF52840 DK on a bench: its serial port, and the frames of another radio on the air.

Frames of an nRF24L01+ are built from its product specification v1.0, section 7.3, and those of IEEE
802.15.4 from its edition of 2006, sections 6.3 and 7.2: they share nothing with the emulated radio
or with airlag.
"""

from __future__ import annotations

from .control import Wire
from .nrf52840 import Nrf52840
from .nrf_radio import Bits, Frame

#: Address of the images, the byte that goes on the air first at the front.
ADDRESS = bytes([0xF0, 0xD3, 0xE7])
#: Time from the end of a packet to its acknowledgement, ns: section 7.4.2, and 12 symbols
#: (aTurnaroundTime).
ESB_TURNAROUND, IEEE_TURNAROUND = 130_000, 192_000
TRIGGER, MARK, STROBE, LIGHT = "P1.03", "P1.04", "P1.05", "P0.13"


class Bench:
    """A board, its port, and what another radio sends."""

    def __init__(self, board: Nrf52840) -> None:
        self.board = board
        self.port = Wire(board.uart, lambda: board.advance(0))
        # The receiver of the board ramps up.
        self.board.advance(1_000)

    def start(self, **settings: int) -> None:
        """Stops the board, changes settings, and starts it."""
        self.port.run(starts=False)
        self.port.set(**settings)
        self.port.run(starts=True)
        self.board.advance(1_000)

    def trigger(self, us: int = 20_000) -> None:
        """A pulse at the trigger, and the time after it."""
        self.board.drive(TRIGGER, 1)
        self.board.advance(us)
        self.board.drive(TRIGGER, 0)
        self.board.advance(10)

    def hear(self, bits: Bits, us: int = 1_000) -> None:
        """A frame that begins in a microsecond, and the time after it."""
        self.board.radio.hear(bits, self.board.time.now + 1_000)
        self.board.advance(us)

    def answer(self, bits: Bits, turnaround: int, times: int = 1) -> None:
        """Answers the next frames of the board."""
        left = [bits] * times

        def answered(frame: Frame) -> None:
            if left:
                self.board.radio.hear(left.pop(), frame.end + turnaround)

        self.board.radio.watchers.append(answered)

    def strobes(self) -> int:
        """How often the strobe rose."""
        return len(self.board.rises(STROBE))


def crc(bits: Bits, polynomial: int, preset: int) -> Bits:
    """Remainder of a polynomial of degree 16, its highest coefficient first."""
    remainder = preset
    for bit in bits:
        carry = remainder >> 15 ^ bit
        remainder = remainder << 1 & 0xFFFF
        if carry:
            remainder ^= polynomial
    return tuple(remainder >> place & 1 for place in range(15, -1, -1))


def highest_first(data: bytes) -> Bits:
    return tuple(int(bit) for byte in data for bit in f"{byte:08b}")


def lowest_first(data: bytes) -> Bits:
    return tuple(int(bit) for byte in data for bit in reversed(f"{byte:08b}"))


def nrf24(payload: bytes, identity: int, no_ack: bool = False) -> Bits:
    """A packet of Enhanced ShockBurst as an nRF24L01+ sends it."""
    control = f"{len(payload):06b}{identity:02b}{no_ack:b}"
    covered = highest_first(ADDRESS) + tuple(map(int, control)) + highest_first(payload)
    # 10101010 before an address that begins with 1 (section 7.3.1).
    preamble = (1, 0) * 4 if ADDRESS[0] & 0x80 else (0, 1) * 4
    return preamble + covered + crc(covered, 0x1021, 0xFFFF)


def ieee(psdu: bytes) -> Bits:
    """A frame of IEEE 802.15.4, with its check sequence."""
    check = crc(lowest_first(psdu), 0x1021, 0)
    return lowest_first(bytes([0, 0, 0, 0, 0xA7, len(psdu) + 2]) + psdu) + check


def damaged(bits: Bits) -> Bits:
    """A frame with one wrong bit, in its last byte before the CRC."""
    at = len(bits) - 20
    return (*bits[:at], 1 - bits[at], *bits[at + 1 :])
