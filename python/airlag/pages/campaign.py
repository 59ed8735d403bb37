"""The page of a campaign: each family of links as a picture and a table, and where to read on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from altair.utils.schemapi import debug_mode

from airlag._airlag import __version__
from airlag.json_types.run import Percentile
from airlag.pages import family, output, shell
from airlag.quantity import Unit, share
from airlag.results import LEGEND, UNKNOWN, Line, Results, figure, published, unit_of
from airlag.runs import Outcome, Run

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
    contents = " · ".join(
        f'<a href="#{escape(each)}">{escape(each)}</a>' for each in results.families
    )
    sections = "\n".join(
        _section(each, lines, results, reports.get(each, []))
        for each, lines in results.families.items()
    )
    body = f"""<h1>{escape(name)}</h1>
<p class="quiet">Links on the virtual bench beside what was published and captured of them: \
{rows} rows. Written by airlag {escape(__version__)}.</p>
<p>{contents}</p>
<p class="quiet">{escape(LEGEND)}</p>
{shell.NOSCRIPT}
{sections}"""
    # Checking each piece against the schema takes as long as the rest; the tests check the whole.
    with debug_mode(False):
        charts = {each: family.chart(each, lines) for each, lines in results.families.items()}
    page = shell.document(f"airlag: {name}", body, charts)
    output.write(path, page.encode(), force=force)


def _section(
    name: str, lines: Sequence[Line], results: Results, reports: Sequence[tuple[str, str]]
) -> str:
    further = " · ".join(
        f'<a href="{escape(where)}">{escape(called)}</a>' for called, where in reports
    )
    return (
        f'<h2 id="{escape(name)}">{escape(name)}</h2>\n'
        + shell.figure(name, family.described(name, lines))
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
    above = '<th colspan="3"></th>' + "".join(
        f'<th scope="colgroup" colspan="3">{escape(column.head)}</th>' for column in results.columns
    )
    payload = "" if all(line.size is None for line in lines) else "B"
    heads = ["link", payload, "published", *[*QUANTILES, "lost"] * len(results.columns), "floor"]
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    rows = "\n".join(_row(line, results, unit) for line in lines)
    return (
        f'<div class="scroll"><table class="campaign">'
        f"<caption>Latency of the delivered transfers, {unit.name}. A lost transfer has none."
        "</caption>"
        f"<thead><tr>{above}<th></th></tr><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
        "</table></div>\n"
    )


def _row(line: Line, results: Results, unit: Unit) -> str:
    cells = ["" if line.size is None else str(line.size), published(line, unit)]
    for column in results.columns:
        cells += _figures(column.of(line), unit)
    cells.append(figure(line.known.floor_ns, unit))
    told = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><th scope="row">{escape(line.name)}</th>{told}</tr>'


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
