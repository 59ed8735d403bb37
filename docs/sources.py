"""Generated bibliography: all documents that constants are taken from.

Each document has its location, the data taken from it, and the constants that cite it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from airlag import _airlag
from airlag.core import profiles
from airlag.core.answered import ask

#: Citing constants and kinds of link, by location in a document.
Places = dict[str, dict[str, set[str]]]

#: Groups of documents, in page order.
GROUPS = {
    "standard": "Standards",
    "datasheet": "Datasheets, manuals and guides",
    "software": "Software",
    "article": "Articles",
}


def documents() -> str:
    """All documents with the cited locations."""
    places: dict[str, Places] = {}
    for name in _airlag.links():
        kind = profiles.link(name)["kind"]
        for cite, what in _citations(name):
            place = places.setdefault(cite["key"], {}).setdefault(cite["at"], {})
            place.setdefault(what, set()).add(kind)
    parts = []
    for group, heading in GROUPS.items():
        parts.append(f"## {heading}\n")
        for one in ask("sources"):
            if one["group"] == group:
                parts.append(_document(one, places.get(str(one["key"]), {})))
    return "\n".join(parts)


def cited(links: Iterable[str]) -> str:
    """List of the documents that some profiles cite, by title."""
    found = {cite["key"]: cite for name in links for cite, _ in _citations(name)}
    lines = [
        f"- {_reference(cite)} ([cited locations](../sources.md#{key}))\n"
        for key, cite in found.items()
    ]
    return "".join(sorted(lines))


def _citations(name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yields every citation of a profile, with its constant."""
    profile = profiles.link(name)
    for constant, one in profile["parameters"].items():
        if one["cite"] is not None:
            yield one["cite"], f"`{constant}`"
    for figure in profile["published"]:
        yield figure["cite"], "medians"


def _reference(document: dict[str, Any]) -> str:
    edition = [document[name] for name in ("version", "year") if document[name] is not None]
    # The edition may equal the year.
    told = list(dict.fromkeys(str(part) for part in (document["author"], *edition) if part))
    return ", ".join([f"[{document['title']}]({document['url']})", *told])


def _document(one: dict[str, Any], places: Places) -> str:
    lines = [f"### {one['key']}\n", f"{_reference(one)}. {one['taken']}\n"]
    checked = one["checked"]
    lines.append(f"Checked: {checked}.\n" if checked else "**Not checked.**\n")
    if one["unchecked"]:
        lines.append(f"Not checked: {one['unchecked']}.\n")
    if places:
        lines.append("| location | cited for |\n| --- | --- |")
        for at, cited_for in sorted(places.items()):
            told = (f"{what} of {', '.join(sorted(kinds))}" for what, kinds in cited_for.items())
            lines.append(f"| {at} | {'; '.join(sorted(told))} |")
        lines[-1] += "\n"
    return "\n".join(lines)
