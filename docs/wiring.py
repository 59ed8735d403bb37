"""Draws the wiring of the Pico from the table in ``firmware/rp2040/README.md``.

python docs/wiring.py writes ``docs/pictures/pico-wiring.svg``.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "firmware/rp2040/README.md"
PICTURE = ROOT / "docs/pictures/pico-wiring.svg"

#: Pins of a row of the board, the distance between two, and the edges of the board, in SVG units.
ROW, PITCH, TOP, LEFT, RIGHT = 20, 20, 40, 300, 420
COLOURS = {"trigger": "#b3261e", "channel": "#1f5fa8", "unconnected": "#777777"}


def rows() -> list[tuple[str, int, str]]:
    """Pins of the table: name, number on the board, signal."""
    row = re.compile(r"^\| (GP\d+|GND) \| (\d+) \| ([^|]+) \|", re.M)
    found = row.findall(TABLE.read_text("utf-8"))
    return [(pin, int(number), signal.strip()) for pin, number, signal in found]


def colour(signal: str) -> str:
    """Colour of a signal by its first keyword."""
    return next((shade for word, shade in COLOURS.items() if word in signal), "#333333")


def pin(name: str, number: int, signal: str) -> str:
    """A pin with its wire and label. Pins 1 to 20 are on the left, from the top."""
    is_left = number <= ROW
    y = TOP + PITCH * (number if is_left else 2 * ROW + 1 - number)
    edge, out = (LEFT, -1) if is_left else (RIGHT, 1)
    inside, outside = ("start", "end") if is_left else ("end", "start")
    shade = colour(signal)
    dashes = ' stroke-dasharray="3 3"' if "unconnected" in signal else ""
    line = f'<line x1="{edge}" y1="{y}" x2="{edge + 60 * out}" y2="{y}" stroke="{shade}"'
    label = f'<text x="{edge + 66 * out}" y="{y + 4}" text-anchor="{outside}" fill="{shade}">'
    return (
        f'{line} stroke-width="2"{dashes}/>'
        f'<circle cx="{edge}" cy="{y}" r="4" fill="{shade}"/>'
        f'<text x="{edge - 8 * out}" y="{y + 4}" text-anchor="{inside}">{name}</text>'
        f"{label}{escape(signal)}</text>"
    )


def svg() -> str:
    """The picture."""
    height, middle = TOP + PITCH * (ROW + 2), (LEFT + RIGHT) // 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" font-size="12" '
        'font-family="sans-serif" role="img"><title>Wiring of a Pico as an instrument</title>',
        f'<rect width="720" height="{height}" fill="white"/>',
        f'<rect x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{PITCH * (ROW + 1)}" rx="6" '
        'fill="#eaf3ea" stroke="#5a7d5a"/>',
        f'<rect x="{middle - 18}" y="{TOP - 10}" width="36" height="24" fill="#c8c8c8" '
        'stroke="#777777"/>',
        f'<text x="{middle}" y="{TOP - 18}" text-anchor="middle">USB to the host</text>',
        *(pin(*row) for row in rows()),
        "</svg>\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PICTURE.write_text(svg(), "utf-8")
