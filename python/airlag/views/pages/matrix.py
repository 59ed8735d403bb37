"""The matrix of a recommendation: every link against every requirement, as a picture or a page."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airlag.core.quantity import number
from airlag.core.records import Criterion
from airlag.questions.recommendation import VERDICTS, Candidate, Recommendation
from airlag.views.html import Html, heads, joined, row, table, tag
from airlag.views.notebook.charts import VERDICTS as COLOURS
from airlag.views.pages import output, shell
from airlag.views.pages.output import drawn_svg
from airlag.views.pages.spec import Spec, fill

if TYPE_CHECKING:
    from airlag.core.types import RecommendVerdict

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
            table("Each link", heads(*HEADS), _rows(told)),
        )
        return shell.document(f"airlag: {asked}", body, {"matrix": drawn})

    rule = "a matrix is a .svg, .png or .html file"
    output.draw(path, rule, page, lambda: drawn_svg(drawn), force=force)


def chart(told: Recommendation, asked: str) -> Spec:
    """Draws the matrix; a row is a link, the best first."""
    found = _ordered(told)
    rows = [(each, one) for each in found for one in each.criteria]
    used = [name for name in COLOURS if name in {one.verdict for _, one in rows}]
    values: dict[str, Any] = {
        "title": asked,
        "reading": READING,
        "verdicts": used,
        "colours": [COLOURS[verdict] for verdict in used],
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
