"""Rows of a data frame for runs: settings, outcomes and latencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airlag._airlag import LinkError
from airlag.core import profiles
from airlag.core.types import EndCharge
from airlag.questions.charge import ENDS, USUAL_BATTERY, ends_of, life
from airlag.questions.runs import Outcome, Run

if TYPE_CHECKING:
    import polars as pl

#: Quantiles of a row.
QUANTILES = ("p50", "p95", "p99")
#: Charge figures of an end.
CHARGES = ("marginal_nc", "idle_na", "average_na")
_COUNTS = ("size", "seed", "triggers", "delivered", "delivered_late", "lost", "censored")
#: Columns other than settings; no profile parameter has one of these names.
COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(("source", "link"), "String"),
    **dict.fromkeys(_COUNTS, "Int64"),
    **{"delivery": "Float64", "min_ns": "Int64", "mean_ns": "Float64"},
    **{f"{quantile}_ns": "Float64" for quantile in QUANTILES},
    "max_ns": "Int64",
    **{f"{end}_{name}": "Float64" for end in ENDS for name in (*CHARGES, "cr2032_years")},
}
#: Number of columns before the settings.
FIRST = 2


def set_differently(run: Run) -> dict[str, str]:
    """Changed settings of a run as text, by name."""
    settings: Mapping[str, Any] = run.config.get("settings", {})
    return {str(name): str(value) for name, value in settings.items()}


def values_of(link: str | None, settings: Mapping[str, str]) -> dict[str, bool | int | float | str]:
    """Parses settings to numbers, booleans or words, in the unit of each parameter."""
    try:
        held = profiles.link(link or "", dict(settings))["parameters"]
    except LinkError:
        # Profiles of other versions may be unknown; the text is kept.
        return dict(settings)
    return {name: held[name]["value"] for name in settings}


def row(run: Run, asked: Sequence[str] = ()) -> dict[str, Any]:
    """Row of a run. Settings in ``asked`` have a column even at their default."""
    latency: Mapping[str, Any] = run.latency or {}
    late = run.count(Outcome.LATE)
    settings = set_differently(run)
    parsed = values_of(run.link, settings)
    if missing := [name for name in asked if name not in parsed]:
        own = profiles.link(run.link or "", settings)["parameters"]
        parsed |= {name: own[name]["value"] for name in missing if name in own}
    return {
        "source": run.source,
        "link": run.link,
        **parsed,
        "size": run.size,
        "seed": run.seed,
        "triggers": len(run.outcome),
        "delivered": run.count(Outcome.DELIVERED) + late,
        "delivered_late": late,
        "lost": run.count(Outcome.LOST),
        "censored": run.count(Outcome.CENSORED),
        "delivery": None if run.delivery is None else run.delivery["ratio"],
        **{f"{name}_ns": latency.get(name) for name in ("min", "mean", *QUANTILES, "max")},
        **_currents(run),
    }


def _currents(run: Run) -> dict[str, float | None]:
    """Currents of each end, and battery life on a CR2032 at the run's message rate."""
    known: Mapping[str, EndCharge] = dict(ends_of(run.charge))
    found: dict[str, float | None] = {}
    period_ns = run.config.get("period_ns")
    for end in ENDS:
        of = known.get(end)
        parsed: Mapping[str, Any] = {**of} if of else dict.fromkeys(CHARGES)
        found |= {f"{end}_{name}": parsed[name] for name in CHARGES}
        lasts = life(of, USUAL_BATTERY, 1e9 / period_ns) if of and period_ns else None
        found[f"{end}_cr2032_years"] = lasts["years"] if lasts else None
    return found


def frame_of(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Data frame of run rows. The settings follow the link, each with its own type."""
    import polars as pl

    settings = [name for name in dict.fromkeys(n for r in rows for n in r) if name not in COLUMNS]
    fixed = list(COLUMNS)
    order = [*fixed[:FIRST], *settings, *fixed[FIRST:]]
    columns: list[pl.Series] = []
    for name in order:
        values = [each.get(name) for each in rows]
        if name in COLUMNS:
            kind: pl.DataType = getattr(pl, COLUMNS[name])()
            columns.append(pl.Series(name, values, dtype=kind))
        elif len({type(value) for value in values if value is not None} - {int, float}) > 1:
            # A column with numbers and words becomes text.
            words = [None if value is None else str(value) for value in values]
            columns.append(pl.Series(name, words, dtype=pl.String))
        else:
            columns.append(pl.Series(name, values, strict=False))
    return pl.DataFrame(columns)
