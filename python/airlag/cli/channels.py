"""``airlag channels``: what is on each wire of a capture."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from airlag._airlag import CaptureError
from airlag.cli import options
from airlag.cli.table import Cell, Column, Table, Value, plain, prose
from airlag.cli.work import Work, apart
from airlag.core.display import printable
from airlag.core.quantity import count, duration, number, unit_for
from airlag.questions.channels import Survey, Wire
from airlag.questions.channels import channels as survey


def channels(
    captures: options.Captures,
    output: options.Sheet = None,
    force: options.Force = False,
    json: options.Json = False,
    memory: options.Memory = None,
) -> None:
    """List the channels of captures: edges, rate and level of each, as --trigger takes them."""
    work = Work(force=force, json=json)
    found: list[Survey] = []
    for path in captures:
        try:
            found.append(survey(path, memory_bytes=memory))
        except CaptureError as error:
            work.errors.append(str(error))
    work.show(
        [one.to_json() for one in found], lambda: apart([_head(one), _table(one)] for one in found)
    )
    work.table(output, map(_table, found))
    work.end()


def _head(found: Survey) -> Text:
    line = Text(printable(found.source), style="bold")
    told = f"  {_time(found.duration_ns)}"
    if found.sample_rate_hz is not None:
        told += f", {number(found.sample_rate_hz / 1e6)} million samples a second"
    line.append(told, style="not bold")
    return line


def _table(found: Survey) -> Table:
    columns = [
        Column("", key="position"),
        prose("channel", "channel"),
        Column("edges", key="edges"),
        Column("rises a second", key="rises_hz"),
        Column("high", "%", "high_percent"),
        Column("shortest pulse", key="shortest_pulse_ns"),
        Column("level at first", key="level_at_first"),
    ]
    of: dict[str, Value] = {"source": found.source, "duration_ns": found.duration_ns}
    return Table(columns, [[*_cells(wire)] for wire in found.wires], of=of, margin=0)


def _cells(wire: Wire) -> Iterator[Cell]:
    pulses = [ns for ns in (wire.shortest_high_ns, wire.shortest_low_ns) if ns is not None]
    shortest = min(pulses, default=None)
    level = {None: "never seen", True: "high", False: "low"}[wire.initial]
    yield Cell(str(wire.position), wire.position)
    yield Cell(printable(wire.name), wire.name)
    yield Cell(count(wire.edges), wire.edges)
    yield Cell("" if wire.rate_hz is None else number(wire.rate_hz), wire.rate_hz)
    percent = None if wire.high is None else 100 * wire.high
    yield Cell("" if percent is None else f"{percent:.3g}", percent)
    yield Cell("" if shortest is None else _time(shortest), shortest)
    yield plain(level)


def _time(ns: int) -> str:
    return duration(ns, unit_for([ns]))
