"""Selection of trigger and completion channels, and the rules that pair their edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

#: Channel name, or position counted from 0 as a number or digits.
Channel = str | int

#: Separates bounces of slow edges (shorter) from pauses between trigger pulses (longer), ns.
MIN_LOW_NS = 1000


@dataclass(frozen=True, slots=True)
class Pairing:
    """Options for reading a capture and pairing its edges."""

    #: Channels by name or position.
    trigger: str = "0"
    completion: str = "1"
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
        overlap_ns = config.get("overlap_ns")
        return cls(
            trigger=str(config.get("trigger", "0")),
            completion=str(config.get("completion", "1")),
            invert=tuple(str(channel) for channel in config.get("invert", ())),
            min_low_ns=int(config.get("min_low_ns", MIN_LOW_NS)),
            overlap_ns=None if overlap_ns is None else int(overlap_ns),
        )

    def to_config(self) -> dict[str, Any]:
        """Returns the entries for ``Run.config``."""
        return asdict(self) | {"invert": list(self.invert)}

    def changed(
        self,
        trigger: Channel | None = None,
        completion: Channel | None = None,
        invert: Iterable[Channel] | None = None,
        min_low_ns: int | None = None,
        overlap_ns: int | None = None,
    ) -> Self:
        """Returns a copy with these options replaced; ``None`` keeps an option.

        An overlap of 0 ns means none.

        Raises :class:`ValueError` if trigger and completion are one channel, or a channel to invert
        is neither of them.
        """
        result = replace(
            self,
            trigger=self.trigger if trigger is None else str(trigger),
            completion=self.completion if completion is None else str(completion),
            invert=self.invert if invert is None else tuple(str(each) for each in invert),
            min_low_ns=self.min_low_ns if min_low_ns is None else min_low_ns,
            overlap_ns=self.overlap_ns if overlap_ns is None else overlap_ns or None,
        )
        if result.trigger == result.completion:
            raise ValueError(
                f"trigger and completion are both channel {result.trigger}; choose two channels"
            )
        for channel in result.invert:
            if channel not in (result.trigger, result.completion):
                raise ValueError(
                    f"cannot invert channel {channel}: it is neither the trigger "
                    f"({result.trigger}) nor the completion ({result.completion})"
                )
        return result
