"""The words of a page: what arrived and how fast, what was found, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from airlag.core import quantity
from airlag.core.display import printable
from airlag.questions.runs import Finding, Outcome
from airlag.views.pages import terms
from airlag.views.pages.sheet import Row, Sheet
from airlag.views.run_names import shared

#: Quantiles of the table.
QUANTILES = ("p50", "p95", "p99")

#: Stands where a table of latencies has nothing to say, and where nothing was delivered.
CANNOT_SHOW = "–"

#: Members of a list shown as evidence; the rest is counted.
LISTED = 24


def summary(sheet: Sheet) -> str:
    """Table of the runs: triggers, what became of them, latencies with their intervals."""
    unit = "" if sheet.mixed else f", {sheet.unit.name}"
    heads = "".join(
        f'<th scope="col">{head}</th>'
        for head in (
            "run",
            "payload",
            "triggers",
            "delivered",
            terms.explained("lost"),
            terms.explained("censored"),
            *(f"{terms.explained(name)}{unit}" for name in QUANTILES),
            f"max{unit}",
        )
    )
    heads += '<th scope="col" class="beyond" hidden>beyond the deadline</th>'
    rows = "\n".join(_summary_row(sheet, row) for row in sheet.rows)
    bracketed = any(row.interval(name) for row in sheet.rows for name in QUANTILES)
    note = " Small print: intervals of 95 % confidence." if bracketed else ""
    together = shared([row.run for row in sheet.rows])
    alike = f" {escape(together)}" if together else ""
    return (
        '<div class="scroll"><table id="summary">'
        f"<caption>Latency of the delivered transfers. A lost transfer has none.{note}{alike}"
        "</caption>"
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _summary_row(sheet: Sheet, row: Row) -> str:
    run = row.run
    named = "" if row.name == run.source else f"<small>{escape(printable(run.source))}</small>"
    cells = [
        "" if run.size is None else f"{quantity.count(run.size)} B",
        quantity.count(len(run.outcome)),
        quantity.count(len(row.latency)) + _late(row),
        _lost(row),
        CANNOT_SHOW if run.trigger_ns is None else quantity.count(row.censored),
        *(_quantile(sheet, row, name) for name in (*QUANTILES, "max")),
    ]
    return (
        f'<tr data-run="{row.number}"><th scope="row">'
        f'<span class="swatch" style="background:{row.colour}"></span>'
        f"{escape(row.name)}{named}</th>"
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + f'<td class="beyond" data-of="{row.number}" hidden></td></tr>'
    )


def _late(row: Row) -> str:
    late = len(row.indices(Outcome.LATE))
    return f"<small>{quantity.count(late)} late</small>" if late else ""


def _lost(row: Row) -> str:
    if row.run.trigger_ns is None:
        return CANNOT_SHOW
    if not row.lost:
        return "0"
    text = f"{quantity.share(row.lost, row.known)}"
    if row.run.delivery is not None:
        ends = reversed(row.run.delivery["interval95"])
        low, high = (100.0 * (1.0 - float(end)) for end in ends)
        text += f", {low:.2g} to {high:.2g} %"
    return f'<span class="lost">{quantity.count(row.lost)}</span><small>{text}</small>'


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
    return f"{told}<small>{low} to {high}</small>"


def findings(sheet: Sheet) -> str:
    """List, run by run, what was found and what to do about it."""
    blocks = [_findings_of(row) for row in sheet.rows if row.run.findings]
    if not blocks:
        return '<h2 id="findings">Findings</h2>\n<p>None: nothing in these runs needs a remark.</p>'
    return '<h2 id="findings">Findings</h2>\n' + "\n".join(blocks)


def _findings_of(row: Row) -> str:
    items = "".join(_finding(finding) for finding in row.run.findings)
    return (
        f'<section data-run="{row.number}"><h3>{escape(row.name)}</h3>\n'
        f'<ul class="findings">{items}</ul></section>'
    )


def _finding(finding: Finding) -> str:
    return (
        f"<li><code>{escape(finding.name)}</code><p>{terms.in_text(finding.message)}</p>"
        f"<p>→ {terms.in_text(finding.advice)}</p>{_evidence(finding.evidence)}</li>"
    )


def _evidence(evidence: Mapping[str, Any]) -> str:
    if not evidence:
        return ""
    return f"<details><summary>evidence</summary>{_terms(evidence)}</details>"


def origin(sheet: Sheet, version: str) -> str:
    """List what it takes to make the report again: version, seeds, how the runs were read."""
    configs = [_provenance(row.run.config) for row in sheet.rows]
    shared = _shared(configs)
    parts = [_terms({"airlag": version} | shared)]
    for row, config in zip(sheet.rows, configs, strict=True):
        own = {key: value for key, value in config.items() if key not in shared}
        known = {"link": row.run.link, "seed": row.run.seed}
        told = {key: value for key, value in known.items() if value is not None} | own
        if not told:
            continue  # The table above says the rest.
        told = {"source": row.run.source} | told
        parts.append(
            f'<section data-run="{row.number}"><h3>{escape(row.name)}</h3>{_terms(told)}</section>'
        )
    return '<h2 id="origin">Where this comes from</h2>\n' + "\n".join(parts)


def _provenance(config: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was made and read, without what it resulted in."""
    return {key: value for key, value in config.items() if key not in ("causes", "matched")}


def _shared(configs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Entries that are the same in every configuration."""
    first, *others = configs
    return {
        key: value
        for key, value in first.items()
        if all(key in other and other[key] == value for other in others)
    }


def _terms(entries: Mapping[str, Any]) -> str:
    lines = "".join(
        f"<dt>{escape(_called(str(key)))}</dt><dd>{escape(_told(str(key), value))}</dd>"
        for key, value in entries.items()
    )
    return f"<dl>{lines}</dl>"


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


def _called(key: str) -> str:
    """An entry as a person would write it: its unit is with its value."""
    base = key.removesuffix("_ns")
    return _CALLED.get(base, base.replace("_", " "))


def _told(key: str, value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{each}={_told(str(each), its)}" for each, its in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        shown = ", ".join(_told(key, each) for each in value[:LISTED]) or "none"
        more = len(value) - LISTED
        return f"{shown} and {more} more" if more > 0 else shown
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key.endswith("_ns") and isinstance(value, (int, float)):
        return quantity.duration(value, quantity.unit_for([float(value)]), 6)
    return f"{value:.10g}" if isinstance(value, float) else str(value)
