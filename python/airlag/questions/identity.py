"""What was asked of a virtual run, in words: its label among other runs, and its headline.

The label of a run has its link and payload, then what differs among the runs, then its seed. A
default is left out, unless another run has another value.
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


class RunLabel(Label):
    """What distinguishes a run from the others."""

    @property
    def words(self) -> list[str]:
        """Link, payload, and what differs."""
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
        # A capture is named by its file, even where its link is given.
        if run.link is None or run.source not in (run.link, ""):
            return None
        settings = run.config.get("settings", {})
        return cls(run.link, run.size, settings, _stimulus(run.config), run.seed)

    @property
    def head(self) -> list[str]:
        """What differs from the defaults, without what every headline has."""
        return labels([self])[0].head


def traffic_in_words(config: Mapping[str, Any]) -> str | None:
    """What the latencies of a virtual run are of, such as a round trip.

    ``None``: a message one way.
    """
    return labels([Asked("", None, {}, _stimulus(config))])[0].traffic


def settings_in_words(link: str, settings: Mapping[str, str]) -> list[str]:
    """Constants as ``--set`` takes them, with their units: ``connection_interval=7.5ms``."""
    return [f"{key}={value}" for key, value in with_units(link, settings).items()]


def with_units(link: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The value of each constant with its unit, where that is one people write."""
    return {key: _airlag.constant_in_words(link, key, value) for key, value in settings.items()}


def differing(several: Sequence[Asked]) -> dict[str, list[str | None]]:
    """What differs among these, link, payload and seed left out: by name, the value of each."""
    return {column["name"]: column["values"] for column in _answer(several)["columns"]}


def labels(several: Sequence[Asked]) -> list[RunLabel]:
    """The label of each run; equal only for runs that were asked for alike."""
    return [RunLabel(label) for label in _answer(several)["labels"]]


def _answer(several: Sequence[Asked]) -> Labels:
    runs = [
        {"link": run.link, "size": run.size, "settings": run.settings, "seed": run.seed}
        | dict(run.stimulus)
        for run in several
    ]
    found: Labels = ask("labels", runs=runs)
    return found


def _stimulus(config: Mapping[str, Any]) -> dict[str, Any]:
    asked = {key: config[key] for key in _ASKED if config.get(key) is not None}
    asked["has_service"] = "service_ns" in config
    if (apart := config.get("apart")) is not None:
        asked["places"] = len(apart["places_ns"])
    return asked


def constant_in_words(link: str | None, name: str, value: str | int | None) -> str:
    """A constant with its unit; ``None``: as in the profile."""
    if link is None:
        return "?" if value is None else f"{value}"
    return _airlag.constant_in_words(link, name, None if value is None else f"{value}")


def plain(value: float | str | bool) -> str:
    """A value of a constant as ``--set`` takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
