"""What misses a deadline, on the terminal and for machines."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import share_interval
from airlag.core import types
from airlag.core.quantity import count, exact, share
from airlag.questions.runs import Run, misses


def object_of(run: Run, deadline_ns: int | None) -> types.Run:
    """The run as one object of the documented array, with what misses the deadline, if one is."""
    told = run.to_json()
    if deadline_ns is not None:
        told["deadline"] = next(iter(misses(run, [deadline_ns])), None)
    return told


def missed(run: Run, deadline_ns: int | None) -> Iterator[Paragraph]:
    """How many messages miss a deadline, and how many in a row."""
    if deadline_ns is None:
        return
    text = Text.assemble((f"deadline {exact(deadline_ns)}  ", "bold"))
    for found in misses(run, [deadline_ns]):
        if not found["missed"]:
            yield Paragraph(text.append(f"kept by all {count(found['n'])}"))
            continue
        text.append(
            f"missed by {count(found['missed'])} of {count(found['n'])} = "
            f"{share(found['missed'], found['n'])} ({share_interval(found['interval95'])}), "
            f"at most {count(found['longest_run'])} in a row"
        )
        yield Paragraph(text)
