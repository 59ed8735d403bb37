"""Labels and headlines of virtual runs, from their settings.

A label contains link and payload, then the settings that differ among the runs, then the seed. A
setting with its default value is omitted unless another run has a different value of this setting.
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

#: Configuration keys of the stimulus.
_ASKED = ("traffic", "way", "phase", "offset_ns", "period_ns", "service_ns", "count")


class RunLabel(Label):
    """Label that distinguishes a run from the others."""

    @property
    def words(self) -> list[str]:
        """Link, payload and differing settings."""
        return [self.link, *([] if self.size is None else [self.size]), *self.differing]


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Settings of one virtual run."""

    #: Link profile, and payload in bytes.
    link: str
    size: int | None
    #: Changed constants, each in the unit of its parameter.
    settings: Mapping[str, str]
    #: Traffic and stimulus; missing keys are defaults.
    stimulus: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None

    @classmethod
    def of(cls, run: Run) -> Self | None:
        """Extracts the settings of a run; ``None`` if it is not virtual."""
        # Captures are named by file, even with a known link.
        if run.link is None or run.source not in (run.link, ""):
            return None
        settings = run.config.get("settings", {})
        return cls(run.link, run.size, settings, _stimulus(run.config), run.seed)

    @property
    def head(self) -> list[str]:
        """Non-default settings that the headline does not already contain."""
        return labels([self])[0].head


def traffic_in_words(config: Mapping[str, Any]) -> str | None:
    """Describes non-default traffic, such as round trips; ``None`` for one-way messages."""
    return labels([RunSettings("", None, {}, _stimulus(config))])[0].traffic


def settings_in_words(link: str, settings: Mapping[str, str]) -> list[str]:
    """Settings in the form of ``--set`` with units: ``connection_interval=7.5ms``."""
    return [f"{key}={value}" for key, value in with_units(link, settings).items()]


def with_units(link: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Values of settings with their customary units."""
    return {key: _airlag.constant_in_words(link, key, value) for key, value in settings.items()}


def differing(several: Sequence[RunSettings]) -> dict[str, list[str | None]]:
    """Settings that differ, by name, with the value of each run; without link, payload and seed."""
    return {column["name"]: column["values"] for column in _answer(several)["columns"]}


def labels(several: Sequence[RunSettings]) -> list[RunLabel]:
    """Labels of runs; equal only for runs with equal settings."""
    return [RunLabel(label) for label in _answer(several)["labels"]]


def _answer(several: Sequence[RunSettings]) -> Labels:
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
    """Formats a constant with its unit; ``None`` is the profile's value."""
    if link is None:
        return "?" if value is None else f"{value}"
    return _airlag.constant_in_words(link, name, None if value is None else f"{value}")


def plain(value: float | str | bool) -> str:
    """Formats a constant's value as in ``--set``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
