"""Pieces every chart is made of: inline tables, axes of latency and of runs, words about marks.

A layer is Altair's; what layers and panels are put together to is a Vega-Lite specification of our
own, because Altair copies all of its parts each time: a report of two hundred runs would be copied
for longer than it is drawn.
"""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from airlag.pages import theme
from airlag.pages.sheet import LEFT, LETTER, PLOT, WIDTH, Row, Sheet, log_ticks, span
from airlag.pages.thin import Marks
from airlag.quantity import count

#: Height of a line of words beside a chart, px.
LINE = 15

#: A Vega-Lite specification; its inline tables are under ``datasets``.
Spec = dict[str, Any]

Columns = Mapping[str, NDArray[Any] | Sequence[Any]]

#: What a page has to know of a chart to let its reader filter, zoom and read it: ``panels``, the
#: number of the run of each; ``rows``, of runs down the page; ``read``, of each panel, how values
#: are read off its series; ``time``, what its axis of time can count; ``latency``, on which axis.
Meta = dict[str, Any]


def table(columns: Columns, decimals: int = 6) -> alt.InlineData:
    """Columns as an inline table of comma-separated values, a third the size of JSON objects.

    Parameters
    ----------
    columns
        Name to values, equally many each. Floats are rounded to ``decimals``; names of columns
        that hold text end in ``text``.
    decimals
        Digits kept after the point; 6 of a millisecond are a nanosecond.

    Returns
    -------
    altair.InlineData
        With the type of every column, so that nothing is guessed from the values.
    """
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows(zip(*(_plain(values, decimals) for values in columns.values()), strict=True))
    parse = {name: "string" if name.endswith("text") else "number" for name in columns}
    return alt.InlineData(values=text.getvalue(), format=alt.CsvDataFormat(type="csv", parse=parse))


def _plain(values: NDArray[Any] | Sequence[Any], decimals: int) -> list[Any]:
    """A column as Python's own values, floats rounded."""
    if isinstance(values, np.ndarray):
        rounded = np.round(values, decimals) if values.dtype.kind == "f" else values
        plain: list[Any] = rounded.tolist()
        return plain
    return [round(each, decimals) if isinstance(each, float) else each for each in values]


def names_of(sheet: Sheet) -> alt.LookupData:
    """Look a run's name up by its number ``r``."""
    return alt.LookupData(data=alt.InlineData(values=sheet.run_table()), key="r", fields=["run"])


def colour_of_run(sheet: Sheet, legend: alt.Legend | None = None) -> alt.Color:
    """Colour by the field ``run``, the same on every chart."""
    return alt.Color(
        "run:N",
        scale=alt.Scale(
            domain=[row.name for row in sheet.rows], range=[row.colour for row in sheet.rows]
        ),
        legend=legend,
    )


def dash_of_run(sheet: Sheet, legend: alt.Legend | None = None) -> alt.StrokeDash:
    """Dash by the field ``run``: tells lines of one colour apart."""
    return alt.StrokeDash(
        "run:N",
        scale=alt.Scale(
            domain=[row.name for row in sheet.rows],
            range=[theme.run_dash(row.number) for row in sheet.rows],
        ),
        legend=legend,
    )


def run_legend(sheet: Sheet) -> alt.Legend | None:
    """Legend of runs below a chart of lines, in as many columns as fit; none for one run."""
    if len(sheet.rows) == 1:
        return None
    each = 60 + LETTER * max(len(row.name) for row in sheet.rows)
    return alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=max(1, int((PLOT + 0.8 * (WIDTH - PLOT)) // each)),
        symbolType="stroke",
        symbolStrokeWidth=2.5,
        symbolSize=900,
        offset=12,
    )


def scale(low: float, high: float, *, log: bool = False) -> alt.Scale:
    """Scale from end to end, not rounded and not stretched to zero."""
    if log:
        return alt.Scale(type="log", domain=[low, high], nice=False)
    return alt.Scale(domain=[low, high], nice=False, zero=False)


def latency_scale(sheet: Sheet) -> alt.Scale:
    """Scale of latencies, the same on every chart the runs share."""
    low, high = span([sheet.low, sheet.high], log=sheet.log)
    return scale(low, high, log=sheet.log)


def latency_axis(sheet: Sheet, what: str | None = "latency", **more: Any) -> alt.Axis:
    """Axis of latencies: unit in the title, and the word log where it is one; or no title."""
    title = None if what is None else f"{what}, {sheet.unit.name}{' (log axis)' * sheet.log}"
    if sheet.log:
        more = {
            "values": log_ticks(*span([sheet.low, sheet.high], log=True)),
            "format": "~r",
            **more,
        }
    return alt.Axis(title=title, **{"tickCount": 9, **more})


def latency_px(
    sheet: Sheet, latency: NDArray[np.float64], width: float = PLOT
) -> NDArray[np.float64]:
    """Where latencies fall on a shared axis ``width`` px long, float64, shape of ``latency``."""
    low, high = span([sheet.low, sheet.high], log=sheet.log)
    if sheet.log:
        return np.asarray(np.log(latency / low) / np.log(high / low) * width)
    return np.asarray((latency - low) / (high - low) * width)


# Channels are given as objects: what a plain text or `alt.value` stands for is looked up among all
# classes of Altair, 8 ms each time.
def x_px(place: float) -> alt.XValue:
    """A place that no axis knows of, px right of the left end of the plot."""
    return alt.XValue(place)  # type: ignore[no-untyped-call]


def x_end() -> alt.XValue:
    """The right end of the plot, however wide it becomes; ``dx`` says how far from it."""
    return alt.XValue("width")  # type: ignore[no-untyped-call]


def x2_px(place: float) -> alt.X2Value:
    """The same, of the other end of a mark."""
    return alt.X2Value(place)  # type: ignore[no-untyped-call]


def y_px(place: float) -> alt.YValue:
    """A place that no axis knows of, px below the top of the plot."""
    return alt.YValue(place)  # type: ignore[no-untyped-call]


def picked(pick: alt.Parameter) -> alt.OpacityValue:
    """Opacity that fades what is not picked in the legend."""
    condition = alt.ConditionalParameterValueDefnumberExprRef(param=pick.name, value=1.0)
    return alt.OpacityValue(0.12, condition=condition)


def rows_meta(sheet: Sheet, rows: Sequence[Row], tall: float) -> Meta:
    """What a page has to know of rows of runs on the shared axis of latencies."""
    return {
        "rows": {"tall": tall, "order": [row.number for row in rows]},
        "latency": {"axis": "x", "unit": sheet.unit.name},
    }


def row_axis(rows: int) -> alt.Y:
    """Rows of runs down the page: row ``i`` is centred on ``y = i``."""
    return alt.Y(
        "y:Q",
        scale=alt.Scale(domain=[-0.5, rows - 0.5], reverse=True, nice=False, zero=False),
        axis=alt.Axis(
            title=None,
            grid=False,
            ticks=False,
            domain=False,
            labels=False,
            minExtent=LEFT - 2,
            aria=False,
        ),
    )


def row_names(names: Sequence[tuple[int, str]], tall: float) -> alt.Chart:
    """Write each run's name above what is drawn of it.

    Parameters
    ----------
    names
        Number and name of each run, first row first.
    tall
        Height of a row, px.
    """
    # The text is centred 9 px below the top of its row.
    at = [place - 0.5 + 9.0 / tall for place in range(len(names))]
    data = table({"r": [r for r, _ in names], "y": at, "text": [name for _, name in names]})
    drawn: alt.Chart = (
        alt.Chart(data)
        .mark_text(align="left", fontWeight="bold", limit=alt.ExprRef("width"))
        .encode(x=x_px(0), y=row_axis(len(names)), text=alt.Text("text:N"))
    )
    return drawn


def notes(texts: Sequence[tuple[int, str]], tall: float) -> alt.Chart:
    """Write what did not arrive right of the rows, in the colour of losses.

    Parameters
    ----------
    texts
        Number of the run and what to say of it, first row first; empty where that is nothing.
    tall
        Height of a row, px.
    """
    at = [(r, place - 0.5 + 9.0 / tall, text) for place, (r, text) in enumerate(texts) if text]
    data = table(
        {"r": [r for r, *_ in at], "y": [y for _, y, _ in at], "text": [text for *_, text in at]}
    )
    drawn: alt.Chart = (
        alt.Chart(data)
        .mark_text(align="left", dx=8, color=theme.LOST, fontWeight="bold", lineBreak="; ")
        .encode(x=x_end(), y=row_axis(len(texts)), text=alt.Text("text:N"))
    )
    return drawn


def side_words(lines: Sequence[tuple[str, str]], first: float = 8.0) -> alt.Chart:
    """Write lines right of a chart.

    Parameters
    ----------
    lines
        Text and colour of each, first line first.
    first
        Where the first line is, px below the top of the chart.
    """
    data = table(
        {
            "px": [first + LINE * place for place in range(len(lines))],
            "text": [text for text, _ in lines],
            "ctext": [colour for _, colour in lines],
        }
    )
    drawn: alt.Chart = (
        alt.Chart(data)
        .mark_text(align="left", dx=8)
        .encode(
            x=x_end(),
            y=alt.Y("px:Q", scale=None),
            text=alt.Text("text:N"),
            color=alt.Color("ctext:N", scale=None),
        )
    )
    return drawn


def layered(
    *layers: alt.Chart,
    width: float,
    height: float,
    title: alt.Title | None = None,
    meta: Meta | None = None,
) -> Spec:
    """Lay charts over each other, the first at the bottom; ``meta`` is for the page it is on."""
    tables: dict[str, Any] = {}
    context = {"top_level": False, "datasets": tables}
    drawn = [layer.to_dict(validate=False, context=context) for layer in layers]
    spec = {"width": width, "height": height, "layer": drawn, "datasets": tables}
    return _entitled(spec, title, meta)


def stacked(
    panels: Sequence[Spec],
    spacing: float,
    title: alt.Title | None = None,
    meta: Meta | None = None,
) -> Spec:
    """Put charts below each other, each with axes of its own; ``meta`` as for :func:`layered`."""
    tables: dict[str, Any] = {}
    for panel in panels:
        tables |= panel["datasets"]
    alone = {"datasets", "usermeta"}
    bare = [{key: panel[key] for key in panel if key not in alone} for panel in panels]
    return _entitled({"spacing": spacing, "vconcat": bare, "datasets": tables}, title, meta)


def _entitled(spec: Spec, title: alt.Title | None, meta: Meta | None) -> Spec:
    entitled = spec if title is None else {"title": title.to_dict(validate=False), **spec}
    return entitled if meta is None else {**entitled, "usermeta": meta}


def titled(text: str, *lines: str, width: float = WIDTH) -> alt.Title:
    """Title that says what is seen, and lines beneath, broken where the chart ends."""
    broken = [piece for line in lines if line for piece in textwrap.wrap(line, int(width / LETTER))]
    return alt.Title(text=textwrap.wrap(text, int(width / 8.2)) or [""], subtitle=broken or [""])


def how_many(marks: Marks) -> str:
    """Say how many transfers a chart draws as how many marks."""
    if marks.count == marks.transfers:
        one = marks.count == 1
        return f"{count(marks.count)} transfer{'' if one else 's'}, a mark each."
    return (
        f"{count(marks.transfers)} transfers as {count(marks.count)} marks; "
        "points closer than a mark share one, darker for more."
    )


def mark_opacity(marks: Marks) -> float:
    """Opacity of one mark: many marks show where they lie on each other."""
    return 0.75 if marks.count <= 200 else 0.5


def crowding(marks: Marks) -> alt.Opacity | alt.OpacityValue:
    """Opacity by the field ``n``, transfers a mark stands for, once marks are shared."""
    if marks.count == marks.transfers:
        return alt.OpacityValue(mark_opacity(marks))
    most = max(int(many.max()) for many in marks.stand_for if len(many))
    return alt.Opacity(
        "n:Q", scale=alt.Scale(type="log", domain=[1, most], range=[0.3, 1.0]), legend=None
    )


def mark_area(marks: Marks) -> float:
    """Size of a mark as Vega-Lite counts it, px squared."""
    width = 5.0 if marks.count <= 200 else 4.0 if marks.count <= 5000 else 3.0
    return max(width, marks.width) ** 2
