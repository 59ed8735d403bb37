"""Finishes a page that Sphinx wrote: attributes for screen readers and keys, and a security policy.

The policy permits files of the site and the theme's short inline scripts and styles, each by its
hash. Nothing else inline runs, and nothing is loaded from another host.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

#: Inline scripts and styles. Scripts with ``src`` are files.
SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
#: Replacements. Inline styles of icons are not covered by hashes, and exist as attributes of SVG.
#: Captions of the navigation have no level as headings, and the page of the search has no heading.
REPLACED = {
    'style="display: none;"': 'display="none"',
    'style="opacity: 50%"': 'opacity="50%"',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    # What scrolls by itself is reached by keys.
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div class="output': '<div tabindex="0" class="output',
    'role="heading">': 'role="heading" aria-level="2">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
}
#: The policy goes before everything that it restricts.
HEAD = re.compile(r"<head>|<head [^>]*>")


def finish(page: Path) -> None:
    """Rewrites a page."""
    html = page.read_text("utf-8")
    for text, other in REPLACED.items():
        html = html.replace(text, other)
    scripts, styles = " ".join(hashes(SCRIPT, html)), " ".join(hashes(STYLE, html))
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'self'; connect-src 'self'; "
        "font-src 'self'; img-src 'self' data:; "
        f"script-src 'self' {scripts}; style-src 'self' {styles}"
    )
    tag = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page.write_text(HEAD.sub(lambda head: f"{head[0]}{tag}", html, count=1), "utf-8")


def hashes(element: re.Pattern[str], html: str) -> Iterator[str]:
    """Hash of each inline element, as a policy names it; each once, in order of appearance."""
    for text in dict.fromkeys(element.findall(html)):
        digest = hashlib.sha256(text.encode()).digest()
        yield f"'sha256-{base64.b64encode(digest).decode()}'"
