"""Adds a content security policy to each page: files of the site, and its own inline code.

The theme has short inline scripts and styles, so each is permitted by its hash. Nothing else inline
runs.
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
#: Inline styles of the theme's icons, and the same as attributes of SVG. Hashes do not cover styles.
STYLED = {'style="display: none;"': 'display="none"', 'style="opacity: 50%"': 'opacity="50%"'}
#: The policy goes before everything that it restricts.
HEAD = re.compile(r"<head>|<head [^>]*>")


def protect(page: Path) -> None:
    """Writes the policy into a page."""
    html = page.read_text("utf-8")
    for style, attribute in STYLED.items():
        html = html.replace(style, attribute)
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
