"""The table of a campaign: a row for each link and size, families of links apart.

::

                                       frozen phase         asynchronous
    ieee802154, ms    B   published     p50    p99  lost     p50    p99  lost   floor
    ieee802154-blind 12         2.5   9.990  9.990     0   6.598  11.30     0   0.928
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from rich.text import Text

from airlag.bench import PHASES, Phase
from airlag.quantity import UNITS, Unit, number, share
from airlag.run import Outcome, Run

#: Stands where nothing is known.
UNKNOWN = "—"
#: Heads of the runs of a phase. Phases stand apart: those of one are never put into the figures of
#: the other.
HEADS: dict[Phase, str] = {"frozen": "frozen phase", "uniform": "asynchronous"}
#: What is below the table.
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
_GAP, _GROUP_GAP = 1, 3


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a link at one size besides its virtual runs.

    Attributes
    ----------
    family
        Kind of link.
    published_ns
        Published median latency, ns.
    captured
        The run of the capture.
    matched
        The bench at the trigger times of the capture, with what it leaves free fitted to it.
    floor_ns
        What a message takes at least, ns.
    """

    family: str
    published_ns: int | None
    captured: Run | None
    matched: Run | None
    floor_ns: int | None


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    size: int
    known: Known
    runs: Mapping[Phase, Run]


#: Head of some columns, and the run they tell of.
_Column = tuple[str, Callable[[_Line], Run | None]]


def table(
    runs: Sequence[Run], known: Mapping[tuple[str, int], Known], width: int | None
) -> list[Text]:
    """Lays out runs of the bench beside what is known of their links.

    Parameters
    ----------
    runs
        In the order they were asked for.
    known
        By link and size, for every run.
    width
        Columns there are; without room for everything, the 99th percentiles stay out. ``None``: as
        many as it takes.
    """
    lines = _lines(runs, known)
    groups: list[Phase] = [p for p in reversed(PHASES) if any(p in line.runs for line in lines)]
    columns: list[_Column] = [(HEADS[phase], partial(_of_phase, phase)) for phase in groups]
    if any(line.known.matched for line in lines):
        # At the phase of the capture: it says more than a phase the seed decides.
        columns = [(name, of) for name, of in columns if name != HEADS["frozen"]]
        columns.insert(0, ("as captured", lambda line: line.known.matched))
    if any(line.known.captured for line in lines):
        columns.insert(0, ("captured", lambda line: line.known.captured))
    full = _rendered(lines, columns, tails=True)
    if width is None or max(len(line) for line in full) <= width:
        return full
    return _rendered(lines, columns, tails=False)


def _of_phase(phase: Phase, line: _Line) -> Run | None:
    return line.runs.get(phase)


def _lines(runs: Sequence[Run], known: Mapping[tuple[str, int], Known]) -> list[_Line]:
    """Runs of one link, size and settings side by side, families together."""
    found: dict[tuple[str, int, str], dict[Phase, list[Run]]] = {}
    for run in runs:
        assert run.link is not None
        assert run.size is not None
        settings = "".join(f" {key}={value}" for key, value in run.config["settings"].items())
        of_phase = found.setdefault((run.link, run.size, settings), {})
        of_phase.setdefault(run.config["phase"], []).append(run)
    lines = [
        # Several runs of a phase differ in period, and have a line each.
        _Line(link + settings, size, known[link, size], {p: run for p, run in pairs if run})
        for (link, size, settings), of_phase in found.items()
        for nth in zip_longest(*of_phase.values())
        for pairs in [list(zip(of_phase, nth, strict=True))]
    ]
    families = list(dict.fromkeys(line.known.family for line in lines))
    return sorted(lines, key=lambda line: families.index(line.known.family))


def _rendered(lines: Sequence[_Line], columns: Sequence[_Column], *, tails: bool) -> list[Text]:
    """Lines of text; a blank one and a head before each family."""
    quantiles = ("p50", "p99") if tails else ("p50",)
    figures = [*quantiles, "lost"]
    blocks = [("", ["link", "B"]), ("", ["published"])]
    blocks += [(name, figures) for name, _ in columns]
    blocks += [("", ["floor"])]
    heads = [head for _, block in blocks for head in block]
    families: dict[str, list[_Line]] = {}
    for line in lines:
        families.setdefault(line.known.family, []).append(line)
    cells: list[list[list[str]]] = []
    for name, family in families.items():
        unit = _unit(family)
        rows = [list(_cells(line, columns, quantiles, unit)) for line in family]
        cells.append([[f"{name}, {unit.name}", *heads[1:]], *rows])
    upright = zip(*(row for family in cells for row in family), strict=True)
    widths = [max(map(len, column)) for column in upright]
    gaps = [_GAP if place else _GROUP_GAP for _, block in blocks for place in range(len(block))]
    gaps[0] = 0
    above, done = "", 0
    for name, block in blocks:
        own = slice(done, done + len(block))
        # Centred above its columns, not above the gap before them.
        above += " " * gaps[done] + name.center(sum(widths[own]) + sum(gaps[own]) - gaps[done])
        done += len(block)
    out = [Text(above.rstrip(), style="dim")]
    for nth, (head, *rows) in enumerate(cells):
        out += [Text("")] if nth else []
        out.append(Text("".join(_padded(head, widths, gaps)), style="dim"))
        for row in rows:
            told = Text()
            for cell in _padded(row, widths, gaps):
                told.append(cell, style="bold red" if cell.endswith("%") else "")
            out.append(told)
    return out


def _padded(cells: Sequence[str], widths: Sequence[int], gaps: Sequence[int]) -> list[str]:
    """Cells as wide as their columns, each with the gap before it; the first begins the line."""
    first, *others = cells
    return [first.ljust(widths[0])] + [
        " " * gap + cell.rjust(width)
        for cell, width, gap in zip(others, widths[1:], gaps[1:], strict=True)
    ]


def _unit(family: Iterable[_Line]) -> Unit:
    """Milliseconds, unless all of a family is far below one."""
    medians = [run.latency["p50"] for line in family for run in line.runs.values() if run.latency]
    return _MICROSECONDS if medians and max(medians) < _SHORT_NS else _MILLISECONDS


def _cells(
    line: _Line, columns: Sequence[_Column], quantiles: Sequence[str], unit: Unit
) -> Iterable[str]:
    published, floor = line.known.published_ns, line.known.floor_ns
    yield line.name
    yield str(line.size)
    # With the digits it was published with.
    yield UNKNOWN if published is None else f"{published / unit.ns:g}"
    for _, of in columns:
        yield from _figures(of(line), quantiles, unit)
    yield UNKNOWN if floor is None else _number(floor / unit.ns)


def _number(value: float) -> str:
    """Four digits, none of them apart: a space is what divides columns."""
    return number(value).replace(" ", "")


def _figures(run: Run | None, quantiles: Sequence[str], unit: Unit) -> list[str]:
    """Quantiles of a run, and the share it lost."""
    if run is None:
        return [UNKNOWN] * (len(quantiles) + 1)
    latency = run.latency or {}
    found = [latency.get(name) for name in quantiles]
    lost, triggers = run.count(Outcome.LOST), len(run.outcome)
    return [
        *(UNKNOWN if value is None else _number(value / unit.ns) for value in found),
        share(lost, triggers) if lost else "0",
    ]
