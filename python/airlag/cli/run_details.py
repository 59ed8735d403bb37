"""A run besides its latencies: missed deadlines, named events, charge, and regulatory limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, cast

from rich.text import Text

from airlag.cli.summary import share_interval
from airlag.core import types
from airlag.core.quantity import count, duration, exact, share, unit_for
from airlag.core.types import Charge, Law, Region
from airlag.questions import bench
from airlag.questions.charge import (
    NOTHING,
    Supply,
    average_na,
    charge_in_words,
    current_in_words,
    ends_of,
    life,
    parse_rate,
    rate_in_words,
    years_in_words,
)
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Run, misses
from airlag.views.table import Paragraph, fact, note

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


Rate = Annotated[float | None, parse_rate]


def costs(run: Run, asked: Supply) -> Iterator[Paragraph]:
    """What a message costs each end, and how long a battery lasts where that is asked."""
    yield from costs_of(run.charge, asked)
    if run.charge is None and run.link is not None and asked != NOTHING:
        yield Paragraph("charge  no current data for this link in links/parts.toml")


def costs_of(charge: Charge | None, asked: Supply) -> Iterator[Paragraph]:
    """The same of what is known of a charge."""
    for name, end in ends_of(charge):
        words = []
        if (marginal := end["marginal_nc"]) is not None:
            words.append(f"{charge_in_words(marginal)} a message")
            if (measured := end.get("marginal_interval95_nc")) is not None:
                words[-1] += f" (95 % {' to '.join(map(charge_in_words, measured))})"
        words.append(f"{current_in_words(end['idle_na'])} idle")
        if (rate := asked.per_second) is not None:
            average = average_na(end, rate)
            if average is not None:
                words.append(f"{current_in_words(average)} on average at {rate_in_words(rate)}")
            found = None if asked.battery is None else life(end, asked.battery, rate)
            if found is not None:
                words.append(f"{asked.battery} lasts {years_in_words(found['years'])}")
                if (over := found["overloaded_ma"]) is not None:
                    words.append(f"but gives {over[1]:g} mA at once, and {over[0]:g} mA are drawn")
        yield fact("charge", f"{name} {', '.join(words)}")


#: Said once below whatever a region says.
NO_ADVICE = (
    "Information for an engineer, not legal advice; docs/law.md says what is left out. What is "
    "unconfirmed is a limit that was not read in its document."
)
_STYLES = {"within": "green", "at the limit": "yellow", "not allowed": "bold red"}


def lawful(run: Run, region: Region | None) -> Iterator[Paragraph]:
    """What the region says of a run; without one, a word where none of them allows it."""
    if region is not None:
        if (told := run.law.get(region)) is not None:
            yield from verdict(told)
        return
    if run.law and not any(each["allowed"] for each in run.law.values()):
        airtime = max(each["airtime"] for each in run.law.values())
        names = " or ".join(each.upper() for each in run.law)
        yield fact(
            "law",
            f"not allowed like this in the {names} (airtime {percent(airtime)}); "
            f"--region {'|'.join(run.law)} says why",
        )


def verdict(told: Law) -> Iterator[Paragraph]:
    """What decides, and why no other rule helps."""
    standing = told["standing"]
    head = (f"law {told['region']}  ", "bold")
    of = f", {percent(told['airtime'])} of the time on the air: "
    yield Paragraph(Text.assemble(head, (standing, _STYLES[standing]), of, told["reason"]))
    if not told["allowed"]:
        for each in told["otherwise"]:
            yield note(f"nor by {each}")
    yield note(NO_ADVICE)


def percent(share: float) -> str:
    """A share of time."""
    return f"{100 * share:.3g} %"
