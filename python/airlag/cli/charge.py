"""What a message costs, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from airlag.cli.paragraph import Paragraph, fact
from airlag.core.types import Charge
from airlag.questions.charge import (
    NOTHING,
    Supply,
    average_na,
    charge_in_words,
    current_in_words,
    ends_of,
    life,
    parse_rate,
    rate_in_words,
    years_in_words,
)
from airlag.questions.runs import Run

Rate = Annotated[float | None, parse_rate]


def costs(run: Run, asked: Supply) -> Iterator[Paragraph]:
    """What a message costs each end, and how long a battery lasts where that is asked."""
    yield from costs_of(run.charge, asked)
    if run.charge is None and run.link is not None and asked != NOTHING:
        yield Paragraph("charge  no current data for this link in links/parts.toml")


def costs_of(charge: Charge | None, asked: Supply) -> Iterator[Paragraph]:
    """The same of what is known of a charge."""
    for name, end in ends_of(charge):
        words = []
        if (marginal := end["marginal_nc"]) is not None:
            words.append(f"{charge_in_words(marginal)} a message")
        words.append(f"{current_in_words(end['idle_na'])} idle")
        if (rate := asked.per_second) is not None:
            average = average_na(end, rate)
            if average is not None:
                words.append(f"{current_in_words(average)} on average at {rate_in_words(rate)}")
            found = None if asked.battery is None else life(end, asked.battery, rate)
            if found is not None:
                words.append(f"{asked.battery} lasts {years_in_words(found['years'])}")
                if (over := found["overloaded_ma"]) is not None:
                    words.append(f"but gives {over[1]:g} mA at once, and {over[0]:g} mA are drawn")
        yield fact("charge", f"{name} {', '.join(words)}")
