"""The page of an explained run: its picture, what to change, and the numbers behind it."""

from __future__ import annotations

from airlag.core import payload, quantity
from airlag.questions.budget import Advice, Explained
from airlag.views.advice import steps
from airlag.views.html import Html, heads, row, table, tag, tags
from airlag.views.pages import shell
from airlag.views.slice_colours import COLOURS


def page(told: Explained, picture: str, advice: Advice | None) -> str:
    """The picture of a run that delivered something, as SVG text, with its table and advice."""
    assert told.budget is not None
    budget, unit = told.budget, quantity.unit_for([told.budget.median.latency_ns])

    def line(name: list[str], *spent_ns: float) -> Html:
        return row(name, *(quantity.number(ns / unit.ns) for ns in spent_ns))

    rows = [
        line(
            [tag("i", style=f"background:{COLOURS[item.kind]}"), item.name],
            item.mean_ns,
            *(each.spent_ns(item.name, item.kind) for each in (budget.median, budget.p99)),
        )
        for item in budget.items
    ]
    rows.append(line(["sum"], budget.mean_ns, budget.median.latency_ns, budget.p99.latency_ns))
    terms = (
        f"{term.name}: {term.count} × "
        f"{quantity.duration(term.each_ns, quantity.unit_for([term.each_ns]))} ({term.source})"
        for term in told.floor.terms
    )
    title = f"airlag: {', '.join(payload.words(told.request.link, told.request.size))}"
    label = f"{title}: where the time goes"
    body = f"""{tag("figure", Html(picture), tabindex=0, role="img", aria_label=label)}
{_advice(advice, told)}{table(None, heads(unit.name, "mean", "median", "p99"), rows)}
{tag("h2", f"The floor: {quantity.duration(told.floor.ns, unit)}")}
{tag("ul", tags("li", terms))}
"""
    return shell.whole(title, body, style="packet.css")


def _advice(advice: Advice | None, told: Explained) -> str:
    """What to change, a line each; how it was found below."""
    if advice is None:
        return ""
    items, notes = [], []
    for step in steps(advice, told.floor):
        if step.lead:
            changed = [f"{step.lead}: ", tag("code", step.settings), Html("<br>"), step.says]
            items.append(tag("li", changed))
        else:
            notes.append(tag("p", step.says, class_="quiet" if step.kind == "method" else None))
    changes = tag("ul", items) if items else None
    return tag("section", tag("h2", "What to change"), changes, notes, id="advice")
