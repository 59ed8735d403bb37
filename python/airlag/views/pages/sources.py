"""Where the constants of virtual runs come from: a table a kind of link, and what it cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from airlag import _airlag
from airlag.core import profiles
from airlag.views.html import Html, heads, joined, table, tag, tags
from airlag.views.pages.sheet import Sheet


def constants(sheet: Sheet) -> Html:
    """Tables of every constant of the links that were emulated; nothing for captures."""
    made = (row.run for row in sheet.rows if row.run.link and "settings" in row.run.config)
    links, known = dict.fromkeys(run.link for run in made), set(_airlag.links())
    # Each once, as it is in this version.
    found = [profiles.link(link) for link in links if link in known]
    if not found:
        return Html()
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for profile in found:
        kinds.setdefault(profile["kind"], []).append(profile)
    return joined(
        tag("h2", "Where the constants come from", id="sources"),
        (_table(kind, of_kind) for kind, of_kind in kinds.items()),
        tag("ul", tags("li", _documents(found))),
    )


def reference(document: Mapping[str, Any]) -> Html:
    """Write a document as a reader looks it up: title with its address, author, edition, year."""
    told = (document[name] for name in ("author", "version", "year"))
    rest = (f", {each}" for each in told if each is not None)
    return joined(tag("a", document["title"], href=document["url"]), rest)


def _table(kind: str, profiles: list[Mapping[str, Any]]) -> Html:
    # Which links have a constant of that value and origin.
    rows: dict[tuple[str, str, str], list[str]] = {}
    for profile in profiles:
        for name, one in profile["parameters"].items():
            value = one["value"]
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            told = (name, f"{shown} {one['unit']}".rstrip(), f"{one['source']}: {one['from']}")
            rows.setdefault(told, []).append(profile["name"])
    lines = (
        tag("tr", tags("td", [*told, "" if len(links) == len(profiles) else ", ".join(links)]))
        for told, links in sorted(rows.items(), key=lambda row: row[0][0])
    )
    head = heads("constant", "value", "source", "of")
    return tag(
        "details",
        tag("summary", f"constants of {kind}"),
        table(None, head, lines, class_="constants"),
    )


def _documents(profiles: Iterable[Mapping[str, Any]]) -> list[Html]:
    found = {
        one["cite"]["key"]: one["cite"]
        for profile in profiles
        for one in (*profile["parameters"].values(), *profile["published"])
        if one["cite"] is not None
    }
    return [reference(found[key]) for key in sorted(found)]
