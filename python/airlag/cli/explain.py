"""``airlag explain``: latency split into slices, and the measured gain of changes.

Prints three timelines, a table of slices, the floor, and advice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import Style
from rich.text import Text

from airlag import _airlag
from airlag.cli import options, terminal
from airlag.cli.burst import explain_train
from airlag.cli.match import ranked
from airlag.cli.options import given
from airlag.cli.run import Pace, Seed, Trials
from airlag.cli.run_details import Rate, costs, event_lines, regulation_lines, wire_overhead
from airlag.cli.settings import Range, Settings, pairs_of, placed
from airlag.cli.summary import headline
from airlag.cli.work import Working
from airlag.core import paths, payload
from airlag.core.quantity import Unit, duration, unit_for
from airlag.core.records import Advice
from airlag.core.types import Aim, Region
from airlag.questions import budget, matching, store
from airlag.questions.analysis import analyze
from airlag.questions.bench import CALL_SIZES, CALLS, Request
from airlag.questions.budget import Budget, Explanation
from airlag.questions.charge import NOTHING, Supply, charge_unit
from airlag.questions.trains import BACK_TO_BACK, Train
from airlag.views.pages.theme import COLOURS, INK_ON, MEANING
from airlag.views.table import MARGIN, Cell, Column, Paragraph, Table, fact, named, note

#: Default payload, which most radios have to fragment.
SIZE = 128
#: Default link of calls.
CALLED = "rpc-macos"


Size = Annotated[int | None, options.payload]


def explain(
    *,
    what: str,
    size: Size = None,
    settings: Settings = None,
    distance: Range = None,
    environment: str | None = None,
    neighbours: list[str] | None = None,
    seed: Seed = None,
    aim: Aim | None = None,
    traffic: Annotated[str | None, (*CALLS, BACK_TO_BACK)] = None,
    messages: Annotated[int | None, options.messages] = None,
    trials: Trials = None,
    pace: Pace = None,
    repeat: bool = False,
    output: options.SheetOrChart = None,
    region: Region | None = None,
    battery: str | None = None,
    rate: Rate = None,
    work: Working,
    memory: options.Memory = None,
) -> None:
    """Show where the time goes, slice by slice, and the measured gain of each change.

    Every latency is the sum of its slices, to the nanosecond. The gain of each change is
    measured in a run with that change.

    A call, such as rpc-echo, runs over the link for which figures of this call were published. For
    a capture, the best matching link runs at the captured trigger period, with random phases.

    With --traffic back-to-back, the command shows why messages of a train are lost, and how pacing
    and selective repeat change the losses.
    """
    settings = placed(settings, distance, environment)
    of_trains = {"--count": messages, "--trials": trials, "--pace": pace, "--repeat": repeat}
    if what in CALLS:
        what, traffic = CALLED, what
    if traffic == BACK_TO_BACK:
        of_runs: dict[str, object] = {"--for": aim, "-o": output, "--region": region}
        of_runs |= {"--battery": battery, "--rate": rate}
        terminal.refuse_given(of_runs, f"{{}} does not apply to {traffic}; omit one of them")
        train = Train(
            **given(size=size, count=messages, trials=trials, pace_ns=pace, seed=seed),
            repeat=repeat,
            settings=pairs_of(settings, neighbours),
        )
        explain_train(what, train, work)
        return
    terminal.refuse_given(of_trains, f"{{}} needs --traffic {BACK_TO_BACK}")
    with terminal.progress("explaining", 1):
        supply = Supply.of(battery, rate)
        found: matching.Ranking | None = None
        if _is_capture(what, memory):
            of_links = {"--set": settings, "--neighbour": neighbours, "--traffic": traffic}
            terminal.refuse_given(of_links, f"{what} is a capture; {{}} applies to a link")
            run = analyze(what, memory_bytes=memory)
            found, request = budget.matched(run, size, 1 if seed is None else seed)
            request = replace(request, region=region, battery=supply.battery)
            result = budget.explain(replace(request, per_second=supply.per_second))
        else:
            changed = (settings, neighbours)
            result = _explained(what, size, changed, seed, memory, traffic, region, supply)
        nothing = result.budget is None
        advice = None if nothing else budget.advise(result.request, aim or "tail", region)

    def draw(path: Path) -> None:
        from airlag.views.pages.packet import write_packet

        write_packet(result, path, advice, force=work.force)

    shown = [] if found is None else [ranked(found)]
    result = replace(result, advice=advice, match=found)
    work.answer(
        [result.to_json()],
        lambda: [*shown, explanation(result, region, supply)],
        output,
        [slices(result), charges(result)],
        draw=draw,
    )


def _is_capture(what: str, memory: int | None) -> bool:
    """Whether ``what`` is a recorded file rather than a link or a virtual run."""
    path = Path(what)
    if what in _airlag.links() or not paths.exists(path):
        return False
    return not store.is_parquet(path) or store.load(path, memory).seed is None


def _explained(
    what: str,
    size: int | None,
    changed: tuple[Sequence[str] | None, Sequence[str] | None],
    seed: int | None,
    memory: int | None,
    traffic: str | None,
    region: Region | None,
    supply: Supply,
) -> Explanation:
    """Runs a link, or repeats a saved run."""
    path = Path(what)
    asked: dict[str, Any] = {"region": region}
    asked |= {"battery": supply.battery, "per_second": supply.per_second}
    if what not in _airlag.links() and (path.suffix or paths.exists(path)):
        own: dict[str, object] = {"--size": size, "--set": changed[0], "--neighbour": changed[1]}
        own |= {"--seed": seed, "--traffic": traffic}
        terminal.refuse_given(own, f"{what} is a saved run; {{}} applies to a link")
        return budget.explain_saved(path, memory, asked)
    called = next((call for call in CALLS if call == traffic), None)
    usual = SIZE if called is None else CALL_SIZES[called]
    (known,) = payload.of_each([what], None if size is None else [size], [usual])[what]
    request = Request(
        what,
        known,
        seed=1 if seed is None else seed,
        settings=pairs_of(*changed),
        traffic=called or "trigger",
        **asked,
    )
    return budget.explain(request)


_KINDS = ("fixture", "medium", "answer", "radio", "bus", "work", "wait", "other")
#: Letter of each kind, which fills coloured slices and marks table rows.
LETTERS = dict(zip(_KINDS, "fMarbpw?", strict=True))
#: Fill patterns without colours, from solid (medium) to nearly empty (wait).
PATTERNS = dict(zip(_KINDS, ":█▓▒=░·?", strict=True))
#: Legend entries per line.
ABREAST = 2
#: Note below the table of charges, whose sum differs from the marginal charge of a message.
UNDER_WAY = "The sum includes idle current. A message adds:"


def explanation(
    result: Explanation,
    region: Region | None = None,
    supply: Supply = NOTHING,
) -> RenderableType:
    """Yields the complete output, at most 80 columns wide."""
    parts: list[RenderableType] = [headline(result.run), *event_lines(result.run)]
    if result.budget is None:
        parts.append(Paragraph("No message was delivered; nothing to explain."))
        return Group(*parts, *regulation_lines(result.run, region))
    unit = unit_for([result.budget.median.latency_ns])
    parts += [_bars(result.budget, unit), Text(""), slices(result), Text("")]
    parts += [fact("floor", result.floor_text or ""), fact("fixture", result.budget.fixture_text)]
    parts += wire_overhead(result.run)
    if result.slices_charge is not None:
        parts += [Text(""), charges(result), Text(""), note(UNDER_WAY)]
        parts += costs(result.run, supply)
    parts += map(note, result.published)
    if result.advice is not None:
        parts += [Text(""), *_advice(result.advice)]
    if region is not None:
        parts += [Text(""), *regulation_lines(result.run, region)]
    return Group(*parts)


@dataclass(frozen=True, slots=True)
class _Bar:
    """Slices side by side, with widths proportional to time."""

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
    """Returns the slice with its name inside, if some of the fill stays visible on both sides."""
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
    """Legend of the fills, two per line where they fit."""

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


def slices(result: Explanation) -> Table:
    """Mean slices, and the slices of the transfers at the median and at the p99."""
    budget = result.budget
    if budget is None:
        return Table([named("slice", "slice")], [])
    unit = unit_for([budget.median.latency_ns])
    median, p99 = budget.median, budget.p99
    wholes = {"mean": budget.mean_ns, "median": median.latency_ns, "p99": p99.latency_ns}
    rows = [
        (*key, (item.mean_ns, median.spent_ns(*key), p99.spent_ns(*key)))
        for item in budget.items
        if (key := (item.name, item.kind))
    ]
    return _parts(result, unit.name, "ns", lambda ns: _plain(ns, unit), wholes, rows)


def charges(result: Explanation) -> Table:
    """Table of the charge of each slice at both ends; empty without current data."""
    ends = result.slices_charge or {}
    known = {end: ends[end] for end in ("sender", "receiver") if end in ends}
    wholes: dict[str, float] = {end: each["message_nc"] for end, each in known.items()}
    unit, unit_nc = charge_unit([*wholes.values()])
    items = () if result.budget is None else result.budget.items
    order = [(item.name, item.kind) for item in items]
    together = zip(*(each["items"] for each in known.values()), strict=True)
    rows = [
        (one[0]["name"], one[0]["class"], [each["mean_nc"] for each in one]) for one in together
    ]
    rows.sort(key=lambda row: order.index(row[:2]))
    return _parts(result, unit, "nc", lambda nc: f"{nc / unit_nc:.3f}", wholes, rows)


def _parts(
    result: Explanation,
    unit: str,
    key: str,
    shown: Callable[[float], str],
    wholes: Mapping[str, float],
    rows: Sequence[tuple[str, str, Sequence[float]]],
) -> Table:
    """Table of slices with the part of each in several wholes; the last row has the wholes."""
    columns = [named("slice", "slice", style=""), Column("class", key="class", hidden=True)]
    for name in wholes:
        group = f"{name} transfer" if name in ("median", "p99") else name
        columns.append(Column("", unit, f"{name}_{key}", group=group))
        columns.append(Column("", "%", f"{name}_percent", group=group))

    def parts(values: Iterable[float], style: str = "") -> Iterator[Cell]:
        for value, whole in zip(values, wholes.values(), strict=True):
            percent = 100 * value / whole if whole else None
            yield Cell(shown(value), value, style)
            yield Cell("–" if percent is None else f"{percent:.1f}", percent, style)

    cells = [[*_label(name, kind), *parts(values)] for name, kind, values in rows]
    if cells:
        cells.append([Cell("  sum", "sum", "bold"), Cell(""), *parts(wholes.values(), "bold")])
    return Table(columns, cells, of={"link": result.run.link, "size_bytes": result.run.size})


def _label(name: str, kind: str) -> Iterator[Cell]:
    """Slice name after the mark of its kind, followed by the kind."""
    yield Cell(Text.assemble((LETTERS[kind], _style(kind)), f" {name}"), name)
    yield Cell(kind, kind)


def _plain(ns: float, unit: Unit) -> str:
    """Formats times so that a column aligns at the decimal point."""
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
