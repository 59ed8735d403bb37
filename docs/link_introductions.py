"""What stands before each generated table of docs/links: the same words on every page."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

#: Columns of a page.
WIDTH = 130

#: Words by block.
BEFORE: Mapping[str, str] = {
    "slices": (
        "Slices of a message of {size} B over the first profile under [Numbers](#numbers). "
        "`airlag explain LINK` prints them for any other profile."
    ),
    "crowd": (
        "The effect of other stations on the channel, with the default distances and powers of "
        "[neighbours](../neighbours.md)."
    ),
    "floor": (
        "Minimum latency of a message of {size} B: without software time, losses, or the wait for "
        "a slot."
    ),
    "sensitivity": (
        "The table shows by how much the median and the p99 of the first profile under "
        "[Numbers](#numbers) change when one assumed or calibrated constant is halved or doubled. "
        "`airlag links NAME --sensitivity` computes these changes, here with {count} messages "
        'instead of the default of 1,000. The column "within bounds" gives the range of values '
        "that the source of the constant justifies, and the largest change of the median or the "
        "p99 over this range. All other constants keep their values, and all runs use the same "
        "seed."
    ),
    "open": (
        "A constant is an open question if three conditions are met: no document states its "
        "value, no available capture narrows its bounds, and varying it within its bounds changes "
        "the median or the p99 of at least one profile of this kind of link by more than {limit}. "
        "A constant without bounds is varied from half to twice its value."
    ),
    "runs": (
        "Each row of the table is a run of {count} {what} at random times relative to the clocks "
        "of the link."
    ),
    "published": (
        "The published medians are from [{title}](../sources.md#{key}), and the profiles "
        "reproduce the set-ups of that publication. The published runs and the runs of this table "
        "trigger at different phases of the clocks of the link, so published and simulated "
        "medians can differ."
    ),
    "captured": (
        "`airlag match CAPTURE --link PROFILE` compares each capture with a run of the profile at "
        "the trigger times of the capture. Only parameters that the profile marks as free are "
        "fitted: clock phases, crystal frequencies, and the fill of a ring buffer "
        '([matching](../matching.md)). The columns "median" and "p99" contain the value of the '
        "capture, a slash, and the value of the virtual bench. "
        '"KS distance" is the largest difference of the two distribution functions of the latency. '
        'Two samples of one distribution exceed the value in "KS by chance" once in 20 times. '
        "A Lévy distance of 2 % means that the distribution functions agree if latencies may "
        "differ by 2 % and shares of messages by 2 percentage points. For links with little "
        "spread, the Lévy distance is more informative than the KS distance, because the KS "
        "distance of two narrow peaks that do not overlap is 1, however close the peaks are. The "
        'column "fitted" lists the free parameters that affect the latencies of the capture. '
        "`docs/generate.py --captures` writes the table."
    ),
}

#: Words of single pages, by block and kind of link.
OWN: Mapping[tuple[str, str], str] = {
    ("slices", "gpio"): (
        "Slices of the first profile under [Numbers](#numbers). `airlag explain LINK` prints them "
        "for any other profile."
    ),
    ("floor", "gpio"): "Minimum latency from trigger to strobe, without software time.",
    ("floor", "tunnel"): (
        "Time for {size} B without software delay or losses, in an established session."
    ),
    ("floor", "tunnel-naive"): (
        "Time for {size} B if each payload is sent after the acknowledgement of the previous one."
    ),
}


def before(block: str, kind: str, **values: object) -> str:
    """The paragraph before a table of a page, and the empty line after it."""
    text = OWN.get((block, kind), BEFORE[block]).format(**values)
    return textwrap.fill(text, WIDTH, break_on_hyphens=False, break_long_words=False) + "\n\n"
