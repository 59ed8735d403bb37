"""HTML page of a campaign: conclusions, a table per family of links, and URLs of the reports.

One cell per link shows the latency on a log axis: a bar from the median to p99, a tick at
the floor, and the published and captured medians. The marks scale with the browser window.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Self

from airlag import _airlag
from airlag.core import profiles, quantity
from airlag.questions.runs import Outcome, Percentile, Run
from airlag.views.campaign_results import LEGEND, UNKNOWN, Line, Results, tables, unit_of
from airlag.views.html import NAME_HAS, Html, heads, joined, options, row, table, tag, tags
from airlag.views.pages import output, shell
from airlag.views.pages.sheet import Scale
from airlag.views.pages.tables import explained
from airlag.views.table import Cell, Table


def write_campaign(
    name: str,
    results: Results,
    reports: Mapping[str, Sequence[tuple[str, str]]],
    path: Path,
    *,
    force: bool = False,
) -> None:
    """Writes the HTML page of a campaign to ``path``.

    Parameters
    ----------
    name, results
        Name and results of the campaign.
    reports
        Names and relative paths of the reports, by family of links.
    """
    rows = sum(map(len, results.families.values()))
    sections = "\n".join(
        _section(each, lines, made, reports.get(each, []))
        for (each, lines), made in zip(results.families.items(), tables(results), strict=True)
    )
    body = f"""{tag("h1", name)}
<p class="quiet">Links on the virtual bench beside published and captured figures: \
{rows} rows.</p>
{answer(results)}
<h2>Families</h2>
{shell.contents([(f"#{each}", each) for each in results.families])}
<p class="quiet">{LEGEND}</p>
{sections}"""
    page = shell.document(f"airlag: {name}", body)
    output.write(path, page.encode(), force=force)


def _section(
    name: str, lines: Sequence[Line], made: Table, reports: Sequence[tuple[str, str]]
) -> Html:
    links = [tag("a", called, href=where) for called, where in reports]
    further = [links[0], *((" · ", link) for link in links[1:])] if links else []
    from_ = dict.fromkeys(line.known.published_from for line in lines if line.known.published_from)
    return joined(
        tag("h2", name, id=name),
        legend(map(Figures.of, lines)),
        _table(lines, made),
        tag("p", f"Published: {'; '.join(from_)}.", class_="quiet") if from_ else None,
        tag("p", "Every transfer: ", further) if further else None,
    )


def _table(lines: Sequence[Line], made: Table) -> Html:
    axis = Axis.of_lines(map(Figures.of, lines))
    _, payload, *others = made.columns
    groups = dict.fromkeys(column.group for column in others if column.group)
    return table(
        f"Latency of delivered transfers, {unit_of(lines).name}. Lost transfers have no latency.",
        [
            heads("link", payload.name),
            axis.head(AMONG_COLUMNS),
            heads(*(explained(column.name) for column in others)),
        ],
        (
            row(line.name, _cell(size), axis.cell(Figures.of(line)), *map(_cell, cells))
            for line, (_, size, *cells) in zip(lines, made.rows, strict=True)
        ),
        above=[
            tag("th", colspan=4),
            tags("th", map(explained, groups), scope="colgroup", colspan=3),
            tag("th"),
        ],
        class_="tracks family",
        style=axis.grid(),
    )


def _cell(cell: Cell) -> str:
    text = str(cell.text)
    return tag("span", text, class_="lost") if cell.style else text


#: p99 / p50 above which a link has a long tail.
LONG_TAIL = 2.0

#: Column names of losses and of the figures, which are attributes of :class:`Figures`.
_FIGURES = ("median", "p99", "floor", "published", "captured")


def answer(results: Results) -> Html:
    """Returns the conclusions, then a table of all lines, fastest first, with marks on one axis.

    Fields to filter and sort are visible only if scripts run.
    """
    lines = [
        (family, line, Figures.of(line))
        for family, of_family in results.families.items()
        for line in of_family
    ]
    lines.sort(key=lambda each: (each[2].median is None, each[2].median or 0.0))
    every = [figures for *_, figures in lines]
    axis = Axis.of_lines(every)

    def head(key: str, shown: str | None = None) -> Html:
        button = tag("button", shown or key, type="button", data_sort=key)
        return tag("th", button, scope="col")

    return tag(
        "section",
        tags("p", conclusions(results)),
        _fields(results),
        legend(every),
        table(
            [
                "Latency of the delivered transfers. ",
                *_phase_words(every),
                " Lost transfers have no latency.",
            ],
            [
                *(head("name", "link"), head("size", "payload"), axis.head(WIDE)),
                *map(head, (*_FIGURES, "lost")),
            ],
            (_row(family, line, figures, axis) for family, line, figures in lines),
            class_="tracks",
            style=axis.grid(),
        ),
        id="answer",
    )


def conclusions(results: Results) -> list[str]:
    """Returns up to three sentences of conclusions derived from the figures.

    Compares radios (all links if there is none) at the most common payload (the smallest if tied).
    """
    lines = [line for family in results.families.values() for line in family]
    radios = [line for line in lines if _is_radio(line)] or lines
    sizes = Counter(line.size for line in radios)
    if not sizes:
        return []
    size = max(sizes, key=lambda each: (sizes[each], -(each or 0)))
    medians = [
        (line.name, figures, figures.median, figures.p99)
        for line in radios
        if line.size == size
        for figures in [Figures.of(line)]
    ]
    known = sorted(
        ((name, figures, p50, p99) for name, figures, p50, p99 in medians if p50 and p99),
        key=lambda each: each[2],
    )
    if not known:
        return []
    at = "" if size is None else f"At {quantity.count(size)} B "
    quickest, slowest = known[0], known[-1]
    what = "link" if any(not _is_radio(line) for line in radios) else "radio"
    first = (
        f"{at or 'Here '}the fastest {what} is {quickest[0]}: half of its messages arrive within "
        f"{quantity.duration(quickest[2])}, 99 of 100 within {quantity.duration(quickest[3])}"
    )
    if len(known) > 1:
        first += (
            f"; the slowest, {slowest[0]}, takes {quantity.duration(slowest[2])}, "
            f"{_times(slowest[2] / quickest[2])} times as long"
        )
    sentences = [f"{first}."]
    tails = sorted(known, key=lambda each: each[3] / each[2])
    long = sum(each[3] > LONG_TAIL * each[2] for each in known)
    sentences.append(
        f"p99 exceeds {LONG_TAIL:g} times the median on {long} of {len(known)}; the largest ratio "
        f"is {_times(tails[-1][3] / tails[-1][2])}, on {tails[-1][0]}."
    )
    floors = [(p50 / each.floor, name) for name, each, p50, _ in known if each.floor]
    if floors:
        closest, farthest = min(floors), max(floors)
        sentences.append(
            f"Half of them have a median of {_times(median(ratio for ratio, _ in floors))} times "
            f"the floor or more. {closest[1]} is nearest its floor ({_times(closest[0])} times), "
            f"{farthest[1]} has the most headroom ({_times(farthest[0])} times)."
        )
    return sentences


def _is_radio(line: Line) -> bool:
    run = next(iter(line.runs.values()), None)
    if run is None or run.link not in _airlag.links():
        return True
    return str(profiles.link(run.link)["medium"]) != "wire"


def _times(ratio: float) -> str:
    return quantity.number(ratio, 3 if ratio >= 1.1 else 4)


def _phase_words(lines: Iterable[Figures]) -> list[str]:
    """Phase of the triggers, in words."""
    phases = {each.run.config.get("phase") for each in lines if each.run is not None}
    if phases == {"uniform"}:
        return ["Triggers are ", explained("asynchronous"), "."]
    if phases == {"frozen"}:
        return ["Triggers have a ", explained("frozen phase"), "."]
    return []


def _fields(results: Results) -> Html:
    every = [line.size for family in results.families.values() for line in family]
    sizes = [
        (size, f" {quantity.count(size)} B") for size in dict.fromkeys(every) if size is not None
    ]
    radios = [
        tag("label", tag("input", type="radio", name="size", value=of, checked=nth == 0), text)
        for nth, (of, text) in enumerate([*sizes, ("", " all")])
    ]
    return tag(
        "form",
        tag("fieldset", tag("legend", "payload"), radios, class_="counting") if sizes else None,
        options("family", ((each, each) for each in results.families)),
        NAME_HAS,
        tag("output", id="how-many"),
        id="of-answer",
        class_="controls screen",
        aria_label="Which links are shown",
    )


def _row(family: str, line: Line, figures: Figures, axis: Axis) -> Html:
    run, size = figures.run, line.size
    lost = run.count(Outcome.LOST) / len(run.outcome) if run and len(run.outcome) else None
    part = UNKNOWN if lost is None else "0"
    if lost:
        part = tag("span", quantity.percent(lost), class_="lost")
    sort_keys: dict[str, float | None] = {key: getattr(figures, key) for key in _FIGURES}
    keys = {"family": family, "name": line.name, "size": size, "lost": lost, **sort_keys}
    return row(
        line.name,
        tag("td", "" if size is None else f"{quantity.count(size)} B", class_="size"),
        axis.cell(figures),
        *(
            tag("td", UNKNOWN if ns is None else quantity.duration(ns), data_head=key)
            for key, ns in sort_keys.items()
        ),
        tag("td", part, data_head="lost"),
        **{
            f"data_{key}": f"{value:.9g}" if isinstance(value, float) else value
            for key, value in keys.items()
        },
    )


#: Legend labels by mark class.
MARKS = {
    "range": "bar: median to p99 on the bench",
    "median": "blue tick: median",
    "floor": "grey tick: floor",
    "published": "diamond: median published",
    "captured": "ring: median captured",
}
#: Minimum label spacing as a share of the axis: on a wide axis, and in a table column.
WIDE, AMONG_COLUMNS = 0.09, 0.2


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a line, ns; ``None`` if unknown."""

    #: Asynchronous run, or the frozen one if there is no other.
    run: Run | None
    median: float | None
    p99: float | None
    floor: float | None
    published: float | None
    captured: float | None

    @classmethod
    def of(cls, line: Line) -> Self:
        """Extracts the figures of a line of a campaign."""
        run = line.runs.get("uniform") or next(iter(line.runs.values()), None)
        p50, p99 = (_quantile(run, name) for name in ("p50", "p99"))
        known, captured = line.known, _quantile(line.known.captured, "p50")
        return cls(run, p50, p99, known.floor_ns, known.published_ns, captured)

    def drawn(self) -> dict[str, tuple[float, float]]:
        """Start and end of each mark, ns. Values of 0 or less cannot be drawn on a log axis."""
        names = ("floor", "median", "captured", "published")
        found = {"range": (self.median, self.p99)}
        found |= {name: (getattr(self, name),) * 2 for name in names}
        return {
            name: (low, high)
            for name, (low, high) in found.items()
            if low is not None and high is not None and low > 0.0
        }


def _quantile(run: Run | None, name: Percentile) -> float | None:
    return None if run is None or run.latency is None else run.latency[name]


class Axis(Scale):
    """Log axis of latencies, ns."""

    @classmethod
    def of_lines(cls, lines: Iterable[Figures]) -> Self:
        """Returns an axis that includes all marks of these lines."""
        ends = [end for each in lines for both in each.drawn().values() for end in both]
        return cls.of(ends or [1e6, 1e7], log=True)

    def percent(self, ns: float) -> float:
        """Position of a latency on the axis, percent."""
        return round(float(self.px(ns, 100.0)), 3)

    def grid(self) -> str:
        """Returns the CSS of the grid lines behind the marks of a table."""
        lines = ",".join(
            f"linear-gradient(var(--line) 0 0) {self.percent(each)}% 0/1px 100% no-repeat"
            for each in self.ticks
        )
        return f"--ticks:{lines or 'none'}"

    def head(self, apart: float) -> Html:
        """Heading of the column of marks: the axis; ``apart`` is the minimum label spacing."""
        labels, last = [], -100.0
        for each in self.ticks:
            unit = quantity.unit_for([each])
            at = self.percent(each)
            if 3.0 <= at <= 97.0 and at - last >= 100.0 * apart:
                last = at
                labels.append(tag("span", f"{each / unit.ns:g} {unit.name}", style=f"left:{at}%"))
        title = tag("span", "latency (log axis)", class_="axis")
        ticks = tag("div", labels, class_="ticks", aria_hidden="true")
        return tag("th", title, ticks, scope="col", class_="track")

    def cell(self, figures: Figures) -> Html:
        """Cells of one line: its marks on the axis, and its figures."""
        marks = []
        for name, (low, high) in figures.drawn().items():
            left = self.percent(low)
            width = f";width:{round(self.percent(high) - left, 3)}%" if name == "range" else ""
            marks.append(tag("i", class_=name, style=f"left:{left}%{width}"))
        return tag("td", tag("div", marks), class_="track", aria_hidden="true")


def legend(lines: Iterable[Figures]) -> Html:
    """Legend of the marks that are drawn."""
    drawn = {name for each in lines for name in each.drawn()}
    entries = (
        [tag("span", tag("i", class_=name), class_="sample"), says]
        for name, says in MARKS.items()
        if name in drawn
    )
    return tag("ul", tags("li", entries), class_="legend")
