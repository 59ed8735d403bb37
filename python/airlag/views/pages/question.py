"""Page of a campaign that answers a question: question, answer, chart and table.

In the chart, the line of p50 is solid and the line of p99 is dashed. Crosses above the plot mark
losses, because a lost message has no latency.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from airlag.core import quantity
from airlag.core.display import OF_DELIVERED
from airlag.core.quantity import UNITS, Unit
from airlag.questions.campaign import TIMES, Answer, Value
from airlag.views.html import heads, row, table, tag, tags
from airlag.views.pages import output, shell, theme
from airlag.views.pages.sheet import LOG_BEYOND, Scale, axis
from airlag.views.pages.spec import Spec, fill

#: Ratio of last to first value from which an axis is logarithmic.
DECADES = 30.0
#: Maximum of whole numbers treated as counts, each with its own tick.
COUNTED = 20

QUANTILES: tuple[Literal["p50", "p99"], ...] = ("p50", "p99")

#: Reading note of the chart.
HOW = "Circles, solid: p50. Triangles, dashed: p99. Bars: their 95 % confidence intervals."
CROSS = "A cross marks lost messages, with the highest loss of any line."


def write_question(
    name: str,
    answer: Answer,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
) -> None:
    """Writes the page of a campaign that answers a question."""
    question = answer.question
    spec = chart(answer)
    of = f" ({OF_DELIVERED})" if answer.of_delivered else ""
    texts = zip(*(column.texts for column in answer.columns), strict=True)
    head = heads(*(column.head for column in answer.columns))
    cells = table(f"{question.title}{of}", head, (row(*each) for each in texts), class_="campaign")
    body = f"""{tag("h1", question.title)}
{tag("p", f"{name}, on the virtual bench.", class_="quiet")}
{tag("h2", question.text, id="question")}
{tags("p", answer.sentences)}{shell.NOSCRIPT}
{shell.figure(name, question.text, spec)}{cells}"""
    page = shell.document(f"airlag: {question.title}", body, {name: spec})
    output.write(Path(path), page.encode(), force=force)


def chart(answer: Answer) -> Spec:
    """Draws a measure against the varied parameter, one colour per line.

    For times, p50 is solid and p99 dashed. A cross shows the highest loss of any line at its x.
    """
    y, unit = answer.question.y, _unit(answer)
    points: list[dict[str, Any]] = []
    intervals: list[dict[str, Any]] = []
    worst: dict[Value, tuple[float, str]] = {}
    for line in answer.lines:
        for nth, place in enumerate(line.places):
            x, point = place.x, answer.points[place.point]
            lost = quantity.share(point.lost, point.sent)
            # Label each lossy position with its highest share.
            if 1 - (point.delivery or 0.0) > worst.get(x, (0.0, ""))[0] and point.lost:
                worst[x] = 1 - (point.delivery or 0.0), lost
            row = {"line": line.name, "nth": nth, "x": x, "at": place.position, "lost": lost}
            times = point.quantiles(y)
            if times is not None:
                for which in QUANTILES:
                    shown = quantity.duration(times[which], unit)
                    points.append(row | {"which": which, "y": times[which] / unit.ns, "is": shown})
                    low, high = times["interval95"].get(which) or (None, None)
                    if low is not None and high is not None:
                        ends = {"y": low / unit.ns, "y2": high / unit.ns}
                        intervals.append({"line": line.name, "x": x, **ends})
            if y == "goodput" and point.kbps is not None:
                shown = f"{quantity.number(point.kbps)} kbit/s"
                points.append(row | {"which": y, "y": point.kbps, "is": shown})
            if y == "delivery" and point.delivery is not None:
                shown = quantity.share(point.sent - point.lost, point.sent)
                points.append(row | {"which": y, "y": 100 * point.delivery, "is": shown})
    drawn = y != "delivery"
    losses = [{"x": x, "text": text} for x, (_, text) in worst.items() if drawn]
    upright = [row["y"] for row in points] + [
        each[end] for each in intervals for end in ("y", "y2")
    ]
    names = [line.name for line in answer.lines]
    filled = {
        "title": answer.question.text,
        "reading": [HOW] * (y in TIMES) + [CROSS] * bool(losses),
        "across": _across(answer),
        "up": _upright(answer, upright),
        "lines": names,
        "colours": [theme.run_colour(nth) for nth in range(len(names))],
        "several": len(names) > 1,
        "times": y in TIMES,
        "lossy": bool(losses),
    }
    return fill("question", filled, {"points": points, "intervals": intervals, "losses": losses})


def _unit(answer: Answer) -> Unit:
    return next(unit for unit in UNITS if unit.name == answer.time_unit)


def _across(answer: Answer) -> dict[str, Any]:
    places = [place.x for line in answer.lines for place in line.places]
    title = answer.across
    if any(isinstance(place, str) for place in places):
        order = [str(place) for place in dict.fromkeys(places)]
        scale = {"domain": order, "padding": 0.5}
        none = {"format": None, "ticks": None}
        return {"type": "nominal", "scale": scale, "title": title, "angle": 0, **none}
    numbers = [float(place) for place in places]
    log = min(numbers) > 0 and max(numbers) >= DECADES * min(numbers)
    found = axis(numbers, log=log) | {"type": "quantitative", "angle": None, "format": "~r"}
    if not log and all(number.is_integer() and number <= COUNTED for number in numbers):
        # Hop counts are integers.
        found["ticks"] = sorted(set(numbers))
    return {**found, "title": f"{title}{found['kind']}"}


def _upright(answer: Answer, values: Sequence[float]) -> dict[str, Any]:
    y = answer.question.y
    if y == "delivery":
        return {"scale": {"domain": [0, 100]}, "ticks": None, "title": "delivered, %"}
    unit = "kbit/s" if y == "goodput" else answer.time_unit
    values = list(values) or [1.0]
    log = min(values) > 0 and max(values) > LOG_BEYOND * min(values)
    ends = Scale.of(values, log=log)
    found = Scale(ends.low if log else 0.0, ends.high, log).values
    return {**found, "title": f"{answer.measure}, {unit}{found['kind']}"}
