"""``airlag channels``: what is on each wire of a capture."""

from __future__ import annotations

import typer
from rich.table import Table
from rich.text import Text

from airlag._airlag import CaptureError
from airlag.cli import options, terminal
from airlag.display import printable
from airlag.quantity import count, duration, number, unit_for
from airlag.wires import Survey, Wire
from airlag.wires import channels as survey


def channels(
    captures: options.Captures, json: options.Json = False, memory: options.Memory = None
) -> None:
    """List the channels of captures: edges, rate and level of each, as --trigger takes them."""
    found: list[Survey | CaptureError] = []
    for path in captures:
        try:
            found.append(survey(path, memory_bytes=memory))
        except CaptureError as error:
            found.append(error)
    surveys = [one for one in found if isinstance(one, Survey)]
    if json:
        terminal.print_json([one.to_json() for one in surveys])
    else:
        console = terminal.output()
        for index, one in enumerate(surveys):
            if index:
                console.show("")
            console.show(_head(one), _table(one))
    errors = [one for one in found if isinstance(one, CaptureError)]
    for unusable in errors:
        terminal.complain(unusable)
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _head(found: Survey) -> Text:
    line = Text(printable(found.source), style="bold")
    told = f"  {_time(found.duration_ns)}"
    if found.sample_rate_hz is not None:
        told += f", {number(found.sample_rate_hz / 1e6)} million samples a second"
    line.append(told, style="not bold")
    return line


def _table(found: Survey) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("channel", overflow="fold")
    for name in ("edges", "rises a second", "high", "shortest pulse", "level at first"):
        table.add_column(name, justify="right", no_wrap=True)
    for wire in found.wires:
        table.add_row(str(wire.position), printable(wire.name), count(wire.edges), *_told(wire))
    return table


def _told(wire: Wire) -> tuple[str, str, str, str]:
    pulses = [ns for ns in (wire.shortest_high_ns, wire.shortest_low_ns) if ns is not None]
    rate = "" if wire.rate_hz is None else number(wire.rate_hz)
    high = "" if wire.high is None else f"{100 * wire.high:.3g} %"
    level = {None: "never seen", True: "high", False: "low"}[wire.initial]
    return rate, high, _time(min(pulses)) if pulses else "", level


def _time(ns: int) -> str:
    return duration(ns, unit_for([ns]))
