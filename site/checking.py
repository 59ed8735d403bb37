"""Checks the built site: every link leads somewhere, and nothing is loaded from another host.

Sphinx checks links between Markdown pages. This also checks what it does not see: HTML, copied
files, the navigation.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements and attributes that load something when a page opens.
LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src", "srcset"),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "video": ("src", "poster"),
}
#: Relations of ``link`` elements that load nothing.
NAMES_ONLY = {"canonical", "index", "next", "prev", "search"}
#: Folder of the studio, which has tests of its own. ``studio`` has the page about its source.
STUDIO = "app"


class Page(HTMLParser):
    """Anchors, links and loaded files of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = {"", "top"}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collects what one element refers to."""
        given = {name: value or "" for name, value in attrs}
        if anchor := given.get("id"):
            self.anchors.add(anchor)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "a" and "name" in given:
            self.anchors.add(given["name"])
        if tag == "link" and set(given.get("rel", "").split()) <= NAMES_ONLY:
            return
        for name in LOADED.get(tag, ()):
            if name in given:
                self.loaded.append(given[name])


def pages(site: Path) -> dict[Path, Page]:
    """All pages by path, without the studio."""
    return {
        path: Page(path.read_text("utf-8"))
        for path in sorted(site.rglob("*.html"))
        if path.relative_to(site).parts[0] != STUDIO
    }


def faults(site: Path) -> list[str]:
    """One line per broken link, missing anchor, missing file or file of another host."""
    found = pages(site)
    return [
        f"{path.relative_to(site)}: {fault}"
        for path, page in found.items()
        for fault in [*broken(site, path, page, found), *foreign(page)]
    ]


def broken(site: Path, path: Path, page: Page, every: dict[Path, Page]) -> Iterator[str]:
    """Links and loaded files of a page that do not exist in the site."""
    for target in [*page.links, *page.loaded]:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not to.is_relative_to(site) or not to.is_file():
            yield f"{target} does not exist"
        elif to in every and unquote(parts.fragment) not in every[to].anchors:
            yield f"{target} names a heading that does not exist"


def foreign(page: Page) -> Iterator[str]:
    """Files of other hosts that a page loads."""
    for target in page.loaded:
        parts = urlsplit(target)
        if parts.netloc or parts.scheme not in ("", "data"):
            yield f"{target} is loaded from another host"


def transferred(site: Path, path: Path, page: Page) -> int:
    """Bytes of a page and everything it loads, compressed with gzip as servers send it."""
    files = {(path.parent / unquote(urlsplit(each).path)).resolve() for each in page.loaded}
    files = {each for each in files if each.is_file() and each.is_relative_to(site)}
    return sum(len(gzip.compress(each.read_bytes(), mtime=0)) for each in {path, *files})
