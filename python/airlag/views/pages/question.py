"""The page of a campaign that answers a question: question, answer, chart, table.

On the chart, p50 is a solid line and p99 a dashed one; what was lost is crosses above, because it
has no place among latencies.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from airlag._airlag import __version__
from airlag.core import quantity
from airlag.core.display import OF_DELIVERED
from airlag.questions.campaign_question import TIMES, Point, Value
from airlag.views.campaign_answer import CALLED, QUANTILES, Answer
from airlag.views.html import Html, heads, row, table, tag, tags
from airlag.views.pages import output, shell, theme
from airlag.views.pages.sheet import LAYOUT, LOG_BEYOND, Scale, axis
from airlag.views.pages.spec import Spec, fill

#: An axis is logarithmic where its last value is at least so many times its first.
DECADES = 30.0
#: Whole numbers up to this are counted, and stand at ticks of their own.
COUNTED = 20


def write_question(
    name: str,
    answer: Answer,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
) -> None:
    """Writes the page of a campaign, as :func:`airlag.views.pages.output.write`."""
    question = answer.question
    spec = chart(answer)
    body = f"""{tag("h1", question.title)}
{tag("p", f"{name}, on the virtual bench. Written by airlag {__version__}.", class_="quiet")}
{tag("h2", question.text, id="question")}
{tags("p", answer.sentences())}{shell.NOSCRIPT}
{shell.figure(name, question.text, spec)}{_table(answer)}"""
    page = shell.document(f"airlag: {question.title}", body, {name: spec})
    output.write(Path(path), page.encode(), force=force)


def chart(answer: Answer) -> Spec:
    """Draw a measure over what is turned, a colour a line.

    Parameters
    ----------
    answer
        At least one line of at least one point.

    Returns
    -------
    dict
        For times a solid line of p50 and a dashed one of p99; crosses above what lost messages,
        with the share of the worst.
    """
    rows, intervals, losses = list(_rows(answer)), _intervals(answer), _losses(answer)
    values = [row["y"] for row in rows] + [each[end] for each in intervals for end in ("y", "y2")]
    names = [line.name for line in answer.lines]
    filled = {
        **LAYOUT,
        "title": answer.question.text,
        "reading": _reading(answer),
        "across": _across(answer),
        "up": _upright(answer, values),
        "lines": names,
        "colours": [theme.run_colour(nth) for nth in range(len(names))],
        "several": len(names) > 1,
        "times": answer.question.y in TIMES,
        "lossy": bool(losses),
    }
    return fill("question", filled, {"points": rows, "intervals": intervals, "losses": losses})


def _rows(answer: Answer) -> Iterable[dict[str, Any]]:
    """What is drawn: a row a point, and for times one of each quantile."""
    for line in answer.lines:
        for nth, (at, point) in enumerate(zip(line.at, line.points, strict=True)):
            row = {
                "line": line.name,
                "nth": nth,
                "x": _placed(answer, at),
                "at": answer.axis.say(at),
                "lost": quantity.share(point.lost, point.sent),
            }
            for which, value, told in _values(answer, point):
                yield row | {"which": which, "y": value, "is": told}


def _values(answer: Answer, point: Point) -> Iterable[tuple[str, float, str]]:
    """Each number of a point: what it is, where it stands upright, in words."""
    y = answer.question.y
    times = point.quantiles(y)
    if times is not None:
        for which in QUANTILES:
            told = quantity.duration(times[which], answer.unit)
            yield which, times[which] / answer.unit.ns, told
    value = point.single(y)
    if value is not None:
        told = f"{quantity.number(value)} kbit/s"
        if y == "delivery":
            value, told = 100 * value, quantity.share(point.sent - point.lost, point.sent)
        yield y, value, told


def _placed(answer: Answer, at: Value) -> Value:
    return at if isinstance(at, str) else at / answer.axis.divisor


def _across(answer: Answer) -> dict[str, Any]:
    places = [_placed(answer, at) for line in answer.lines for at in line.at]
    title = answer.axis.title
    if not answer.numeric:
        order = [str(place) for place in dict.fromkeys(places)]
        scale = {"domain": order, "padding": 0.5}
        none = {"format": None, "ticks": None}
        return {"type": "nominal", "scale": scale, "title": title, "angle": 0, **none}
    numbers = [float(place) for place in places]
    log = min(numbers) > 0 and max(numbers) >= DECADES * min(numbers)
    found = axis(numbers, log=log) | {"type": "quantitative", "angle": None, "format": "~r"}
    if not log and all(number.is_integer() and number <= COUNTED for number in numbers):
        # Between two hops there is nothing.
        found["ticks"] = sorted(set(numbers))
    return {**found, "title": f"{title}{found['kind']}"}


def _upright(answer: Answer, values: Sequence[float]) -> dict[str, Any]:
    y = answer.question.y
    if y == "delivery":
        return {"scale": {"domain": [0, 100]}, "ticks": None, "title": "delivered, %"}
    unit = "kbit/s" if y == "goodput" else answer.unit.name
    values = list(values) or [1.0]
    log = min(values) > 0 and max(values) > LOG_BEYOND * min(values)
    ends = Scale.of(values, log=log)
    found = Scale(ends.low if log else 0.0, ends.high, log).values
    return {**found, "title": f"{CALLED[y]}, {unit}{found['kind']}"}


def _intervals(answer: Answer) -> list[dict[str, Any]]:
    """Between which ends each quantile lies with 95 % confidence, where both are known."""
    found = []
    for line in answer.lines:
        for at, point in zip(line.at, line.points, strict=True):
            times = point.quantiles(answer.question.y)
            if times is None:
                continue
            for which in QUANTILES:
                low, high = times["interval95"].get(which) or (None, None)
                if low is not None and high is not None:
                    ends = {"y": low / answer.unit.ns, "y2": high / answer.unit.ns}
                    found.append({"line": line.name, "x": _placed(answer, at), **ends})
    return found


def _losses(answer: Answer) -> list[dict[str, Any]]:
    """Each place with losses, with the share of the line that lost most there."""
    if answer.question.y == "delivery":
        return []
    worst: dict[Value, tuple[float, str]] = {}
    for line in answer.lines:
        for at, point in zip(line.at, line.points, strict=True):
            part = 1 - (1.0 if point.delivery is None else point.delivery)
            if part > worst.get(at, (0.0, ""))[0]:
                worst[at] = part, quantity.share(point.lost, point.sent)
    return [{"x": _placed(answer, at), "text": text} for at, (_, text) in worst.items()]


def _reading(answer: Answer) -> Sequence[str]:
    lines = []
    if answer.question.y in TIMES:
        lines.append(
            "Circles, solid: p50. Triangles, dashed: p99. Bars: their 95 % confidence intervals."
        )
    lossy = any(point.lost for line in answer.lines for point in line.points)
    if lossy and answer.question.y != "delivery":
        lines.append("A cross: messages were lost. The share is that of the line that lost most.")
    return lines


def _table(answer: Answer) -> Html:
    of = f" ({OF_DELIVERED})" if answer.of_delivered else ""
    rows = (row(*cells) for cells in answer.rows())
    return table(f"{answer.question.title}{of}", heads(*answer.heads), rows, class_="campaign")
