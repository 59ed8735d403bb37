"""Selection of trigger and completion channels, and the rules that pair their edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

#: Channel name, or position counted from 0 as a number or digits.
Channel = str | int

#: Default ``min_low_ns``, ns: above bounces of slow edges, below pauses between trigger pulses.
MIN_LOW_NS = 1000


@dataclass(frozen=True, slots=True)
class Pairing:
    """Options for reading a capture and pairing its edges."""

    #: Channels by name or position; ``None``: the first channel without the other role.
    trigger: str | None = None
    completion: str | None = None
    #: Active-low channels among the two.
    invert: tuple[str, ...] = ()
    #: Minimum low time before a valid trigger, ns.
    min_low_ns: int = MIN_LOW_NS
    #: Maximum delay of a completion after its trigger if later triggers come in between, ns;
    #: ``None``: until the next trigger.
    overlap_ns: int | None = None

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Reads the pairing from ``Run.config``; missing keys get their defaults."""
        known = {field.name: config[field.name] for field in fields(cls) if field.name in config}
        return cls(**known | {"invert": tuple(config.get("invert", ()))})

    def to_config(self) -> dict[str, Any]:
        """Returns the entries for ``Run.config``."""
        entries = asdict(self) | {"invert": list(self.invert)}
        chosen = ("trigger", "completion")
        return {
            key: value for key, value in entries.items() if key not in chosen or value is not None
        }

    def changed(
        self,
        trigger: Channel | None = None,
        completion: Channel | None = None,
        invert: Iterable[Channel] | None = None,
        min_low_ns: int | None = None,
        overlap_ns: int | None = None,
    ) -> Self:
        """Returns a copy with the given options replaced. A ``None`` argument changes nothing.

        With an overlap of 0 ns, the window of a trigger ends at the next trigger.

        Raises :class:`ValueError` if trigger and completion are the same channel.
        """
        result = replace(
            self,
            trigger=self.trigger if trigger is None else str(trigger),
            completion=self.completion if completion is None else str(completion),
            invert=self.invert if invert is None else tuple(str(each) for each in invert),
            min_low_ns=self.min_low_ns if min_low_ns is None else min_low_ns,
            overlap_ns=self.overlap_ns if overlap_ns is None else overlap_ns or None,
        )
        if result.trigger is not None and result.trigger == result.completion:
            raise ValueError(
                f"trigger and completion are both channel {result.trigger}; choose two channels"
            )
        return result
