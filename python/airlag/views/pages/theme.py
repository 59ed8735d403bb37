"""Chart colours, dashes and marks, safe for colour-vision deficiency and greyscale printing.

The theme is in ``specs/theme.json``, which the studio also reads. The palette is from Okabe and Ito
(2008). Its yellow is too weak on white for lines; its vermillion is reserved for losses. Time on
the medium is always drawn in one blue; responses of the peer are a lighter blue. Dashes distinguish
runs of equal colour: 72 lines are distinct. Dark mode does not change colours with a meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_THEME: Mapping[str, Any] = json.loads(
    Path(__file__).parents[1].joinpath("specs", "theme.json").read_text("utf-8")
)

RUN_COLOURS: list[str] = _THEME["runs"]
#: Outcomes. The end of the capture cut off censored transfers: neither delivered nor lost.
LOST, CENSORED = str(_THEME["lost"]), str(_THEME["censored"])
INK, QUIET, GRID, PAPER = (str(_THEME[key]) for key in ("ink", "quiet", "grid", "paper"))
#: Dark-mode colours of text, axes, grid and paper.
IN_THE_DARK: Mapping[str, str] = _THEME["dark"]
#: Strokes of the cross that marks a loss, and the bar that replaces crosses that would overlap.
CROSS, BAR = str(_THEME["cross"]), str(_THEME["bar"])

#: Colour, text colour and meaning by kind of slice.
COLOURS, INK_ON, MEANING = (
    {kind: str(slices[key]) for kind, slices in _THEME["slices"].items()}
    for key in ("colour", "ink", "meaning")
)


def run_colour(number: int) -> str:
    """Returns the colour of run ``number`` of a report, the same on every chart."""
    return RUN_COLOURS[number % len(RUN_COLOURS)]


def run_dash(number: int) -> list[int]:
    """Returns the dash pattern of run ``number`` of a report, px on and off."""
    dashes: list[list[int]] = _THEME["dashes"]
    return dashes[number // len(RUN_COLOURS) % len(dashes)]
