"""What stands above the charts of a page: contents, filters, a deadline, and what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from airlag.core import quantity
from airlag.core.display import printable
from airlag.views.pages.sheet import Row, Sheet

#: A rate in words: samples a second.
_RATES = ((1e9, "GS/s"), (1e6, "MS/s"), (1e3, "kS/s"), (1.0, "S/s"))


def contents(parts: Sequence[tuple[str, str]]) -> str:
    """List where the parts of a page are: addresses on it, and what they are called."""
    entries = "".join(
        f'<li><a href="{escape(where)}">{escape(called)}</a></li>' for where, called in parts
    )
    return f'<nav class="screen contents" aria-label="Contents"><ol>{entries}</ol></nav>'


def controls(sheet: Sheet) -> str:
    """Fields to filter runs by, where there are several, and one for a deadline."""
    deadline = (
        '<label class="screen">deadline <input id="deadline" type="number" min="0" step="any" '
        f'inputmode="decimal"> {sheet.unit.name}</label>'
    )
    if len(sheet.rows) == 1:
        return f'<div class="controls">{deadline}</div>'
    choices: dict[str, dict[object, None]] = {
        "link": dict.fromkeys(row.run.link for row in sheet.rows),
        "size": dict.fromkeys(row.run.size for row in sheet.rows),
        "phase": dict.fromkeys(row.run.config.get("phase") for row in sheet.rows),
    }
    fields = "".join(
        _choice(by, [str(each) for each in values if each is not None])
        for by, values in choices.items()
        if len(values) > 1
    )
    return (
        f'<form id="filter" class="controls screen" aria-label="Which runs are shown">{fields}'
        '<label>name has <input name="name" type="search" autocomplete="off"></label>'
        f'<button type="reset">all</button><output id="how-many">{len(sheet.rows)} runs</output>'
        f"{deadline}</form>"
    )


def _choice(by: str, values: Sequence[str]) -> str:
    unit = " B" if by == "size" else ""
    options = "".join(
        f'<option value="{escape(each)}">{escape(each)}{unit}</option>' for each in values
    )
    return (
        f'<label>{by} <select name="{by}"><option value="">all</option>{options}</select></label>'
    )


def captures(sheet: Sheet) -> str:
    """Table of what was recorded: when, how finely, which channels; none for what was not."""
    told = [(row, line) for row in sheet.rows for line in [_recorded(row)] if line is not None]
    if not told:
        return ""
    rows = "\n".join(
        f'<tr data-run="{row.number}"><th scope="row">{escape(row.name)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in line)
        + "</tr>"
        for row, line in told
    )
    heads = ("run", "trigger", "completion", "captured", "sample rate", "lasts")
    return (
        '<div class="scroll"><table id="captured"><caption>What was recorded.</caption><thead><tr>'
        + "".join(f'<th scope="col">{each}</th>' for each in heads)
        + f"</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _recorded(row: Row) -> tuple[str, ...] | None:
    transfers = row.run.transfers
    # A virtual run was not recorded: its channels are what the bench calls them.
    if transfers is None or "settings" in row.run.config:
        return None
    trigger, completion = map(printable, row.run.channels or ("not named", "not named"))
    lasts_ns = float(row.run.end_ns - row.run.start_ns)
    return (
        trigger,
        completion,
        _date(transfers.epoch_unix_ns),
        _rate(transfers.sample_rate_hz),
        quantity.duration(lasts_ns, quantity.unit_for([lasts_ns])),
    )


def _date(epoch_unix_ns: int | None) -> str:
    if epoch_unix_ns is None:
        return "the file does not tell"
    seconds = epoch_unix_ns // 10**9
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return "outside of the calendar"


def _rate(hz: float | None) -> str:
    if hz is None:
        return "the file does not tell"
    for unit, name in _RATES:
        if hz >= unit:
            return f"{hz / unit:.6g} {name}"
    return f"{hz:.6g} S/s"
