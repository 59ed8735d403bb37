"""What a campaign gave: a line for each link and payload, beside what else is known of it.

A table on a terminal and a page are made of the same lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Self

from airlag import _airlag
from airlag.bench import PHASES
from airlag.json_types.run import Phase
from airlag.quantity import UNITS, Unit, number
from airlag.runs import Run

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


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a link with one payload besides its virtual runs.

    Attributes
    ----------
    family
        Kind of link.
    published_ns
        Published median latency, ns.
    published_from
        Article and section it is from.
    captured
        The run of the capture.
    matched
        The bench at the trigger times of the capture, with what it leaves free fitted to it.
    floor_ns
        What a message takes at least, ns.
    """

    family: str
    published_ns: int | None
    published_from: str | None
    captured: Run | None
    matched: Run | None
    floor_ns: int | None

    def of(self, run: Run) -> Self:
        """What of it is true of a run.

        With other settings than the profile's that is the floor, which is worked out for them.
        """
        settings = run.config["settings"]
        if not settings:
            return self
        floor_ns = self.floor_ns
        if floor_ns is not None and run.link is not None:
            floor_ns = _airlag.link_floor(run.link, run.size, settings)["ns"]
        return replace(
            self,
            published_ns=None,
            published_from=None,
            captured=None,
            matched=None,
            floor_ns=floor_ns,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A link with its settings and one payload.

    Attributes
    ----------
    name
        Link, and what was set.
    size
        Payload, bytes; ``None`` where there is no message.
    known
        What is known of it.
    runs
        Its virtual runs, one a phase.
    """

    name: str
    size: int | None
    known: Known
    runs: Mapping[Phase, Run]


@dataclass(frozen=True, slots=True)
class Column:
    """Runs of one kind, one a line.

    Attributes
    ----------
    head
        What they have in common.
    of
        The run of a line, if it has one.
    """

    head: str
    of: Callable[[Line], Run | None]


@dataclass(frozen=True, slots=True)
class Results:
    """The lines of a campaign by family, and the columns they have.

    Attributes
    ----------
    families
        Lines of each kind of link, in the order they were asked for.
    columns
        Captured, then as captured or frozen, then asynchronous: those there are.
    """

    families: Mapping[str, Sequence[Line]]
    columns: Sequence[Column]

    @classmethod
    def of(cls, runs: Sequence[Run], known: Mapping[tuple[str, int | None], Known]) -> Self:
        """Put runs of the bench beside what is known of their links.

        Parameters
        ----------
        runs
            In the order they were asked for.
        known
            By link and payload, for every run.
        """
        lines = _lines(runs, known)
        groups: list[Phase] = [p for p in reversed(PHASES) if any(p in line.runs for line in lines)]
        columns = [Column(HEADS[phase], partial(_of_phase, phase)) for phase in groups]
        if any(line.known.matched for line in lines):
            # At the phase of the capture: it says more than a phase the seed decides.
            columns = [column for column in columns if column.head != HEADS["frozen"]]
            columns.insert(0, Column("as captured", lambda line: line.known.matched))
        if any(line.known.captured for line in lines):
            columns.insert(0, Column("captured", lambda line: line.known.captured))
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


def _of_phase(phase: Phase, line: Line) -> Run | None:
    return line.runs.get(phase)


def _lines(runs: Sequence[Run], known: Mapping[tuple[str, int | None], Known]) -> list[Line]:
    """Runs of one link, size and settings side by side, families together."""
    found: dict[tuple[str, int | None, str], dict[Phase, list[Run]]] = {}
    for run in runs:
        assert run.link is not None
        settings = "".join(f" {key}={value}" for key, value in run.config["settings"].items())
        of_phase = found.setdefault((run.link, run.size, settings), {})
        of_phase.setdefault(run.config["phase"], []).append(run)
    return [
        # Several runs of a phase differ in period, and have a line each.
        Line(
            link + settings,
            size,
            known[link, size].of(next(run for _, run in pairs if run)),
            {p: run for p, run in pairs if run},
        )
        for (link, size, settings), of_phase in found.items()
        for nth in zip_longest(*of_phase.values())
        for pairs in [list(zip(of_phase, nth, strict=True))]
    ]
