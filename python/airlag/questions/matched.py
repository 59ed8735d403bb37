"""Transfers of a virtual run, which the bench matches by identity and not by the next edge.

The edges of a saved run do not show which completion belongs to which trigger where the link was
offered more than it carries. Its transfers are kept beside its edges then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from airlag._airlag import CaptureError, Trace, Transfers

#: Key of ``Run.config`` under which they are kept.
KEY = "matched"
_PARTS = ("completion_ns", "outcome", "spurious_ns")


def beside_edges(transfers: Transfers, trace: Trace | None) -> dict[str, list[Any]] | None:
    """What to keep of transfers beside their edges; ``None`` where pairing gives the same."""
    kept: tuple[Any, ...] | None = None if trace is None else transfers.beside_edges(trace)
    return None if kept is None else {name: [*of] for name, of in zip(_PARTS, kept, strict=True)}


def restored(paired: Transfers, config: Mapping[str, Any], where: str) -> Transfers:
    """The transfers as the bench matched them, with the triggers of ``paired``.

    Raises
    ------
    CaptureError
        With one line, when the run keeps transfers of other triggers.
    """
    kept = config.get(KEY)
    if kept is None:
        return paired
    try:
        return paired.matched(*(kept[name] for name in _PARTS))
    except ValueError as error:
        raise CaptureError(f"{where}: metadata {KEY}: {error}; save the run again") from None
