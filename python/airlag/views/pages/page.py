"""The page of a report: table, findings, charts, and where all of it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from airlag._airlag import __version__
from airlag.questions.runs import Run
from airlag.views.html import Html, joined, tag
from airlag.views.pages import head, shell, sources, tables
from airlag.views.pages.charts import CHARTS, Drawn, charts_for
from airlag.views.pages.sheet import Row, Sheet

#: Latencies of a run that a page carries, to tell the share beyond any deadline: of more messages
#: every so many.
CARRIED = 2000


def page(runs: Sequence[Run], title: str | None = None) -> str:
    """The page of a report of at least one run; the same runs give the same text.

    Its title is the name of the run, or how many there are, unless told.
    """
    charts = charts_for(runs)
    drawn = [chart for chart in charts if chart.chart is not None]
    sheet = Sheet.of(runs)
    if title is None:
        title = sheet.rows[0].name if len(runs) == 1 else f"{len(runs)} runs"
    figures = "\n".join(
        COUNTING * (chart.name == "time") + shell.figure(chart.name, chart.described, chart.spec)
        for chart in drawn
    )
    parts = [
        ("#summary", "Table"),
        ("#findings", "Findings"),
        *((f"#chart-{chart.name}", CHARTS[chart.name].called) for chart in drawn),
        ("#origin", "Where this comes from"),
    ]
    body = f"""{tag("h1", title)}
<p class="quiet">How long packets took, how many arrived, and why. Written by airlag \
{__version__}.</p>
{head.contents(parts)}
{head.controls(sheet)}
{tables.summary(sheet)}
{head.captures(sheet)}
{tables.findings(sheet)}
<h2 id="charts">Charts</h2>
<p class="quiet screen">Point at a chart, or reach it with the tab key and step through it with \
the arrow keys, to read it.</p>
{shell.NOSCRIPT}
{figures}
{_left_out(charts)}
{tables.origin(sheet, __version__)}
{sources.constants(sheet)}"""
    told = [_told(row) for row in sheet.rows]
    return shell.document(
        f"airlag: {title}", body, {chart.name: chart.spec for chart in drawn}, told
    )


#: Above the chart along the runs.
COUNTING = """<fieldset class="screen counting"><legend>The axis counts</legend>\
<label><input type="radio" name="counting" value="x" checked> seconds</label>\
<label><input type="radio" name="counting" value="i"> transfers</label>\
<span class="quiet">Drag over a run to zoom in, turn the wheel, or press + and -; shift \
and the arrow keys move, 0 shows the whole run.</span></fieldset>
"""


def _told(row: Row) -> dict[str, Any]:
    """What the page has to know of a run."""
    ordered = np.sort(row.latency)
    if len(ordered) > CARRIED:
        # The middle of each of so many equal parts.
        ordered = ordered[((np.arange(CARRIED) + 0.5) * len(ordered) / CARRIED).astype(int)]
    return {
        "number": row.number,
        "name": row.name,
        "link": row.run.link,
        "size": row.run.size,
        "phase": row.run.config.get("phase"),
        "fates": {
            "of": row.known,
            "arrived": len(row.latency),
            "latency": [round(each, 6) for each in ordered.tolist()],
        },
    }


def _left_out(charts: Sequence[Drawn]) -> Html:
    skipped = [(CHARTS[each.name].called, each.skipped) for each in charts if each.skipped]
    lines = (joined(tag("dt", called), tag("dd", why)) for called, why in skipped)
    title = tag("h2", "Charts that do not apply")
    return joined(title, tag("dl", lines, id="left-out")) if skipped else Html()
