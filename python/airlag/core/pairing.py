"""Which wires of a capture carry the triggers and the completions, and what counts as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Self

#: A channel: its name, or its position counted from 0, as a number or its digits.
Channel = str | int

#: Slow and ringing edges bounce for less, real trigger pulses pause for longer, ns.
MIN_LOW_NS = 1000


@dataclass(frozen=True, slots=True)
class Pairing:
    """How a capture is read and its edges are paired."""

    #: Channel by name or by position counted from 0; ``None``: the first that the other is not.
    trigger: str | None = None
    completion: str | None = None
    #: Those of the two that are active low.
    invert: tuple[str, ...] = ()
    #: A trigger counts when its wire was low at least this long before it, ns.
    min_low_ns: int = MIN_LOW_NS
    #: How long after its trigger a completion may come although further triggers came in between,
    #: ns; ``None``: only until the next trigger.
    overlap_ns: int | None = None

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """The pairing noted in ``Run.config``; what is not noted has its default."""
        known = {field.name: config[field.name] for field in fields(cls) if field.name in config}
        return cls(**known | {"invert": tuple(config.get("invert", ()))})

    def to_config(self) -> dict[str, Any]:
        """What ``Run.config`` notes."""
        noted = asdict(self) | {"invert": list(self.invert)}
        chosen = ("trigger", "completion")
        return {
            key: value for key, value in noted.items() if key not in chosen or value is not None
        }

    def changed(
        self,
        trigger: Channel | None = None,
        completion: Channel | None = None,
        invert: Iterable[Channel] | None = None,
        min_low_ns: int | None = None,
        overlap_ns: int | None = None,
    ) -> Self:
        """The pairing with these choices in place of its own; ``None`` keeps one.

        An overlap of 0 ns means none.

        Raises :class:`ValueError` when trigger and completion are one channel.
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
