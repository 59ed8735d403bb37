"""``airlag convert``: conversion between capture formats."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from airlag._airlag import Trace
from airlag.cli import options, terminal
from airlag.cli.work import Working
from airlag.core.display import printable, short_name
from airlag.core.quantity import count
from airlag.questions import capture


def convert(
    *,
    source: Path,
    target: Path,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Write a capture in another format; edge times stay exact to the nanosecond."""
    with (
        terminal.refusing(ValueError),
        terminal.writing(target),
        terminal.progress("converting", 1),
    ):
        trace = capture.convert(source, target, force=work.force, memory_bytes=memory)
    counts = {name: _edges(trace, index) for index, name in enumerate(trace.names)}
    channels = [{"name": name, "edges": edges} for name, edges in counts.items()]
    line = Text(printable(str(target)), style="bold")
    edges_text = ", ".join(f"{short_name(name)} {count(edges)}" for name, edges in counts.items())
    line.append(f"  edges: {edges_text}", style="not bold")
    work.show(
        [{"source": str(source), "target": str(target), "channels": channels}], lambda: [line]
    )


def _edges(trace: Trace, channel: int) -> int:
    return sum(len(trace.edges_ns(channel, i)) for i in range(len(trace.segments(channel))))
