"""What is said of a run besides its latencies: what misses a deadline, and what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rich.text import Text

from airlag.cli.paragraph import Paragraph
from airlag.cli.summary import share_interval
from airlag.core import types
from airlag.core.quantity import count, duration, exact, share, unit_for
from airlag.questions import bench
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Run, misses

#: Quantiles of what is beyond the wire; the rest is in ``--json``.
QUANTILES: tuple[Percentile, ...] = ("p50", "p95", "p99")


def happened(run: Run) -> Iterator[Paragraph]:
    """What happened on the way, where anything did."""
    yield from on_the_way(bench.incidents(run))


def on_the_way(incidents: Mapping[str, int]) -> Iterator[Paragraph]:
    """Named events of runs, with their counts."""
    if incidents:
        told = ", ".join(f"{name} {count(many)}" for name, many in incidents.items())
        yield Paragraph(f"on the way: {told}")


def beyond_the_wire(run: Run) -> Iterator[Paragraph]:
    """What hardware and software add to the time on the wire, where there is a wire."""
    on_wire, overhead = run.facts.get("wire_ns"), run.facts.get("overhead_ns")
    if on_wire is None or overhead is None:
        return
    unit = unit_for([overhead["p50"]])
    told = ", ".join(f"{name} {duration(overhead[name], unit)}" for name in QUANTILES)
    text = Text.assemble(("wire  ", "bold"), f"{duration(on_wire, unit_for([on_wire]))} of it; ")
    yield Paragraph(text.append(f"beyond that {told}"))


def object_of(run: Run, deadline_ns: int | None) -> types.Run:
    """The run as one object of the documented array, with what misses the deadline, if one is."""
    told = cast("types.Run", {**run.to_json(), **run.facts})
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
