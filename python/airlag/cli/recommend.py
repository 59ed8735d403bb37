"""``airlag recommend``: choice of a link for a deadline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from airlag.cli import options, terminal
from airlag.cli.explain import SIZE, Size
from airlag.cli.options import given, lasting, real
from airlag.cli.run import Period, Seed
from airlag.cli.run_details import NO_ADVICE, Rate
from airlag.cli.settings import Range, Settings, pairs_of
from airlag.cli.work import Working
from airlag.core import payload
from airlag.core.quantity import number
from airlag.core.records import Criterion
from airlag.core.types import Region
from airlag.questions import recommendation as recommending
from airlag.questions.charge import parse_charge, parse_life
from airlag.questions.recommendation import LIMITS, VERDICTS, Candidate, Recommendation, Task
from airlag.views.table import Cell, Column, Paragraph, Table, named, note, plain, prose

if TYPE_CHECKING:
    from airlag.core.types import RecommendVerdict as Verdict

#: Units as used in keys of files.
UNIT_KEYS = {"%": "percent", "mA": "ma", "uC": "uc"}
#: Maximum line width, columns.
WIDTH = 100
#: Heading and style of each verdict.
TITLES: dict[Verdict, tuple[str, str]] = {
    "passes": ("meets every requirement", "bold green"),
    "close": ("too close to call", "bold yellow"),
    "undecided": ("undecided", "bold yellow"),
    "fails": ("fails", "bold red"),
}
#: Marks of verdicts in the matrix, their styles and meanings.
MARKS: dict[Verdict, tuple[str, str, str]] = {
    "passes": ("✓", "green", "met"),
    "fails": ("✗", "red", "not met"),
    "close": ("~", "yellow", "too close to its limit for a verdict"),
    "undecided": ("?", "yellow", "undecided"),
}


_percentile = real("percentile", *LIMITS["percentile"], units={"": 0, "%": 0}, example="99")
_loss = real("loss ratio", *LIMITS["max_loss"], units={"%": -2}, example="0.1%")
_places = real("share of locations", *LIMITS["places_share"], units={"%": -2}, example="90%")
_budget = lasting("budget", *(round(seconds * 1e9) for seconds in LIMITS["budget_s"]))


def recommend(
    *,
    deadline: Annotated[int, options.deadline],
    links: list[str] | None = None,
    size: Size = None,
    percentile: Annotated[float | None, _percentile] = None,
    max_loss: Annotated[float | None, _loss] = None,
    distance: Range = None,
    environment: str | None = None,
    places_share: Annotated[float | None, _places] = None,
    neighbours: list[str] | None = None,
    processor: str | None = None,
    settings: Settings = None,
    period: Period = None,
    budget: Annotated[int | None, _budget] = None,
    trade: bool = False,
    wired: bool = False,
    region: Region | None = None,
    max_charge: Annotated[float | None, parse_charge] = None,
    battery: str | None = None,
    battery_life: Annotated[float | None, parse_life] = None,
    rate: Rate = None,
    seed: Seed = None,
    output: options.SheetOrChart = None,
    work: Working,
) -> None:
    """Choose a link by deadline, delivery, regulation, battery life and peak current.

    Searches for the best configuration of every profile on the virtual bench. The options --region
    and --battery restrict the settings. Lost and late messages both miss the deadline. The exit
    code is 1 if no link meets every requirement.
    """
    if environment is not None and distance is None:
        terminal.refuse(f"--environment {environment} has no effect without --range, such as 30m")
    if places_share is not None and distance is None:
        terminal.refuse("--places-share has no effect without --range, such as 30m")
    if battery_life is None and battery is None and rate is not None:
        terminal.refuse("--rate has no effect without --battery or --battery-life, such as 1y")
    asked = payload.of_each(links or (), None if size is None else [size], [SIZE])
    # All radio links carry messages.
    known = [each for (each,) in asked.values()] or [SIZE if size is None else size]
    task = Task(
        size=next((each for each in known if each is not None), None),
        deadline_ns=deadline,
        **given(percentile=percentile, max_loss=max_loss, places_share=places_share, seed=seed),
        **given(budget_s=None if budget is None else budget / 1e9),
        distance=distance,
        environment=environment,
        neighbours=tuple(neighbours or ()),
        processor=processor,
        period_ns=period,
        links=tuple(dict.fromkeys(links or ())),
        wired=wired,
        trade=trade,
        region=region,
        max_charge_nc=max_charge,
        battery=battery,
        battery_years=battery_life,
        per_second=rate,
        settings=dict(pairs_of(settings)),
    )
    with terminal.progress("simulated ms", 2, pace=True) as step:
        result, stopped = recommending.attempt(task, terminal.reaching(step))
    if stopped is not None and not work.until.stop(stopped):
        raise stopped
    work.until.expect(result.candidates)
    decided = result.contenders - len(result.those_that("undecided"))
    work.finished = f"{decided} of {result.contenders} links are decided"

    def draw(path: Path) -> None:
        from airlag.views.pages import choices

        choices.write(result, path, force=work.force)

    work.answer(
        result.to_json(),
        lambda: [Constrain(_recommendation(result), WIDTH)],
        output,
        [table(result)],
        draw=draw,
        found=not result.those_that("passes"),
    )


def _recommendation(result: Recommendation) -> RenderableType:
    parts: list[RenderableType] = [_requirements(result)]
    for verdict in VERDICTS:
        found = result.those_that(verdict)
        if found:
            title, style = TITLES[verdict]
            parts += [
                Text(""),
                Text.assemble((title, style), f"  {len(found)}"),
                _matrix(found, result.task),
            ]
    parts += [Text(""), *_below(result)]
    return Group(*parts)


def _criterion(each: Candidate, name: str) -> Criterion | None:
    return next((one for one in each.criteria if one.name == name), None)


def _names(found: Sequence[Candidate]) -> list[str]:
    """Names of the criteria, in the order of the answer."""
    return list(dict.fromkeys(one.name for each in found for one in each.criteria))


def _columns(found: Sequence[Candidate], deadline: str = "deadline") -> list[Column]:
    """One column per criterion, that of the deadline with this heading."""
    columns = []
    for name in _names(found):
        units = {one.unit for each in found if (one := _criterion(each, name))}
        unit = units.pop() if len(units) == 1 and name != "law" else ""
        key = "_".join([*name.split(), *([UNIT_KEYS.get(unit, unit)] if unit else [])])
        heading = deadline if name == "deadline" else name
        columns.append(Column(heading, unit, None if name == "law" else key))
    return columns


def _cell(one: Criterion | None) -> Cell:
    """Value with its verdict mark; regulation has only the mark."""
    if one is None:
        return Cell("–")
    mark, style, _ = MARKS[one.verdict]
    shown = "" if one.value is None or one.name == "law" else f"{number(one.value)} "
    return Cell(Text(f"{shown}{mark}", style), one.value)


def _matrix(found: Sequence[Candidate], task: Task) -> Table:
    """One row per candidate and column per criterion, with settings and reason below each row."""
    columns = [named("", "link", style="bold"), *_columns(found, task.name)]
    names = _names(found)
    rows = [
        [plain(each.link), *(_cell(_criterion(each, name)) for name in names)] for each in found
    ]
    return Table(columns, rows, below=[[*_why(each)] for each in found])


def _requirements(result: Recommendation) -> Text:
    words = Text(" · ".join(result.requirements))
    words.stylize("bold", 0, words.plain.index(" at "))
    return words


def table(result: Recommendation) -> Table:
    """All candidates with verdict, criteria and reason, for a file."""
    task = result.task
    found = [each for verdict in VERDICTS for each in result.those_that(verdict)]
    names = _names(found)
    columns = [
        named("link", "link"),
        Column("set", key="settings", right=False),
        Column("verdict", key="verdict", right=False),
        Column("p50", "ms", "p50_ns"),
        Column(task.name, "ms", "quantile_ns"),
        Column("floor", "ms", "floor_ns"),
        *_columns(found),
        *(Column(f"{name} verdict", key=f"{name.replace(' ', '_')}_verdict") for name in names),
        prose("why", "reason"),
    ]
    rows = []
    for each in found:
        sets = " ".join(f"{key}={value}" for key, value in each.settings.items())
        seen = each.seen
        quantiles = [None, None] if seen is None else [seen.p50.ns, seen.quantile.ns]
        floor = Cell("–" if each.floor_ns is None else number(each.floor_ns / 1e6), each.floor_ns)
        criteria = [_criterion(each, name) for name in names]
        verdicts = [Cell("–") if one is None else plain(one.verdict) for one in criteria]
        rows.append(
            [
                plain(each.link),
                plain(sets),
                Cell(TITLES[each.verdict][0], each.verdict),
                *(Cell("–" if ns is None else number(ns / 1e6), ns) for ns in quantiles),
                floor,
                *map(_cell, criteria),
                *verdicts,
                plain(each.reason),
            ]
        )
    of = {"size_bytes": task.size, "deadline_ns": task.deadline_ns, "percentile": task.percentile}
    return Table(columns, rows, of=of)


def _why(each: Candidate) -> Iterable[Paragraph]:
    tuned = list(each.settings.items())[len(each.settings) - each.tuned :]
    if tuned:
        sets = " ".join(f"--set {name}={value}" for name, value in tuned)
        yield Paragraph(f"with {sets}", margin=4)
    for cost in each.gives_up:
        yield Paragraph(f"gives up {cost}", Text("  ~", "yellow"), margin=4)
    yield Paragraph(Text(each.reason, "dim"), margin=4)


def _below(result: Recommendation) -> Iterable[RenderableType]:
    best = next(iter(result.those_that("passes")), None)
    open_ = result.those_that("undecided")
    if open_ and not result.complete:
        names = ", ".join(each.link for each in open_)
        more = (
            f"undecided within {result.task.budget_s:g} s of CPU time: {names}. Increase --budget"
        )
        yield Paragraph(Text(more, "bold yellow"))
    if best is not None:
        command = " ".join(best.command)
        yield Paragraph(Text.assemble(("first choice: ", "bold"), command), Text("→", "green"))
    elif open_:
        yield Paragraph(Text("No link is known to meet every requirement.", "bold"))
    else:
        yield Paragraph(Text("No link meets every requirement.", "bold"))
    # A link that is undecided may still meet every requirement; one that fails cannot.
    nearest = next(iter(open_ or result.those_that("fails")), None)
    if best is None and nearest is not None:
        title = "not ruled out: " if open_ else "nearest: "
        command = " ".join(nearest.command)
        yield Paragraph(Text.assemble((title, "bold"), command), Text("→", "yellow"))
    if result.task.region is not None:
        yield note(NO_ADVICE)
    used = {one.verdict for each in result.candidates for one in each.criteria}
    legend = (f"{mark} {met}" for verdict, (mark, _, met) in MARKS.items() if verdict in used)
    judged = f"{', '.join(legend)}. Price and licences are not assessed."
    if result.task.max_charge_nc is None and not result.task.needs_battery:
        judged += " Current is assessed only with --battery or --max-charge."
    if result.task.distance is None:
        judged += " Distance is assessed only with --range."
    yield note(f"{judged} All verdicts hold jointly with 95 % confidence.")
