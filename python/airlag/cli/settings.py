"""What ``--set`` and ``--neighbour`` change of a profile, and the runs that lists of values span.

::

    airlag run ble-nus-notify --set connection_interval=7.5ms,15ms,30ms --size 12,128

is six runs. Whether a comma parts values, the parameter decides: who else is on the air is written
with commas, ``same-link:5,10m``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from airlag import _airlag
from airlag.cli import terminal
from airlag.cli.parameters import Group

#: Most runs of one command.
MOST_RUNS = 10_000
#: The constant that ``--neighbour`` sets.
NEIGHBOURS = "neighbours"


def _setting(text: str) -> str:
    key, sign, value = text.partition("=")
    if not (sign and key.strip() and value.strip()):
        raise ValueError(
            f"{text[:40]!r} sets nothing; write key=value, such as retransmit_delay=500"
        )
    return f"{key.strip()}={value.strip()}"


Settings = Annotated[list[str] | None, _setting]


_DISTANCE = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:m|km)", re.ASCII)


def _range(text: str) -> str:
    if not _DISTANCE.fullmatch(text) or not any(digit in text for digit in "123456789"):
        raise ValueError(f"{text[:20]!r} is no distance; write one in m or km, such as 30m")
    return text


Range = Annotated[str | None, _range]


def placed(
    settings: list[str] | None, distance: str | None, environment: str | None
) -> list[str] | None:
    """What ``--set`` changes, with ``--range`` and ``--environment`` among it."""
    if environment is not None and distance is None:
        terminal.refuse(f"--environment {environment} changes nothing without a --range, say 30m")
    if distance is None:
        return settings
    between = [] if environment is None else [f"environment={environment}"]
    return [*(settings or ()), f"range={distance}", *between]


def pairs_of(
    settings: Sequence[str] | None, neighbours: Sequence[str] | None = None
) -> dict[str, str]:
    """What ``--set`` and ``--neighbour`` change; ends the command where one is set twice."""
    pairs: dict[str, str] = {}
    for text in settings or ():
        key, _, value = text.partition("=")
        if key in pairs:
            terminal.refuse(
                f"--set {key[:40]} is given twice, as {pairs[key][:40]} and as {value[:40]}; "
                "write it once"
            )
        pairs[key] = value
    if neighbours:
        if NEIGHBOURS in pairs:
            terminal.refuse(
                f"--set {NEIGHBOURS} and --neighbour both say who is on the air; write one of them"
            )
        pairs[NEIGHBOURS] = ";".join(neighbours)
    return pairs


def _changes(
    settings: Settings = None,
    distance: Range = None,
    environment: str | None = None,
    neighbours: list[str] | None = None,
) -> dict[str, str]:
    """Everything that changes a profile, as :func:`pairs_of`."""
    return pairs_of(placed(settings, distance, environment), neighbours)


#: What a command line changes of a profile.
Changes = Annotated[dict[str, str], Group(_changes)]


@dataclass(frozen=True, slots=True)
class Spanned:
    """One run of a span: a link, the constants that change it, and a payload in bytes."""

    link: str
    settings: Mapping[str, str]
    size: int | None


def span(pairs: Mapping[str, str], sizes: Mapping[str, Sequence[int | None]]) -> list[Spanned]:
    """Every run that lists of values and of payloads span, in the order typed, each once.

    Parameters
    ----------
    pairs
        What is set; see :func:`pairs_of`.
    sizes
        The payloads of each link. What is wrong with a link or a constant is told when it is run.

    Raises
    ------
    LinkError
        When they are more than :data:`MOST_RUNS`; one line.
    """
    links = [(link, list(of_link)) for link, of_link in sizes.items()]
    return [Spanned(*each) for each in _airlag.spanned(list(pairs.items()), links, MOST_RUNS)]


def is_span(asked: Sequence[Spanned], sizes: Sequence[int] | None) -> bool:
    """Whether lists were typed, so that the runs belong into one table."""
    by_link: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    for each in asked:
        by_link.setdefault(each.link, set()).add(tuple(each.settings.items()))
    return len(set(sizes or ())) > 1 or any(len(several) > 1 for several in by_link.values())
