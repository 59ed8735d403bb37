"""``airlag indices``: what part of the variance each parameter makes, over a whole space."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from airlag._airlag import LinkError
from airlag.cli import options, spaces, terminal
from airlag.cli.explain import Size
from airlag.cli.law import chosen
from airlag.cli.paragraph import Paragraph
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Neighbours, Settings, pairs_of
from airlag.cli.table import Cell, Column, Table, named, plain
from airlag.cli.tune import Count, Link, Output, Within
from airlag.quantity import count
from airlag.tuning.metrics import METRICS
from airlag.tuning.sobol import SAMPLES as USUAL
from airlag.tuning.sobol import Index, Indices, Question, weigh

#: Most points of a design.
MOST = 2**16


def _samples(text: str) -> int:
    return options.whole(text, "number of points", 2, MOST, USUAL)


Over = Annotated[
    list[str],
    typer.Option(
        "--over",
        metavar="KEY=VALUES,…",
        help="What a parameter may be, each value as likely: a=1ms..50ms, n=0..4 or b=x|y; "
        "repeatable.",
        show_default=False,
    ),
]
Of = Annotated[
    str,
    typer.Option(
        "--of", metavar="METRIC,…", help="mean, p50, p95, p99, max, loss, goodput or charge."
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(
        parser=_samples,
        metavar="N",
        help="Points of the design, a power of two; each takes a run a parameter, and three more. "
        f"Default: {USUAL}.",
    ),
]


def indices(
    link: Link,
    over: Over,
    of: Of = "p50,p99",
    size: Size = None,
    settings: Settings = None,
    neighbours: Neighbours = None,
    region: Within = None,
    samples: Samples = None,
    messages: Count = None,
    period: Period = None,
    seed: Seed = None,
    output: Output = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Say what part of the variance each parameter makes, over a whole space of settings.

    First-order indices are what a parameter does by itself, total ones what it does together with
    others as well; Sobol's, with 95 % intervals. chance is what the seed makes.
    """
    wanted = spaces.wanted(output)
    pairs = pairs_of(settings, neighbours)
    try:
        question = Question(
            link=link,
            size=spaces.sent(link, size),
            over=spaces.spanned(over),
            of=spaces.words(of),
            settings=pairs,
            count=messages or 1000,
            period_ns=period,
            samples=samples or USUAL,
            seed=1 if seed is None else seed,
            region=chosen(region),
        )
        with terminal.progress("running", 2) as step:
            told = weigh(question, step)
    except LinkError as error:
        terminal.refuse(error)
    spaces.tell(told, Group(*_blocks(told)), tables(told), wanted, force=force, json=json)


def _blocks(told: Indices) -> Iterator[RenderableType]:
    asked = told.question
    size = [] if asked.size is None else [f"  {asked.size} B"]
    yield Text.assemble((asked.link, "bold"), *size)
    yield Paragraph(Text(" · ".join(f"{name}={values}" for name, values in asked.over.items())))
    for one, made in zip(told.metrics, tables(told), strict=True):
        metric = METRICS[one.metric]
        mean, deviation = metric.text(one.mean), metric.text(one.deviation)
        yield Text("")
        yield Text.assemble((one.metric, "bold"), f"  mean {mean} · standard deviation {deviation}")
        if one.indices:
            yield Table(made.columns, made.rows)
        else:
            yield Paragraph(Text("nothing moves it"))
    yield Text("")
    yield Paragraph(Text(_method(told), "dim"))


def _method(told: Indices) -> str:
    return (
        f"Sobol's indices of {count(told.question.samples)} points, {count(told.runs)} benches of "
        f"{count(told.question.count)} messages, with 95 % intervals. One that reaches 0 may be of "
        "a parameter that does nothing; chance is what the seed makes."
    )


def tables(told: Indices) -> list[Table]:
    """A table a metric, the largest total first."""
    columns = [
        named("parameter", "parameter", style=""),
        *_columns("first order", "first"),
        *_columns("total", "total"),
    ]
    asked = told.question
    return [
        Table(
            columns,
            [_row(each) for each in one.indices],
            of={"link": asked.link, "size_bytes": asked.size, "metric": one.metric},
            title=Text(one.metric, "bold"),
        )
        for one in told.metrics
    ]


def _columns(head: str, key: str) -> list[Column]:
    return [
        Column(head, key=key),
        Column("95 % interval", right=False, style="dim"),
        *(Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")),
    ]


def _row(each: Index) -> list[Cell]:
    cells = [plain(each.name)]
    for value, (low, high) in (
        (each.first, each.first_interval95),
        (each.total, each.total_interval95),
    ):
        cells += [Cell(_short(value), value), Cell(f"{_short(low)} to {_short(high)}")]
        cells += [Cell("", low), Cell("", high)]
    return cells


def _short(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00")
