"""How slices of time look: one colour a kind, the same in a terminal, a picture and a page."""

from __future__ import annotations

from collections.abc import Mapping

#: Colour of each kind and of text on it, and what it is called where it is explained. The palette
#: is that of Okabe and Ito (2008): the medium is always the same blue, what the other end answers a
#: lighter one; vermillion is kept for losses.
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
