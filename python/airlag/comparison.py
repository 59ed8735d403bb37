"""Two runs side by side: whether they can be compared at all, and what differs."""

from __future__ import annotations

from airlag import _airlag
from airlag._airlag import Transfers
from airlag.answers import Noted
from airlag.charge import ends_of
from airlag.json_types import comparison as json_types
from airlag.json_types.comparison import Comparison
from airlag.runs import Run


def compare(a: Run, b: Run) -> Comparison:
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
    found_a, found_b = ([(one.name, one.message) for one in run.findings] for run in (a, b))
    told = _airlag.compare(_transfers(a), _transfers(b), found_a, found_b, _noted(a), _noted(b))
    return {"a": a.source, "b": b.source, **told, "charge": _charges(a, b)}


def _charges(a: Run, b: Run) -> dict[str, json_types.Charges]:
    """What each end draws in either, of those that both runs list."""
    first, second = dict(ends_of(a.charge)), dict(ends_of(b.charge))
    return {
        end: {
            "marginal_nc": [first[end]["marginal_nc"], second[end]["marginal_nc"]],
            "idle_na": [first[end]["idle_na"], second[end]["idle_na"]],
        }
        for end in first
        if end in second
    }


def _transfers(run: Run) -> Transfers:
    if run.transfers is None:
        raise ValueError(
            f"{run.source}: a table of latencies has no triggers to be compared by; "
            "expected a capture or a saved run"
        )
    return run.transfers


def _noted(run: Run) -> Noted:
    """What was asked of a run, as far as it says."""
    config = run.config
    virtual = "settings" in config
    return {
        "link": run.link,
        "size": run.size,
        "traffic": config.get("traffic", "trigger") if virtual else None,
        "way": config.get("way"),
        "phase": config.get("phase"),
        "period_ns": config.get("period_ns"),
        "service_ns": config.get("service_ns"),
        "settings": dict(config["settings"]) if virtual else None,
        "version": (run.version or _airlag.__version__) if virtual else None,
    }
