"""A budget on the terminal: three timelines, a table of slices, the floor, and what to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from airlag.cli.charge import costs
from airlag.cli.law import lawful
from airlag.cli.paragraph import Paragraph, fact, note
from airlag.cli.summary import headline
from airlag.cli.table import MARGIN, Cell, Column, Table, named
from airlag.cli.virtual import beyond_the_wire, happened
from airlag.core.quantity import Unit, duration, unit_for
from airlag.core.records import Advice
from airlag.core.types import Region
from airlag.questions.budget import Budget, Explanation
from airlag.questions.charge import NOTHING, Supply, charge_unit
from airlag.views.slice_colours import COLOURS, INK_ON, MEANING

#: What fills a slice on the background of its kind, and marks the kind in the table.
LETTERS: Mapping[str, str] = {
    "fixture": "f",
    "medium": "M",
    "answer": "a",
    "radio": "r",
    "bus": "b",
    "work": "p",
    "wait": "w",
    "other": "?",
}
#: What fills it without colours: from full, which is on the medium, to nearly nothing, which waits.
PATTERNS: Mapping[str, str] = {
    "fixture": ":",
    "medium": "█",
    "answer": "▓",
    "radio": "▒",
    "bus": "=",
    "work": "░",
    "wait": "·",
    "other": "?",
}
#: Entries of the legend in a line.
ABREAST = 2
#: Why the sum of the table of charges is not what a message adds.
UNDER_WAY = "The sum includes idle current. Added by a message:"


def explanation(
    told: Explanation,
    region: Region | None = None,
    supply: Supply = NOTHING,
) -> RenderableType:
    """Everything, at most 80 columns wide."""
    parts: list[RenderableType] = [headline(told.run), *happened(told.run)]
    if told.budget is None:
        parts.append(Paragraph("Nothing arrived, so there is nothing to explain."))
        return Group(*parts, *lawful(told.run, region))
    unit = unit_for([told.budget.median.latency_ns])
    parts += [_bars(told.budget, unit), Text(""), slices(told), Text("")]
    parts += [fact("floor", told.floor_text or ""), fact("fixture", told.budget.fixture_text)]
    parts += beyond_the_wire(told.run)
    if told.slices_charge is not None:
        parts += [Text(""), charges(told), Text(""), note(UNDER_WAY)]
        parts += costs(told.run, supply)
    parts += map(note, told.published)
    if told.advice is not None:
        parts += [Text(""), *_advice(told.advice)]
    if region is not None:
        parts += [Text(""), *lawful(told.run, region)]
    return Group(*parts)


@dataclass(frozen=True, slots=True)
class _Bar:
    """Slices side by side, as long as their time."""

    title: str
    slices: Sequence[tuple[str, str, float]]
    longest_ns: float
    latency: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colours = _has_colours(console)
        width = max(options.max_width - MARGIN - 8 - len(self.latency) - 1, 10)
        line = Text(" " * MARGIN + self.title.ljust(8))
        at, drawn = 0.0, 0
        for name, kind, ns in self.slices:
            at += ns
            cells = round(at / self.longest_ns * width) - drawn
            drawn += cells
            fill = (LETTERS if colours else PATTERNS)[kind]
            line.append(_filled(name, fill, cells), _style(kind) if colours else "")
        line.append(f" {self.latency}")
        yield line


def _has_colours(console: Console) -> bool:
    return console.color_system is not None and not console.no_color


def _filled(name: str, fill: str, cells: int) -> str:
    """A slice with its name, where that leaves something of what fills it on both sides."""
    return f" {name} ".center(cells, fill) if cells > len(name) + 3 else fill * cells


def _style(kind: str) -> Style:
    return Style(color=INK_ON[kind], bgcolor=COLOURS[kind])


def _bars(budget: Budget, unit: Unit) -> RenderableType:
    mean = [(item.name, item.kind, item.mean_ns) for item in budget.items]
    rows: list[tuple[str, Sequence[tuple[str, str, float]], float]] = [
        ("mean", mean, budget.mean_ns)
    ]
    for title, timeline in (("median", budget.median), ("p99", budget.p99)):
        slices = [(part.name, part.kind, float(part.ns)) for part in timeline.parts]
        rows.append((title, slices, timeline.latency_ns))
    longest = max(ns for _, _, ns in rows)
    shown = [duration(ns, unit) for _, _, ns in rows]
    widest = max(map(len, shown))
    bars = [
        _Bar(title, slices, longest, text.rjust(widest))
        for (title, slices, _), text in zip(rows, shown, strict=True)
    ]
    used = {item.kind for item in budget.items}
    return Group(*bars, _Legend([kind for kind in COLOURS if kind in used]))


@dataclass(frozen=True, slots=True)
class _Legend:
    """What fills the slices of each kind, two abreast where there is room for that."""

    kinds: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colours = _has_colours(console)
        entries = []
        for kind in self.kinds:
            mark = f" {LETTERS[kind]} " if colours else f"{PATTERNS[kind] * 2} {LETTERS[kind]}"
            entries.append(
                Text.assemble((mark, _style(kind) if colours else ""), f" {MEANING[kind]}")
            )
        widest = max((entry.cell_len for entry in entries), default=0) + 2
        abreast = ABREAST if MARGIN + ABREAST * widest <= options.max_width else 1
        for first in range(0, len(entries), abreast):
            line = Text(" " * MARGIN)
            for entry in entries[first : first + abreast]:
                entry.pad_right(widest - entry.cell_len)
                line.append_text(entry)
            line.rstrip()
            yield line


def slices(told: Explanation) -> Table:
    """The slices of a mean packet, of a median one and of a slow one."""
    budget = told.budget
    if budget is None:
        return Table([named("slice", "slice")], [])
    unit = unit_for([budget.median.latency_ns])
    median, p99 = budget.median, budget.p99
    columns = [
        named("slice", "slice", style=""),
        Column("class", key="class", hidden=True),
    ]
    for name in ("mean", "median", "p99"):
        columns.append(Column("", unit.name, f"{name}_ns", group=name))
        columns.append(Column("", "%", f"{name}_percent", group=name))

    def row(mean_ns: float, median_ns: float, p99_ns: float, style: str = "") -> Iterator[Cell]:
        wholes = (budget.mean_ns, median.latency_ns, p99.latency_ns)
        for ns, whole in zip((mean_ns, median_ns, p99_ns), wholes, strict=True):
            yield from _part(_plain(ns, unit), ns, whole, style)

    rows = []
    for item in budget.items:
        spent = row(
            item.mean_ns,
            median.spent_ns(item.name, item.kind),
            p99.spent_ns(item.name, item.kind),
        )
        rows.append([*_label(item.name, item.kind), *spent])
    total = row(budget.mean_ns, median.latency_ns, p99.latency_ns, "bold")
    rows.append([Cell("  sum", "sum", "bold"), Cell(""), *total])
    run = told.run
    return Table(columns, rows, of={"link": run.link, "size_bytes": run.size})


def charges(told: Explanation) -> Table:
    """What each slice costs either end; no rows where nobody lists what they draw."""
    ends = told.slices_charge or {}
    known = [(end, ends[end]) for end in ("sender", "receiver") if end in ends]
    columns = [named("slice", "slice", style=""), Column("class", key="class", hidden=True)]
    unit_nc, unit = charge_unit(each["message_nc"] for _, each in known)
    for name, _ in known:
        columns.append(Column("", unit, f"{name}_nc", group=name))
        columns.append(Column("", "%", f"{name}_percent", group=name))
    rows = []
    order = [] if told.budget is None else [(item.name, item.kind) for item in told.budget.items]
    together = zip(*(each["items"] for _, each in known), strict=True)
    for several in sorted(together, key=lambda one: order.index((one[0]["name"], one[0]["class"]))):
        row = [*_label(several[0]["name"], several[0]["class"])]
        for item, (_, each) in zip(several, known, strict=True):
            nc = item["mean_nc"]
            row += _part(f"{nc / unit_nc:.3f}", nc, each["message_nc"])
        rows.append(row)
    if rows:
        total = [Cell("  sum", "sum", "bold"), Cell("")]
        for _, each in known:
            nc = each["message_nc"]
            total += _part(f"{nc / unit_nc:.3f}", nc, nc, "bold")
        rows.append(total)
    return Table(columns, rows, of={"link": told.run.link, "size_bytes": told.run.size})


def _part(text: str, value: float, whole: float, style: str = "") -> Iterator[Cell]:
    """A value, and how much of the whole it is."""
    percent = 100 * value / whole if whole else None
    yield Cell(text, value, style)
    yield Cell("–" if percent is None else f"{percent:.1f}", percent, style)


def _label(name: str, kind: str) -> Iterator[Cell]:
    """The name of a slice behind the mark of its class, and the class."""
    yield Cell(Text.assemble((LETTERS[kind], _style(kind)), f" {name}"), name)
    yield Cell(kind, kind)


def _plain(ns: float, unit: Unit) -> str:
    """A column of these lines up at the point."""
    decimals = {1.0: 0, 1e3: 3, 1e6: 4, 1e9: 5}[unit.ns]
    return f"{ns / unit.ns:.{decimals}f}"


def _advice(advice: Advice) -> Iterable[RenderableType]:
    for step in advice.steps:
        if step.lead:
            lead, sets = (f"{step.lead}: ", "bold"), (step.settings, "bold")
            mark = Text("→", "green") if step.kind == "free" else Text("~", "yellow")
            yield Paragraph(Text.assemble(lead, sets, f"\n{step.text}"), mark)
        else:
            yield Paragraph(Text(step.text, "dim" if step.kind == "method" else ""))
