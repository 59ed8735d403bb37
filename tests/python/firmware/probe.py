"""A probe on a serial line and its reflection, transcribed from ``docs/probe.md``.

It shares no code with airlag, so that a mistake in both ends of the Rust code is detected.
"""

from __future__ import annotations

SEQUENCE = (7).to_bytes(2, "big")


def asked() -> bytes:
    """A probe of 20 B, as it is on the line."""
    probe = bytearray(20)
    probe[0], probe[2:4] = 0xA5, SEQUENCE
    probe[1] = crc8(probe[:1] + probe[2:12])
    return b"\0" + b"".join(bytes([len(each) + 1]) + each for each in probe.split(b"\0")) + b"\0"


def received_ns(line: bytes) -> int:
    """The receive time in the reflection of the first probe: the clock of the board, ns."""
    message, at = b"", 0
    while at < len(line):
        size = line[at]
        message += line[at + 1 : at + size] + b"\0"
        at += size
    answer = message[:-1]
    assert (answer[0], answer[2:4], answer[4], len(answer)) == (0xA6, SEQUENCE, 1, 20)
    assert answer[1] == crc8(answer[:1] + answer[2:12])
    # In units of 32 ns.
    return 32 * int.from_bytes(answer[5:9], "big")


def crc8(data: bytes) -> int:
    """CRC-8 with the polynomial 0x07."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07) & 0xFF if crc & 0x80 else crc << 1
    return crc
