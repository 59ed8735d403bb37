"""``airlag convert``: conversion between capture formats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.time_base import base_lines
from airlag.cli.work import Working
from airlag.core.display import printable, short_name
from airlag.core.quantity import count, parse_whole
from airlag.questions import capture

#: Maximum time between two recordings, s: a third of a year.
_LONGEST_S = 10_000_000


def _whole(text: str) -> int | None:
    value = parse_whole(text.removeprefix("-"), 0, _LONGEST_S)
    return -value if value is not None and text.startswith("-") else value


_seconds = options.checked("number of seconds", "a whole number, such as 3 or -2", _whole)


def convert(
    *,
    source: Path,
    target: Path,
    pps: list[str] | None = None,
    join: list[Path] | None = None,
    seconds: Annotated[list[int] | None, _seconds] = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Write a capture in another format; edge times stay exact to the nanosecond.

    --pps takes the time base from a pulse per second. --join adds captures with the same pulses.
    """
    with (
        terminal.refusing(ValueError),
        terminal.writing(target),
        terminal.progress("converting", 1),
    ):
        trace, found = capture.converted(
            source, target, pps, join or (), seconds or (), force=work.force, memory_bytes=memory
        )
    edges = [
        sum(len(trace.edges_ns(nth, part)) for part in range(len(trace.segments(nth))))
        for nth in range(len(trace.names))
    ]
    named = list(zip(trace.names, edges, strict=True))
    channels = [{"name": name, "edges": number} for name, number in named]
    line = Text(printable(str(target)), style="bold")
    listed = ", ".join(f"{count(number)} edges on {short_name(name)}" for name, number in named)
    line.append(f"  {listed}", style="not bold")
    answer: dict[str, object] = {"source": str(source), "target": str(target)}
    answer["channels"] = channels
    if found is not None:
        answer["time_base"] = found
    work.show([answer], lambda: [line, *base_lines(found or ())])
