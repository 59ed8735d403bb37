"""Charts of results that have no page of their own, made of the pieces of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import altair as alt

from airlag.pages import marks, theme
from airlag.pages.marks import Spec
from airlag.pages.sheet import PLOT, log_ticks, span
from airlag.quantity import exact, percent, unit_for
from airlag.slices import COLOURS

if TYPE_CHECKING:
    from airlag.offered import Goodput
    from airlag.recommendation import Task

#: Height of a row, px, and of what stands on it.
ROW, BAR = 26, 12
#: Most rows of a chart; the data frame has all.
MOST = 40
#: Colours of verdicts: what keeps the deadline, what may, what does not.
VERDICTS = {
    "passes": theme.RUN_COLOURS[2],
    "close": theme.RUN_COLOURS[1],
    "range-unknown": theme.RUN_COLOURS[1],
    "fails": theme.CENSORED,
}


def candidates(rows: Sequence[tuple[str, float, float | None, str]], task: Task) -> Spec:
    """Candidates of a recommendation: a bar from median to percentile, beside the deadline.

    Parameters
    ----------
    rows
        Name, median and percentile in ns (``None``: so many never arrive), and verdict.
    task
        What is asked.
    """
    shown = list(rows[:MOST])
    unit = unit_for([task.deadline_ns])
    names = [f"{place}. {name}" for place, (name, *_) in enumerate(shown, 1)]
    ends = [p50 if high is None else max(p50, high) for _, p50, high, _ in shown]
    values = [value / unit.ns for _, p50, _, _ in shown for value in (p50,)]
    values += [end / unit.ns for end in ends] + [task.deadline_ns / unit.ns]
    low, high = span(values, log=True)
    table = marks.table(
        {
            "nametext": names,
            "p50": [p50 / unit.ns for _, p50, _, _ in shown],
            "end": [end / unit.ns for end in ends],
            "verdicttext": [verdict for *_, verdict in shown],
        }
    )
    title = f"{task.name}, {unit.name} (log axis)"
    axis = alt.Axis(title=f"p50 to {title}", values=log_ticks(low, high), format="~r")
    y = alt.Y("nametext:N", sort=names, axis=alt.Axis(title=None, grid=False, labelLimit=320))
    colour = alt.Color(
        "verdicttext:N",
        scale=alt.Scale(domain=list(VERDICTS), range=list(VERDICTS.values())),
        legend=alt.Legend(title=None, orient="bottom", values=_used(shown)),
    )
    base = alt.Chart(table)
    x = alt.X("p50:Q", scale=marks.scale(low, high, log=True), axis=axis)
    bars = base.mark_bar(size=BAR, minBandSize=2).encode(x=x, x2="end:Q", y=y, color=colour)
    median = base.mark_tick(size=BAR + 6, thickness=2, color=theme.INK).encode(x=x, y=y)
    deadline = marks.table({"at": [task.deadline_ns / unit.ns]})
    rule = alt.Chart(deadline).mark_rule(strokeDash=[5, 3], strokeWidth=1.6, color=theme.INK)
    size = "" if task.size is None else f"{task.size} B "
    return marks.layered(
        bars,
        median,
        rule.encode(x=alt.X("at:Q")),
        width=PLOT - 200,
        height=ROW * len(shown),
        title=marks.titled(
            f"{size}within {exact(task.deadline_ns)} at {task.name}",
            "From the median (tick) to the percentile; the dashed line is the deadline.",
            _left_out(len(rows)),
        ),
    )


def _used(rows: Sequence[tuple[str, float, float | None, str]]) -> list[str]:
    found = {verdict for *_, verdict in rows}
    return [verdict for verdict in VERDICTS if verdict in found]


def _left_out(rows: int) -> str:
    return "" if rows <= MOST else f"The first {MOST} of {rows}."


def distances(rows: Sequence[tuple[str, float, bool]]) -> Spec:
    """Candidates of a ranking: how far each is from the capture.

    Parameters
    ----------
    rows
        Name, distance as a share, and whether it explains the capture; nearest first.
    """
    shown = list(rows[:MOST])
    names = [name for name, *_ in shown]
    words = {True: "explains the capture", False: "does not"}
    table = marks.table(
        {
            "nametext": names,
            "distance": [100 * distance for _, distance, _ in shown],
            "verdicttext": [words[explains] for *_, explains in shown],
            "sharetext": [percent(distance) for _, distance, _ in shown],
        }
    )
    # Where all agree, the axis still has a length.
    furthest = max(1.0, *(110 * distance for _, distance, _ in shown))
    x = alt.X(
        "distance:Q",
        scale=marks.scale(0.0, furthest),
        axis=alt.Axis(title="distance from the capture, %"),
    )
    y = alt.Y("nametext:N", sort=names, axis=alt.Axis(title=None, grid=False, labelLimit=320))
    base = alt.Chart(table)
    bars = base.mark_bar(size=BAR).encode(
        x=x,
        y=y,
        color=alt.Color(
            "verdicttext:N",
            scale=alt.Scale(
                domain=list(words.values()), range=[VERDICTS["passes"], theme.CENSORED]
            ),
            legend=alt.Legend(title=None, orient="bottom"),
        ),
    )
    figures = base.mark_text(align="left", dx=5).encode(x=x, y=y, text="sharetext:N")
    return marks.layered(
        bars,
        figures,
        width=PLOT - 200,
        height=ROW * len(shown),
        title=marks.titled(
            "How far each link is from the capture",
            "Least share such that all but as many of the latencies agree as closely.",
            _left_out(len(rows)),
        ),
    )


def spent(told: Goodput, title: str) -> Spec:
    """What the time of a link went to while it never waited, most first.

    Raises
    ------
    ValueError
        With one line, when nobody counted it.
    """
    whole = sum(one.ns for one in told.spent)
    if not whole:
        raise ValueError(f"{told.link}: what its time went to is not known, nothing to draw")
    shown = told.spent[:MOST]
    names = [one.name for one in shown]
    table = marks.table(
        {
            "nametext": names,
            "share": [100 * one.ns / whole for one in shown],
            "kindtext": [one.kind for one in shown],
            "sharetext": [percent(one.ns / whole) for one in shown],
        }
    )
    kinds = [kind for kind in COLOURS if kind in {one.kind for one in shown}]
    y = alt.Y("nametext:N", sort=names, axis=alt.Axis(title=None, grid=False))
    x = alt.X("share:Q", axis=alt.Axis(title="share of the time, %"))
    base = alt.Chart(table)
    bars = base.mark_bar(size=BAR).encode(
        x=x,
        y=y,
        color=alt.Color(
            "kindtext:N",
            scale=alt.Scale(domain=kinds, range=[COLOURS[kind] for kind in kinds]),
            legend=alt.Legend(title=None, orient="bottom"),
        ),
    )
    words = base.mark_text(align="left", dx=5).encode(x=x, y=y, text="sharetext:N")
    return marks.layered(
        bars,
        words,
        width=PLOT - 200,
        height=ROW * len(shown),
        title=marks.titled(title, "What the time goes to while it never waits."),
    )
