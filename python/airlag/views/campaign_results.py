"""Results of a campaign: one line per link and payload, with published and measured figures.

The terminal table and the page are built from the same lines.
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
from airlag.questions.runs import Outcome, Percentile, Run
from airlag.views.table import Cell, Column, Table, Value, lost, named

QUANTILES: tuple[Percentile, ...] = ("p50", "p99")
#: Text of a missing value.
UNKNOWN = "—"
#: Column headings by phase. Figures of different phases are never merged.
HEADS: dict[Phase, str] = {"frozen": "frozen phase", "uniform": "asynchronous"}
#: Definitions of the column headings.
LEGEND = (
    "frozen phase: triggers are spaced exactly one period apart, so every trigger meets the clocks "
    "of the link at the same phase. The seed selects that phase; a capture had a different one. "
    "as captured: triggers replay the times of the capture, at the clock phases that fit it best. "
    "asynchronous: triggers are independent of the clocks of the link, as user actions are. "
    "floor: lower bound on latency that no program on this link can beat."
)
_MICROSECONDS, _MILLISECONDS = UNITS[1], UNITS[2]
#: A family is shown in microseconds if its slowest median is below this value, ns.
_SHORT_NS = 100_000


#: Link, payload and settings.
Key = tuple[str, int | None, tuple[tuple[str, str], ...]]


def key_of(run: Run) -> Key:
    """Returns the key shared by the virtual runs of one link, payload and set of settings."""
    assert run.link is not None
    return run.link, run.size, tuple(run.config["settings"].items())


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference figures for a link with its settings and one payload."""

    #: Kind of link.
    family: str
    #: Published median latency of the unchanged profile, ns; ``None`` with settings.
    published_ns: int | None
    #: Article and section of the published figure.
    published_from: str | None
    #: Run from the capture.
    captured: Run | None
    #: Virtual run at the trigger times of the capture, with free parameters fitted to it.
    matched: Run | None
    #: Lower bound on latency, ns.
    floor_ns: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """One link with its settings and one payload."""

    #: Link and changed settings.
    name: str
    #: Payload, bytes; ``None`` for a link without messages.
    size: int | None
    known: Reference
    #: Virtual runs by phase.
    runs: Mapping[Phase, Run]


class Series(NamedTuple):
    """A group of columns: runs of one kind, at most one per line."""

    #: Heading of the group.
    head: str
    #: Returns the run of a line, if it has one.
    of: Callable[[Line], Run | None]


@dataclass(frozen=True, slots=True)
class Results:
    """Lines of a campaign by family, and the column groups that have data."""

    #: Lines by kind of link, in campaign order.
    families: Mapping[str, Sequence[Line]]
    #: In this order: captured, as captured or frozen, asynchronous.
    columns: Sequence[Series]

    @classmethod
    def of(cls, runs: Sequence[Run], known: Mapping[Key, Reference]) -> Self:
        """Combines virtual runs, in campaign order, with their reference figures."""
        lines = _lines(runs, known)
        groups: list[Phase] = [p for p in reversed(PHASES) if any(p in line.runs for line in lines)]

        def of_phase(phase: Phase) -> Series:
            return Series(HEADS[phase], lambda line: line.runs.get(phase))

        columns = list(map(of_phase, groups))
        if any(line.known.matched for line in lines):
            # Replaces the frozen column, whose phase depends on the seed.
            columns = [column for column in columns if column.head != HEADS["frozen"]]
            columns.insert(0, Series("as captured", lambda line: line.known.matched))
        if any(line.known.captured for line in lines):
            columns.insert(0, Series("captured", lambda line: line.known.captured))
        families: dict[str, list[Line]] = {}
        for line in lines:
            families.setdefault(line.known.family, []).append(line)
        return cls(families, columns)


def unit_of(family: Iterable[Line]) -> Unit:
    """Returns milliseconds, or microseconds if all medians of the family are short."""
    medians = [run.latency["p50"] for line in family for run in line.runs.values() if run.latency]
    return _MICROSECONDS if medians and max(medians) < _SHORT_NS else _MILLISECONDS


def published(line: Line, unit: Unit) -> str:
    """Returns the published median with its published number of digits."""
    median = line.known.published_ns
    return UNKNOWN if median is None else f"{median / unit.ns:g}"


def figure(value_ns: float | None, unit: Unit) -> str:
    """Formats four digits without a thousands separator, because spaces separate columns."""
    return UNKNOWN if value_ns is None else number(value_ns / unit.ns).replace(" ", "")


def _lines(runs: Sequence[Run], known: Mapping[Key, Reference]) -> list[Line]:
    """Groups the runs of one link, size and settings into lines; families stay together."""
    found: dict[Key, dict[Phase, list[Run]]] = {}
    turned: dict[str, dict[str, None]] = {}
    for run in runs:
        key = link, _, settings = key_of(run)
        turned.setdefault(link, {}).update(dict.fromkeys(name for name, _ in settings))
        found.setdefault(key, {}).setdefault(run.config["phase"], []).append(run)
    return [
        # Runs of the same phase differ in period; each gets its own line.
        Line(_named(key, turned[key[0]]), key[1], known[key], {p: run for p, run in pairs if run})
        for key, of_phase in found.items()
        for nth in zip_longest(*of_phase.values())
        for pairs in [list(zip(of_phase, nth, strict=True))]
    ]


def _named(key: Key, turned: Iterable[str]) -> str:
    """Names a link with every constant that any of its runs changes."""
    link, _, settings = key
    given = dict(settings)
    words = [f"{name}={constant_in_words(link, name, given.get(name))}" for name in turned]
    return " ".join([link, *words])


def tables(results: Results) -> list[Table]:
    """Tables of virtual runs and reference figures, one per family."""
    some_lost = any(
        _has_lost(line, results) for family in results.families.values() for line in family
    )
    found = []
    for name, family in results.families.items():
        unit = unit_of(family)
        # Boards without messages have no payload column.
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
