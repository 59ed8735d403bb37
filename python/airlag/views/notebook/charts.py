"""Charts of results that have no page of their own: bars, a row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from airlag.core.quantity import exact, percent, unit_for
from airlag.views.colours import COLOURS
from airlag.views.pages import theme
from airlag.views.pages.marks import table
from airlag.views.pages.sheet import axis
from airlag.views.pages.spec import Spec, fill

if TYPE_CHECKING:
    from airlag.questions.load import Goodput
    from airlag.questions.recommendation import Task

#: Most rows of a chart; the data frame has all.
MOST = 40
#: Colours of verdicts: what meets the deadline, what may, what does not.
VERDICTS = {
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
    used = [verdict for verdict in VERDICTS if verdict in found]
    size = "" if task.size is None else f"{task.size} B "
    values = {
        "title": f"{size}within {exact(task.deadline_ns)} at {task.name}",
        "percentile": task.name,
        "left_out": _left_out(len(rows)),
        "unit": unit.name,
        "axis": axis([deadline, *(end for _, *ends, _ in shown for end in ends)], log=True),
        "verdicts": used,
        "colours": [VERDICTS[verdict] for verdict in used],
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
        "colours": [VERDICTS["passes"], theme.CENSORED],
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
