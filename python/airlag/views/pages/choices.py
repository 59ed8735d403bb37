"""Choices as pictures: the matrix of a recommendation, its candidates, rankings, and shares."""

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

#: What stands behind a value, by its verdict.
MARKS: dict[RecommendVerdict, str] = {"passes": "", "close": " ~", "undecided": " ?", "fails": " !"}
#: What stands in the place of one.
WORDS: dict[RecommendVerdict, str] = {
    "passes": "allowed",
    "close": "close",
    "undecided": "unknown",
    "fails": "not allowed",
}
#: Digits of a value.
DIGITS = 3
READING = [
    "Value of the nearest configuration of each link; in brackets, its distance from a limit that "
    "it does not meet."
]


def write(
    told: Recommendation, path: str | os.PathLike[str], asked: str, *, force: bool = False
) -> None:
    """Writes the matrix; the ending of the path, ``.svg``, ``.png`` or ``.html``, decides as what.

    ``asked`` is what is required, in words. A page has the settings, the reasons and the command
    of each link below the picture.
    """
    drawn = chart(told, asked)

    def page() -> str:
        body = joined(
            tag("h1", "Recommendation"),
            tag("p", asked),
            Html(shell.NOSCRIPT),
            shell.figure("matrix", asked, drawn),
            html_table("Each link", heads(*HEADS), _rows(told)),
        )
        return shell.document(f"airlag: {asked}", body, {"matrix": drawn})

    output.draw(path, "a matrix", page, lambda: drawn_svg(drawn), force=force)


def chart(told: Recommendation, asked: str) -> Spec:
    """Draws the matrix; a row is a link, the best first."""
    found = _ordered(told)
    rows = [(each, one) for each in found for one in each.criteria]
    used = [name for name in VERDICT_COLOURS if name in {one.verdict for _, one in rows}]
    values: dict[str, Any] = {
        "title": asked,
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
    """A value with its mark, and its distance from a limit that it does not meet."""
    if one.value is None or one.name == "law":
        return WORDS[one.verdict]
    beyond = one.distance is not None and one.verdict == "fails"
    by = f" ({number(one.distance, DIGITS)})" if beyond and one.distance is not None else ""
    return f"{number(one.value, DIGITS)}{MARKS[one.verdict]}{by}"


def _ordered(told: Recommendation) -> list[Candidate]:
    return [each for verdict in VERDICTS for each in told.those_that(verdict)]


def _name(each: Candidate) -> str:
    own = list(each.settings.items())[len(each.settings) - each.tuned :]
    return " ".join([each.link, *(f"{name}={value}" for name, value in own)])


def _head(one: Criterion) -> str:
    return one.name if one.name == "law" or not one.unit else f"{one.name}, {one.unit}"


#: Heads of the table of a page.
HEADS = ("link", "verdict", "settings", "requirements that it fails", "why", "command")


def _rows(told: Recommendation) -> Iterator[str]:
    for each in _ordered(told):
        settings = " ".join(_name(each).split(" ")[1:])
        failing = (one for one in each.criteria if one.verdict == "fails")
        beyond = "; ".join(f"{one.name}: {one.reason}" for one in failing)
        command = tag("code", " ".join(each.command))
        yield row(each.link, each.verdict, settings, beyond, each.reason, tag("td", command))


#: Most rows of a chart; the data frame has all.
MOST = 40
#: Colours of verdicts: what meets the deadline, what may, what does not.
VERDICT_COLOURS = {
    "passes": theme.RUN_COLOURS[2],
    "close": theme.RUN_COLOURS[1],
    "undecided": theme.RUN_COLOURS[1],
    "fails": theme.CENSORED,
}


def candidates(rows: Sequence[tuple[str, float, float | None, str]], task: Task) -> Spec:
    """Candidates of a recommendation: a bar from median to percentile, beside the deadline.

    Parameters
    ----------
    rows
        Name, median and percentile in ns (``None``: more than that share is lost), and verdict.
    task
        The question.
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
    """Candidates of a ranking, nearest first: name, distance as a share, whether it explains."""
    words = {True: "explains the capture", False: "does not"}
    # Where all agree, the axis still has a length.
    furthest = max(1.0, *(110 * distance for _, distance, _ in rows[:MOST]))
    values = {
        "title": "Distance of each link from the capture",
        "reading": "Smallest share such that all but this share of the latencies agree within it.",
        "x_title": "distance from the capture",
        "scale": {"domain": [0.0, furthest], "nice": False, "zero": False},
        "kinds": list(words.values()),
        "colours": [VERDICT_COLOURS["passes"], theme.CENSORED],
    }
    return _shares([(name, distance, words[explains]) for name, distance, explains in rows], values)


def spent(told: Goodput, title: str) -> Spec:
    """Saturated time of a link by what it was spent on, most first.

    Raises
    ------
    ValueError
        With one line, when it was not recorded.
    """
    whole = sum(one.ns for one in told.spent)
    if not whole:
        raise ValueError(f"{told.link}: what its time went to is not known, nothing to draw")
    kinds = [kind for kind in COLOURS if kind in {one.kind for one in told.spent[:MOST]}]
    values = {
        "title": title,
        "reading": "Where the time goes while the link is saturated.",
        "x_title": "share of the time",
        "scale": {},
        "kinds": kinds,
        "colours": [COLOURS[kind] for kind in kinds],
    }
    return _shares([(one.name, one.ns / whole, one.kind) for one in told.spent], values)


def _shares(rows: Sequence[tuple[str, float, str]], values: Mapping[str, Any]) -> Spec:
    """Bars of shares: name, share, and kind, which is its colour."""
    shown = [(name, 100 * share, kind, percent(share)) for name, share, kind in rows[:MOST]]
    shares = table(("nametext", "share", "kindtext", "sharetext"), shown)
    filled = {**values, "left_out": _left_out(len(rows))}
    return fill("shares", filled, {"shares": shares})


def _left_out(rows: int) -> str:
    return "" if rows <= MOST else f"The first {MOST} of {rows}."
