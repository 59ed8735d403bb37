"""Two runs side by side: whether they can be compared at all, and what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from airlag import _airlag
from airlag._airlag import Transfers
from airlag.core.answered import ask
from airlag.questions.runs import Run

if TYPE_CHECKING:
    from airlag.core import types


def compare(a: Run, b: Run) -> types.Comparison:
    """What differs from ``a`` to ``b``, and whether that says anything about the links.

    Returns
    -------
    dict
        The object of ``airlag compare --json``. A difference is ``b`` minus ``a``; an end of an
        interval is ``None`` where the latencies are too few to bound it.

    Raises
    ------
    ValueError
        With one line, when one of them is a table of latencies: it has no clock to be judged by.
    """
    given = [_transfers(a), _transfers(b)]
    return cast("types.Comparison", ask("compare", given, a=_side(a), b=_side(b)))


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise ValueError(
            f"{run.source}: a table of latencies has no triggers to be compared by; "
            "expected a capture or a saved run"
        )
    return run.transfers


def _side(run: Run) -> dict[str, Any]:
    """What was asked of a run, as far as it says, and what was found of it."""
    config = run.config
    virtual = "settings" in config
    told = {
        "source": run.source,
        "findings": [{"name": one.name, "message": one.message} for one in run.findings],
        "link": run.link,
        "size": run.size,
        "charge": run.charge,
        **{key: config.get(key) for key in ("way", "phase", "period_ns", "service_ns")},
    }
    if virtual:
        told |= {
            "traffic": config.get("traffic", "trigger"),
            "settings": dict(config["settings"]),
            "version": run.version or _airlag.__version__,
        }
    return {key: value for key, value in told.items() if value is not None}
