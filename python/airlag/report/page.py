"""One HTML file with everything in it: table, findings, charts, and the code that draws them.

The file asks the network for nothing, and its content policy forbids it to.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any

import vl_convert

from airlag._airlag import __version__
from airlag.report import tables
from airlag.report.charts import Drawn, charts_for
from airlag.report.picture import VEGA_LITE
from airlag.report.sheet import Sheet
from airlag.run import Run

#: Up to this many rows of data a chart is drawn as SVG, sharp at any size and on paper; more would
#: keep a browser busy, and become a bitmap.
SVG_UP_TO = 4000

#: Nothing may be fetched. Vega compiles its expressions, hence unsafe-eval.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def page(runs: Sequence[Run]) -> str:
    """Write the page of a report.

    Parameters
    ----------
    runs
        The runs of one report, at least one.

    Returns
    -------
    str
        A complete HTML document; the same runs give the same text.
    """
    charts = charts_for(runs)
    drawn = [chart for chart in charts if chart.chart is not None]
    sheet = Sheet.of(runs)
    specs = [_embedded(chart) for chart in drawn]
    many = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
    title = f"airlag: {sheet.rows[0].name}" if len(runs) == 1 else f"airlag: {many}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="airlag {escape(__version__)}">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{_part("page.css")}</style>
</head>
<body>
<main>
<h1>{escape(title.removeprefix("airlag: "))}</h1>
<p class="quiet">How long packets took, how many arrived, and why. Written by airlag \
{escape(__version__)}.</p>
{tables.summary(sheet)}
{tables.findings(sheet)}
<h2 id="charts">Charts</h2>
<noscript><p>Charts need JavaScript; a report written as .svg or .png does not.</p></noscript>
{"".join(_figure(chart) for chart in drawn)}
{_left_out(charts)}
{tables.origin(sheet, __version__)}
</main>
<script type="application/json" id="specs">{_inline_json(specs)}</script>
<script>{_bundle()}</script>
<script>
{_part("page.js")}</script>
</body>
</html>
"""


def _embedded(chart: Drawn) -> dict[str, Any]:
    spec = chart.spec
    rows = sum(
        data.count("\n") if isinstance(data, str) else len(data)
        for data in spec.get("datasets", {}).values()
    )
    renderer = "svg" if rows <= SVG_UP_TO else "canvas"
    return {"name": chart.name, "renderer": renderer, "spec": spec}


def _figure(chart: Drawn) -> str:
    return (
        f'<figure role="group" aria-label="{escape(chart.described)}">'
        f'<div id="chart-{chart.name}"></div></figure>\n'
    )


def _left_out(charts: Sequence[Drawn]) -> str:
    lines = [
        f"<dt>{escape(chart.name)}</dt><dd>{escape(chart.skipped)}</dd>"
        for chart in charts
        if chart.skipped is not None
    ]
    if not lines:
        return ""
    return f'<h2>Charts that do not apply</h2>\n<dl id="left-out">{"".join(lines)}</dl>'


def _inline_json(value: object) -> str:
    """JSON that cannot end the script element it stands in, whatever a file is called."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


@cache
def _bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, safe to stand in a page."""
    script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE)
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
