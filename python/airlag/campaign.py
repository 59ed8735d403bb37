"""Campaigns: many runs of the virtual bench, written down in one file.

::

    name = "reference"              # of the report
    seed = 1

    [[runs]]                        # links × sizes × phases
    links = ["nrf24-2m", "uart-*"]  # names, or patterns of names
    except = ["uart-9600-*"]        # the same, of those to leave out; default: none
    sizes = [12, 128, 1024]         # bytes; of the links that have a message
    phases = ["frozen", "uniform"]  # default: uniform
    count = 1000                    # triggers; default: 1000
    period = "200ms"                # default: 200 ms, or as much more as the link needs
    set = { rate = "250" }          # constants of the profile to change

    [captures.nrf24-2m]             # below the folder AIRLAG_CAPTURES
    12 = "nrf24/2Mbps-12B.csv"

    [captures]                      # of a link without a message
    gpio-stm32-ll-o3 = "gpio.csv"
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Never

from airlag import _airlag, payload, toml
from airlag._airlag import LinkError
from airlag.bench import PHASES, Request
from airlag.json_types.run import Phase
from airlag.quantity import parse_duration, parse_whole

_TOP = ("name", "seed", "runs", "captures")
#: Most runs of one campaign, and largest payload, bytes.
_MOST_RUNS = 10_000
_LARGEST = 2**31 - 1
_LONGEST_NAME = 100
_RUNS = ("links", "except", "sizes", "phases", "count", "period", "set")


class CampaignError(ValueError):
    """A campaign that cannot be run: one line that says where, what and what would be right."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What to run.

    Attributes
    ----------
    name
        Name of the campaign, and of its report.
    requests
        The runs, in the order of the file; no two alike.
    captures
        Capture files by link and payload, below the folder of captures.
    """

    name: str
    requests: tuple[Request, ...]
    captures: Mapping[tuple[str, int | None], Path]


def load(path: Path) -> Campaign:
    """Reads a campaign.

    Raises
    ------
    CampaignError
        With one line, when the file cannot be read or asks for what is not there.
    """
    try:
        table = toml.load(path)
    except OSError as error:
        raise CampaignError(f"{path}: {error.strerror or error}") from None
    except toml.TomlError as error:
        raise CampaignError(f"{path}: {error}") from None
    try:
        return _campaign(table, path.stem)
    except (LinkError, _WrongError) as wrong:
        raise CampaignError(f"{path}: {wrong}") from None


class _WrongError(Exception):
    """What is wrong in a file, and what would be right."""


def _campaign(table: Mapping[str, Any], stem: str) -> Campaign:
    _known(table, _TOP, "")
    name = table.get("name", stem)
    if not (isinstance(name, str) and name and name.replace("-", "").replace("_", "").isalnum()):
        _wrong("", "name", name, "letters, digits, - and _")
    seed = _whole(table.get("seed", 1), "", "seed", 0, 2**63 - 1)
    blocks = table.get("runs", [])
    if not (isinstance(blocks, list) and blocks and all(isinstance(b, dict) for b in blocks)):
        raise _WrongError("no runs; a campaign has at least one table [[runs]]")
    names = _airlag.links()
    requests: dict[str, Request] = {}
    for number, block in enumerate(blocks, 1):
        for request in _requests(block, f"[[runs]] {number}: ", seed, names):
            requests[repr(request)] = request
        if len(requests) > _MOST_RUNS:
            raise _WrongError(f"more than {_MOST_RUNS} runs; split it into several campaigns")
    return Campaign(name, tuple(requests.values()), _captures(table.get("captures", {}), names))


def _requests(
    block: Mapping[str, Any], where: str, seed: int, names: Sequence[str]
) -> list[Request]:
    _known(block, _RUNS, where)
    if "links" not in block:
        raise _WrongError(f"{where}no `links`; say which")
    links = _links(block["links"], where, "links", names)
    if "except" in block:
        left_out = _links(block["except"], where, "except", names)
        links = [link for link in links if link not in left_out]
        if not links:
            raise _WrongError(f"{where}`except` leaves no link; name fewer")
    payloads = _payloads(block, where, links)
    phases = _list(block.get("phases", [PHASES[0]]), where, "phases", str, " or ".join(PHASES))
    for phase in phases:
        if phase not in PHASES:
            raise _WrongError(f"{where}no phase `{phase}`{_hint(phase, PHASES)}")
    count = _whole(block.get("count", 1000), where, "count", 1, 10_000_000)
    settings = _settings(block.get("set", {}), where)
    for link in links:
        try:
            _airlag.link(link, settings)
        except LinkError as error:
            raise _WrongError(f"{where}{error}") from None
    period_ns = _period_ns(block.get("period"), where)
    if sum(map(len, payloads.values())) * len(phases) > _MOST_RUNS:
        raise _WrongError(f"{where}more than {_MOST_RUNS} runs; split it into several campaigns")
    told: dict[str, Phase] = {phase: phase for phase in PHASES}
    return [
        Request(link, size, count, period_ns, told[phase], seed, settings)
        for link in links
        for size in payloads[link]
        for phase in phases
    ]


def _payloads(
    block: Mapping[str, Any], where: str, links: Sequence[str]
) -> dict[str, list[int | None]]:
    """The payloads of each link; there are none to choose where no link has a message."""
    if "sizes" not in block:
        found = payload.of_each(links, None, [_LARGEST])
        if all(each == [None] for each in found.values()):
            return found
        raise _WrongError(f"{where}no `sizes`; say which")
    sizes = _list(block["sizes"], where, "sizes", int, "numbers of bytes")
    for size in sizes:
        _whole(size, where, "sizes", 0, _LARGEST)
    try:
        return payload.of_each(links, sizes, ())
    except LinkError as error:
        raise _WrongError(f"{where}`sizes`: {error}") from None


def _links(given: object, where: str, key: str, names: Sequence[str]) -> list[str]:
    patterns = _list(given, where, key, str, "names of links")
    found = (link for pattern in patterns for link in _matching(pattern, where, names))
    return list(dict.fromkeys(found))


def _matching(pattern: str, where: str, names: Sequence[str]) -> list[str]:
    if len(pattern) > _LONGEST_NAME:
        _wrong(where, "links", pattern, f"names of at most {_LONGEST_NAME} characters")
    found = [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        # Of a pattern, what stands before its first wildcard is held against as much of each name.
        stem = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
        heads = {name[: len(stem)] if stem != pattern else name: name for name in reversed(names)}
        nearest = difflib.get_close_matches(stem, heads, 1, 0.0)
        raise _WrongError(f"{where}no link `{pattern}`; did you mean `{heads[nearest[0]]}`?")
    return found


def _settings(given: object, where: str) -> dict[str, str]:
    if not isinstance(given, dict):
        _wrong(where, "set", given, "a table of constants, such as { rate = 250 }")
    shown: dict[str, str] = {}
    for key, value in given.items():
        if not isinstance(value, (bool, int, float, str)):
            _wrong(where, f"set.{key}", value, "a number, a text, true or false")
        shown[key] = str(value).lower() if isinstance(value, bool) else str(value)
    return shown


def _period_ns(given: object, where: str) -> int | None:
    if given is None:
        return None
    try:
        period_ns = parse_duration(str(given))
    except ValueError as error:
        raise _WrongError(f"{where}`period`: {error}") from None
    if not 1_000 <= period_ns <= 10**13:
        _wrong(where, "period", given, "from 1us to 10000s")
    return period_ns


def _captures(given: object, names: Collection[str]) -> dict[tuple[str, int | None], Path]:
    if not isinstance(given, dict):
        _wrong("", "captures", given, "a table of links")
    found: dict[tuple[str, int | None], Path] = {}
    for link, files in given.items():
        where = f"[captures.{link}]: "
        if link not in names:
            raise _WrongError(f"{where}no link `{link}`{_hint(link, names)}")
        if payload.of(link, 1) is None:
            if not isinstance(files, str) or "\0" in files:
                _wrong("[captures]: ", link, files, 'a file, such as "gpio.csv": it has no message')
            found[link, None] = Path(files)
            continue
        if not isinstance(files, dict):
            _wrong("[captures]: ", link, files, "a table of sizes and files")
        for size, file in files.items():
            bytes_ = parse_whole(size, 0, _LARGEST)
            if bytes_ is None or not isinstance(file, str) or "\0" in file:
                _wrong(where, size, file, 'a size and a file, such as 12 = "12B.csv"')
            found[link, bytes_] = Path(file)
    return found


def _known(table: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise _WrongError(f"{where}no key `{key}`{_hint(key, known)}")


def _hint(name: str, known: Collection[str]) -> str:
    # What is no name is not compared letter by letter.
    nearest = [] if len(name) > _LONGEST_NAME else difflib.get_close_matches(name, known, 1, 0.0)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


def _list(value: object, where: str, key: str, kind: type, what: str) -> list[Any]:
    good = isinstance(value, list) and value and all(type(each) is kind for each in value)
    if not (good and isinstance(value, list)):
        _wrong(where, key, value, f"a list of {what}")
    return list(dict.fromkeys(value))


def _whole(value: object, where: str, key: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        _wrong(where, key, value, f"a whole number from {low} to {high}")
    return value


def _wrong(where: str, key: str, value: object, right: str) -> Never:
    shown = repr(value)
    raise _WrongError(
        f"{where}`{key}` cannot be {shown[:60]}{'…' if len(shown) > 60 else ''}; write {right}"
    )
