"""``airlag convert``: between capture formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from airlag._airlag import Trace
from airlag.cli import options, terminal
from airlag.core.display import printable, short_name
from airlag.core.quantity import count
from airlag.questions import capture

Source = Annotated[
    Path,
    typer.Argument(
        metavar="IN",
        help="Capture of any format, told by its content; - is standard input.",
        show_default=False,
    ),
]
Target = Annotated[
    Path,
    typer.Argument(
        metavar="OUT",
        help="File to write; its name tells the format: .csv (Saleae Logic 2), .vcd, .sr (sigrok) "
        "or .parquet (a run; the first two channels are paired).",
        show_default=False,
    ),
]


def convert(
    source: Source,
    target: Target,
    force: options.Force = False,
    json: options.Json = False,
    memory: options.Memory = None,
) -> None:
    """Write a capture in another format; every edge keeps its nanosecond."""
    try:
        with terminal.progress("converting", 1):
            trace = capture.convert(source, target, force=force, memory_bytes=memory)
    except ValueError as error:
        terminal.refuse(error)
    except OSError as error:
        terminal.refuse(
            f"{target}: cannot be written ({error.strerror or error}); choose another place"
        )
    counts = {name: _edges(trace, index) for index, name in enumerate(trace.names)}
    if json:
        edges = [{"name": name, "edges": edges} for name, edges in counts.items()]
        terminal.print_json([{"source": str(source), "target": str(target), "channels": edges}])
        return
    line = Text(printable(str(target)), style="bold")
    told = ", ".join(f"{short_name(name)} {count(edges)}" for name, edges in counts.items())
    line.append(f"  edges: {told}", style="not bold")
    terminal.output().show(line)


def _edges(trace: Trace, channel: int) -> int:
    return sum(len(trace.edges_ns(channel, i)) for i in range(len(trace.segments(channel))))
