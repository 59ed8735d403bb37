"""HTML document of a page, with its style, chart data and scripts.

The file loads nothing from the network; its content security policy forbids it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from string import Template
from typing import Any

import vl_convert

from airlag._airlag import __version__
from airlag.views.html import Html, tag, tags
from airlag.views.pages import theme
from airlag.views.pages.spec import VEGA_LITE, Spec

#: Policy of pages without scripts. The icon is inline, because browsers request a missing one.
STILL = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
#: Policy of pages with scripts. Vega compiles its expressions, hence unsafe-eval.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)

#: Style sheets, in order: charts, campaign.
WITH_CHARTS = (
    *("state", "tip", "terms", "colours", "parts", "rows", "reflow", "deadline"),
    *("zoom", "reading", "figure", "filter", "start"),
)
WITH_AN_ANSWER = ("state", "tip", "terms", "answer")

#: Notice shown without JavaScript.
NOSCRIPT = (
    "<noscript><p>Charts need JavaScript; a report written as .svg or .png does not.</p></noscript>"
)


def document(
    title: str,
    body: str,
    charts: Mapping[str, Spec] | None = None,
    runs: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Returns a complete HTML document.

    Parameters
    ----------
    title
        Window title.
    body
        Content; charts are drawn in the :func:`figure` of their name.
    charts
        Vega-Lite specifications by name, drawn in this order; ``None`` for a page without charts.
    runs
        Filter values and latencies of each run, used by the page's script.
    """
    parts = WITH_AN_ANSWER if charts is None else WITH_CHARTS
    embedded: dict[str, Any] = {"dark": theme.IN_THE_DARK, "runs": list(runs)}
    embedded |= {f"spec-{name}": spec for name, spec in (charts or {}).items()}
    inline = "\n".join(
        f'<script type="application/json" id="{escape(name)}">{_inline_json(value)}</script>'
        for name, value in embedded.items()
    )
    library = f"<script>{_bundle()}</script>\n" if charts else ""
    script = "".join(_part(f"script/{name}.js") for name in parts)
    return whole(
        title,
        filled("document", body=body, inline=inline, library=library, script=script),
        "page.css",
        POLICY,
    )


def whole(title: str, body: str, style: str, policy: str = STILL) -> str:
    """Returns an HTML document in this style; scripts run only if the policy allows them."""
    values = {"policy": policy, "version": __version__, "title": escape(title)}
    return filled("whole", **values, style=_part(style), body=body)


def filled(name: str, **values: str) -> str:
    """Returns an HTML template filled with HTML values."""
    return Template(_part(f"html/{name}.html")).substitute(values)


def figure(name: str, described: str, spec: Spec) -> Html:
    """Returns the container of a chart, with its title and reading notes.

    ``described`` is the text alternative.
    """
    title = spec.get("title", {})
    lines = (line for line in title.get("subtitle", []) if line)
    return tag(
        "figure",
        tag(
            "figcaption",
            tag("h3", " ".join(title.get("text", []))),
            tag("p", " ".join(lines), class_="quiet"),
        ),
        tag("div", class_="panels"),
        id=f"chart-{name}",
        data_chart=name,
        role="group",
        aria_label=described,
    )


def contents(parts: Sequence[tuple[str, str]]) -> Html:
    """Returns a table of contents from anchors and titles."""
    entries = tags("li", (tag("a", called, href=where) for where, called in parts))
    return tag("nav", tag("ol", entries), class_="screen contents", aria_label="Contents")


def _inline_json(value: object) -> str:
    """JSON that cannot close its script element, whatever file names it contains."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


@cache
def _bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, safe to embed in HTML."""
    script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE)
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


@cache
def _part(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
