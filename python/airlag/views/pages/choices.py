"""Charts of recommendations, rankings, and time by class."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from airlag.core.quantity import exact, number, percent, unit_for
from airlag.core.records import Criterion
from airlag.core.types import RecommendVerdict
from airlag.questions.load import Goodput
from airlag.questions.recommendation import VERDICTS, Candidate, Recommendation, Task
from airlag.views.html import Html, heads, joined, row, tag
from airlag.views.html import table as html_table
from airlag.views.pages import output, shell, theme
from airlag.views.pages.marks import table
from airlag.views.pages.output import drawn_svg
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import Spec, fill
from airlag.views.pages.theme import COLOURS

#: Suffix of a value, by verdict.
MARKS: dict[RecommendVerdict, str] = {"passes": "", "close": " ~", "undecided": " ?", "fails": " !"}
#: Text that replaces a value, by verdict.
WORDS: dict[RecommendVerdict, str] = {
    "passes": "allowed",
    "close": "close",
    "undecided": "unknown",
    "fails": "not allowed",
}
#: Significant digits of a value.
DIGITS = 3
READING = [
    "Each value belongs to the best configuration of its link. If the value misses the limit, the "
    "shortfall follows in parentheses."
]


def write(result: Recommendation, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes the matrix as ``.svg``, ``.png`` or ``.html``, chosen by the file extension.

    A page also lists the settings, reasons and command of each link.
    """
    asked, drawn = " · ".join(result.requirements), chart(result)

    def page() -> str:
        body = joined(
            tag("h1", "Recommendation"),
            tag("p", asked),
            Html(shell.NOSCRIPT),
            shell.figure("matrix", asked, drawn),
            html_table("Each link", heads(*HEADS), _rows(result)),
        )
        return shell.document(f"airlag: {asked}", body, {"matrix": drawn})

    output.draw(path, "a matrix", page, lambda: drawn_svg(drawn), force=force)


def chart(result: Recommendation) -> Spec:
    """Returns the matrix chart; one row per link, best first."""
    found = _ordered(result)
    rows = [(each, one) for each in found for one in each.criteria]
    used = [name for name in VERDICT_COLOURS if name in {one.verdict for _, one in rows}]
    values: dict[str, Any] = {
        "title": " · ".join(result.requirements),
        "reading": READING,
        "verdicts": used,
        "colours": [VERDICT_COLOURS[verdict] for verdict in used],
    }
    columns = {
        "nametext": [_name(each) for each, _ in rows],
        "criteriontext": [_head(one) for _, one in rows],
        "verdicttext": [one.verdict for _, one in rows],
        "celltext": [cell(one) for _, one in rows],
        "reasontext": [one.reason for _, one in rows],
    }
    return fill("matrix", values, {"matrix": columns})


def cell(one: Criterion) -> str:
    """Returns a value with its mark, and its shortfall if it does not meet the limit."""
    if one.value is None or one.name == "law":
        return WORDS[one.verdict]
    beyond = one.distance is not None and one.verdict == "fails"
    by = f" ({number(one.distance, DIGITS)})" if beyond and one.distance is not None else ""
    return f"{number(one.value, DIGITS)}{MARKS[one.verdict]}{by}"


def _ordered(result: Recommendation) -> list[Candidate]:
    return [each for verdict in VERDICTS for each in result.those_that(verdict)]


def _name(each: Candidate) -> str:
    own = list(each.settings.items())[len(each.settings) - each.tuned :]
    return " ".join([each.link, *(f"{name}={value}" for name, value in own)])


def _head(one: Criterion) -> str:
    return one.name if one.name == "law" or not one.unit else f"{one.name}, {one.unit}"


#: Headings of the page's table.
HEADS = ("link", "verdict", "settings", "failed requirements", "why", "command")


def _rows(result: Recommendation) -> Iterator[str]:
    for each in _ordered(result):
        settings = " ".join(_name(each).split(" ")[1:])
        failing = (one for one in each.criteria if one.verdict == "fails")
        beyond = "; ".join(f"{one.name}: {one.reason}" for one in failing)
        command = tag("code", " ".join(each.command))
        yield row(each.link, each.verdict, settings, beyond, each.reason, tag("td", command))


#: Maximum rows of a chart; the data frame contains all rows.
MOST = 40
#: Colours of verdicts: meets the deadline, may meet it, does not.
VERDICT_COLOURS = {
    "passes": theme.RUN_COLOURS[2],
    "close": theme.RUN_COLOURS[1],
    "undecided": theme.RUN_COLOURS[1],
    "fails": theme.CENSORED,
}


def candidates(rows: Sequence[tuple[str, float, float | None, str]], task: Task) -> Spec:
    """Bars of the candidate links from median latency to percentile, with the deadline.

    Parameters
    ----------
    rows
        Name, median (ns), percentile (ns, ``None`` if too many messages are lost) and verdict.
    task
        Requirements, which contain the deadline and the percentile.
    """
    unit = unit_for([task.deadline_ns])
    shown = [
        (f"{place}. {name}", p50 / unit.ns, max(p50, high or p50) / unit.ns, verdict)
        for place, (name, p50, high, verdict) in enumerate(rows[:MOST], 1)
    ]
    deadline = task.deadline_ns / unit.ns
    found = {verdict for *_, verdict in shown}
    used = [verdict for verdict in VERDICT_COLOURS if verdict in found]
    size = "" if task.size is None else f"{task.size} B "
    values = {
        "title": f"{size}within {exact(task.deadline_ns)} at {task.name}",
        "percentile": task.name,
        "left_out": _left_out(len(rows)),
        "unit": unit.name,
        "axis": axis([deadline, *(end for _, *ends, _ in shown for end in ends)], log=True),
        "verdicts": used,
        "colours": [VERDICT_COLOURS[verdict] for verdict in used],
    }
    tables = {
        "candidates": table(("nametext", "p50", "end", "verdicttext"), shown),
        "deadline": {"at": [deadline]},
    }
    return fill("candidates", values, tables)


def distances(rows: Sequence[tuple[str, float, bool]]) -> Spec:
    """Candidates of a ranking, nearest first: name, distance (share), and whether the link fits."""
    words = {True: "explains the capture", False: "does not"}
    # Keeps the axis from collapsing when all distances are 0.
    furthest = max(1.0, *(110 * distance for _, distance, _ in rows[:MOST]))
    values = {
        "title": "Distance of each link from the capture",
        "reading": "Smallest d such that all latencies but a share d agree within a factor 1 + d.",
        "x_title": "distance from the capture",
        "scale": {"domain": [0.0, furthest], "nice": False, "zero": False},
        "kinds": list(words.values()),
        "colours": [VERDICT_COLOURS["passes"], theme.CENSORED],
    }
    return _shares([(name, distance, words[explains]) for name, distance, explains in rows], values)


def spent(result: Goodput, title: str) -> Spec:
    """Draws the time of a saturated link by class, largest share first.

    Raises :class:`ValueError` if the classes of time were not recorded.
    """
    whole = sum(one.ns for one in result.spent)
    if not whole:
        raise ValueError(f"{result.link}: no attribution of time, nothing to draw")
    kinds = [kind for kind in COLOURS if kind in {one.kind for one in result.spent[:MOST]}]
    values = {
        "title": title,
        "reading": "Where the time goes while the link is saturated.",
        "x_title": "share of time",
        "scale": {},
        "kinds": kinds,
        "colours": [COLOURS[kind] for kind in kinds],
    }
    return _shares([(one.name, one.ns / whole, one.kind) for one in result.spent], values)


def _shares(rows: Sequence[tuple[str, float, str]], values: Mapping[str, Any]) -> Spec:
    """Bar chart of rows of name, share and kind; the kind selects the colour."""
    shown = [(name, 100 * share, kind, percent(share)) for name, share, kind in rows[:MOST]]
    shares = table(("nametext", "share", "kindtext", "sharetext"), shown)
    filled = {**values, "left_out": _left_out(len(rows))}
    return fill("shares", filled, {"shares": shares})


def _left_out(rows: int) -> str:
    return "" if rows <= MOST else f"The first {MOST} of {rows}."
