"""The page of a campaign: its answer, then each family of links, and where to read on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from airlag._airlag import __version__
from airlag.core.quantity import Unit, share
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run
from airlag.views.campaign_results import LEGEND, UNKNOWN, Line, Results, figure, published, unit_of
from airlag.views.html import Html, heads, joined, row, table, tag, tags
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
    """Writes the page of a campaign, as :func:`airlag.views.pages.output.write`.

    Parameters
    ----------
    name, results
        Of the campaign; what it gave.
    reports
        By family, what its reports are called and where they are, relative to the page.
    """
    rows = sum(map(len, results.families.values()))
    sections = "\n".join(
        _section(each, lines, results, reports.get(each, []))
        for each, lines in results.families.items()
    )
    body = f"""{tag("h1", name)}
<p class="quiet">Links on the virtual bench beside what was published and captured of them: \
{rows} rows. Written by airlag {__version__}.</p>
{answer.answer(results)}
<h2>Families</h2>
{head.contents([(f"#{each}", each) for each in results.families])}
<p class="quiet">{LEGEND}</p>
{sections}"""
    page = shell.document(f"airlag: {name}", body)
    output.write(path, page.encode(), force=force)


def _section(
    name: str, lines: Sequence[Line], results: Results, reports: Sequence[tuple[str, str]]
) -> Html:
    links = [tag("a", called, href=where) for called, where in reports]
    further = [links[0], *((" · ", link) for link in links[1:])] if links else []
    from_ = dict.fromkeys(line.known.published_from for line in lines if line.known.published_from)
    return joined(
        tag("h2", name, id=name),
        track.legend(map(Figures.of, lines)),
        _table(lines, results),
        tag("p", f"Published: {'; '.join(from_)}.", class_="quiet") if from_ else None,
        tag("p", "Every transfer: ", further) if further else None,
    )


def _table(lines: Sequence[Line], results: Results) -> Html:
    unit = unit_of(lines)
    axis = Axis.of_lines(map(Figures.of, lines))
    groups = [terms.explained(column.head) for column in results.columns]
    payload = "" if all(line.size is None for line in lines) else "B"
    figures = [*map(terms.explained, QUANTILES), terms.explained("lost")] * len(results.columns)
    return table(
        f"Latency of the delivered transfers, {unit.name}. A lost transfer has none.",
        [
            heads("link", payload),
            axis.head(AMONG_COLUMNS),
            heads("published", *figures, terms.explained("floor")),
        ],
        (
            row(
                line.name,
                "" if line.size is None else str(line.size),
                axis.cell(Figures.of(line)),
                published(line, unit),
                *(cell for of in results.columns for cell in _figures(of.of(line), unit)),
                figure(line.known.floor_ns, unit),
            )
            for line in lines
        ),
        above=[
            tag("th", colspan=4),
            tags("th", groups, scope="colgroup", colspan=3),
            tag("th"),
        ],
        class_="tracks family",
        style=axis.grid(),
    )


def _figures(run: Run | None, unit: Unit) -> list[str]:
    if run is None:
        return [UNKNOWN] * (len(QUANTILES) + 1)
    latency, lost = run.latency, run.count(Outcome.LOST)
    part = tag("span", share(lost, len(run.outcome)), class_="lost") if lost else "0"
    told = [figure(None if latency is None else latency[name], unit) for name in QUANTILES]
    return [*told, part]
