"""``airlag load``: latency, queue and loss of links against how much is offered to them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, sheet, terminal
from airlag.cli.goodput import CarriedOption, messages_of
from airlag.cli.paragraph import Paragraph
from airlag.cli.run import Names, Seed, payloads
from airlag.cli.settings import Neighbours, SpannedSettings, is_span, pairs_of, span
from airlag.cli.span_table import NOTHING, span_table
from airlag.cli.summary import asked_block, of_delivered
from airlag.cli.table import Cell, Column, Table, Value
from airlag.cli.until import Until
from airlag.core.quantity import Unit, count, number, share, unit_for
from airlag.questions import load as loads
from airlag.questions.identity import Asked, settings_in_words
from airlag.questions.load import ARRIVALS, Loaded, Offer, Point, sized

if TYPE_CHECKING:
    from airlag.core.types import Arrivals, Carried

#: Payload where none is asked for, bytes.
SIZE = 128
#: Loads between the two ends of a range.
STEPS = 13
#: Pictures a chart is written as.
SUFFIXES = (".svg", ".png", ".html")

_NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)"
_RANGE = re.compile(rf"({_NUMBER})(?:\.\.({_NUMBER}))?", re.ASCII)


def _several(text: str, what: str, example: str) -> str:
    """Numbers with commas between them, or a range."""
    if not all(_RANGE.fullmatch(word) for word in text.split(",")) or not all(
        1e-6 <= value <= 1e9 for value in _values(text)
    ):
        raise typer.BadParameter(f"{text[:40]!r} is no {what}; write {example}")
    return text


def _values(text: str) -> list[float]:
    """What numbers and ranges stand for; a range is cut into equal ratios."""
    values: list[float] = []
    for word in text.split(","):
        match = _RANGE.fullmatch(word)
        if match is None:
            return []
        low, high = float(match[1]), float(match[2] or match[1])
        if not 0 < low <= high < math.inf:
            return [0.0]
        steps = STEPS if high > low else 1
        ratio = (high / low) ** (1 / max(steps - 1, 1))
        values += [float(f"{low * ratio**nth:.6g}") for nth in range(steps)]
    return values


def _rates(text: str) -> str:
    return _several(text, "load in kbit/s", "one, or a range, such as 10,50 or 10..500")


def _utilisations(text: str) -> str:
    return _several(text, "part of the goodput", "one, or a range, such as 0.5,0.9 or 0.1..3")


def _queue(text: str) -> int:
    return options.whole(text, "length of a queue", 1, 100_000, 64)


def _arrivals(text: str) -> str:
    if text not in ARRIVALS:
        raise typer.BadParameter(
            f"arrivals {text[:20]!r} are unknown; write one of {', '.join(ARRIVALS)}"
        )
    return text


Payloads = Annotated[
    str | None,
    typer.Option(
        "--size",
        parser=payloads,
        metavar="BYTES,…",
        help="Payload, or several, such as 12,128. Default: 128.",
    ),
]
Rate = Annotated[
    str | None,
    typer.Option(
        "--rate",
        parser=_rates,
        metavar="KBPS,…",
        help="Offered user data, kbit/s: 10,50 or a range in equal ratios, 10..500.",
    ),
]
Utilisation = Annotated[
    str | None,
    typer.Option(
        "--utilisation",
        parser=_utilisations,
        metavar="X,…",
        help="The same as parts of what each link carries when it never waits. Default: thirteen "
        "from 0.1 to 3, close together around 1.",
    ),
]
Queue = Annotated[
    int | None,
    typer.Option(
        parser=_queue, metavar="N", help="Messages the queue before the link holds. Default: 64."
    ),
]
ArrivalsOption = Annotated[
    str | None,
    typer.Option(
        "--arrivals",
        parser=_arrivals,
        metavar="|".join(ARRIVALS),
        help="periodic: exactly one period apart, the first at any moment. poisson: whenever they "
        "please. burst: eight at a time. Default: poisson.",
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count",
        parser=messages_of,
        metavar="N",
        help="Messages of each load that count, after a quarter as many that do not. "
        "Default: 1000.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw latency and goodput against offered load as .svg, .png or .html, or "
        "write the table as .csv, .md or .json.",
    ),
]


def load(
    links: Names,
    sizes: Payloads = None,
    rate: Rate = None,
    utilisation: Utilisation = None,
    queue: Queue = None,
    arrivals: ArrivalsOption = None,
    messages: Count = None,
    settings: SpannedSettings = None,
    neighbours: Neighbours = None,
    seed: Seed = None,
    traffic: CarriedOption = None,
    output: Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Offer links more and more, and tell what becomes of latency, queue and loss."""
    table = output if sheet.is_sheet(output) else None
    chart = output if table is None else None
    if chart is not None and chart.suffix.lower() not in SUFFIXES:
        terminal.refuse(
            f"-o {chart}: the name does not tell the format; end it with .svg, .png or .html for a "
            "chart, with .csv, .md or .json for the table"
        )
    offer = Offer(
        rates_kbps=() if rate is None else _values(rate),
        utilisations=() if utilisation is None else _values(utilisation),
        queue=64 if queue is None else queue,
        arrivals=cast("Arrivals", arrivals or "poisson"),
        count=messages or 1000,
        seed=1 if seed is None else seed,
        traffic=cast("Carried", traffic or "trigger"),
    )
    typed = None if sizes is None else [int(word) for word in sizes.split(",")]
    try:
        asked = span(
            pairs_of(settings, neighbours), dict.fromkeys(links, [SIZE] if typed is None else typed)
        )
    except ValueError as many:
        terminal.refuse(many)
    steps = len(offer.rates_kbps) + len(offer.utilisations) or STEPS
    found: list[Loaded] = []
    errors: list[str] = []
    until = Until()
    with until, terminal.progress("loading", len(asked) * steps) as step:
        for each in asked:
            # A queue holds messages.
            assert each.size is not None
            offered = replace(offer, size=each.size, settings=each.settings)
            try:
                found.append(loads.load(each.link, offered, lambda _: step()))
            except LinkError as error:
                errors.append(str(error))
    until.expect(found)
    wrote: list[Path] = []
    if chart is not None and found:
        unwritten = _draw(found, chart, force)
        errors += unwritten
        wrote = [] if unwritten else [chart]
    if json:
        terminal.print_json([each.to_json() for each in found])
    elif found:
        console = terminal.output()
        console.show(Group(*_blocks(found)))
        if len(found) > 1 and is_span(asked, typed):
            console.show("", _spanned(found))
    terminal.wrote(wrote, aside=json)
    errors += options.write(map(_table, found), table, force=force, aside=json)
    for text in dict.fromkeys(errors):
        terminal.complain(text)
    until.tell(f"{len(found)} of {len(asked)} are finished")
    if errors:
        raise typer.Exit(terminal.UNUSABLE)


def _draw(found: Sequence[Loaded], output: Path, force: bool) -> list[str]:
    """Writes the chart; says why it could not."""
    from airlag.views.pages import chart_file, load

    try:
        chart_file.write("load", load.chart(found), output, force=force)
    except OSError as error:
        reason = error.strerror or error
        return [f"{output}: cannot be written ({reason}); choose another place with -o"]
    return []


def _blocks(found: Sequence[Loaded]) -> Iterator[RenderableType]:
    for nth, each in enumerate(found):
        if nth:
            yield Text("")
        offer = each.offer
        yield Text.assemble(
            (each.saturated.link, "bold"),
            f"  {sized(offer.traffic, offer.size)}, {offer.arrivals}, "
            f"a queue of {count(offer.queue)}",
        )
        yield from asked_block(settings_in_words(each.saturated.link, offer.settings))
        yield Paragraph(_limits(each))
        yield _table(each)


def _spanned(found: Sequence[Loaded]) -> Table:
    """All of a span in one table."""
    heads = [
        Column("knee", "kbit/s", "knee_kbps"),
        Column("never waiting", "kbit/s", "goodput_kbps"),
        Column("ceiling", "kbit/s", "ceiling_kbps"),
    ]
    asked = [Asked(each.saturated.link, each.offer.size, each.offer.settings) for each in found]
    return span_table(asked, heads, [_kbps(each) for each in found])


def _kbps(each: Loaded) -> list[Cell]:
    saturated = each.saturated
    told = (each.knee_kbps, saturated.kbps, saturated.ceiling_kbps)
    return [Cell(NOTHING if value is None else number(value), value) for value in told]


def _limits(each: Loaded) -> Text:
    saturated = each.saturated
    parts = []
    if each.knee_kbps is not None:
        parts.append(Text.assemble(("knee ", "bold"), f"{number(each.knee_kbps)} kbit/s"))
    parts.append(Text(f"never waiting {number(saturated.kbps)} kbit/s"))
    if saturated.ceiling_kbps is not None:
        parts.append(Text(f"ceiling {number(saturated.ceiling_kbps)} kbit/s"))
    return Text(" · ").join(parts)


def _table(each: Loaded) -> Table:
    medians = [point.latency["p50"] for point in each.points if point.latency is not None]
    unit = unit_for(sorted(medians)[len(medians) // 2 :][:1])
    columns = [
        Column("of goodput", key="utilisation", style="dim"),
        Column("kbit/s", key="offered_kbps"),
        Column("goodput", key="goodput_kbps"),
        Column("queue", key="queue_mean"),
        Column("p50", unit.name, "p50_ns"),
        Column("p99", unit.name, "p99_ns"),
        Column("refused", key="refused"),
        Column("lost", key="lost"),
    ]
    if any(point.delivered_nc for point in each.points):
        columns.append(Column("sender uC", key="sender_nc"))
    note = of_delivered(lost=bool(medians) and any(point.lost for point in each.points))
    offer = each.offer
    of: dict[str, Value] = {
        "link": each.saturated.link,
        "size_bytes": offer.size,
        "traffic": offer.traffic,
        "arrivals": offer.arrivals,
        "settings": " ".join(settings_in_words(each.saturated.link, offer.settings)),
    }
    rows = [[*_cells(point, unit)] for point in each.points]
    # Where nothing arrived, nobody knows what a message takes.
    filled = [row + [Cell("–")] * (len(columns) - len(row)) for row in rows]
    return Table(columns, filled, note, of)


def _cells(point: Point, unit: Unit) -> Iterator[Cell]:
    def latency(name: Literal["p50", "p99"]) -> Cell:
        if point.latency is None:
            return Cell("–")
        return Cell(number(point.latency[name] / unit.ns), point.latency[name])

    def part(many: int) -> Cell:
        return Cell(share(many, point.offered), many, "bold red") if many else Cell("0", 0)

    yield Cell(f"{point.utilisation:.3g}", point.utilisation)
    yield Cell(number(point.offered_kbps), point.offered_kbps)
    yield Cell(number(point.goodput_kbps), point.goodput_kbps)
    queue = point.queue_mean
    yield Cell("<0.01" if 0 < queue < 0.01 else number(queue, 3), queue)
    yield latency("p50")
    yield latency("p99")
    yield part(point.refused)
    yield part(point.lost - point.refused)
    if (drawn := point.delivered_nc.get("sender")) is not None:
        yield Cell(number(drawn / 1e3), drawn)
