"""Transfers of a virtual run, which the bench matches by identity and not by the next edge.

The edges of a saved run do not show which completion belongs to which trigger where the link was
offered more than it carries. Its transfers are kept beside its edges then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from airlag import _airlag
from airlag._airlag import CaptureError, Trace, Transfers
from airlag.core.pairing import Pairing
from airlag.questions.runs import NONE

#: Key of ``Run.config`` under which they are kept.
KEY = "matched"


def beside_edges(transfers: Transfers, trace: Trace | None) -> dict[str, list[Any]] | None:
    """What to keep of transfers beside their edges; ``None`` where pairing gives the same."""
    if trace is None:
        return None
    usual = Pairing()
    paired = _airlag.pair(trace, usual.min_low_ns, usual.overlap_ns, transfers.places_ns)
    same = (
        np.array_equal(paired.completion_ns, transfers.completion_ns)
        and np.array_equal(paired.outcome, transfers.outcome)
        and np.array_equal(paired.spurious_ns, transfers.spurious_ns)
    )
    if same:
        return None
    completions = (None if at == NONE else at for at in transfers.completion_ns.tolist())
    return {
        "completion_ns": [*completions],
        "outcome": transfers.outcome.tolist(),
        "spurious_ns": transfers.spurious_ns.tolist(),
    }


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
    completions, outcome = kept["completion_ns"], kept["outcome"]
    if not len(completions) == len(outcome) == len(paired.trigger_ns):
        raise CaptureError(
            f"{where}: metadata {KEY}: {len(completions)} completions and {len(outcome)} outcomes "
            f"of {len(paired.trigger_ns)} triggers; save the run again"
        )
    done = np.array([NONE if at is None else at for at in completions], np.int64)
    spurious = np.array(kept["spurious_ns"], np.int64)
    instants = (paired.trigger_ns, done, spurious, paired.glitch_ns, paired.glitch_low_ns)
    taken = (paired.epoch_unix_ns, paired.sample_rate_hz)
    about = (paired.start_ns, paired.end_ns, paired.names, taken, paired.places_ns)
    return _airlag.restored_transfers(instants, np.array(outcome, np.uint8), about)
