"""What was asked of a virtual run, in words: by what one is told from others, and what heads it.

A run goes by its link and its payload, then by what differs among the runs at hand, then by its
seed. What is as by default has no word, unless others at hand have it otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

from airlag import _airlag
from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.quantity import NS_PER_UNIT, exact
from airlag.questions.runs import Run

#: Triggers where nobody says how many; places, where the radios stand apart.
COUNT, PLACES = 1000, 20
#: Units that are written right behind a number; of others the name of the constant tells.
_MEASURES = re.compile(r"[kMG]?Hz|[kM]?bit/s|pp[bm]|k?m|B|%|dBm?")
#: What a latency is of, by traffic; calls go by their own names.
_TRAFFIC: Mapping[str, str] = {"echo": "round trip", "both": "both ways"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of one run."""

    #: Link profile, and payload in bytes.
    link: str
    size: int | None
    #: Constants that differ from the profile, each in the unit of its parameter.
    settings: Mapping[str, str]
    #: What else is not as by default, in words: traffic, phase, period, triggers, places.
    stimulus: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """What was asked of a run; ``None`` where it is not of the bench."""
        # A capture goes by its file, even if somebody said which link it is of.
        if run.link is None or run.source not in (run.link, ""):
            return None
        settings = run.config.get("settings", {})
        return cls(run.link, run.size, settings, _stimulus(run.config), run.seed)

    @property
    def head(self) -> list[str]:
        """What is not as by default, word by word, but what every headline tells anyway."""
        told = [each for name, each in self.stimulus.items() if name in ("phase", "period")]
        return [*settings_in_words(self.link, self.settings), *told]


def traffic_in_words(config: Mapping[str, Any]) -> str | None:
    """What the latencies of a virtual run are of, such as a round trip.

    ``None``: a message one way.
    """
    traffic = config.get("traffic", "trigger")
    if traffic == "trigger":
        return None
    name = _TRAFFIC.get(traffic, traffic)
    return f"{name}: {config['way']}" if "way" in config else name


def settings_in_words(link: str, settings: Mapping[str, str]) -> list[str]:
    """Constants as ``--set`` takes them, with their units: ``connection_interval=7.5ms``."""
    return [f"{key}={value}" for key, value in with_units(link, settings).items()]


def with_units(link: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The value of each constant with its unit, where that is one people write."""
    return {key: _with_unit(link, key, value) for key, value in settings.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """By what a run is told from others."""

    #: Link profile, and its payload where it has one.
    link: str
    size: str | None
    #: What differs among the runs at hand, then the seed where that alone does.
    differing: Sequence[str]

    @property
    def told(self) -> list[str]:
        """All of it."""
        return [self.link, *([] if self.size is None else [self.size]), *self.differing]


def differing(several: Sequence[Asked]) -> dict[str, list[str | None]]:
    """What differs among these, link, payload and seed left out: by name, the value of each.

    A constant that a run did not set has the value of its profile; ``None`` where its link has no
    such constant, and where a stimulus is as by default.
    """
    names = dict.fromkeys(name for each in several for name in each.settings)
    columns = {name: [_value(each, name) for each in several] for name in names}
    kinds = dict.fromkeys(kind for each in several for kind in each.stimulus)
    columns |= {kind: [each.stimulus.get(kind) for each in several] for kind in kinds}
    return {name: values for name, values in columns.items() if len(set(values)) > 1}


def told_apart(several: Sequence[Asked]) -> list[Words]:
    """By what each is told from the others; only what was asked for alike is told alike."""
    columns = differing(several)
    found = []
    for nth, each in enumerate(several):
        values = ((name, column[nth]) for name, column in columns.items())
        differ = [
            value if name in each.stimulus else f"{name}={value}"
            for name, value in values
            if value is not None
        ]
        size = None if each.size is None else f"{each.size} B"
        found.append(Words(each.link, size, differ))
    seeds: dict[tuple[str, ...], set[int | None]] = {}
    for each, words in zip(several, found, strict=True):
        seeds.setdefault(tuple(words.told), set()).add(each.seed)
    return [
        replace(words, differing=[*words.differing, f"seed {each.seed}"])
        if len(seeds[tuple(words.told)]) > 1 and each.seed is not None
        else words
        for each, words in zip(several, found, strict=True)
    ]


def _stimulus(config: Mapping[str, Any]) -> dict[str, str]:
    words: dict[str, str] = {}
    if (traffic := traffic_in_words(config)) is not None:
        words["traffic"] = traffic
    elif "way" in config:
        words["traffic"] = f"way {config['way']}"
    if (phase := config.get("phase", "uniform")) != "uniform":
        words["phase"] = f"{phase} phase"
        if (offset_ns := config.get("offset_ns")) is not None:
            words["phase"] += f" at {exact(offset_ns)}"
    period_ns = config.get("period_ns")
    if period_ns is not None and period_ns != _usual_period_ns(config):
        words["period"] = f"every {exact(period_ns)}"
    if (count := config.get("count", COUNT)) != COUNT:
        words["count"] = f"{count} triggers"
    if (apart := config.get("apart")) is not None:
        places = max(1, len(apart["places_ns"]))
        if places != PLACES:
            words["places"] = "one place" if places == 1 else f"{places} places"
    return words


def _usual_period_ns(config: Mapping[str, Any]) -> int | None:
    """The period where nobody asked for one; ``None`` where the file does not tell."""
    if "service_ns" not in config:
        return None
    return _airlag.unhurried_period_ns(config["service_ns"])


def _value(asked: Asked, name: str) -> str | None:
    """A constant with its unit, as the run had it; ``None`` where its link has no such constant."""
    value = asked.settings.get(name)
    if value is None:
        value = _own(asked.link).get(name)
    return None if value is None else _with_unit(asked.link, name, value)


def constant_in_words(link: str | None, name: str, value: str | int | None) -> str:
    """A constant with its unit; ``None``: as in the profile."""
    if link is None:
        return "?" if value is None else f"{value}"
    own = _own(link).get(name) if value is None else f"{value}"
    return "as in the profile" if own is None else _with_unit(link, name, own)


@lru_cache(maxsize=256)
def _own(link: str) -> Mapping[str, str]:
    """The constants of a profile, as text; none where this airlag has no such link."""
    try:
        constants = profiles.link(link)["parameters"]
    except LinkError:
        return {}
    return {name: plain(one["value"]) for name, one in constants.items()}


@lru_cache(maxsize=4096)
def _with_unit(link: str, name: str, value: str) -> str:
    """A value in the unit of its parameter, with that unit where it is one people write."""
    try:
        unit = profiles.link(link, {name: value})["parameters"][name]["unit"]
    except LinkError:
        # Of a later airlag, or of a profile that is no longer there.
        return value
    if unit in NS_PER_UNIT and value.isdecimal() and len(value) < 19:
        return exact(int(value) * NS_PER_UNIT[unit])
    if re.fullmatch(r"-?\d+(\.\d+)?", value) is None:
        return value
    return value.removesuffix(".0") + (unit if _MEASURES.fullmatch(unit) else "")


def plain(value: float | str | bool) -> str:
    """A value of a constant as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
