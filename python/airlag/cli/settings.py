"""Options ``--set`` and ``--neighbour``, and one run per combination of their listed values.

The following command starts six runs::

    airlag run ble-nus-notify --set connection_interval=7.5ms,15ms,30ms --size 12,128

Whether commas separate values depends on the parameter, because the value of ``--neighbour`` may
contain commas, as in ``same-link:5,10m``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from airlag import _airlag
from airlag.cli import terminal
from airlag.cli.parameters import Group

#: Maximum number of runs of one command.
MOST_RUNS = 10_000
#: Parameter that ``--neighbour`` sets.
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
        raise ValueError(f"{text[:20]!r} is not a distance; write one in m or km, such as 30m")
    return text


Range = Annotated[str | None, _range]


def placed(
    settings: list[str] | None, distance: str | None, environment: str | None
) -> list[str] | None:
    """Combines ``--set`` with ``--range`` and ``--environment``."""
    if environment is not None and distance is None:
        terminal.refuse(f"--environment {environment} has no effect without --range, such as 30m")
    if distance is None:
        return settings
    between = [] if environment is None else [f"environment={environment}"]
    return [*(settings or ()), f"range={distance}", *between]


def pairs_of(
    settings: Sequence[str] | None, neighbours: Sequence[str] | None = None
) -> dict[str, str]:
    """Changes of ``--set`` and ``--neighbour`` by name; exits if one is set twice."""
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
                f"--set {NEIGHBOURS} and --neighbour both set the neighbours; use one of them"
            )
        pairs[NEIGHBOURS] = ";".join(neighbours)
    return pairs


def _changes(
    settings: Settings = None,
    distance: Range = None,
    environment: str | None = None,
    neighbours: list[str] | None = None,
) -> dict[str, str]:
    """Builds all changes of a profile from options; see :func:`pairs_of`."""
    return pairs_of(placed(settings, distance, environment), neighbours)


#: Changes of a profile, built from command-line options.
Changes = Annotated[dict[str, str], Group(_changes)]


@dataclass(frozen=True, slots=True)
class Spanned:
    """One run of a span: link, changed parameters, and payload in bytes."""

    link: str
    settings: Mapping[str, str]
    size: int | None


def span(pairs: Mapping[str, str], sizes: Mapping[str, Sequence[int | None]]) -> list[Spanned]:
    """Returns a run for each distinct combination of values and payloads, in the order typed.

    Parameters
    ----------
    pairs
        Changed parameters; see :func:`pairs_of`.
    sizes
        Payloads of each link. An invalid link or parameter is reported only when its run starts.

    Raises
    ------
    LinkError
        If there are more than :data:`MOST_RUNS` runs; the message is one line.
    """
    links = [(link, list(of_link)) for link, of_link in sizes.items()]
    return [Spanned(*each) for each in _airlag.spanned(list(pairs.items()), links, MOST_RUNS)]


def is_span(asked: Sequence[Spanned], sizes: Sequence[int] | None) -> bool:
    """Whether lists of values were given, so that the runs share one table."""
    by_link: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    for each in asked:
        by_link.setdefault(each.link, set()).add(tuple(each.settings.items()))
    return len(set(sizes or ())) > 1 or any(len(several) > 1 for several in by_link.values())
