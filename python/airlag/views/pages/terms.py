"""Words of the trade, explained where they stand."""

from __future__ import annotations

import re
from html import escape

from airlag.views.html import Html, joined, tag

MEANS = {
    "censored": "The capture ends, or has a gap, before anybody can know whether it arrived: "
    "neither delivered nor lost.",
    "lost": "Its window closed without a completion: it never arrived, and so has no latency.",
    "late": "It came after the next trigger.",
    "R": "How closely events keep to one phase of a clock: 1 is all at the same phase, 0 is spread "
    "evenly over its period.",
    "KS": "Distance of Kolmogorov and Smirnov: the most by which two distributions differ in the "
    "share within any one latency; 0 is alike, 1 is apart.",
    "p50": "Half of the delivered transfers take at most this long: the median.",
    "p95": "95 of 100 delivered transfers take at most this long.",
    "p99": "99 of 100 delivered transfers take at most this long.",
    "ppm": "Parts per million: by how much two crystals differ.",
    "floor": "What no program on this link can go below.",
    "asynchronous": "Triggers that know of no tick, which is what a user feels.",
    "frozen phase": "Triggers exactly one period apart, as in the captures, so that every one "
    "meets whatever ticks at the same phase; which phase, the seed decides.",
}
#: Words that are found in running text: none of them is anything else there.
_FOUND = re.compile(r"(?<![\w/])(?:R(?= =| of)|KS|censored|ppm)(?!\w)")


def explained(word: str) -> Html:
    """A word that explains itself when it is pointed at or reached by the keys, if it is one."""
    if word not in MEANS:
        return joined(word)
    return tag("dfn", word, class_="term", tabindex=0, title=MEANS[word])


def in_text(text: str) -> Html:
    """Write a sentence; the first of each word of the trade in it explains itself."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        word = match[0]
        if word in seen:
            return word
        seen.add(word)
        return explained(word)

    return Html(_FOUND.sub(first, escape(text)))
