"""What a campaign says: every link on one axis, and what to conclude from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from statistics import median

from airlag import _airlag
from airlag.core import profiles, quantity
from airlag.questions.runs import Outcome
from airlag.views.campaign_results import UNKNOWN, Line, Results
from airlag.views.html import NAME_HAS, Html, options, row, table, tag, tags
from airlag.views.pages import terms
from airlag.views.pages.track import WIDE, Axis, Figures, legend

#: A link whose p99 is this many times its median has a long tail.
LONG_TAIL = 2.0

#: Columns of figures, which :class:`Figures` has under these names, and of losses.
_FIGURES = ("median", "p99", "floor", "published", "captured")


def answer(results: Results) -> Html:
    """Table of every line of a campaign, fastest first, with marks on one axis; sentences above.

    Fields filter and sort it where a page can run scripts.
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
                *_told_by(every),
                " A lost transfer has none.",
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
    """What to conclude, in three sentences made from the numbers; fewer where there are none.

    They are about radios where there are any, and the payload most links were run with: of several
    such, the smallest.
    """
    lines = [line for family in results.families.values() for line in family]
    radios = [line for line in lines if _is_radio(line)] or lines
    sizes = Counter(line.size for line in radios)
    if not sizes:
        return []
    size = max(sizes, key=lambda each: (sizes[each], -(each or 0)))
    told = [
        (line.name, figures, figures.median, figures.p99)
        for line in radios
        if line.size == size
        for figures in [Figures.of(line)]
    ]
    known = sorted(
        ((name, figures, p50, p99) for name, figures, p50, p99 in told if p50 and p99),
        key=lambda each: each[2],
    )
    if not known:
        return []
    at = "" if size is None else f"At {quantity.count(size)} B "
    quickest, slowest = known[0], known[-1]
    what = "link" if any(not _is_radio(line) for line in radios) else "radio"
    first = (
        f"{at or 'Here '}the quickest {what} is {quickest[0]}: half of its messages arrive within "
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
        f"The slowest message in a hundred takes more than {LONG_TAIL:g} times the median on "
        f"{long} of {len(known)}, and the most, {_times(tails[-1][3] / tails[-1][2])} times, on "
        f"{tails[-1][0]}."
    )
    floors = [(p50 / each.floor, name) for name, each, p50, _ in known if each.floor]
    if floors:
        closest, farthest = min(floors), max(floors)
        sentences.append(
            f"For half of them the median is {_times(median(ratio for ratio, _ in floors))} times "
            f"the floor or more: {closest[1]} comes closest to its own with {_times(closest[0])} "
            f"times, and most is to be gained on {farthest[1]} with {_times(farthest[0])} times."
        )
    return sentences


def _is_radio(line: Line) -> bool:
    run = next(iter(line.runs.values()), None)
    if run is None or run.link not in _airlag.links():
        return True
    return str(profiles.link(run.link)["medium"]) != "wire"


def _times(ratio: float) -> str:
    return quantity.number(ratio, 3 if ratio >= 1.1 else 4)


def _told_by(lines: Iterable[Figures]) -> list[str]:
    """Which triggers the bench had."""
    phases = {each.run.config.get("phase") for each in lines if each.run is not None}
    if phases == {"uniform"}:
        return ["Triggers are ", terms.explained("asynchronous"), "."]
    if phases == {"frozen"}:
        return ["Triggers have a ", terms.explained("frozen phase"), "."]
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
    told: dict[str, float | None] = {key: getattr(figures, key) for key in _FIGURES}
    keys = {"family": family, "name": line.name, "size": size, "lost": lost, **told}
    return row(
        line.name,
        tag("td", "" if size is None else f"{quantity.count(size)} B", class_="size"),
        axis.cell(figures),
        *(
            tag("td", UNKNOWN if ns is None else quantity.duration(ns), data_head=key)
            for key, ns in told.items()
        ),
        tag("td", part, data_head="lost"),
        **{
            f"data_{key}": f"{value:.9g}" if isinstance(value, float) else value
            for key, value in keys.items()
        },
    )
