"""Charts of tuning: settings tried, Pareto front, and sensitivity indices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from airlag._airlag import text_width
from airlag.core.quantity import count, unit_for
from airlag.questions.tuning.metrics import METRICS, SHARES, TIMES, Metric
from airlag.questions.tuning.sobol import Indices
from airlag.questions.tuning.tuned import Setting, Tuned
from airlag.views.pages import theme
from airlag.views.pages.marks import table
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import PLOT, Spec, fill

#: Height of a row of bars, px.
ROW = 44
#: Ratio above which an axis is logarithmic.
LOG_BEYOND = 8.0


def tuning(result: Tuned | Indices) -> Spec:
    """Returns a two-metric front, the search history of one metric, or indices as bars.

    Raises :class:`ValueError` if there is nothing to draw.
    """
    if isinstance(result, Indices):
        return _indices(result)
    return _front(result) if len(result.objective.aims) > 1 else _tried(result)


class _Axis:
    """Axis of a metric: unit and specification variables."""

    def __init__(self, metric: Metric, values: Sequence[float]) -> None:
        held = [value for value in values if math.isfinite(value)]
        if not held:
            raise ValueError(f"no setting has a {metric.name}; nothing to draw")
        self.metric = metric
        unit, self.size = _unit(metric, held)
        shown = [value / self.size for value in held]
        log = min(shown) > 0 and max(shown) > LOG_BEYOND * min(shown)
        found = axis(shown, log=log)
        title = f"{metric.name}, {unit}" if unit else metric.name
        self.values = {**found, "title": f"{title}{found['kind']}"}

    def at(self, value: float) -> float:
        """Converts a value to the unit of the axis."""
        return value / self.size

    def ends(self, setting: Setting) -> list[float]:
        """A setting's value and the ends of its interval; a missing end is the value itself."""
        held, middle = setting.metrics[self.metric.name], _value(setting, self.metric)
        low, high = (middle if end is None else end for end in (held.low, held.high))
        return [self.at(middle), self.at(low), self.at(high)]


def _unit(metric: Metric, values: Sequence[float]) -> tuple[str, float]:
    if metric.units is TIMES:
        unit = unit_for(values)
        return unit.name, unit.ns
    if metric.units is SHARES:
        return "%", 0.01
    largest = max(map(abs, values))
    fitting = [(size, name) for name, size in metric.units.items() if name.isascii()]
    size, name = max((one for one in fitting if largest >= one[0]), default=fitting[0])
    return name, size


def _value(setting: Setting, metric: Metric) -> float:
    held = setting.metrics.get(metric.name)
    return math.nan if held is None or held.value is None else held.value


def _label(setting: Setting) -> str:
    return " ".join(f"{one.name}={one.value}" for one in setting.turned) or "untuned"


def _front(result: Tuned) -> Spec:
    """Draws settings as pale points, the front with intervals, the untuned link as a diamond."""
    metrics = [aim.metric for aim in result.objective.aims[:2]]
    pairs = [[one.values[metric.name] for metric in metrics] for one in result.tried if one.kept]
    points = [(one, two) for one, two in pairs if one is not None and two is not None]
    named = [*result.found, result.untuned]
    x, y = (
        _Axis(metric, [*(pair[nth] for pair in points), *(_value(one, metric) for one in named)])
        for nth, metric in enumerate(metrics)
    )
    own = [_value(result.untuned, metric) for metric in metrics]
    # Points on the front are already numbered.
    words = "untuned" if all(one.turned for one in result.found) else ""
    placed = [(x.at(own[0]), y.at(own[1]), words)] if all(map(math.isfinite, own)) else []
    # A front rises where one metric is maximized, which leaves space for text below it.
    rising = result.objective.aims[0].rises != result.objective.aims[1].rises
    front = [
        [nth, *x.ends(one), *y.ends(one), _label(one)] for nth, one in enumerate(result.found, 1)
    ]
    values = {
        "link": _link(result.objective),
        "found": count(len(result.found)),
        "aims": _aims(result),
        "settings": "; ".join(f"{nth}: {_label(one)}" for nth, one in enumerate(result.found, 1)),
        "across": x.values,
        "up": y.values,
        "blue": theme.run_colour(0),
        "words_dy": 13 if rising else -9,
    }
    names = ("nth", "x", "xlow", "xhigh", "y", "ylow", "yhigh", "settingtext")
    tables = {
        "tried": table(("x", "y"), [(x.at(one), y.at(two)) for one, two in points]),
        "front": table(names, front),
        "untuned": table(("x", "y", "text"), placed),
    }
    return fill("front", values, tables)


def _link(objective: Any) -> str:
    return (
        str(objective.link) if objective.size is None else f"{objective.link}, {objective.size} B"
    )


def _aims(result: Tuned) -> str:
    within = f", within {result.objective.subject_to}" if result.objective.subject_to else ""
    return ", ".join(aim.text for aim in result.objective.aims) + within


def _tried(result: Tuned) -> Spec:
    """Draws all settings in search order, the best so far, and the untuned link."""
    (aim,) = result.objective.aims
    metric, objective, best = aim.metric, result.objective, result.best
    points = [
        (nth, value, one.kept)
        for nth, one in enumerate(result.tried, 1)
        if (value := one.values[metric.name]) is not None
    ]
    own = _value(result.untuned, metric)
    y = _Axis(metric, [*(value for _, value, _ in points), own])
    worst = -math.inf if aim.rises else math.inf
    so_far = accumulate(
        (value if kept else worst for _, value, kept in points), max if aim.rises else min
    )
    steps = [
        (nth, y.at(least))
        for (nth, *_), least in zip(points, so_far, strict=True)
        if math.isfinite(least)
    ]
    kinds = {True: "meets the limits", False: "violates a limit"}
    title = f"{_link(objective)}: no setting meets the limits at 95 % confidence"
    if best is not None:
        before, after = (metric.text(_value(one, metric)) for one in (result.untuned, best))
        title = f"{_link(objective)}: {metric.name} {before} untuned, {after} tuned"
    refused = len(result.tried) - len(points)
    values = {
        "title": title,
        "aims": _aims(result),
        "refused": f" {count(refused)} without a value are not drawn." if refused else "",
        "turned": f"Best setting: {_label(best)}." if best is not None else "",
        "trials": [0.0, len(result.tried) + 1.0],
        "up": y.values,
        "colours": [theme.run_colour(0), theme.run_colour(1)],
        "green": theme.run_colour(2),
        "limited": bool(objective.subject_to),
    }
    tables = {
        "tried": table(
            ("x", "y", "kindtext"), [(nth, y.at(value), kinds[kept]) for nth, value, kept in points]
        ),
        "best": table(("x", "y"), steps),
        "untuned": table(("y", "text"), [(y.at(own), "untuned")] if math.isfinite(own) else []),
    }
    return fill("tried", values, tables)


def _indices(result: Indices) -> Spec:
    """Draws first-order and total indices of each parameter as bars with intervals."""
    shown = [one for one in result.metrics if one.indices]
    if not shown:
        raise ValueError("no parameter affects these metrics; nothing to draw")
    ends = [
        end
        for one in shown
        for each in one.indices
        for end in (*each.first_interval95, *each.total_interval95)
    ]
    names = 20 + max(text_width(each.name, 11) for one in shown for each in one.indices)
    asked = result.question
    panels, tables = [], {}
    for nth, one in enumerate(shown):
        metric = METRICS[one.metric]
        spread = f"mean {metric.text(one.mean)}, standard deviation {metric.text(one.deviation)}"
        many = len(one.indices)
        panels.append(
            {
                "nth": nth,
                "metric": f"{one.metric}, {metric.about}",
                "spread": spread,
                "height": ROW * many,
                "rows": [-0.5, many - 0.5],
                "x_title": "share of the variance" if one is shown[-1] else "",
            }
        )
        bars = [
            bar
            for at, each in enumerate(one.indices)
            for bar in (
                (at - 0.16, each.first, *each.first_interval95, "first order"),
                (at + 0.18, each.total, *each.total_interval95, "total"),
            )
        ]
        tables[f"indices-{nth}"] = table(("y", "value", "low", "high", "kindtext"), bars)
        rows = [(at, each.name) for at, each in enumerate(one.indices)]
        tables[f"names-{nth}"] = table(("y", "text"), rows)
    values = {
        "link": _link(asked),
        "over": ", ".join(f"{name}={values}" for name, values in asked.over.items()),
        "runs": count(result.runs),
        "shares": [min(0.0, *ends), max(1.0, *ends)],
        "names": names,
        "bars": PLOT - names,
        "colours": [theme.run_colour(0), theme.run_colour(4)],
        "panels": panels,
    }
    return fill("indices", values, tables)
