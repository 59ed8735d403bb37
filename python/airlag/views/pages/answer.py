"""What a campaign says: every link on one axis, and what to conclude from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from statistics import median

from airlag import _airlag
from airlag.core import profiles, quantity
from airlag.questions.runs import Outcome, Run
from airlag.views.campaign_results import UNKNOWN, Line, Results
from airlag.views.pages import terms
from airlag.views.pages.track import WIDE, Axis, Figures, legend

#: A link whose p99 is this many times its median has a long tail.
LONG_TAIL = 2.0

_HEADS = (
    ("median", "median"),
    ("p99", "p99"),
    ("floor", "floor"),
    ("published", "published"),
    ("captured", "captured"),
    ("lost", "lost"),
)


def answer(results: Results) -> str:
    """Table of every line of a campaign, fastest first, with marks on one axis; sentences above.

    Returns
    -------
    str
        HTML; fields filter and sort it where a page can run scripts.
    """
    lines = [
        (family, line, Figures.of(line))
        for family, of_family in results.families.items()
        for line in of_family
    ]
    lines.sort(key=lambda each: (each[2].median is None, each[2].median or 0.0))
    every = [figures for *_, figures in lines]
    axis = Axis.of(every)
    told = "".join(f"<p>{escape(each)}</p>" for each in conclusions(results))
    rows = "\n".join(_row(family, line, figures, axis) for family, line, figures in lines)
    heads = "".join(
        f'<th scope="col"><button type="button" data-sort="{key}">{head}</button></th>'
        for key, head in _HEADS
    )
    return f"""<section id="answer">{told}
{_fields(results)}
{legend(every)}
<div class="scroll"><table class="tracks" style="{axis.grid()}">
<caption>Latency of the delivered transfers. {_told_by(every)} A lost transfer has none.</caption>
<thead><tr><th scope="col"><button type="button" data-sort="name">link</button></th>\
<th scope="col"><button type="button" data-sort="size">payload</button></th>\
{axis.head(WIDE)}{heads}</tr></thead>
<tbody>
{rows}
</tbody></table></div></section>"""


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
        f"{_say(quickest[2])}, 99 of 100 within {_say(quickest[3])}"
    )
    if len(known) > 1:
        first += (
            f"; the slowest, {slowest[0]}, takes {_say(slowest[2])}, "
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


def _say(ns: float) -> str:
    return quantity.duration(ns, quantity.unit_for([ns]))


def _times(ratio: float) -> str:
    return quantity.number(ratio, 3 if ratio >= 1.1 else 4)


def _told_by(lines: Iterable[Figures]) -> str:
    """Which triggers the bench had."""
    phases = {each.run.config.get("phase") for each in lines if each.run is not None}
    if phases == {"uniform"}:
        return f"Triggers are {terms.explained('asynchronous')}."
    if phases == {"frozen"}:
        return f"Triggers have a {terms.explained('frozen phase')}."
    return ""


def _fields(results: Results) -> str:
    sizes = dict.fromkeys(
        line.size
        for family in results.families.values()
        for line in family
        if line.size is not None
    )
    radios = "".join(
        f'<label><input type="radio" name="size" value="{size}"{" checked" * (nth == 0)}> '
        f"{quantity.count(size)} B</label>"
        for nth, size in enumerate(sizes)
    )
    families = "".join(
        f'<option value="{escape(each)}">{escape(each)}</option>' for each in results.families
    )
    payload = (
        f'<fieldset class="counting"><legend>payload</legend>{radios}'
        '<label><input type="radio" name="size" value=""> all</label></fieldset>'
        if sizes
        else ""
    )
    return (
        '<form id="of-answer" class="controls screen" aria-label="Which links are shown">'
        f'{payload}<label>family <select name="family"><option value="">all</option>{families}'
        '</select></label><label>name has <input name="name" type="search" autocomplete="off">'
        '</label><output id="how-many"></output></form>'
    )


def _row(family: str, line: Line, figures: Figures, axis: Axis) -> str:
    lost = _lost(figures.run)
    keys = {
        "family": family,
        "name": line.name,
        "size": line.size,
        "lost": lost,
        **{
            key: getattr(figures, key)
            for key in ("median", "p99", "floor", "published", "captured")
        },
    }
    data = "".join(
        f' data-{key}="{escape(f"{value:.9g}" if isinstance(value, float) else str(value))}"'
        for key, value in keys.items()
        if value is not None
    )
    cells = "".join(
        f'<td data-head="{head}">{_cell(key, figures, lost)}</td>' for key, head in _HEADS
    )
    size = "" if line.size is None else f"{quantity.count(line.size)} B"
    return (
        f'<tr{data}><th scope="row">{escape(line.name)}</th>'
        f'<td class="size">{size}</td>{axis.cell(figures)}{cells}</tr>'
    )


def _cell(key: str, figures: Figures, lost: float | None) -> str:
    if key == "lost":
        if lost is None:
            return UNKNOWN
        return f'<span class="lost">{quantity.percent(lost)}</span>' if lost else "0"
    value: float | None = getattr(figures, key)
    return UNKNOWN if value is None else _say(value)


def _lost(run: Run | None) -> float | None:
    """Share of the messages of a run that were lost."""
    if run is None or not len(run.outcome):
        return None
    return run.count(Outcome.LOST) / len(run.outcome)
