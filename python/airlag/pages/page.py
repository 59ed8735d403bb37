"""The page of a report: table, findings, charts, and where all of it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from airlag._airlag import __version__
from airlag.pages import shell, sources, tables
from airlag.pages.charts import Drawn, charts_for
from airlag.pages.sheet import Sheet
from airlag.runs import Run


def page(runs: Sequence[Run], title: str | None = None) -> str:
    """Write the page of a report.

    Parameters
    ----------
    runs
        The runs of one report, at least one.
    title
        What stands above it; the name of the run, or how many there are, unless told.

    Returns
    -------
    str
        A complete HTML document; the same runs give the same text.
    """
    charts = charts_for(runs)
    drawn = [chart for chart in charts if chart.chart is not None]
    sheet = Sheet.of(runs)
    if title is None:
        title = sheet.rows[0].name if len(runs) == 1 else f"{len(runs)} runs"
    figures = "".join(shell.figure(chart.name, chart.described) for chart in drawn)
    body = f"""<h1>{escape(title)}</h1>
<p class="quiet">How long packets took, how many arrived, and why. Written by airlag \
{escape(__version__)}.</p>
{tables.summary(sheet)}
{tables.findings(sheet)}
<h2 id="charts">Charts</h2>
{shell.NOSCRIPT}
{figures}
{_left_out(charts)}
{tables.origin(sheet, __version__)}
{sources.constants(sheet)}"""
    return shell.document(f"airlag: {title}", body, {chart.name: chart.spec for chart in drawn})


def _left_out(charts: Sequence[Drawn]) -> str:
    lines = [
        f"<dt>{escape(chart.name)}</dt><dd>{escape(chart.skipped)}</dd>"
        for chart in charts
        if chart.skipped is not None
    ]
    if not lines:
        return ""
    return f'<h2>Charts that do not apply</h2>\n<dl id="left-out">{"".join(lines)}</dl>'
