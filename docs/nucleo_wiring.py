"""Draws the wiring of a Nucleo-F429ZI from the tables in ``firmware/stm32f429/README.md``.

One picture for each kind of image and for each modem: the pulse source and the analyser on the
left, the other board or the radio on the right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from wiring import colour

TABLE = Path(__file__).resolve().parents[1] / "firmware/stm32f429/README.md"

#: What is wired to the board, by the images that need it, or by the modem.
PEERS = {
    "uart": "other board, or itself",
    "hc05": "HC-05",
    "sik": "SiK radio",
    "nrf24": "nRF24L01+",
    "sx127x": "SX127x module",
}
#: Edges of the boxes and distance of two pins, SVG units.
BENCH, BOARD, PEER, TOP, PITCH = (20, 190), (330, 510), (650, 820), 56, 26


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of the microcontroller, its place on a connector, and the signal on it."""

    name: str
    place: str
    signal: str


def pins(kind: str) -> list[Pin]:
    """Wired pins that the images of a kind use: those of every image are of the kind ``all``."""
    row = re.compile(r"^\| ([^|]+) \| (\w+) \| (CN\d+-\d+) \| ([^|]+) \|$", re.M)
    return [
        Pin(name, place, signal.strip())
        for images, name, place, signal in row.findall(TABLE.read_text("utf-8"))
        if kind in images
    ]


def svg(kind: str) -> str:
    """The picture of a kind of image."""
    left, right = pins("all"), pins(kind)
    height = TOP + PITCH * max(len(left), len(right)) + 30
    title = f"Wiring of a Nucleo-F429ZI: {PEERS[kind]}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 {height}" font-size="12" '
            f'font-family="sans-serif" role="img"><title>{title}</title>',
            f'<rect width="840" height="{height}" fill="white"/>',
            box(BENCH, len(left), "pulse source and analyser"),
            box(BOARD, max(len(left), len(right)), "Nucleo-F429ZI"),
            box(PEER, len(right), PEERS[kind]),
            *wires(left, BOARD[0], BENCH[1]),
            *wires(right, BOARD[1], PEER[0]),
            "</svg>\n",
        ]
    )


def box(edges: tuple[int, int], pins: int, title: str) -> str:
    """A board or a module, with its name above."""
    left, right = edges
    return (
        f'<rect x="{left}" y="{TOP - 18}" width="{right - left}" height="{PITCH * pins + 14}" '
        'rx="6" fill="#eef2f7" stroke="#64748b"/>'
        f'<text x="{(left + right) / 2}" y="{TOP - 26}" text-anchor="middle" font-weight="bold">'
        f"{escape(title)}</text>"
    )


def wires(pins: Sequence[Pin], board: int, other: int) -> Iterator[str]:
    """The wires of one side: the pin's name inside the board, its signal inside the other box."""
    towards = 1 if other > board else -1
    inside, beyond = ("end", "start") if towards > 0 else ("start", "end")
    for nth, pin in enumerate(pins):
        y = TOP + PITCH * nth
        name = end_of(pin)
        shade = colour("channel" if "strobe" in name else name)
        yield (
            f'<line x1="{board}" y1="{y}" x2="{other}" y2="{y}" stroke="{shade}" stroke-width="2"/>'
            f'<circle cx="{board}" cy="{y}" r="4" fill="{shade}"/>'
            f'<text x="{board - 8 * towards}" y="{y + 4}" text-anchor="{inside}">'
            f'{pin.name}<tspan fill="#64748b">&#160;{pin.place}</tspan></text>'
            f'<text x="{other + 8 * towards}" y="{y + 4}" text-anchor="{beyond}">'
            f"{escape(name)}</text>"
        )


def end_of(pin: Pin) -> str:
    """Name of a wire's other end. What follows the name of a signal is in the table."""
    if pin.name == "GND":
        return "GND"
    if other := re.search(r"\b(?:to|from) (CN\d+-\d+)", pin.signal):
        return other[1]
    names = re.match(r"[A-Z]+\d?(?:, [A-Z]+\d?)*$", pin.signal)
    return names[0] if names else re.split("[,;]", pin.signal)[0]
