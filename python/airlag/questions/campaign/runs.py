"""One block of runs in a campaign's file: links × sizes × phases × what is swept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from airlag._airlag import LinkError
from airlag.core import payload, profiles
from airlag.core.patterns import links_like
from airlag.core.quantity import parse_duration
from airlag.core.types import Phase
from airlag.questions.bench import PHASES, Request
from airlag.questions.campaign.values import (
    LARGEST,
    LONGEST_NAME,
    MOST_RUNS,
    WrongError,
    hint,
    listed,
    one_of,
    only,
    period,
    plain,
    whole,
    words,
    wrong,
)
from airlag.questions.campaign_question import PROGRAMS, Value, Work
from airlag.questions.trains import BACK_TO_BACK

_KEYS = (
    "links",
    "except",
    "sizes",
    "phases",
    "count",
    "period",
    "set",
    "neighbours",
    "sweep",
    "label",
    "traffic",
)
#: What only some traffic has.
_OPTIONS = {BACK_TO_BACK: ("trials", "pace", "repeat"), "load": ("utilisation",)}
#: Stands for the payload of a run in the value of a constant.
_SIZE = "{size}"
#: Messages of a train, where nobody says how many; triggers, and messages of other traffic.
_TRAIN, _USUAL = 100, 1000

#: A value of an option: what is put into a run, and what it is called across.
_Turn = tuple[dict[str, Any], dict[str, Value]]


def works(block: Mapping[str, Any], where: str, seed: int, names: Sequence[str]) -> list[Work]:
    """Every run of a block, in its order; raises :class:`WrongError`."""
    program = one_of(block.get("traffic", PROGRAMS[0]), where, "traffic", PROGRAMS)
    options = _OPTIONS.get(program, ())
    only(block, (*_KEYS, *options), where)
    if "links" not in block:
        raise WrongError(f"{where}no `links`; say which")
    links = _links(block["links"], where, "links", names)
    if "except" in block:
        left_out = _links(block["except"], where, "except", names)
        links = [link for link in links if link not in left_out]
        if not links:
            raise WrongError(f"{where}`except` leaves no link; name fewer")
    sizes = _payloads(block, where, links)
    phases = _phases(block, where)
    usual = _TRAIN if program == BACK_TO_BACK else _USUAL
    count = whole(block.get("count", usual), where, "count", 1, 10_000_000)
    period_ns = period(block["period"], where) if "period" in block else None
    label = words(block["label"], where, "label") if "label" in block else None
    settings = _settings(block.get("set", {}), where, "set") | _beside(block, where)
    turns = _turns(block, where, options)
    swept = _swept(block.get("sweep", {}), where, links)
    if sum(map(len, sizes.values())) * len(phases) * len(turns) * len(swept) > MOST_RUNS:
        raise WrongError(f"{where}more than {MOST_RUNS} runs; split it into several campaigns")
    if program == "load" and "utilisation" not in block:
        raise WrongError(f"{where}no `utilisation`; say which loads, such as [0.5, 1, 2]")
    trials = whole(block.get("trials", 10), where, "trials", 1, 10_000)
    plan = itertools.product(phases, swept, turns)
    combined = [(*each, settings) for each in plan]
    found = []
    for link in links:
        for size in sizes[link]:
            for phase, (changed, values), (chosen, called), fixed in combined:
                of_run = _filled(fixed | changed, size)
                request = Request(link, size, count, period_ns, phase, seed=seed, settings=of_run)
                if program == "echo":
                    request = replace(request, traffic="echo")
                turned = values | called
                found.append(Work(request, program, turned, label, trials=trials, **chosen))
    _check(found, where)
    return found


def _beside(block: Mapping[str, Any], where: str) -> dict[str, str]:
    """Who else is on the air."""
    if "neighbours" not in block:
        return {}
    named = block["neighbours"]
    if not isinstance(named, list) or not named or not all(isinstance(one, str) for one in named):
        raise WrongError(f'{where}`neighbours` is a list, such as ["wifi:30%@ch6"]')
    return {"neighbours": ";".join(named)}


def _check(found: Sequence[Work], where: str) -> None:
    """Every setting is one that its link has."""
    for link, settings in dict.fromkeys(
        (work.request.link, tuple(work.request.settings.items())) for work in found
    ):
        try:
            profiles.link(link, dict(settings))
        except LinkError as error:
            raise WrongError(f"{where}{error}") from None


def _filled(settings: Mapping[str, str], size: int | None) -> dict[str, str]:
    return {key: value.replace(_SIZE, str(size)) for key, value in settings.items()}


def _phases(block: Mapping[str, Any], where: str) -> list[Phase]:
    given = block.get("phases", [PHASES[0]])
    named = listed(given, where, "phases", str, " or ".join(PHASES))
    for phase in named:
        if phase not in PHASES:
            raise WrongError(f"{where}no phase `{phase}`{hint(phase, PHASES)}")
    return [phase for name in named for phase in PHASES if phase == name]


def _swept(
    given: object, where: str, links: Sequence[str]
) -> list[tuple[dict[str, str], dict[str, Value]]]:
    """Every combination of the swept constants: as they are set, and as they stand across."""
    if not isinstance(given, dict):
        wrong(where, "sweep", given, "a table of constants, such as { rate = [250, 2000] }")
    axes = []
    for key, values in given.items():
        if not (isinstance(values, list) and values):
            wrong(where, f"sweep.{key}", values, "a list of values")
        shown = [plain(each, where, f"sweep.{key}") for each in values]
        axes.append([(key, each) for each in dict.fromkeys(shown)])
    return [
        (dict(point), {key: _across(links, key, value) for key, value in point})
        for point in itertools.product(*axes)
    ]


def _across(links: Sequence[str], key: str, value: str) -> Value:
    """A value as a number, where the constant is one."""
    try:
        told = profiles.link(links[0], {key: value})["parameters"][key]["value"]
    except LinkError:
        # Whose name or value is wrong is said when all are checked.
        return value
    return str(told).lower() if isinstance(told, (bool, str)) else float(told)


def _turns(block: Mapping[str, Any], where: str, options: Sequence[str]) -> list[_Turn]:
    """Every combination of the options of the program."""
    axes: list[list[_Turn]] = []
    if "pace" in options and "pace" in block:
        given = block["pace"] if isinstance(block["pace"], list) else [block["pace"]]
        paces = listed(given, where, "pace", str, "times")
        axes.append([_pace(each, where) for each in paces])
    if "repeat" in options and "repeat" in block:
        given = block["repeat"] if isinstance(block["repeat"], list) else [block["repeat"]]
        flags = listed(given, where, "repeat", bool, "true and false")
        axes.append([({"repeat": flag}, {"repeat": str(flag).lower()}) for flag in flags])
    if "utilisation" in options and "utilisation" in block:
        axes.append(list(_utilisations(block["utilisation"], where)))
    found: list[_Turn] = []
    for point in itertools.product(*axes):
        chosen: dict[str, Any] = {}
        called: dict[str, Value] = {}
        for option, word in point:
            chosen |= option
            called |= word
        found.append((chosen, called))
    return found


def _pace(text: str, where: str) -> _Turn:
    try:
        pace_ns = parse_duration(text)
    except ValueError as error:
        raise WrongError(f"{where}`pace`: {error}") from None
    if pace_ns and not 1_000 <= pace_ns <= 10**12:
        wrong(where, "pace", text, "0s for none, or from 1us to 1000s")
    return {"pace_ns": pace_ns or None}, {"pace": float(pace_ns)}


def _utilisations(given: object, where: str) -> Iterator[_Turn]:
    parts = given if isinstance(given, list) and given else [None]
    for part in dict.fromkeys(parts):
        if type(part) not in (int, float) or not 0.001 <= part <= 1000:
            wrong(where, "utilisation", given, "a list of loads from 0.001 to 1000")
        yield {"utilisation": float(part)}, {"utilisation": float(part)}


def _payloads(
    block: Mapping[str, Any], where: str, links: Sequence[str]
) -> dict[str, list[int | None]]:
    """The payloads of each link; there are none to choose where no link has a message."""
    if "sizes" not in block:
        found = payload.of_each(links, None, [LARGEST])
        if all(each == [None] for each in found.values()):
            return found
        raise WrongError(f"{where}no `sizes`; say which")
    sizes = listed(block["sizes"], where, "sizes", int, "numbers of bytes")
    for size in sizes:
        whole(size, where, "sizes", 0, LARGEST)
    try:
        return payload.of_each(links, sizes, ())
    except LinkError as error:
        raise WrongError(f"{where}`sizes`: {error}") from None


def _links(given: object, where: str, key: str, names: Sequence[str]) -> list[str]:
    found: dict[str, None] = {}
    for pattern in listed(given, where, key, str, "names of links"):
        if len(pattern) > LONGEST_NAME:
            wrong(where, "links", pattern, f"names of at most {LONGEST_NAME} characters")
        try:
            found |= dict.fromkeys(links_like(pattern, names))
        except ValueError as error:
            raise WrongError(f"{where}{error}") from None
    return list(found)


def _settings(given: object, where: str, key: str) -> dict[str, str]:
    if not isinstance(given, dict):
        wrong(where, key, given, "a table of constants, such as { rate = 250 }")
    return {name: plain(value, where, f"{key}.{name}") for name, value in given.items()}
