"""The shell of a page: one HTML file with its look, its charts' data and the code that draws them.

The file asks the network for nothing, and its content policy forbids it to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any

import vl_convert

from airlag._airlag import __version__
from airlag.pages.marks import Spec
from airlag.pages.picture import VEGA_LITE

#: Up to this many rows of data a chart is drawn as SVG, sharp at any size and on paper; more would
#: keep a browser busy, and become a bitmap.
SVG_UP_TO = 4000

#: Nothing may be fetched. Vega compiles its expressions, hence unsafe-eval.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def document(title: str, body: str, charts: Mapping[str, Spec]) -> str:
    """Write a page.

    Parameters
    ----------
    title
        Of the window.
    body
        What stands on it; a chart where it has ``<div id="chart-NAME">``, see :func:`figure`.
    charts
        Whole Vega-Lite specifications by name, drawn in this order.

    Returns
    -------
    str
        A complete HTML document.
    """
    specs = [
        {"name": name, "renderer": _renderer(spec), "spec": spec} for name, spec in charts.items()
    ]
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
{body}
</main>
<script type="application/json" id="specs">{_inline_json(specs)}</script>
<script>{_bundle()}</script>
<script>
{_part("page.js")}</script>
</body>
</html>
"""


#: For readers without scripts.
NOSCRIPT = (
    "<noscript><p>Charts need JavaScript; a report written as .svg or .png does not.</p></noscript>"
)


def figure(name: str, described: str) -> str:
    """Make room for a chart, and tell who cannot see it what it shows."""
    return (
        f'<figure role="group" aria-label="{escape(described)}">'
        f'<div id="chart-{name}"></div></figure>\n'
    )


def _renderer(spec: Spec) -> str:
    tables: Sequence[Any] = spec.get("datasets", {}).values()
    rows = sum(data.count("\n") if isinstance(data, str) else len(data) for data in tables)
    return "svg" if rows <= SVG_UP_TO else "canvas"


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
