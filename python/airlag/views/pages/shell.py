"""HTML document of a page, with its style, chart data and scripts.

The file loads nothing from the network; its content security policy forbids it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
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

#: Notice shown without JavaScript.
NOSCRIPT = (
    "<noscript><p>Charts need JavaScript; a report written as .svg or .png does not.</p></noscript>"
)


def document(
    title: str,
    body: str,
    charts: Mapping[str, Spec] | None = None,
    runs: Sequence[Mapping[str, Any]] = (),
    nav: str = "",
) -> str:
    """Returns a complete HTML document.

    Parameters
    ----------
    title
        Window title.
    body
        Content, HTML. A chart is drawn in the :func:`figure` that has the same name.
    charts
        Vega-Lite specifications of charts by name, in drawing order; ``None`` without charts.
    runs
        Filter values and latencies of each run, for the script of the page.
    nav
        Table of contents in the header.
    """
    embedded: dict[str, Any] = {"dark": theme.IN_THE_DARK, "runs": list(runs)}
    embedded |= {f"spec-{name}": spec for name, spec in (charts or {}).items()}
    inline = "".join(
        f'<script type="application/json" id="{escape(name)}">{_inline_json(value)}</script>\n'
        for name, value in embedded.items()
    )
    scripts = [*([_bundle()] if charts else []), _part("built/report.js")]
    inline += "".join(f"<script>{script}</script>\n" for script in scripts)
    return whole(title, body, _policy(scripts), nav, inline)


def whole(title: str, body: str, policy: str = STILL, nav: str = "", scripts: str = "") -> str:
    """Returns an HTML document in the style of all pages; ``policy`` permits its scripts."""
    texts = {"policy": policy, "version": __version__, "title": escape(title)}
    style = _part("built/report.css")
    return filled("whole", **texts, style=style, nav=nav, body=body, scripts=scripts)


def _policy(scripts: Sequence[str]) -> str:
    """Returns a policy that permits these scripts only, and no code compiled from text."""
    hashes = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


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
