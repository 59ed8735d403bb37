"""``airlag convert``: conversion between capture formats."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.work import Working
from airlag.core.display import printable, short_name
from airlag.core.quantity import count
from airlag.questions import capture


def convert(*, source: Path, target: Path, work: Working, memory: options.Memory = None) -> None:
    """Write a capture in another format; edge times stay exact to the nanosecond."""
    with (
        terminal.refusing(ValueError),
        terminal.writing(target),
        terminal.progress("converting", 1),
    ):
        trace = capture.convert(source, target, force=work.force, memory_bytes=memory)
    edges = [
        sum(len(trace.edges_ns(nth, part)) for part in range(len(trace.segments(nth))))
        for nth in range(len(trace.names))
    ]
    named = list(zip(trace.names, edges, strict=True))
    channels = [{"name": name, "edges": number} for name, number in named]
    line = Text(printable(str(target)), style="bold")
    listed = ", ".join(f"{short_name(name)} {count(number)}" for name, number in named)
    line.append(f"  edges: {listed}", style="not bold")
    work.show(
        [{"source": str(source), "target": str(target), "channels": channels}], lambda: [line]
    )
