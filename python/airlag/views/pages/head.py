"""What stands above the charts of a page: contents, filters, a deadline, and what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from airlag.core import quantity
from airlag.core.display import printable
from airlag.views.html import NAME_HAS, Html, heads, options, row, table, tag, tags
from airlag.views.pages.sheet import Row, Sheet

#: A rate in words: samples a second.
_RATES = ((1e9, "GS/s"), (1e6, "MS/s"), (1e3, "kS/s"), (0.0, "S/s"))


def contents(parts: Sequence[tuple[str, str]]) -> Html:
    """List where the parts of a page are: addresses on it, and what they are called."""
    entries = tags("li", (tag("a", called, href=where) for where, called in parts))
    return tag("nav", tag("ol", entries), class_="screen contents", aria_label="Contents")


def controls(sheet: Sheet) -> Html:
    """Fields to filter runs by, where there are several, and one for a deadline."""
    field = {"id": "deadline", "type": "number", "min": 0, "step": "any", "inputmode": "decimal"}
    deadline = tag(
        "label", "deadline ", tag("input", **field), f" {sheet.unit.name}", class_="screen"
    )
    if len(sheet.rows) == 1:
        return tag("div", deadline, class_="controls")
    choices: dict[str, dict[object, None]] = {
        "link": dict.fromkeys(row.run.link for row in sheet.rows),
        "size": dict.fromkeys(row.run.size for row in sheet.rows),
        "phase": dict.fromkeys(row.run.config.get("phase") for row in sheet.rows),
    }
    unit = {"size": " B"}
    return tag(
        "form",
        (
            options(by, ((v, f"{v}{unit.get(by, '')}") for v in values if v is not None))
            for by, values in choices.items()
            if len(values) > 1
        ),
        NAME_HAS,
        tag("button", "all", type="reset"),
        tag("output", f"{len(sheet.rows)} runs", id="how-many"),
        deadline,
        id="filter",
        class_="controls screen",
        aria_label="Which runs are shown",
    )


def captures(sheet: Sheet) -> Html:
    """Table of what was recorded: when, how finely, which channels; none for what was not."""
    told = [(each, line) for each in sheet.rows for line in [_recorded(each)] if line is not None]
    if not told:
        return Html()
    return table(
        "What was recorded.",
        heads("run", "trigger", "completion", "captured", "sample rate", "lasts"),
        (row(each.name, *line, data_run=each.number) for each, line in told),
        id="captured",
    )


def _recorded(row: Row) -> tuple[str, ...] | None:
    transfers = row.run.transfers
    # A virtual run was not recorded: its channels are what the bench calls them.
    if transfers is None or "settings" in row.run.config:
        return None
    trigger, completion = map(printable, row.run.channels or ("not named", "not named"))
    return (
        trigger,
        completion,
        _date(transfers.epoch_unix_ns),
        _rate(transfers.sample_rate_hz),
        quantity.duration(float(row.run.end_ns - row.run.start_ns)),
    )


def _date(epoch_unix_ns: int | None) -> str:
    if epoch_unix_ns is None:
        return "not recorded"
    try:
        return f"{datetime.fromtimestamp(epoch_unix_ns // 10**9, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return "outside of the calendar"


def _rate(hz: float | None) -> str:
    if hz is None:
        return "not recorded"
    unit, name = next(each for each in _RATES if hz >= each[0])
    return f"{hz / (unit or 1.0):.6g} {name}"
