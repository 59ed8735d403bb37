"""Text sections of a page: summary table, findings, provenance and link constants.

Tooltips explain the terms. The constants of virtual runs are listed with their sources.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib import resources
from typing import Any

from airlag import _airlag
from airlag.core import profiles, quantity
from airlag.core.display import printable
from airlag.questions.identity import plain
from airlag.questions.runs import Finding, Outcome
from airlag.views.html import Html, heads, joined, row, table, tag, tags
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.run_names import shared

_TERMS = json.loads(resources.files("airlag.views").joinpath("specs", "terms.json").read_bytes())
#: Quantiles in the summary table.
QUANTILES = ("p50", "p95", "p99")

#: Text of a latency without data, or where nothing was delivered.
CANNOT_SHOW = "–"

#: Maximum list items shown as evidence; the others are counted.
LISTED = 24


def summary(sheet: Sheet) -> Html:
    """Table of runs: triggers, outcomes, and latencies with their intervals."""
    unit = "" if sheet.mixed else f", {sheet.unit.name}"
    head = heads(
        *("run", "payload", "triggers", "delivered"),
        explained("lost"),
        explained("censored"),
        *(joined(explained(name), unit) for name in QUANTILES),
        f"max{unit}",
    )
    beyond = tag("th", "beyond the deadline", scope="col", class_="beyond", hidden=True)
    bracketed = any(each.interval(name) for each in sheet.rows for name in QUANTILES)
    note = " Small print: 95 % confidence intervals." if bracketed else ""
    together = shared([each.run for each in sheet.rows])
    alike = f" {together}" if together else ""
    return table(
        f"Latency of the delivered transfers. Lost transfers have no latency.{note}{alike}",
        joined(head, beyond),
        (_summary_row(sheet, each) for each in sheet.rows),
        id="summary",
    )


def _summary_row(sheet: Sheet, of: Row) -> Html:
    run, late = of.run, of.run.count(Outcome.LATE)
    return row(
        [
            tag("span", class_="swatch", style=f"background:{of.colour}"),
            of.name,
            *([] if of.name == run.source else [tag("small", printable(run.source))]),
        ],
        "" if run.size is None else f"{quantity.count(run.size)} B",
        quantity.count(len(run.outcome)),
        [
            quantity.count(len(of.latency)),
            *([tag("small", f"{quantity.count(late)} late")] if late else []),
        ],
        _lost(of),
        CANNOT_SHOW if run.trigger_ns is None else quantity.count(of.censored),
        *(_quantile(sheet, of, name) for name in (*QUANTILES, "max")),
        tag("td", class_="beyond", data_of=of.number, hidden=True),
        data_run=of.number,
    )


def _lost(row: Row) -> str:
    if row.run.trigger_ns is None:
        return CANNOT_SHOW
    if not row.lost:
        return "0"
    text = quantity.share(row.lost, row.known)
    if row.run.delivery is not None:
        ends = reversed(row.run.delivery["interval95"])
        low, high = (100.0 * (1.0 - float(end)) for end in ends)
        text += f", {low:.2g} to {high:.2g} %"
    return joined(tag("span", quantity.count(row.lost), class_="lost"), tag("small", text))


def _quantile(sheet: Sheet, row: Row, name: str) -> str:
    value = row.quantile(name)
    if value is None:
        return CANNOT_SHOW
    unit = row.unit if sheet.mixed else sheet.unit
    text = quantity.number(value / unit.ns, row.digits(unit))
    text += f" {unit.name}" if sheet.mixed else ""
    ends = row.interval(name)
    if ends is None:
        return text
    low, high = (
        "…" if end is None else quantity.number(end / unit.ns, row.digits(unit)) for end in ends
    )
    return joined(text, tag("small", f"{low} to {high}"))


def findings(sheet: Sheet) -> Html:
    """Findings by run, each with its advice."""
    blocks = [
        tag(
            "section",
            tag("h3", each.name),
            tag("ul", map(_finding, each.run.findings), class_="findings"),
            data_run=each.number,
        )
        for each in sheet.rows
        if each.run.findings
    ]
    nothing = tag("p", "No findings in these runs.")
    return joined(tag("h2", "Findings", id="findings"), blocks or [nothing])


def _finding(finding: Finding) -> Html:
    evidence = tag("details", tag("summary", "evidence"), _terms(finding.evidence))
    return tag(
        "li",
        tag("code", finding.name),
        tag("p", in_text(finding.message)),
        tag("p", "→ ", in_text(finding.advice)),
        evidence if finding.evidence else None,
    )


def origin(sheet: Sheet, version: str) -> Html:
    """Provenance needed to reproduce the report: version, seeds and reading options."""
    configs = [_provenance(each.run.config) for each in sheet.rows]
    first, *others = configs
    shared = {
        key: value
        for key, value in first.items()
        if all(key in other and other[key] == value for other in others)
    }
    parts = [_terms({"airlag": version} | shared)]
    for each, config in zip(sheet.rows, configs, strict=True):
        own = {key: value for key, value in config.items() if key not in shared}
        known = {"link": each.run.link, "seed": each.run.seed}
        text = {key: value for key, value in known.items() if value is not None} | own
        if text:  # Otherwise the shared table is complete.
            entries = _terms({"source": each.run.source} | text)
            parts.append(tag("section", tag("h3", each.name), entries, data_run=each.number))
    return joined(tag("h2", "Provenance", id="origin"), parts)


def _provenance(config: Mapping[str, Any]) -> dict[str, Any]:
    """Configuration of a run without its outcome."""
    return {key: value for key, value in config.items() if key not in ("causes", "matched")}


def _terms(entries: Mapping[str, Any]) -> Html:
    lines = []
    for key, value in entries.items():
        # The unit is shown with the value.
        base = str(key).removesuffix("_ns")
        called = _LABELS.get(base, base.replace("_", " "))
        lines += [tag("dt", called), tag("dd", _formatted(str(key), value))]
    return tag("dl", lines)


#: Labels of entries whose keys are not self-explanatory.
_LABELS: Mapping[str, str] = _TERMS["labels"]


def _formatted(key: str, value: object) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{k}={_formatted(str(k), its)}" for k, its in value.items()) or "none"
        case list() | tuple():
            shown = ", ".join(_formatted(key, each) for each in value[:LISTED]) or "none"
            more = len(value) - LISTED
            return f"{shown} and {more} more" if more > 0 else shown
        case None:
            return "not given"
        case bool():
            return "yes" if value else "no"
        case int() | float() if key.endswith("_ns"):
            return quantity.duration(value, digits=6)
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def constants(sheet: Sheet) -> Html:
    """Tables of every constant of the emulated links; empty for captures."""
    made = (row.run for row in sheet.rows if row.run.link and "settings" in row.run.config)
    links, known = dict.fromkeys(run.link for run in made), set(_airlag.links())
    # Constants as of this version, each link once.
    found = [profiles.link(link) for link in links if link in known]
    if not found:
        return Html()
    kinds: dict[str, list[Mapping[str, Any]]] = {}
    for profile in found:
        kinds.setdefault(profile["kind"], []).append(profile)
    return joined(
        tag("h2", "Sources of the constants", id="sources"),
        (_table(kind, of_kind) for kind, of_kind in kinds.items()),
        tag("ul", tags("li", _documents(found))),
    )


def reference(document: Mapping[str, Any]) -> Html:
    """Bibliographic reference: linked title, author, edition and year."""
    text = (document[name] for name in ("author", "version", "year"))
    rest = (f", {each}" for each in text if each is not None)
    return joined(tag("a", document["title"], href=document["url"]), rest)


def _table(kind: str, profiles: list[Mapping[str, Any]]) -> Html:
    # Links by constant, value and source.
    rows: dict[tuple[str, str, str], list[str]] = {}
    for profile in profiles:
        for name, one in profile["parameters"].items():
            text = (
                name,
                f"{plain(one['value'])} {one['unit']}".rstrip(),
                f"{one['source']}: {one['from']}",
            )
            rows.setdefault(text, []).append(profile["name"])
    lines = (
        tag("tr", tags("td", [*text, "" if len(links) == len(profiles) else ", ".join(links)]))
        for text, links in sorted(rows.items(), key=lambda row: row[0][0])
    )
    head = heads("constant", "value", "source", "links")
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


#: Definitions of terms.
MEANS: Mapping[str, str] = _TERMS["definitions"]
#: Unambiguous terms that are explained in running text.
_FOUND = re.compile(r"(?<![\w/])(?:R(?= =| of)|KS|censored|ppm)(?!\w)")


def explained(word: str) -> Html:
    """Returns a term with its definition as a tooltip; other words unchanged."""
    if word not in MEANS:
        return joined(word)
    return tag("dfn", word, class_="term", tabindex=0, title=MEANS[word])


def in_text(text: str) -> Html:
    """Returns a sentence in which the first use of each term has a tooltip."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        word = match[0]
        if word in seen:
            return word
        seen.add(word)
        return explained(word)

    return Html(_FOUND.sub(first, escape(text)))
