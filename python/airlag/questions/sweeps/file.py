"""What a sweep is asked for: a file, or a table as a file holds it.

docs/sweeps.md tells every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.patterns import chosen
from airlag.core.quantity import count, parse_duration
from airlag.core.types import Region
from airlag.questions.bench import PHASES, TRAFFIC
from airlag.questions.campaign.values import (
    LARGEST,
    WrongError,
    hint,
    listed,
    one_of,
    only,
    period,
    read,
    whole,
    wrong,
)
from airlag.questions.sweeps.axes import Axis, among, axis, design
from airlag.questions.sweeps.columns import columns
from airlag.questions.sweeps.plan import MOST_RUNS, STIMULUS, Block, Seeds, Sweep
from airlag.questions.sweeps.stop import COLUMNS, Stop

_KEYS = (
    "name", "links", "except", "sizes", "count", "period", "phase", "traffic", "places", "region",
    "seed", "seeds", "replications", "paired", "transfers", "impossible", "set", "design", "stop",
)  # fmt: skip
_STOP_KEYS = ("quantile", "within", "batch", "most")
#: What becomes of a combination that a link cannot be run with; the first is the default.
IMPOSSIBLE = ("keep", "refuse")
#: Most replications of a configuration: they are held together.
MOST_REPLICATIONS = 10_000
#: Most runs of which every transfer is kept, a file each.
MOST_KEPT = 100_000
#: Payload where none is asked for, bytes, as :func:`airlag.run` has it.
_SIZE = 128
_REGIONS: tuple[Region, ...] = ("eu", "us")


class SweepError(ValueError):
    """A sweep that cannot be run: one line that says where, what and what would be right."""


def load(path: Path) -> Sweep:
    """Reads a file; raises :class:`SweepError` for what cannot be read, or is not there."""
    return read(path, partial(_sweep, tried=True), SweepError)


def sweep_of(asked: Mapping[str, Any], name: str, *, tried: bool = True) -> Sweep:
    """A sweep as a file asks for it; raises :class:`SweepError`.

    ``name`` is used where ``asked`` has none. Unless every value is ``tried`` first, what cannot be
    set is a problem of its runs.
    """
    try:
        return _sweep(asked, name, tried)
    except (LinkError, WrongError) as error:
        raise SweepError(str(error)) from None


def _sweep(asked: Mapping[str, Any], stem: str, tried: bool) -> Sweep:
    only(asked, _KEYS, "")
    name = asked.get("name", stem)
    if not (isinstance(name, str) and name.replace("-", "").replace("_", "").isalnum()):
        wrong("", "name", name, "letters, digits, - and _")
    links = _links(asked)
    blocks = [Block(link, list(_axes(asked, link))) for link in links]
    stop = _stop(asked["stop"]) if "stop" in asked else None
    seeds, most = _seeds(asked, stop)
    configurations = sum(map(len, blocks))
    runs = configurations * most
    if runs > MOST_RUNS:
        raise WrongError(
            f"{count(configurations)} configurations with {count(most)} replications are "
            f"{count(runs)} runs; choose fewer values, for at most {count(MOST_RUNS)}"
        )
    transfers = _flag(asked, "transfers", False)
    if transfers and runs > MOST_KEPT:
        raise WrongError(
            f"`transfers` of {count(runs)} runs are too many files; leave it out, or choose fewer "
            f"values, for at most {count(MOST_KEPT)} runs"
        )
    if tried:
        for block in blocks:
            _try(block)
    region = one_of(asked["region"], "", "region", _REGIONS) if "region" in asked else None
    impossible = one_of(asked.get("impossible", IMPOSSIBLE[0]), "", "impossible", IMPOSSIBLE)
    return Sweep(
        name,
        blocks,
        seeds,
        most,
        stop,
        region,
        transfers,
        impossible == "keep",
        columns([(block.link, block.axes) for block in blocks], region=region is not None),
        {**asked, "name": name, "links": links},
    )


def _links(asked: Mapping[str, Any]) -> list[str]:
    if "links" not in asked:
        raise WrongError("no `links`; say which")
    given = asked["links"]
    named = listed([given] if isinstance(given, str) else given, "", "links", str, "names of links")
    without = listed(asked["except"], "", "except", str, "names") if "except" in asked else None
    try:
        return chosen(_airlag.links(), named, without)
    except ValueError as error:
        raise WrongError(f"`links`: {error}") from None


def _axes(asked: Mapping[str, Any], link: str) -> Iterator[Axis]:
    """What is turned of a link, in the order of the file; the payload turns quickest."""
    known = profiles.parameters(link)
    sized = _airlag.payloads(link, [1]) != [None]
    taken: dict[str, str] = {}

    def free(names: Sequence[str], where: str) -> None:
        for name in names:
            if name in taken:
                raise WrongError(f"`{name}` is in {taken[name]} and in {where}; leave one out")
            taken[name] = where

    for name in STIMULUS:
        if name in asked:
            yield _stimulus(name, asked[name])
    settings = asked.get("set", {})
    if not isinstance(settings, Mapping):
        wrong("", "set", settings, "a table of parameters, such as { rate = [250, 2000] }")
    for name, given in settings.items():
        if name not in known:
            raise WrongError(f"[set]: {link}: no parameter `{name}`{hint(name, known)}")
        free([name], "[set]")
        yield axis(link, name, given, "[set]: ")
    if "sizes" in asked:
        free(["size"], "`sizes`")
    if "design" in asked:
        points = design(link, asked["design"], "[design]: ")
        for name in points.names:
            if name not in (*known, "size"):
                raise WrongError(f"[design]: {link}: no parameter `{name}`{hint(name, known)}")
        free(points.names, "[design]")
        yield points
    if not sized:
        if "sizes" in asked or "size" in taken:
            raise WrongError(f"{link} has no message, so no payload to choose; name other links")
    elif "size" not in taken or "sizes" in asked:
        sizes = axis(link, "size", asked.get("sizes", _SIZE), "")
        for sets in sizes.ends():
            text = sets["size"]
            if not (text.isdecimal() and len(text) < 11 and int(text) <= LARGEST):
                wrong("", "sizes", text, f"whole numbers of bytes from 0 to {LARGEST}")
        yield sizes


def _stimulus(name: str, given: object) -> Axis:
    """What is sent, and when."""
    each = given if isinstance(given, list | tuple) else [given]
    found = []
    for value in each:
        match name:
            case "count":
                found.append(str(whole(value, "", name, 1, 10_000_000)))
            case "places":
                found.append(str(whole(value, "", name, 1, 100_000)))
            case "period":
                found.append(f"{period(value, '')}ns")
            case "phase":
                found.append(one_of(value, "", name, PHASES))
            case _:
                one_way = [each for each in TRAFFIC if each != "both"]
                found.append(one_of(value, "", name, one_way))
    if not found:
        raise WrongError(f"`{name}` has no values to go through; give it one at least")
    return among(name, list(dict.fromkeys(found)))


def _seeds(asked: Mapping[str, Any], stop: Stop | None) -> tuple[Seeds, int]:
    """The seeds, and how many replications there are at most."""
    paired = _flag(asked, "paired", True)
    if "seeds" in asked:
        for key in ("seed", "replications"):
            if key in asked:
                raise WrongError(f"`seeds` and `{key}` both say under which seeds; write one")
        roots = listed(asked["seeds"], "", "seeds", int, "seeds, such as [1, 2, 3]")
        for root in roots:
            whole(root, "", "seeds", 0, 2**63 - 1)
        if stop is not None or not paired:
            other = "[stop]" if stop is not None else "paired = false"
            raise WrongError(f"`seeds` with {other} are too few; write `seed`, the first of them")
        if len(roots) > MOST_REPLICATIONS:
            wrong("", "seeds", roots, f"at most {MOST_REPLICATIONS}")
        return Seeds(roots, 0, paired), len(roots)
    first = whole(asked.get("seed", 1), "", "seed", 0, 2**63 - 1)
    if stop is not None:
        if "replications" in asked:
            raise WrongError("`replications` and [stop] both say how many; leave one out")
        return Seeds(None, first, paired), stop.most
    many = whole(asked.get("replications", 1), "", "replications", 1, MOST_REPLICATIONS)
    return Seeds(None, first, paired), many


def _stop(given: object) -> Stop:
    where = "[stop]: "
    if not isinstance(given, Mapping):
        wrong("", "stop", given, "a table with quantile and within")
    only(given, _STOP_KEYS, where)
    if "within" not in given:
        raise WrongError(f'{where}no `within`; say how narrow, such as "5%" or "0.2ms"')
    quantile = one_of(given.get("quantile", "p99"), where, "quantile", COLUMNS)
    most = whole(given.get("most", 100), where, "most", 2, MOST_REPLICATIONS)
    batch = whole(given.get("batch", 5), where, "batch", 2, most)
    within = given["within"]
    words = within if isinstance(within, str) else ""
    if words.endswith("%"):
        digits = words[:-1].strip()
        share = float(digits) / 100 if digits.replace(".", "", 1).isdecimal() else 0.0
        if not 0 < share < 1:
            wrong(where, "within", within, 'a share of the quantile, such as "5%"')
        return Stop(quantile, None, share, batch, most)
    try:
        within_ns = parse_duration(words)
    except ValueError:
        wrong(where, "within", within, 'a share or a time, such as "5%" or "0.2ms"')
    if within_ns == 0:
        wrong(where, "within", within, "more than nothing")
    return Stop(quantile, float(within_ns), None, batch, most)


def _flag(asked: Mapping[str, Any], key: str, usual: bool) -> bool:
    value = asked.get(key, usual)
    if not isinstance(value, bool):
        wrong("", key, value, "true or false")
    return value


def _try(block: Block) -> None:
    """Sets every value once: alone, or with what the first configuration has beside it.

    Raises :class:`LinkError` for a value that neither will do with.
    """
    first = {name: text for name, text in block.at(0).items() if name not in (*STIMULUS, "size")}
    for turned in block.axes:
        for sets in turned.ends():
            changed = {name: text for name, text in sets.items() if name not in (*STIMULUS, "size")}
            try:
                profiles.link(block.link, changed)
            except LinkError as error:
                try:
                    profiles.link(block.link, first | changed)
                except LinkError:
                    raise error from None
