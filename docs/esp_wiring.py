"""Draws the wiring of an ESP32-C6 board from the table in ``firmware/esp32c6/README.md``.

The pulse source and the analyser are on the left, the host is on the right.
"""

from __future__ import annotations

import re
from pathlib import Path

from nucleo_wiring import BENCH, BOARD, PEER, PITCH, TOP, Pin, box, wires

TABLE = Path(__file__).resolve().parents[1] / "firmware/esp32c6/README.md"
NAME = "ESP32-C6-DevKitC-1"


def pins() -> list[Pin]:
    """Wired pins of the board."""
    row = re.compile(r"^\| (GPIO\d+|GND) \| (J\d-\d+) \| ([^|]+) \|$", re.M)
    found = row.findall(TABLE.read_text("utf-8"))
    return [Pin(name, place, signal.strip()) for name, place, signal in found]


def svg() -> str:
    """The picture."""
    left, right = pins(), [Pin("USB", "chip", "serial port")]
    height = TOP + PITCH * len(left) + 30
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" font-size="12" '
            f'font-family="sans-serif" role="img"><title>Wiring of an {NAME}</title>',
            f'<rect width="840" height="{height}" fill="white"/>',
            box(BENCH, len(left), "pulse source and analyser"),
            box(BOARD, len(left), NAME),
            box(PEER, len(right), "host"),
            *wires(left, BOARD[0], BENCH[1]),
            *wires(right, BOARD[1], PEER[0]),
            "</svg>\n",
        ]
    )
