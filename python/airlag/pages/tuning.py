"""Tuning as pictures: the settings tried and the front found, and what parameters are worth."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import altair as alt

from airlag.pages import chart_file, marks, theme
from airlag.pages.sheet import AXIS, PLOT, log_ticks, span
from airlag.quantity import count, unit_for
from airlag.tuning.metrics import METRICS, SHARES, TIMES, Metric
from airlag.tuning.sobol import Indexed, Indices
from airlag.tuning.tuned import Setting, Tuned

HEIGHT = 400
#: Height of a row of bars, of a bar, and room for names, px.
ROW, BAR, NAMES = 44, 12, 200
#: Beyond this ratio an axis is logarithmic.
LOG_BEYOND = 8.0


def write(told: Tuned | Indices, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the chart of an answer; the ending of the path decides what it is.

    Parameters
    ----------
    told
        A link tuned, or indices.
    path
        Ends in ``.svg``, ``.png`` or ``.html``. It appears complete or not at all.
    force
        Replace what airlag did not draw.

    Raises
    ------
    ValueError
        When the ending is another, or there is nothing to draw; one line.
    """
    drawn = chart(told) if isinstance(told, Tuned) else indices(told)
    chart_file.write(drawn, path, name="tuning", what="tuning", force=force)


def chart(told: Tuned) -> marks.Spec:
    """A front of two metrics, or every setting of one in the order tried.

    Raises
    ------
    ValueError
        With one line, where nothing that was tried has a value.
    """
    return _front(told) if len(told.wish.aims) > 1 else _tried(told)


class _Scale:
    """An axis of a metric: its unit, its ends, and how values stand on it."""

    def __init__(self, metric: Metric, values: Sequence[float], place: str) -> None:
        held = [value for value in values if math.isfinite(value)]
        if not held:
            raise ValueError(f"no setting has a {metric.name}, so there is nothing to draw")
        self.name = metric.name
        self.unit, self.size = _unit(metric, held)
        shown = [value / self.size for value in held]
        self.log = min(shown) > 0 and max(shown) > LOG_BEYOND * min(shown)
        low, high = span(shown, log=self.log)
        kind = " (log axis)" if self.log else ""
        title = f"{metric.name}, {self.unit}{kind}" if self.unit else f"{metric.name}{kind}"
        ticks: Any = {"values": log_ticks(low, high)} if self.log else {}
        room = AXIS if place.startswith("y") else 0
        axis = alt.Axis(title=title, format="~r", minExtent=room, **ticks)
        channel = alt.X if place.startswith("x") else alt.Y
        self.channel = channel(place, scale=marks.scale(low, high, log=self.log), axis=axis)

    def at(self, value: float) -> float:
        """A value in the unit of the axis."""
        return value / self.size


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


def _value(setting: Setting, name: str) -> float:
    held = setting.metrics.get(name)
    return math.nan if held is None or held.value is None else held.value


def _label(setting: Setting) -> str:
    return " ".join(f"{one.name}={one.value}" for one in setting.turned) or "as it is"


def _front(told: Tuned) -> marks.Spec:
    """What was tried as pale points, the front with intervals, the link as it is as a diamond."""
    across, up = (aim.metric for aim in told.wish.aims[:2])
    pairs = [(one.values[across.name], one.values[up.name]) for one in told.tried if one.kept]
    points = [(one, two) for one, two in pairs if one is not None and two is not None]
    # A front goes up where one of the two is to become large: below it is room for words.
    rising = told.wish.aims[0].rises != told.wish.aims[1].rises
    named = [*told.found, told.untuned]
    xs, ys = (
        [*(point[place] for point in points), *(_value(one, metric.name) for one in named)]
        for place, metric in enumerate((across, up))
    )
    x, y = _Scale(across, xs, "x:Q"), _Scale(up, ys, "y:Q")
    pale = marks.table(
        {"x": [x.at(one) for one, _ in points], "y": [y.at(two) for _, two in points]}
    )
    layers = [
        alt.Chart(pale)
        .mark_circle(size=22, color=theme.QUIET, opacity=0.35)
        .encode(x=x.channel, y=y.channel)
    ]
    if told.found:
        table = marks.table(_ends(told.found, across, up, x, y))
        base = alt.Chart(table)
        blue = theme.run_colour(0)
        layers += [
            base.mark_line(color=blue, strokeWidth=1.2, strokeDash=[4, 3]).encode(
                x=x.channel, y=y.channel, order=alt.Order("nth:Q")
            ),
            base.mark_rule(color=blue).encode(x="xlow:Q", x2="xhigh:Q", y=y.channel),
            base.mark_rule(color=blue).encode(x=x.channel, y="ylow:Q", y2="yhigh:Q"),
            base.mark_circle(size=60, color=blue, opacity=1).encode(
                x=x.channel,
                y=y.channel,
                tooltip=[alt.Tooltip("settingtext:N", title="settings")],
            ),
            base.mark_text(align="left", dx=7, dy=13 if rising else -9).encode(
                x=x.channel, y=y.channel, text="nth:Q"
            ),
        ]
    own = (_value(told.untuned, across.name), _value(told.untuned, up.name))
    if all(map(math.isfinite, own)):
        # On the front it has a number already.
        words = "as it is" if all(one.turned for one in told.found) else ""
        mark = marks.table({"x": [x.at(own[0])], "y": [y.at(own[1])], "text": [words]})
        layers += [
            alt.Chart(mark)
            .mark_point(shape="diamond", size=90, color=theme.INK, filled=True, opacity=1)
            .encode(x=x.channel, y=y.channel),
            alt.Chart(mark)
            .mark_text(align="left", dx=9, dy=13 if rising else -9, fontWeight="bold")
            .encode(x=x.channel, y=y.channel, text="text:N"),
        ]
    wish = told.wish
    aims = ", ".join(aim.text for aim in wish.aims)
    sent = "" if wish.size is None else f", {wish.size} B"
    lines = [f"{nth}. {_label(one)}" for nth, one in enumerate(told.found, 1)]
    return marks.layered(
        *layers,
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(
            f"{wish.link}{sent}: {count(len(told.found))} settings that nothing is better than",
            f"{aims}{_within(told)}. Pale: settings tried. Blue: the front under fresh seeds, with "
            "95 % intervals.",
            *lines,
        ),
    )


def _ends(
    found: Sequence[Setting], across: Metric, up: Metric, x: _Scale, y: _Scale
) -> dict[str, list[Any]]:
    """The points of a front, with the ends of their intervals; a point where there is none."""
    told: dict[str, list[Any]] = {"nth": list(range(1, len(found) + 1))}
    for place, metric, axis in (("x", across, x), ("y", up, y)):
        held = [one.metrics[metric.name] for one in found]
        middle = [_value(one, metric.name) for one in found]
        told[place] = [axis.at(value) for value in middle]
        for end in ("low", "high"):
            ends = [getattr(one, end) for one in held]
            told[f"{place}{end}"] = [
                axis.at(value if at is None else at) for at, value in zip(ends, middle, strict=True)
            ]
    told["settingtext"] = [_label(one) for one in found]
    return told


def _within(told: Tuned) -> str:
    return f", within {told.wish.subject_to}" if told.wish.subject_to else ""


def _tried(told: Tuned) -> marks.Spec:
    """Every setting in the order tried, the best so far, and the link as it is."""
    (aim,) = told.wish.aims
    metric = aim.metric
    values = [one.values[metric.name] for one in told.tried]
    points = [
        (nth, value, one.kept)
        for nth, (one, value) in enumerate(zip(told.tried, values, strict=True), 1)
        if value is not None
    ]
    own = _value(told.untuned, metric.name)
    y = _Scale(metric, [*(value for _, value, _ in points), own], "y:Q")
    x = alt.X(
        "x:Q",
        scale=marks.scale(0.0, len(values) + 1.0),
        axis=alt.Axis(title="setting, in the order tried", format="d", tickMinStep=1),
    )
    better = max if aim.rises else min
    worst = -math.inf if aim.rises else math.inf
    held = [value if kept else worst for _, value, kept in points]
    so_far = list(accumulate(held, better))
    table = marks.table(
        {
            "x": [nth for nth, *_ in points],
            "y": [y.at(value) for _, value, _ in points],
            "kindtext": ["keeps the limits" if kept else "breaks a limit" for *_, kept in points],
        }
    )
    steps = [(nth, best) for (nth, *_), best in zip(points, so_far, strict=True)]
    steps = [(nth, best) for nth, best in steps if math.isfinite(best)]
    line = marks.table({"x": [nth for nth, _ in steps], "y": [y.at(best) for _, best in steps]})
    kinds = ["keeps the limits", "breaks a limit"]
    colour = alt.Color(
        "kindtext:N",
        scale=alt.Scale(domain=kinds, range=[theme.run_colour(0), theme.run_colour(1)]),
        legend=alt.Legend(title=None, orient="bottom") if told.wish.subject_to else None,
    )
    layers = [
        alt.Chart(table).mark_circle(size=34, opacity=0.7).encode(x=x, y=y.channel, color=colour),
        alt.Chart(line)
        .mark_line(interpolate="step-after", color=theme.run_colour(2), strokeWidth=1.6)
        .encode(x=x, y=y.channel),
    ]
    if math.isfinite(own):
        rule = marks.table({"y": [y.at(own)], "text": ["as it is"]})
        layers += [
            alt.Chart(rule).mark_rule(strokeDash=[5, 3], color=theme.INK).encode(y=y.channel),
            alt.Chart(rule)
            .mark_text(align="left", dx=8, fontWeight="bold")
            .encode(x=marks.x_end(), y=y.channel, text="text:N"),
        ]
    wish, best = told.wish, told.best
    sent = "" if wish.size is None else f", {wish.size} B"
    title = f"{wish.link}{sent}: no setting surely keeps the limits"
    if best is not None:
        before, after = (metric.text(_value(one, metric.name)) for one in (told.untuned, best))
        title = f"{wish.link}{sent}: {metric.name} {before} as it is, {after} tuned"
    refused = len(values) - len(points)
    without = f" {count(refused)} without a value are not drawn." if refused else ""
    turned = f"Tuned: {_label(best)}." if best is not None else ""
    return marks.layered(
        *layers,
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(
            title,
            f"{aim.text}{_within(told)}. A point is a setting while choosing; the line is the best "
            f"so far.{without}",
            turned,
        ),
    )


def indices(told: Indices) -> marks.Spec:
    """Bars of first-order and total indices of each parameter, with their intervals.

    Raises
    ------
    ValueError
        With one line, where nothing moves any metric.
    """
    shown = [one for one in told.metrics if one.indices]
    if not shown:
        raise ValueError("nothing moves any of these metrics, so there is nothing to draw")
    ends = [
        end
        for one in shown
        for each in one.indices
        for end in (*each.first_interval95, *each.total_interval95)
    ]
    low, high = min(0.0, *ends), max(1.0, *ends)
    asked = told.question
    sent = "" if asked.size is None else f", {asked.size} B"
    over = ", ".join(f"{name}={values}" for name, values in asked.over.items())
    return marks.stacked(
        [_bars(one, low, high, last=one is shown[-1]) for one in shown],
        spacing=22,
        title=marks.titled(
            f"{asked.link}{sent}: what part of the variance each parameter makes",
            f"Over {over}; {count(told.runs)} runs. Dark: by itself (first order). Pale: with all "
            "that it does together with others (total). Lines: 95 % intervals. chance is what the "
            "seed makes.",
            width=PLOT,
        ),
    )


def _bars(one: Indexed, low: float, high: float, *, last: bool) -> marks.Spec:
    """The bars of one metric."""
    kinds = ["first order", "total"]
    rows: dict[str, list[Any]] = {key: [] for key in ("y", "value", "low", "high", "kindtext")}
    for place, each in enumerate(one.indices):
        pairs = ((each.first, each.first_interval95), (each.total, each.total_interval95))
        for nth, (kind, (value, interval)) in enumerate(zip(kinds, pairs, strict=True)):
            rows["y"].append(place + (-0.16 if nth == 0 else 0.18))
            rows["value"].append(value)
            rows["low"].append(interval[0])
            rows["high"].append(interval[1])
            rows["kindtext"].append(kind)
    base = alt.Chart(marks.table(rows)).transform_calculate(zero="0")
    title = "share of the variance" if last else None
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[low, high], nice=False),
        axis=alt.Axis(title=title, format="~g"),
    )
    y = alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-0.5, len(one.indices) - 0.5], reverse=True, nice=False),
        axis=alt.Axis(
            title=None, grid=False, ticks=False, domain=False, labels=False, minExtent=NAMES
        ),
    )
    colour = alt.Color(
        "kindtext:N",
        scale=alt.Scale(domain=kinds, range=[theme.run_colour(0), theme.run_colour(4)]),
        legend=None,
    )
    names = marks.table(
        {"y": list(range(len(one.indices))), "text": [each.name for each in one.indices]}
    )
    metric = METRICS[one.metric]
    return marks.layered(
        base.mark_bar(orient="horizontal", size=BAR).encode(
            x=x, x2=alt.X2("zero:Q"), y=y, color=colour
        ),
        base.mark_rule(color=theme.INK, strokeWidth=1.4).encode(x="low:Q", x2="high:Q", y=y),
        alt.Chart(names)
        .mark_text(align="right", dx=-10)
        .encode(x=marks.x_px(0), y=y, text="text:N"),
        width=PLOT - NAMES,
        height=ROW * len(one.indices),
        title=alt.Title(
            text=[f"{one.metric}, {metric.about}"],
            subtitle=[
                f"mean {metric.text(one.mean)}, standard deviation {metric.text(one.deviation)}"
            ],
            fontSize=13,
        ),
    )
