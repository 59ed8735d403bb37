"""Transfers of virtual runs: each trigger with the completion of the same message.

On an overloaded link, the next completion after a trigger may be that of an earlier message. Edges
do not show to which message a completion belongs, so a saved run also stores its transfers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from airlag._airlag import CaptureError, Trace, Transfers

#: Key of ``Run.config`` with these transfers.
KEY = "matched"
_PARTS = ("completion_ns", "outcome", "spurious_ns")


def beside_edges(transfers: Transfers, trace: Trace | None) -> dict[str, list[Any]] | None:
    """Transfers to store besides the edges; ``None`` if pairing the edges gives the same ones."""
    kept: tuple[Any, ...] | None = None if trace is None else transfers.beside_edges(trace)
    return None if kept is None else {name: [*of] for name, of in zip(_PARTS, kept, strict=True)}


def restored(paired: Transfers, config: Mapping[str, Any], where: str) -> Transfers:
    """Restores stored transfers, with the triggers of ``paired``.

    Raises :class:`CaptureError` if they do not match the triggers.
    """
    kept = config.get(KEY)
    if kept is None:
        return paired
    try:
        return paired.matched(*(kept[name] for name in _PARTS))
    except ValueError as error:
        raise CaptureError(f"{where}: metadata {KEY}: {error}; save the run again") from None
