"""What was asked of a virtual run, in words: its label among other runs, and its headline.

A run goes by its link and its payload, then by what differs among the runs at hand, then by its
seed. A default has no word, unless another run has another value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from airlag import _airlag
from airlag.core.answered import ask
from airlag.core.records import Label
from airlag.core.types import Labels
from airlag.questions.runs import Run

#: Keys of a configuration that say what was asked.
_ASKED = ("traffic", "way", "phase", "offset_ns", "period_ns", "service_ns", "count")


class Words(Label):
    """By what a run is told from others."""

    @property
    def told(self) -> list[str]:
        """All of it."""
        return [self.link, *([] if self.size is None else [self.size]), *self.differing]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of one run."""

    #: Link profile, and payload in bytes.
    link: str
    size: int | None
    #: Constants that differ from the profile, each in the unit of its parameter.
    settings: Mapping[str, str]
    #: Traffic and stimulus; a key that is missing is as by default.
    stimulus: Mapping[str, Any] = field(default_factory=dict)
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
        return told_apart([self])[0].head


def traffic_in_words(config: Mapping[str, Any]) -> str | None:
    """What the latencies of a virtual run are of, such as a round trip.

    ``None``: a message one way.
    """
    return told_apart([Asked("", None, {}, _stimulus(config))])[0].traffic


def settings_in_words(link: str, settings: Mapping[str, str]) -> list[str]:
    """Constants as ``--set`` takes them, with their units: ``connection_interval=7.5ms``."""
    return [f"{key}={value}" for key, value in with_units(link, settings).items()]


def with_units(link: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The value of each constant with its unit, where that is one people write."""
    return {key: _airlag.constant_in_words(link, key, value) for key, value in settings.items()}


def differing(several: Sequence[Asked]) -> dict[str, list[str | None]]:
    """What differs among these, link, payload and seed left out: by name, the value of each."""
    return {column["name"]: column["values"] for column in _labels(several)["columns"]}


def told_apart(several: Sequence[Asked]) -> list[Words]:
    """By what each is told from the others; only what was asked for alike is told alike."""
    return [Words(label) for label in _labels(several)["labels"]]


def _labels(several: Sequence[Asked]) -> Labels:
    runs = [
        {"link": run.link, "size": run.size, "settings": run.settings, "seed": run.seed}
        | dict(run.stimulus)
        for run in several
    ]
    found: Labels = ask("labels", runs=runs)
    return found


def _stimulus(config: Mapping[str, Any]) -> dict[str, Any]:
    told = {key: config[key] for key in _ASKED if config.get(key) is not None}
    told["has_service"] = "service_ns" in config
    if (apart := config.get("apart")) is not None:
        told["places"] = len(apart["places_ns"])
    return told


def constant_in_words(link: str | None, name: str, value: str | int | None) -> str:
    """A constant with its unit; ``None``: as in the profile."""
    if link is None:
        return "?" if value is None else f"{value}"
    return _airlag.constant_in_words(link, name, None if value is None else f"{value}")


def plain(value: float | str | bool) -> str:
    """A value of a constant as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
