"""Draws the wiring of both nRF52840 boards from the table in ``firmware/nrf52840/README.md``.

One picture for each board: the pulse source and the analyser on the left, the host on the right.
"""

from __future__ import annotations

import re
from pathlib import Path

from nucleo_wiring import BENCH, BOARD, PEER, PITCH, TOP, Pin, box, wires

TABLE = Path(__file__).resolve().parents[1] / "firmware/nrf52840/README.md"

#: Name of each board, and the port of it that the host is connected to.
BOARDS = {"dk": ("nRF52840 DK", "J2"), "dongle": ("nRF52840 Dongle", "plug")}


def pins(board: str) -> list[Pin]:
    """Wired pins of a board."""
    row = re.compile(r"^\| `(\w+)-\*` \| ([\w.]+) \| (\w+) \| ([^|]+) \|$", re.M)
    return [
        Pin(name, place, signal.strip())
        for images, name, place, signal in row.findall(TABLE.read_text("utf-8"))
        if images == board
    ]


def svg(board: str) -> str:
    """The picture of a board."""
    left, (name, port) = pins(board), BOARDS[board]
    right = [Pin("USB", port, "serial port")]
    height = TOP + PITCH * len(left) + 30
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" font-size="12" '
            f'font-family="sans-serif" role="img"><title>Wiring of an {name}</title>',
            f'<rect width="840" height="{height}" fill="white"/>',
            box(BENCH, len(left), "pulse source and analyser"),
            box(BOARD, len(left), name),
            box(PEER, len(right), "host"),
            *wires(left, BOARD[0], BENCH[1]),
            *wires(right, BOARD[1], PEER[0]),
            "</svg>\n",
        ]
    )
