"""The page of a campaign that answers a question: question, answer, chart, table.

On the chart, p50 is a solid line and p99 a dashed one; what was lost is crosses above, because it
has no place among latencies.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import altair as alt

from airlag import quantity
from airlag._airlag import __version__
from airlag.answer import CALLED, QUANTILES, Answer
from airlag.display import OF_DELIVERED
from airlag.json_types.run import Percentile
from airlag.pages import chart_file, marks, output, shell, theme
from airlag.pages.absent import AT
from airlag.pages.sheet import AXIS, LOG_BEYOND, PLOT, log_ticks, span
from airlag.question import TIMES, Point, Value

HEIGHT = 400
#: The two quantiles, their marks and their dashes.
SHAPES: Mapping[Percentile, str] = {"p50": "circle", "p99": "triangle-up"}
DASHES: Mapping[Percentile, list[int]] = {"p50": [1, 0], "p99": [4, 3]}
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
    """Write the page of a question.

    Parameters
    ----------
    name
        Of the campaign.
    answer
        Its lines.
    path
        The page; it appears complete or not at all.
    force
        Replace a file that is there even if airlag did not draw it.

    Raises
    ------
    FileExistsError
        When the file is there and not airlag's, unless ``force``.
    OSError
        When it cannot be written.
    """
    question = answer.question
    told = "".join(f"<p>{escape(line)}</p>\n" for line in answer.sentences())
    spec = chart(answer) | {"$schema": alt.SCHEMA_URL, "config": theme.config()}
    body = f"""<h1>{escape(question.title)}</h1>
<p class="quiet">{escape(name)}, on the virtual bench. Written by airlag {escape(__version__)}.</p>
<h2 id="question">{escape(question.text)}</h2>
{told}{shell.NOSCRIPT}
{shell.figure(name, question.text, spec)}{_table(answer)}"""
    page = shell.document(f"airlag: {question.title}", body, {name: spec})
    output.write(Path(path), page.encode(), force=force)


def write_chart(answer: Answer, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Write the chart alone; the ending of the path decides what it is.

    Raises
    ------
    ValueError
        When the ending is none of ``.svg``, ``.png`` and ``.html``; one line.
    """
    chart_file.write(chart(answer), path, name="question", what="a question", force=force)


def chart(answer: Answer) -> marks.Spec:
    """Draw a measure over what is turned, a colour a line.

    Parameters
    ----------
    answer
        At least one line of at least one point.

    Returns
    -------
    marks.Spec
        For times a solid line of p50 and a dashed one of p99; crosses above what lost messages,
        with the share of the worst.
    """
    rows, intervals = list(_rows(answer)), _intervals(answer)
    values = [row["y"] for row in rows] + [each[end] for each in intervals for end in ("y", "y2")]
    x, y = _across(answer), _upright(answer, values)
    names = [line.name for line in answer.lines]
    colour = alt.Color(
        "line:N",
        scale=alt.Scale(domain=names, range=[theme.run_colour(n) for n in range(len(names))]),
        legend=None
        if len(names) == 1
        else alt.Legend(
            title=None, orient="bottom", columns=1, labelLimit=PLOT, symbolOpacity=1, offset=12
        ),
    )
    base = alt.Chart(alt.InlineData(values=rows))
    tooltip = [alt.Tooltip(f"{key}:N", title=key) for key in ("line", "at", "which", "is", "lost")]
    order = alt.Order("nth:Q")
    shape: dict[str, Any] = {}
    dash: dict[str, Any] = {}
    if answer.question.y in TIMES:
        named = alt.Scale(domain=list(SHAPES), range=list(SHAPES.values()))
        shape = {"shape": alt.Shape("which:N", scale=named, legend=None)}
        dashes = alt.Scale(domain=list(DASHES), range=list(DASHES.values()))
        dash = {"strokeDash": alt.StrokeDash("which:N", scale=dashes, legend=None)}
    lines = base.mark_line(strokeWidth=1.8, aria=False).encode(
        x=x, y=y, color=colour, order=order, detail=alt.Detail("which:N"), **dash
    )
    points = base.mark_point(size=50, filled=True, opacity=1.0, aria=False).encode(
        x=x, y=y, color=colour, tooltip=tooltip, **shape
    )
    bars = (
        alt.Chart(alt.InlineData(values=intervals))
        .mark_rule(strokeWidth=4, opacity=0.25, clip=True, aria=False)
        .encode(x=x, y=y, y2=alt.Y2("y2:Q"), color=colour)
    )
    return marks.layered(
        bars,
        lines,
        points,
        *_losses(answer, x),
        width=PLOT,
        height=HEIGHT,
        title=marks.titled(answer.question.text, *_reading(answer)),
    )


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


def _across(answer: Answer) -> alt.X:
    places = [_placed(answer, at) for line in answer.lines for at in line.at]
    if not answer.numeric:
        order = [str(place) for place in dict.fromkeys(places)]
        axis = alt.Axis(title=answer.axis.title, labelAngle=0)
        return alt.X("x:N", scale=alt.Scale(domain=order, padding=0.5), axis=axis)
    numbers = [float(place) for place in places]
    log = min(numbers) > 0 and max(numbers) >= DECADES * min(numbers)
    low, high = span(numbers, log=log)
    title = f"{answer.axis.title}{' (log axis)' * log}"
    axis = alt.Axis(title=title, format="~r")
    if log:
        axis = alt.Axis(title=title, format="~r", values=log_ticks(low, high))
    elif all(number.is_integer() and number <= COUNTED for number in numbers):
        # Between two hops there is nothing.
        axis = alt.Axis(title=title, format="~r", values=sorted(set(numbers)))
    return alt.X("x:Q", scale=marks.scale(low, high, log=log), axis=axis)


def _upright(answer: Answer, values: Sequence[float]) -> alt.Y:
    y = answer.question.y
    if y == "delivery":
        axis = alt.Axis(title="delivered, %", minExtent=AXIS)
        return alt.Y("y:Q", scale=alt.Scale(domain=[0, 100]), axis=axis)
    unit = "kbit/s" if y == "goodput" else answer.unit.name
    there = list(values) or [1.0]
    log = min(there) > 0 and max(there) > LOG_BEYOND * min(there)
    low, high = span(there, log=log)
    title = f"{CALLED[y]}, {unit}{' (log axis)' * log}"
    if log:
        ticks = log_ticks(low, high)
        axis = alt.Axis(title=title, values=ticks, format="~r", minExtent=AXIS)
    else:
        low, axis = 0.0, alt.Axis(title=title, format="~r", minExtent=AXIS)
    return alt.Y("y:Q", scale=marks.scale(low, high, log=log), axis=axis)


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


def _losses(answer: Answer, x: alt.X) -> Iterable[alt.Chart]:
    """A cross above each point that lost messages, with the largest share of its place."""
    if answer.question.y == "delivery":
        return
    worst: dict[Value, float] = {}
    told: dict[Value, str] = {}
    for line in answer.lines:
        for at, point in zip(line.at, line.points, strict=True):
            part = 1 - (1.0 if point.delivery is None else point.delivery)
            if part > worst.get(at, 0.0):
                worst[at], told[at] = part, quantity.share(point.lost, point.sent)
    if not worst:
        return
    values = [{"x": _placed(answer, at), "text": text} for at, text in told.items()]
    base = alt.Chart(alt.InlineData(values=values))
    yield base.mark_point(
        shape=theme.CROSS, size=50, stroke=theme.LOST, strokeWidth=1.8, aria=False
    ).encode(x=x, y=marks.y_px(AT))
    yield base.mark_text(dy=-12, color=theme.LOST, fontSize=10).encode(
        x=x, y=marks.y_px(AT), text=alt.Text("text:N")
    )


def _reading(answer: Answer) -> Sequence[str]:
    lines = []
    if answer.question.y in TIMES:
        lines.append(
            "Circles, solid: p50. Triangles, dashed: p99. Bars: their intervals of 95 % confidence."
        )
    lossy = any(point.lost for line in answer.lines for point in line.points)
    if lossy and answer.question.y != "delivery":
        lines.append("A cross: messages were lost; the share is that of the line that lost most.")
    return lines


def _table(answer: Answer) -> str:
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in answer.heads)
    rows = "\n".join(_row(cells) for cells in answer.rows())
    of = f" ({OF_DELIVERED})" if answer.of_delivered else ""
    caption = escape(f"{answer.question.title}{of}")
    return (
        f'<div class="scroll"><table class="campaign"><caption>{caption}</caption>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>\n"
    )


def _row(cells: Sequence[str]) -> str:
    name, *others = cells
    told = "".join(f"<td>{escape(cell)}</td>" for cell in others)
    return f'<tr><th scope="row">{escape(name)}</th>{told}</tr>'
