"""Terminal output on a recording of a sniffer: connections and streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType

from airlag.core.quantity import count, duration, unit_for
from airlag.core.types import Sniff
from airlag.questions.runs import Run
from airlag.views.table import Column, Table, Value, fact, prose, time

#: Columns of a stream's counts.
_COUNTS = [Column("frames", key="frames", shown=count)]
_COUNTS += [Column("resent", key="retransmissions", shown=count)]
_COUNTS += [Column("frames", key="missed", shown=count, group="missed")]
_COUNTS += [Column("ACKs", key="acks_missed", shown=count, group="missed")]
_COUNTS += [Column("damaged", key="damaged", shown=count)]
_COUNTS += [Column("unknown", key="unresolved", shown=count)]


def sniff_lines(run: Run) -> Iterator[RenderableType]:
    """Connection interval, events without a recorded packet, and one row per stream."""
    found: Sniff | None = run.answer.get("sniff")
    if found is None:
        return
    for each in found["connections"]:
        interval_ns, missed = each["interval_ns"], count(each["events_missed"])
        interval = "unknown" if interval_ns is None else duration(interval_ns)
        events = f"{count(each['events'])} events recorded, {missed} not recorded"
        yield fact(each["access_address"], f"interval {interval}, {events}")
    unit = unit_for(each["latency_ns"]["p50"] for each in found["streams"] if each["latency_ns"])
    columns = [prose("stream", "stream", least=18), *_COUNTS, time("p50", unit, "p50_ns")]
    yield Table.of_values(columns, map(_values, found["streams"]))


def _values(stream: Mapping[str, Any]) -> Iterator[Value]:
    yield from (stream["name"], *(stream[column.key or ""] for column in _COUNTS))
    yield (stream["latency_ns"] or {}).get("p50")
