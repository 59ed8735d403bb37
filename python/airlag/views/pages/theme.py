"""Chart colours, dashes and marks, safe for colour-vision deficiency and greyscale printing.

Time slices have one colour per kind, the same in terminals, pictures and pages.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Colours of runs, from the palette of Okabe and Ito (2008), which is safe for the three common
#: kinds of colour blindness. Its yellow is too weak on white, its vermillion is kept for losses.
RUN_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#595959")

#: Vermillion is reserved for losses.
LOST = "#d55e00"

#: Outcome cut off by the end of the capture: neither delivered nor lost.
CENSORED = "#7a7a7a"

#: Text, axes and grid.
INK = "#222222"
QUIET = "#5f5f5f"
GRID = "#e4e4e4"
PAPER = "#ffffff"

#: Dark-mode colours of text, axes and grid. Colours that carry meaning do not change.
IN_THE_DARK = (
    (INK, "#e8e8e8"),
    (QUIET, "#ababab"),
    (GRID, "#3d3d3d"),
    (RUN_COLOURS[5], "#b8b8b8"),
    (CENSORED, "#a3a3a3"),
)
PAPER_IN_THE_DARK = "#1e1e1e"

#: Dashes distinguish runs of equal colour; combined with the colours they give 72 distinct lines.
DASHES: tuple[tuple[int, ...], ...] = (
    (1, 0),
    (7, 3),
    (2, 2),
    (8, 3, 2, 3),
    (12, 4),
    (4, 2, 1, 2, 1, 2),
    (1, 4),
    (16, 2, 3, 2),
    (3, 6),
    (9, 2, 2, 2, 2, 2),
    (6, 6),
    (13, 2, 1, 2, 1, 2),
)

#: Strokes of the cross that marks a loss, in the unit square of a mark.
CROSS = "M-0.8,-0.8L0.8,0.8M-0.8,0.8L0.8,-0.8"

#: Bar that replaces crosses where they would overlap.
BAR = "M0,-1L0,1"


def run_colour(number: int) -> str:
    """Returns the colour of run ``number`` of a report, the same on every chart."""
    return RUN_COLOURS[number % len(RUN_COLOURS)]


def run_dash(number: int) -> list[int]:
    """Returns the dash pattern of run ``number`` of a report, px on and off."""
    return list(DASHES[number // len(RUN_COLOURS) % len(DASHES)])


#: Fill colour, text colour and legend label by kind of slice. The palette is that of Okabe and Ito
#: (2008): the medium is always the same blue, answers of the peer a lighter one; vermillion is
#: reserved for losses.
_KINDS = {
    "fixture": ("#9a9a9a", "#1a1a1a", "fixture: the bench itself"),
    "medium": ("#0072b2", "#ffffff", "on the medium"),
    "answer": ("#56b4e9", "#1a1a1a", "acknowledgement"),
    "radio": ("#009e73", "#ffffff", "radio settling, turning"),
    "bus": ("#f0e442", "#1a1a1a", "bus"),
    "work": ("#e69f00", "#1a1a1a", "processor"),
    "wait": ("#cc79a7", "#1a1a1a", "waiting"),
    "other": ("#dddddd", "#1a1a1a", "not recorded"),
}
COLOURS: Mapping[str, str] = {kind: colour for kind, (colour, _, _) in _KINDS.items()}
INK_ON: Mapping[str, str] = {kind: ink for kind, (_, ink, _) in _KINDS.items()}
MEANING: Mapping[str, str] = {kind: meaning for kind, (_, _, meaning) in _KINDS.items()}
