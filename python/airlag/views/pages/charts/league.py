"""Runs in order of their upper quartile, shortest first, with what each of them lost."""

from __future__ import annotations

from collections.abc import Sequence

from airlag.core import quantity
from airlag.questions.runs import Run
from airlag.views.pages import marks
from airlag.views.pages.sheet import Row, Sheet, axis_between
from airlag.views.pages.spec import Spec, fill

#: Height of a row and of its bar, px: many runs get less.
TALL, SHORT = (36, 14), (28, 9)

#: Beyond this ratio of the largest to the smallest, bars from zero would hide the short ones.
BARS_UP_TO = 50.0


def why_not(runs: Sequence[Run]) -> str | None:
    """One line on why the chart does not apply, or ``None``."""
    if len(runs) < 2:
        return "there is one run, nothing to rank"
    if not _placed(Sheet.of(runs)):
        return "no run has an upper quartile"
    return None


def chart(runs: Sequence[Run]) -> Spec:
    """Draws at least two runs, one of them with a 75th percentile, which is the length of its bar.

    Bars from zero with a tick at the median; points on a log axis where the runs differ too much
    for bars. Runs that delivered nothing come last, without a bar.
    """
    sheet = Sheet.of(runs)
    placed = _placed(sheet)
    named = {row.number for row, _ in placed}
    left_out = [row for row in sheet.rows if row.number not in named]
    rows = [row for row, _ in placed] + left_out
    shortest, longest = placed[0][1], placed[-1][1]
    log = shortest > 0.0 and longest > BARS_UP_TO * shortest
    tall, bar = TALL if len(rows) <= 16 else SHORT
    # The name takes the top of the row, the bar what is below it.
    drop = 8.0 / tall
    bars, values, losses = [], [], []
    for place, (row, p75) in enumerate(placed):
        at = (row.number, place + drop)
        p50 = (row.quantile("p50") or 0.0) / sheet.unit.ns
        bars.append((*at, p75, p50, row.lost, len(row.run.outcome)))
        values.append((*at, sheet.say(p75 * sheet.unit.ns)))
        if row.lost:
            losses.append((*at, f"{quantity.share(row.lost, row.known)} lost"))
    for place, row in enumerate(left_out, len(placed)):
        losses.append((row.number, place + drop, "nothing delivered"))
    # A log axis of bars has no zero to start from: points, and lines that lead to their names.
    low = min(shortest, *(p50 for *_, p50, _, _ in bars if p50 > 0.0)) / 1.5 if log else 0.0
    filled = {
        **sheet.values,
        **marks.rows_down(rows, tall),
        "title": _title(sheet, placed),
        "shape": "Point" if log else "Bar",
        "log": log,
        "bar": bar,
        "axis": axis_between(low, longest * (1.15 if log else 1.02), log=log),
        "lossy": bool(losses),
    }
    tables = {
        "runs": sheet.runs,
        "bars": marks.table(("r", "y", "x", "p50", "lost", "triggers"), bars),
        "values": marks.table(("r", "y", "text"), values),
        "losses": marks.table(("r", "y", "text"), losses),
        "names": marks.names_and_notes(rows, [""] * len(rows), tall)["names"],
    }
    return fill("league", filled, tables)


def _placed(sheet: Sheet) -> list[tuple[Row, float]]:
    """Rows with their 75th percentile in the sheet's unit, smallest first."""
    found = [(row, row.quantile("p75")) for row in sheet.rows]
    return sorted(
        ((row, value / sheet.unit.ns) for row, value in found if value is not None),
        key=lambda each: (each[1], each[0].number),
    )


def _title(sheet: Sheet, placed: list[tuple[Row, float]]) -> str:
    (first, shortest), (last, longest) = placed[0], placed[-1]
    ns = sheet.unit.ns
    if len(placed) == 1:
        return f"Three in four transfers of {first.name} take at most {sheet.say(ns * shortest)}"
    short, long = sheet.say_both(ns * shortest, ns * longest)
    if short == long:
        return f"Three in four transfers of every run take at most {short}"
    return f"Three in four transfers take at most {short} ({first.name}) to {long} ({last.name})"
