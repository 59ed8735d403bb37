"""How slices of time look: one colour a kind, the same in a terminal, a picture and a page."""

from __future__ import annotations

from collections.abc import Mapping

#: Palette of Okabe and Ito (2008). The medium is always the same blue, what the other end answers
#: a lighter one; vermillion is kept for losses.
COLOURS: Mapping[str, str] = {
    "fixture": "#9a9a9a",
    "medium": "#0072b2",
    "answer": "#56b4e9",
    "radio": "#009e73",
    "bus": "#f0e442",
    "work": "#e69f00",
    "wait": "#cc79a7",
    "other": "#dddddd",
}

#: What a kind is called where it is explained.
MEANING: Mapping[str, str] = {
    "fixture": "fixture: the bench itself",
    "medium": "on the medium",
    "answer": "acknowledgement",
    "radio": "radio settling, turning",
    "bus": "bus",
    "work": "processor",
    "wait": "waiting",
    "other": "not recorded",
}

#: Text on each colour.
INK_ON: Mapping[str, str] = {
    kind: "#ffffff" if kind in ("medium", "radio") else "#1a1a1a" for kind in COLOURS
}
