"""``airlag channels``: contents of each channel of a capture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from airlag.cli import options
from airlag.cli.work import Working, separated
from airlag.core.display import printable
from airlag.core.quantity import count, duration, number, unit_for
from airlag.questions.channels import Survey, Wire
from airlag.questions.channels import channels as survey
from airlag.views.table import Column, Table, Value, prose


def channels(
    *,
    captures: list[Path],
    output: options.Sheet = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """List the channels of captures, with edge count, rate and level, as --trigger accepts them."""
    found = work.each("reading", captures, lambda path, _: survey(path, memory_bytes=memory))
    answer = [one.to_json() for one in found]
    tables = [_table(one) for one in found]
    shown = zip(map(_head, found), tables, strict=True)
    work.answer(answer, lambda: separated(shown), output, tables)


def _head(found: Survey) -> Text:
    line = Text(printable(found.source), style="bold")
    details = f"  {_time(found.duration_ns)}"
    if found.sample_rate_hz is not None:
        details += f", {number(found.sample_rate_hz / 1e6)} MS/s"
    line.append(details, style="not bold")
    return line


def _table(found: Survey) -> Table:
    columns = [
        Column("", key="position"),
        prose("channel", "channel", shown=printable),
        Column("edges", key="edges", shown=count),
        Column("rises per second", key="rises_hz", shown=number, absent=""),
        Column("high", "%", "high_percent", shown="{:.3g}".format, absent=""),
        Column("shortest pulse", key="shortest_pulse_ns", shown=_time, absent=""),
        Column("initial level", key="level_at_first"),
    ]
    of: dict[str, Value] = {"source": found.source, "duration_ns": found.duration_ns}
    return Table.of_values(columns, map(_values, found.wires), of=of, margin=0)


def _values(wire: Wire) -> Iterator[Value]:
    pulses = [ns for ns in (wire.shortest_high_ns, wire.shortest_low_ns) if ns is not None]
    level = {None: "unknown", True: "high", False: "low"}[wire.initial]
    yield from (wire.position, wire.name, wire.edges, wire.rate_hz)
    yield None if wire.high is None else 100 * wire.high
    yield from (min(pulses, default=None), level)


def _time(ns: int) -> str:
    return duration(ns, unit_for([ns]))
