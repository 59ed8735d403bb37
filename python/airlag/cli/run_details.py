"""Terminal output on a run besides latencies: deadline misses, events, charge, regulation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, cast

from rich.text import Text

from airlag.cli.summary import share_interval
from airlag.core import types
from airlag.core.quantity import count, duration, exact, share, unit_for
from airlag.core.types import Charge, Law, Region
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
from airlag.questions.runs import Percentile, Run, misses
from airlag.views.table import Paragraph, fact, note

#: Quantiles of hardware and software overhead; ``--json`` contains all.
QUANTILES: tuple[Percentile, ...] = ("p50", "p95", "p99")


def event_lines(run: Run) -> Iterator[Paragraph]:
    """Named events of a run, if any."""
    yield from event_counts(run.config.get("incidents", {}))


def event_counts(incidents: Mapping[str, int]) -> Iterator[Paragraph]:
    """Named events of runs, with their counts."""
    if incidents:
        text = ", ".join(f"{name} {count(many)}" for name, many in incidents.items())
        yield Paragraph(f"events: {text}")


def wire_overhead(run: Run) -> Iterator[Paragraph]:
    """Latency that hardware and software add to the time on the wire, for wired links."""
    on_wire, overhead = run.facts.get("wire_ns"), run.facts.get("overhead_ns")
    if on_wire is None or overhead is None:
        return
    unit = unit_for([overhead["p50"]])
    quantiles = ", ".join(f"{name} {duration(overhead[name], unit)}" for name in QUANTILES)
    text = Text.assemble(("wire  ", "bold"), f"{duration(on_wire, unit_for([on_wire]))} of it; ")
    yield Paragraph(text.append(f"overhead {quantiles}"))


def object_of(run: Run, deadline_ns: int | None) -> types.Run:
    """JSON object of a run, with its deadline misses if a deadline is given."""
    text = cast("types.Run", {**run.to_json(), **run.facts})
    if deadline_ns is not None:
        text["deadline"] = next(iter(misses(run, [deadline_ns])), None)
    return text


def missed(run: Run, deadline_ns: int | None) -> Iterator[Paragraph]:
    """Messages that miss a deadline, and the longest run of misses."""
    if deadline_ns is None:
        return
    text = Text.assemble((f"deadline {exact(deadline_ns)}  ", "bold"))
    for found in misses(run, [deadline_ns]):
        if not found["missed"]:
            yield Paragraph(text.append(f"met by all {count(found['n'])}"))
            continue
        text.append(
            f"missed by {count(found['missed'])} of {count(found['n'])} = "
            f"{share(found['missed'], found['n'])} ({share_interval(found['interval95'])}), "
            f"at most {count(found['longest_run'])} in a row"
        )
        yield Paragraph(text)


Rate = Annotated[float | None, parse_rate]


def costs(run: Run, asked: Supply) -> Iterator[Paragraph]:
    """Charge per message at each end, and battery life on request."""
    yield from costs_of(run.charge, asked)
    if run.charge is None and run.link is not None and asked != NOTHING:
        yield Paragraph("charge  no current data for this link in links/parts.toml")


def costs_of(charge: Charge | None, asked: Supply) -> Iterator[Paragraph]:
    """Charge of each end, if known."""
    for name, end in ends_of(charge):
        words = []
        if (marginal := end["marginal_nc"]) is not None:
            words.append(f"{charge_in_words(marginal)} per message")
            if (measured := end.get("marginal_interval95_nc")) is not None:
                words[-1] += f" (95 % {' to '.join(map(charge_in_words, measured))})"
        words.append(f"{current_in_words(end['idle_na'])} idle")
        if (rate := asked.per_second) is not None:
            average = average_na(end, rate)
            if average is not None:
                words.append(f"average {current_in_words(average)} at {rate_in_words(rate)}")
            found = None if asked.battery is None else life(end, asked.battery, rate)
            if found is not None:
                words.append(f"{asked.battery} lasts {years_in_words(found['years'])}")
                if (over := found["overloaded_ma"]) is not None:
                    words.append(f"but supplies {over[1]:g} mA of the peak of {over[0]:g} mA")
        yield fact("charge", f"{name} {', '.join(words)}")


#: Note printed once below regulatory results.
NO_ADVICE = (
    "Engineering information, not legal advice; docs/law.md lists what is not covered. "
    "Limits marked unconfirmed, if any, were not read in the original documents."
)
_STYLES = {"within": "green", "at the limit": "yellow", "not allowed": "bold red"}


def regulation_lines(run: Run, region: Region | None) -> Iterator[Paragraph]:
    """Regulatory verdict; without a region, a warning if no region allows the run."""
    if region is not None:
        if (text := run.law.get(region)) is not None:
            yield from verdict(text)
        return
    if run.law and not any(each["allowed"] for each in run.law.values()):
        airtime = max(each["airtime"] for each in run.law.values())
        names = " or ".join(each.upper() for each in run.law)
        yield fact(
            "law",
            f"not allowed in the {names} as configured, with {percent(airtime)} airtime. "
            f"--region {' or '.join(run.law)} prints the rule.",
        )


def verdict(law: Law) -> Iterator[Paragraph]:
    """The deciding rule, and the rules that do not apply."""
    standing = law["standing"]
    head = (f"law {law['region']}  ", "bold")
    of = f" (on the air {percent(law['airtime'])} of the time): "
    yield Paragraph(Text.assemble(head, (standing, _STYLES[standing]), of, law["reason"]))
    if not law["allowed"]:
        for each in law["otherwise"]:
            yield note(f"nor by {each}")
    yield note(NO_ADVICE)


def percent(share: float) -> str:
    """Share of time, in percent."""
    return f"{100 * share:.3g} %"
