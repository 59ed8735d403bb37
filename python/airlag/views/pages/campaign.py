"""The page of a campaign: its answer, then each family of links, and where to read on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from airlag._airlag import __version__
from airlag.core.quantity import Unit, share
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run
from airlag.views.campaign_results import LEGEND, UNKNOWN, Line, Results, figure, published, unit_of
from airlag.views.pages import answer, head, output, shell, terms, track
from airlag.views.pages.track import AMONG_COLUMNS, Axis, Figures

QUANTILES: tuple[Percentile, ...] = ("p50", "p99")


def write_campaign(
    name: str,
    results: Results,
    reports: Mapping[str, Sequence[tuple[str, str]]],
    path: Path,
    *,
    force: bool = False,
) -> None:
    """Write the page of a campaign.

    Parameters
    ----------
    name
        Of the campaign.
    results
        What it gave.
    reports
        By family, what its reports are called and where they are, relative to the page.
    path
        The page; it appears complete or not at all.
    force
        Replace a file that is there even if airlag did not draw it.

    Raises
    ------
    FileExistsError
        When the file is there and not airlag's, unless ``force``.
    OSError
        When it cannot be written.
    """
    rows = sum(map(len, results.families.values()))
    sections = "\n".join(
        _section(each, lines, results, reports.get(each, []))
        for each, lines in results.families.items()
    )
    body = f"""<h1>{escape(name)}</h1>
<p class="quiet">Links on the virtual bench beside what was published and captured of them: \
{rows} rows. Written by airlag {escape(__version__)}.</p>
{answer.answer(results)}
<h2>Families</h2>
{head.contents([(f"#{each}", each) for each in results.families])}
<p class="quiet">{escape(LEGEND)}</p>
{sections}"""
    page = shell.document(f"airlag: {name}", body)
    output.write(path, page.encode(), force=force)


def _section(
    name: str, lines: Sequence[Line], results: Results, reports: Sequence[tuple[str, str]]
) -> str:
    further = " · ".join(
        f'<a href="{escape(where)}">{escape(called)}</a>' for called, where in reports
    )
    return (
        f'<h2 id="{escape(name)}">{escape(name)}</h2>\n'
        + track.legend(map(Figures.of, lines))
        + _table(lines, results)
        + _published(lines)
        + (f"<p>Every transfer: {further}</p>" if further else "")
    )


def _published(lines: Sequence[Line]) -> str:
    """Name the articles that the published figures of a family are from."""
    told = dict.fromkeys(line.known.published_from for line in lines)
    articles = "; ".join(escape(article) for article in told if article is not None)
    return f'<p class="quiet">Published: {articles}.</p>\n' if articles else ""


def _table(lines: Sequence[Line], results: Results) -> str:
    unit = unit_of(lines)
    axis = Axis.of(map(Figures.of, lines))
    above = '<th colspan="4"></th>' + "".join(
        f'<th scope="colgroup" colspan="3">{_headed(column.head)}</th>'
        for column in results.columns
    )
    payload = "" if all(line.size is None for line in lines) else "B"
    figures = [*map(terms.explained, QUANTILES), terms.explained("lost")]
    heads = ["published", *figures * len(results.columns), terms.explained("floor")]
    first = "".join(f'<th scope="col">{each}</th>' for each in ("link", payload))
    row_head = (
        first + axis.head(AMONG_COLUMNS) + "".join(f'<th scope="col">{each}</th>' for each in heads)
    )
    rows = "\n".join(_row(line, results, unit, axis) for line in lines)
    return (
        f'<div class="scroll"><table class="tracks family" style="{axis.grid()}">'
        f"<caption>Latency of the delivered transfers, {unit.name}. A lost transfer has none."
        "</caption>"
        f"<thead><tr>{above}<th></th></tr><tr>{row_head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
        "</table></div>\n"
    )


def _headed(head: str) -> str:
    """The head of a column, which explains itself where it is a word of the trade."""
    return terms.explained(head) if head in terms.MEANS else escape(head)


def _row(line: Line, results: Results, unit: Unit, axis: Axis) -> str:
    size = "" if line.size is None else str(line.size)
    cells = [published(line, unit)]
    for column in results.columns:
        cells += _figures(column.of(line), unit)
    cells.append(figure(line.known.floor_ns, unit))
    told = "".join(f"<td>{cell}</td>" for cell in cells)
    return (
        f'<tr><th scope="row">{escape(line.name)}</th><td>{size}</td>'
        f"{axis.cell(Figures.of(line))}{told}</tr>"
    )


def _figures(run: Run | None, unit: Unit) -> list[str]:
    if run is None:
        return [UNKNOWN] * (len(QUANTILES) + 1)
    latency = run.latency
    lost = run.count(Outcome.LOST)
    losses = f'<span class="lost">{share(lost, len(run.outcome))}</span>' if lost else "0"
    return [
        *(figure(None if latency is None else latency[name], unit) for name in QUANTILES),
        losses,
    ]
