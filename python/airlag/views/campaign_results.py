"""What a campaign gave: a line for each link and payload, beside what else is known of it.

A table on a terminal and a page are made of the same lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple, Self

from airlag.core.display import OF_DELIVERED
from airlag.core.quantity import UNITS, Unit, number
from airlag.core.types import Phase
from airlag.questions.bench import PHASES
from airlag.questions.identity import constant_in_words
from airlag.questions.percentile import Percentile
from airlag.questions.runs import Outcome, Run
from airlag.views.table import Cell, Column, Table, Value, lost, named

#: Quantiles of a line.
QUANTILES: tuple[Percentile, ...] = ("p50", "p99")
#: Stands where nothing is known.
UNKNOWN = "—"
#: Heads of the runs of a phase. Phases stand apart: those of one are never put into the figures of
#: the other.
HEADS: dict[Phase, str] = {"frozen": "frozen phase", "uniform": "asynchronous"}
#: What the columns mean.
LEGEND = (
    "frozen phase: triggers exactly one period apart, as in the captures, so that every one meets "
    "whatever ticks at the same phase; which phase, the seed decides, and a capture had another. "
    "as captured: the triggers of the capture, at the phases that explain it best. "
    "asynchronous: triggers that know of no tick, which is what a user feels. floor: what no "
    "program on this link can go below."
)
_MICROSECONDS, _MILLISECONDS = UNITS[1], UNITS[2]
#: A family whose slowest median is shorter is told in microseconds, ns.
_SHORT_NS = 100_000


#: A link, one payload, and its settings.
Key = tuple[str, int | None, tuple[tuple[str, str], ...]]


def key_of(run: Run) -> Key:
    """By what the virtual runs of a campaign belong together."""
    assert run.link is not None
    return run.link, run.size, tuple(run.config["settings"].items())


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a link with its settings and one payload besides its virtual runs."""

    #: Kind of link.
    family: str
    #: Published median latency, ns: of the profile as it is, and so ``None`` with settings.
    published_ns: int | None
    #: Article and section it is from.
    published_from: str | None
    #: The run of the capture.
    captured: Run | None
    #: The bench at the trigger times of the capture, with what it leaves free fitted to it.
    matched: Run | None
    #: What a message takes at least, ns.
    floor_ns: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A link with its settings and one payload."""

    #: Link, and what was set.
    name: str
    #: Payload, bytes; ``None`` where there is no message.
    size: int | None
    known: Known
    #: Its virtual runs, one a phase.
    runs: Mapping[Phase, Run]


class Series(NamedTuple):
    """Runs of one kind, one a line."""

    #: What they have in common.
    head: str
    #: The run of a line, if it has one.
    of: Callable[[Line], Run | None]


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of a campaign by family, and the columns they have."""

    #: Lines of each kind of link, in the order they were asked for.
    families: Mapping[str, Sequence[Line]]
    #: Captured, then as captured or frozen, then asynchronous: those there are.
    columns: Sequence[Series]

    @classmethod
    def of(cls, runs: Sequence[Run], known: Mapping[Key, Known]) -> Self:
        """Puts runs of the bench, in the order asked for, beside what is known of each."""
        lines = _lines(runs, known)
        groups: list[Phase] = [p for p in reversed(PHASES) if any(p in line.runs for line in lines)]

        def of_phase(phase: Phase) -> Series:
            return Series(HEADS[phase], lambda line: line.runs.get(phase))

        columns = list(map(of_phase, groups))
        if any(line.known.matched for line in lines):
            # At the phase of the capture: it says more than a phase the seed decides.
            columns = [column for column in columns if column.head != HEADS["frozen"]]
            columns.insert(0, Series("as captured", lambda line: line.known.matched))
        if any(line.known.captured for line in lines):
            columns.insert(0, Series("captured", lambda line: line.known.captured))
        families: dict[str, list[Line]] = {}
        for line in lines:
            families.setdefault(line.known.family, []).append(line)
        return cls(families, columns)


def unit_of(family: Iterable[Line]) -> Unit:
    """Milliseconds, unless all of a family is far below one."""
    medians = [run.latency["p50"] for line in family for run in line.runs.values() if run.latency]
    return _MICROSECONDS if medians and max(medians) < _SHORT_NS else _MILLISECONDS


def published(line: Line, unit: Unit) -> str:
    """The published median, with the digits it was published with."""
    told = line.known.published_ns
    return UNKNOWN if told is None else f"{told / unit.ns:g}"


def figure(value_ns: float | None, unit: Unit) -> str:
    """Four digits, none of them apart: a space is what divides columns."""
    return UNKNOWN if value_ns is None else number(value_ns / unit.ns).replace(" ", "")


def _lines(runs: Sequence[Run], known: Mapping[Key, Known]) -> list[Line]:
    """Runs of one link, size and settings side by side, families together."""
    found: dict[Key, dict[Phase, list[Run]]] = {}
    turned: dict[str, dict[str, None]] = {}
    for run in runs:
        key = link, _, settings = key_of(run)
        turned.setdefault(link, {}).update(dict.fromkeys(name for name, _ in settings))
        found.setdefault(key, {}).setdefault(run.config["phase"], []).append(run)
    return [
        # Several runs of a phase differ in period, and have a line each.
        Line(_named(key, turned[key[0]]), key[1], known[key], {p: run for p, run in pairs if run})
        for key, of_phase in found.items()
        for nth in zip_longest(*of_phase.values())
        for pairs in [list(zip(of_phase, nth, strict=True))]
    ]


def _named(key: Key, turned: Iterable[str]) -> str:
    """A link with every constant that any of its runs has otherwise than its profile."""
    link, _, settings = key
    given = dict(settings)
    words = [f"{name}={constant_in_words(link, name, given.get(name))}" for name in turned]
    return " ".join([link, *words])


def tables(results: Results) -> list[Table]:
    """Runs of the bench beside what is known of their links, a table a family."""
    some_lost = any(
        _has_lost(line, results) for family in results.families.values() for line in family
    )
    found = []
    for name, family in results.families.items():
        unit = unit_of(family)
        # Of boards without a message there is no payload to head a column.
        payload = "" if all(line.size is None for line in family) else "B"
        known = partial(figure, unit=unit)
        columns = [
            named(f"{name}, {unit.name}", "link", style=""),
            Column(payload, key="size_bytes", absent=""),
            Column("published", key="published_ns"),
        ]
        for column in results.columns:
            key = column.head.replace(" ", "_")
            columns += [
                Column(each, key=f"{key}_{each}_ns", group=column.head, shown=known, absent=UNKNOWN)
                for each in QUANTILES
            ]
            columns.append(Column("lost", key=f"{key}_lost", group=column.head, absent=UNKNOWN))
        columns.append(Column("floor", key="floor_ns", shown=known, absent=UNKNOWN))
        rows = [[*_values(line, results, unit)] for line in family]
        of = {"family": name}
        found.append(
            Table.of_values(columns, rows, OF_DELIVERED if some_lost else "", of, margin=0)
        )
    return found


def _values(line: Line, results: Results, unit: Unit) -> Iterator[Cell | Value]:
    yield from (line.name, line.size, Cell(published(line, unit), line.known.published_ns))
    for column in results.columns:
        run = column.of(line)
        latency: Mapping[str, Any] = {} if run is None else run.latency or {}
        yield from (latency.get(name) for name in QUANTILES)
        yield None if run is None else lost(run.count(Outcome.LOST), len(run.outcome))
    yield line.known.floor_ns


def _has_lost(line: Line, results: Results) -> bool:
    runs = (column.of(line) for column in results.columns)
    return any(run is not None and run.count(Outcome.LOST) > 0 for run in runs)
