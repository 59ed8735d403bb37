"""Where the constants of virtual runs come from: a table a kind of link, and what it cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from airlag import _airlag
from airlag.core import profiles
from airlag.questions.runs import Run
from airlag.views.pages.sheet import Sheet


def constants(sheet: Sheet) -> str:
    """Tables of every constant of the links that were emulated; nothing for captures."""
    profiles = _profiles(row.run for row in sheet.rows)
    if not profiles:
        return ""
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for profile in profiles:
        kinds.setdefault(profile["kind"], []).append(profile)
    tables = "\n".join(_table(kind, of_kind) for kind, of_kind in kinds.items())
    return (
        '<h2 id="sources">Where the constants come from</h2>\n'
        f"{tables}\n<ul>{_documents(profiles)}</ul>"
    )


def reference(document: Mapping[str, Any]) -> str:
    """Write a document as a reader looks it up: title with its address, author, edition, year."""
    told = [document[name] for name in ("author", "version", "year")]
    rest = "".join(f", {escape(str(each))}" for each in told if each is not None)
    return f'<a href="{escape(document["url"])}">{escape(document["title"])}</a>{rest}'


def _profiles(runs: Iterable[Run]) -> list[Mapping[str, Any]]:
    """Profiles of the runs that the virtual bench made, each once; as they are in this version."""
    links = dict.fromkeys(run.link for run in runs if run.link and "settings" in run.config)
    known = set(_airlag.links())
    return [profiles.link(link) for link in links if link in known]


def _table(kind: str, profiles: list[Mapping[str, Any]]) -> str:
    # Which links have a constant of that value and origin.
    rows: dict[tuple[str, str, str], list[str]] = {}
    for profile in profiles:
        for name, one in profile["parameters"].items():
            value = one["value"]
            shown = str(value).lower() if isinstance(value, bool) else str(value)
            told = (name, f"{shown} {one['unit']}".rstrip(), f"{one['source']}: {one['from']}")
            rows.setdefault(told, []).append(profile["name"])
    body = "\n".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in told)}"
        f"<td>{escape('' if len(links) == len(profiles) else ', '.join(links))}</td></tr>"
        for told, links in sorted(rows.items(), key=lambda row: row[0][0])
    )
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("constant", "value", "source", "of")
    )
    return (
        f"<details><summary>constants of {escape(kind)}</summary>"
        f'<div class="scroll"><table class="constants"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></details>"
    )


def _documents(profiles: Iterable[Mapping[str, Any]]) -> str:
    found = {
        one["cite"]["key"]: one["cite"]
        for profile in profiles
        for one in (*profile["parameters"].values(), *profile["published"])
        if one["cite"] is not None
    }
    return "".join(f"<li>{reference(found[key])}</li>" for key in sorted(found))
