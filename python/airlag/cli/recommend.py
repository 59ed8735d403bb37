"""``airlag recommend``: which link to choose for a deadline."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.text import Text

from airlag._airlag import ENVIRONMENT, LinkError
from airlag.cli import options, terminal
from airlag.cli.charge import Battery, Rate, typed
from airlag.cli.explain import SIZE, Size
from airlag.cli.law import NO_ADVICE, Region, chosen
from airlag.cli.paragraph import Paragraph
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Neighbours
from airlag.cli.table import Cell, Column, Table, named, plain, prose
from airlag.cli.until import Until
from airlag.core import payload
from airlag.core.quantity import exact, number, share, unit_for
from airlag.questions import recommendation as recommending
from airlag.questions.charge import (
    USUAL_BATTERY,
    USUAL_RATE,
    charge_in_words,
    ends_of,
    parse_charge,
    parse_life,
    rate_in_words,
    years_in_words,
)
from airlag.questions.recommendation import (
    HIGHEST_LOSS,
    HIGHEST_PERCENTILE,
    LOWEST_LOSS,
    LOWEST_PERCENTILE,
    VERDICTS,
    Candidate,
    Recommendation,
    Task,
)

if TYPE_CHECKING:
    from airlag.core.types import RecommendVerdict as Verdict

#: Columns of the widest line.
WIDTH = 100
#: What each part of a ranking is called, and how its candidates are marked.
TITLES: dict[Verdict, tuple[str, str]] = {
    "passes": ("keeps the deadline", "bold green"),
    "close": ("too close to call", "bold yellow"),
    "range-unknown": ("range unknown", "bold yellow"),
    "fails": ("does not", "bold red"),
}

_DISTANCE = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:m|km)", re.ASCII)


def _percentile(text: str) -> float:
    percentile = _number(text.removesuffix("%").strip())
    if not LOWEST_PERCENTILE <= percentile <= HIGHEST_PERCENTILE:
        raise typer.BadParameter(
            f"{text[:20]!r} is no percentile a bench can show; write one from "
            f"{LOWEST_PERCENTILE:g} to {HIGHEST_PERCENTILE:g}, such as 99"
        )
    return percentile


def _loss(text: str) -> float:
    percent = _number(text[:-1].strip()) if text.endswith("%") else math.nan
    if not LOWEST_LOSS <= percent / 100 <= HIGHEST_LOSS:
        raise typer.BadParameter(
            f"{text[:20]!r} is no loss a bench can show; write one from {100 * LOWEST_LOSS:g}% to "
            f"{100 * HIGHEST_LOSS:g}%, such as 0.1%"
        )
    return percent / 100


def _places(text: str) -> float:
    percent = _number(text[:-1].strip()) if text.endswith("%") else math.nan
    if not 10 <= percent <= 95:
        raise typer.BadParameter(
            f"{text[:20]!r} is no share of places a bench can show; write one from 10% to 95%, "
            "such as 90%"
        )
    return percent / 100


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _range(text: str) -> str:
    if not _DISTANCE.fullmatch(text) or not any(digit in text for digit in "123456789"):
        raise typer.BadParameter(f"{text[:20]!r} is no distance; write one in m or km, such as 30m")
    return text


Links = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[LINK]…",
        help="Link profiles to choose from. Default: every one with a radio.",
        show_default=False,
    ),
]
Deadline = Annotated[
    int,
    typer.Option(
        parser=options.deadline,
        metavar="TIME",
        help="Longest time from trigger to completion, such as 16.6ms.",
        show_default=False,
    ),
]
Percentile = Annotated[
    float | None,
    typer.Option(
        parser=_percentile,
        metavar="P",
        help="Percent of all messages that must keep the deadline. Default: 99.",
    ),
]
MaxLoss = Annotated[
    float | None,
    typer.Option(
        "--max-loss",
        parser=_loss,
        metavar="P%",
        help="Percent of all messages that may be lost. Default: 1%.",
    ),
]
Range = Annotated[
    str | None,
    typer.Option(
        "--range",
        parser=_range,
        metavar="DISTANCE",
        help="How far apart the radios stand, such as 30m. Default: beside each other.",
    ),
]
Environment = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"What is between them; airlag links NAME tells the choices. Default: {ENVIRONMENT}.",
    ),
]
PlacesShare = Annotated[
    float | None,
    typer.Option(
        "--places-share",
        parser=_places,
        metavar="P%",
        help="Percent of all places at this range that must keep the deadline. Default: 90%.",
    ),
]
Wired = Annotated[bool, typer.Option("--wired", help="Choose from those with a wire too.")]
Trade = Annotated[
    bool,
    typer.Option(
        "--trade", help="Tune also what gives up something no latency shows, and say what."
    ),
]


MaxCharge = Annotated[
    float | None,
    typer.Option(
        "--max-charge",
        parser=typed(parse_charge),
        metavar="CHARGE",
        help="What a message may cost its sender, such as 50uC.",
    ),
]
BatteryLife = Annotated[
    float | None,
    typer.Option(
        "--battery-life",
        parser=typed(parse_life),
        metavar="TIME",
        help="How long a battery has to feed the sender, such as 1y. Default of --battery: "
        f"{USUAL_BATTERY}.",
    ),
]
Processor = Annotated[
    str | None,
    typer.Option(
        "--processor",
        metavar="PART|none",
        help="What is on both boards for what they draw, where it is not on the radio's chip, such "
        "as nrf54l15-cpu. none: what the radio draws alone. Default: as it was measured.",
    ),
]


def recommend(
    deadline: Deadline,
    links: Links = None,
    size: Size = None,
    percentile: Percentile = None,
    max_loss: MaxLoss = None,
    distance: Range = None,
    environment: Environment = None,
    places_share: PlacesShare = None,
    neighbours: Neighbours = None,
    processor: Processor = None,
    period: Period = None,
    trade: Trade = False,
    wired: Wired = False,
    region: Region = None,
    max_charge: MaxCharge = None,
    battery: Battery = None,
    battery_life: BatteryLife = None,
    rate: Rate = None,
    seed: Seed = None,
    output: options.Sheet = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Say which link keeps a deadline, and why the others do not.

    Every profile, and what it can be tuned to, sends messages at any moment on the virtual bench.
    What counts is delivery within the deadline: lost and late messages both miss it. Exits with 1
    when nothing is sure to keep it.
    """
    if environment is not None and distance is None:
        terminal.refuse(f"--environment {environment} changes nothing without a --range, say 30m")
    if places_share is not None and distance is None:
        terminal.refuse("--places-share changes nothing without a --range, say 30m")
    if battery_life is None and (battery is not None or rate is not None):
        terminal.refuse("--battery and --rate change nothing without a --battery-life, say 1y")
    try:
        asked = payload.of_each(links or (), None if size is None else [size], [SIZE])
    except LinkError as error:
        terminal.refuse(error)
    # Every link with a radio has a message.
    known = [each for (each,) in asked.values()] or [SIZE if size is None else size]
    task = Task(
        size=next((each for each in known if each is not None), None),
        deadline_ns=deadline,
        percentile=99.0 if percentile is None else percentile,
        max_loss=0.01 if max_loss is None else max_loss,
        distance=distance,
        environment=environment,
        places_share=0.9 if places_share is None else places_share,
        neighbours=tuple(neighbours or ()),
        processor=processor,
        period_ns=period,
        seed=1 if seed is None else seed,
        links=tuple(dict.fromkeys(links or ())),
        wired=wired,
        trade=trade,
        region=chosen(region),
        max_charge_nc=max_charge,
        battery=battery,
        battery_years=battery_life,
        per_second=USUAL_RATE if rate is None else rate,
    )
    until = Until()
    try:
        with terminal.progress("judging", 1) as step:
            told, stopped = recommending.attempt(task, step)
    except LinkError as error:
        terminal.refuse(error)
    if stopped is not None and not until.stop(stopped):
        raise stopped
    until.expect(told.candidates)
    if json:
        terminal.print_json(told.to_json())
    else:
        terminal.output().show(Constrain(_recommendation(told), WIDTH))
    errors = options.write([table(told)], output, force=force, aside=json)
    for unwritten in errors:
        terminal.complain(unwritten)
    judged = len({each.link for each in told.candidates})
    until.tell(f"{judged} of {told.contenders} links are judged")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)
    if not told.those_that("passes"):
        raise typer.Exit(terminal.FOUND)


def _recommendation(told: Recommendation) -> RenderableType:
    parts: list[RenderableType] = [_asked(told.task)]
    for verdict in VERDICTS:
        found = told.those_that(verdict)
        if not found:
            continue
        title, style = TITLES[verdict]
        parts += [Text(""), Text.assemble((title, style), f"  {len(found)}")]
        better = {each.link for each in told.candidates if each.verdict != "fails" and each.tuned}
        parts += _reasons(found, better) if verdict == "fails" else _ranking(found, told.task)
    parts += [Text(""), *_below(told)]
    return Group(*parts)


def _asked(task: Task) -> Text:
    what = "an answer" if task.size is None else f"{task.size} B"
    words = [
        Text.assemble((f"{what} within {exact(task.deadline_ns)}", "bold"), f" at {task.name}"),
        Text(f"at most {100 * task.max_loss:g} % lost"),
        Text("sent at any moment"),
    ]
    if task.period_ns is not None:
        words[-1].append(f", every {exact(task.period_ns)}")
    if task.distance is not None:
        where = f"{task.distance} apart, {task.between}"
        words.append(Text(f"{where}: at {100 * task.places_share:g} % of places"))
    if task.neighbours:
        words.append(Text(f"beside {', '.join(task.neighbours)}"))
    if task.processor is not None:
        words.append(Text(f"with {task.processor} as processor"))
    if task.region is not None:
        words.append(Text(f"allowed in the {task.region.upper()}"))
    if task.max_charge_nc is not None:
        words.append(Text(f"for {charge_in_words(task.max_charge_nc)} a message"))
    if task.lasting is not None:
        battery, years, rate = task.lasting
        words.append(Text(f"{battery} lasts {years_in_words(years)} at {rate_in_words(rate)}"))
    return Text(" · ").join(words)


def _ranking(found: Sequence[Candidate], task: Task) -> Iterable[RenderableType]:
    """A row of numbers for each candidate, and below it what to set and why."""
    yield replace(_numbers(found, task), below=[[*_why(each)] for each in found])


def _numbers(found: Sequence[Candidate], task: Task) -> Table:
    """What was seen of each candidate."""
    unit = unit_for([task.deadline_ns])
    columns = [
        named("lost = ∞", "link", style="bold"),
        Column("p50", unit.name, "p50_ns"),
        Column(task.name, unit.name, "quantile_ns"),
        Column("from", key="quantile_low_ns", group=f"95 %, {unit.name}"),
        Column("to", key="quantile_high_ns", group=f"95 %, {unit.name}"),
        Column("in time", "%", "in_time_percent"),
        Column("sender", "uC", "sender_marginal_nc"),
    ]

    def time(ns: float | None, unknown: str = "–") -> Cell:
        return Cell(unknown) if ns is None else Cell(number(ns / unit.ns), ns)

    rows = []
    for each in found:
        seen = each.seen
        if seen is None:
            rows.append([plain(each.link), *[Cell("–")] * (len(columns) - 1)])
            continue
        ends = [time(ns, "?") for ns in seen.quantile.interval95]
        part = share(seen.in_time, seen.n).removesuffix(" %")
        in_time = Cell(part, 100 * seen.in_time / seen.n if seen.n else None)
        sender = dict(ends_of(seen.charge)).get("sender")
        nc = None if sender is None else sender["marginal_nc"]
        cost = Cell("–") if nc is None else Cell(number(nc / 1e3), nc)
        middle = (time(seen.p50.ns), time(seen.quantile.ns), *ends)
        rows.append([plain(each.link), *middle, in_time, cost])
    return Table(columns, rows)


def table(told: Recommendation) -> Table:
    """Every candidate, its verdict and why, for a file."""
    task = told.task
    found = [each for verdict in VERDICTS for each in told.those_that(verdict)]
    numbers = _numbers(found, task)
    first, *others = numbers.columns
    columns = [
        first,
        Column("set", key="settings", right=False),
        Column("verdict", key="verdict", right=False),
        *others,
        Column("floor", "ms", "floor_ns"),
        prose("why", "reason"),
    ]
    rows = []
    for each, (name, *cells) in zip(found, numbers.rows, strict=True):
        sets = " ".join(f"{key}={value}" for key, value in each.settings.items())
        floor = Cell("–" if each.floor_ns is None else number(each.floor_ns / 1e6), each.floor_ns)
        told_verdict = Cell(TITLES[each.verdict][0], each.verdict)
        rows.append([name, plain(sets), told_verdict, *cells, floor, plain(each.reason)])
    of = {"size_bytes": task.size, "deadline_ns": task.deadline_ns, "percentile": task.percentile}
    return Table(columns, rows, of=of)


def _why(each: Candidate) -> Iterable[Paragraph]:
    tuned = list(each.settings.items())[len(each.settings) - each.tuned :]
    if tuned:
        sets = " ".join(f"--set {name}={value}" for name, value in tuned)
        yield Paragraph(Text(sets), Text("  →", "green"), margin=4)
    if each.gives_up:
        yield Paragraph(
            Text(f"gives up {'; '.join(each.gives_up)}"), Text("  ~", "yellow"), margin=4
        )
    yield Paragraph(Text(each.reason, "dim"), margin=4)


def _reasons(found: Sequence[Candidate], better: Collection[str]) -> Iterable[RenderableType]:
    """Why each does not; of links that are ``better`` tuned, only as they are."""
    rows = []
    for each in found:
        how = ", tuned" if each.tuned else ", as it is" if each.link in better else ""
        rows.append([Cell(each.link + how), Cell(each.reason)])
    yield Table([named("", style=""), prose("")], rows)


def _below(told: Recommendation) -> Iterable[RenderableType]:
    best = next(iter(told.those_that("passes")), None)
    if best is None:
        yield Paragraph(Text("Nothing is sure to keep this deadline.", "bold"))
    else:
        command = " ".join(best.command)
        yield Paragraph(Text.assemble(("first choice: ", "bold"), command), Text("→", "green"))
    if not told.task.trade and told.those_that("fails"):
        further = "tunes further, at the price of power, range or repairs, and says which"
        yield Paragraph(Text.assemble(("--trade ", "bold"), further))
    if told.task.region is not None:
        yield Paragraph(Text(NO_ADVICE, "dim"))
    judged = "Price and licences are not judged"
    if told.task.max_charge_nc is None and told.task.lasting is None:
        judged += ", nor what it draws without --max-charge or --battery-life"
    if told.task.distance is None:
        judged += ", nor any distance without --range"
    yield Paragraph(Text(f"{judged}. Verdicts hold with 95 % confidence, each by itself.", "dim"))
