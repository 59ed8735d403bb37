"""A link tuned, and the effect of its parameters over a whole space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from airlag.core.quantity import count
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.sobol import Indices
from airlag.questions.tuning.tuned import Tuned
from airlag.views.notebook import Showing, drawn_by, framed, named


def tuned(told: Tuned) -> Showing:
    """The link as it is, what was found and what was turned down; in the units of the metrics."""
    asked, untuned, best = told.objective, told.untuned, told.best
    aims = ", ".join(aim.text for aim in asked.aims)
    kept = f", {asked.subject_to}" if asked.subject_to else ""
    if best is None:
        second = f"none of {count(len(told.tried))} settings keeps the limits with 95 % confidence"
    elif len(asked.aims) > 1:
        second = f"a front of {count(len(told.found))} settings"
    else:
        metric = asked.aims[0].metric
        before, after = (metric.text(one.metrics[metric.name].value) for one in (untuned, best))
        second = f"{best.changes}: {metric.name} {before} → {after}"

    def rows() -> Iterator[list[Any]]:
        shown = [("untuned", untuned), *(("found", one) for one in told.found)]
        for kind, one in [*shown, *(("turned down", one) for one in told.turned_down)]:
            given_up = "; ".join(each.gives_up for each in one.turned if each.gives_up)
            held = [one.metrics.get(name) for name in untuned.metrics]
            ends = [(None,) * 3 if of is None else (of.value, of.low, of.high) for of in held]
            yield [kind, one.changes, given_up, *(end for three in ends for end in three)]

    columns: dict[str, type] = dict.fromkeys(("kind", "settings", "gives_up"), str)
    for name in untuned.metrics:
        columns |= {f"{METRICS[name].column}{end}": float for end in ("", "_low", "_high")}
    return Showing(
        f"Tuned {named(asked.link, asked.size)}: {aims}{kept}",
        second,
        ["settings", *untuned.metrics],
        (
            [one.changes, *(METRICS[of].text(one.metrics[of].value) for of in untuned.metrics)]
            for one in (untuned, *told.found)
        ),
        framed(columns, rows()),
        drawn_by("pages.tuning", "chart", told),
    )


def indices(told: Indices) -> Showing:
    """Effects of parameters; a row of the frame is a parameter and a metric."""
    asked = told.question
    every = [(one.metric, each) for one in told.metrics for each in one.indices]

    numbers = [f"{kind}{end}" for kind in ("first", "total") for end in ("", "_low", "_high")]
    return Showing(
        f"Indices of {named(asked.link, asked.size)} over {', '.join(asked.over)}",
        "; ".join(
            f"{one.metric}: {one.indices[0].name} {one.indices[0].total:.2f}"
            if one.indices
            else f"{one.metric}: no parameter has an effect"
            for one in told.metrics
        ),
        ["metric", "parameter", "first", "total"],
        ([of, each.name, f"{each.first:.3f}", f"{each.total:.3f}"] for of, each in every),
        framed(
            {"metric": str, "parameter": str, **dict.fromkeys(numbers, float)},
            (
                [of, it.name, it.first, *it.first_interval95, it.total, *it.total_interval95]
                for of, it in every
            ),
        ),
        drawn_by("pages.tuning", "chart", told),
    )
