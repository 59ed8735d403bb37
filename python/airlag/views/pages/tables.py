"""The words of a page: what arrived and how fast, what was found, and where it comes from.

Terms are explained where they stand; constants of virtual runs cite their documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from airlag import _airlag
from airlag.core import profiles, quantity
from airlag.core.display import printable
from airlag.questions.identity import plain
from airlag.questions.runs import Finding, Outcome
from airlag.views.html import Html, heads, joined, row, table, tag, tags
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.run_names import shared

#: Quantiles of the table.
QUANTILES = ("p50", "p95", "p99")

#: Stands where a table of latencies has nothing to say, and where nothing was delivered.
CANNOT_SHOW = "–"

#: Members of a list shown as evidence; the rest is counted.
LISTED = 24


def summary(sheet: Sheet) -> Html:
    """Table of the runs: triggers, what became of them, latencies with their intervals."""
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
    note = " Small print: intervals of 95 % confidence." if bracketed else ""
    together = shared([each.run for each in sheet.rows])
    alike = f" {together}" if together else ""
    return table(
        f"Latency of the delivered transfers. A lost transfer has none.{note}{alike}",
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
    told = quantity.number(value / unit.ns, row.digits(unit))
    told += f" {unit.name}" if sheet.mixed else ""
    ends = row.interval(name)
    if ends is None:
        return told
    low, high = (
        "…" if end is None else quantity.number(end / unit.ns, row.digits(unit)) for end in ends
    )
    return joined(told, tag("small", f"{low} to {high}"))


def findings(sheet: Sheet) -> Html:
    """List, run by run, what was found and what to do about it."""
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
    nothing = tag("p", "None: nothing in these runs needs a remark.")
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
    """List what it takes to make the report again: version, seeds, how the runs were read."""
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
        told = {key: value for key, value in known.items() if value is not None} | own
        if told:  # Otherwise the table above has all.
            entries = _terms({"source": each.run.source} | told)
            parts.append(tag("section", tag("h3", each.name), entries, data_run=each.number))
    return joined(tag("h2", "Where this comes from", id="origin"), parts)


def _provenance(config: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was made and read, without its outcome."""
    return {key: value for key, value in config.items() if key not in ("causes", "matched")}


def _terms(entries: Mapping[str, Any]) -> Html:
    lines = []
    for key, value in entries.items():
        # As a person would write it: its unit is with its value.
        base = str(key).removesuffix("_ns")
        called = _CALLED.get(base, base.replace("_", " "))
        lines += [tag("dt", called), tag("dd", _told(str(key), value))]
    return tag("dl", lines)


#: What entries are called whose own names would not tell.
_CALLED = {
    "min_low": "shortest low before a trigger",
    "overlap": "latest completion",
    "invert": "active low",
    "service": "the link needs at least",
    "r": "R of completions",
    "r_trigger": "R of triggers",
    "p": "p by chance",
    "runs_p": "p of the runs of losses",
    "ln_odds": "odds, logarithm",
    "n": "transfers",
}


def _told(key: str, value: object) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{k}={_told(str(k), its)}" for k, its in value.items()) or "none"
        case list() | tuple():
            shown = ", ".join(_told(key, each) for each in value[:LISTED]) or "none"
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
            told = (
                name,
                f"{plain(one['value'])} {one['unit']}".rstrip(),
                f"{one['source']}: {one['from']}",
            )
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


MEANS = {
    "censored": "The capture ends, or has a gap, before anybody can know whether it arrived: "
    "neither delivered nor lost.",
    "lost": "Its window closed without a completion: it never arrived, and so has no latency.",
    "late": "It came after the next trigger.",
    "R": "How closely events keep to one phase of a clock: 1 is all at the same phase, 0 is spread "
    "evenly over its period.",
    "KS": "Distance of Kolmogorov and Smirnov: the most by which two distributions differ in the "
    "share within any one latency; 0 is alike, 1 is apart.",
    "p50": "Half of the delivered transfers take at most this long: the median.",
    "p95": "95 of 100 delivered transfers take at most this long.",
    "p99": "99 of 100 delivered transfers take at most this long.",
    "ppm": "Parts per million: by how much two crystals differ.",
    "floor": "What no program on this link can go below.",
    "asynchronous": "Triggers that know of no tick, which is what a user feels.",
    "frozen phase": "Triggers exactly one period apart, as in the captures, so that every one "
    "meets whatever ticks at the same phase; which phase, the seed decides.",
}
#: Words that are found in running text: none of them is anything else there.
_FOUND = re.compile(r"(?<![\w/])(?:R(?= =| of)|KS|censored|ppm)(?!\w)")


def explained(word: str) -> Html:
    """A word that explains itself when it is pointed at or reached by the keys, if it is one."""
    if word not in MEANS:
        return joined(word)
    return tag("dfn", word, class_="term", tabindex=0, title=MEANS[word])


def in_text(text: str) -> Html:
    """Write a sentence; the first of each word of the trade in it explains itself."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        word = match[0]
        if word in seen:
            return word
        seen.add(word)
        return explained(word)

    return Html(_FOUND.sub(first, escape(text)))
