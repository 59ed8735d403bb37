"""``airlag convert``: between capture formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.text import Text

from airlag._airlag import Trace
from airlag.cli import options, terminal
from airlag.cli.options import argument
from airlag.cli.work import Work
from airlag.core.display import printable, short_name
from airlag.core.quantity import count
from airlag.questions import capture

SOURCE = argument("IN", "Capture of any format, told by its content; - is standard input.")
TARGET = argument(
    "OUT",
    "File to write; its name tells the format: .csv (Saleae Logic 2), .vcd, .sr (sigrok) or "
    ".parquet (a run; the first two channels are paired).",
)


def convert(
    source: Annotated[Path, SOURCE],
    target: Annotated[Path, TARGET],
    force: options.Force = False,
    json: options.Json = False,
    memory: options.Memory = None,
) -> None:
    """Write a capture in another format; every edge keeps its nanosecond."""
    with (
        terminal.refusing(ValueError),
        terminal.writing(target),
        terminal.progress("converting", 1),
    ):
        trace = capture.convert(source, target, force=force, memory_bytes=memory)
    counts = {name: _edges(trace, index) for index, name in enumerate(trace.names)}
    channels = [{"name": name, "edges": edges} for name, edges in counts.items()]
    line = Text(printable(str(target)), style="bold")
    told = ", ".join(f"{short_name(name)} {count(edges)}" for name, edges in counts.items())
    line.append(f"  edges: {told}", style="not bold")
    Work(force=force, json=json).show(
        [{"source": str(source), "target": str(target), "channels": channels}], lambda: [line]
    )


def _edges(trace: Trace, channel: int) -> int:
    return sum(len(trace.edges_ns(channel, i)) for i in range(len(trace.segments(channel))))
