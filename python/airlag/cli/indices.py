"""``airlag indices``: share of variance that each parameter explains, over a space of settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text

from airlag.cli import options, spaces, terminal
from airlag.cli.explain import Size
from airlag.cli.options import whole
from airlag.cli.run import Period, Seed
from airlag.cli.settings import Changes
from airlag.cli.work import Working, link_title
from airlag.core.quantity import count
from airlag.core.records import Index
from airlag.core.types import Region
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.sobol import SAMPLES as USUAL
from airlag.questions.tuning.sobol import Indices, Question, estimate
from airlag.views.table import Cell, Paragraph, Table, Value, named, note


def indices(
    *,
    link: str,
    over: list[str],
    of: str = "p50,p99",
    size: Size = None,
    changes: Changes,
    region: Region | None = None,
    samples: Annotated[int | None, whole("number of points", 2, 2**16, USUAL)] = None,
    messages: spaces.Count = None,
    period: Period = None,
    seed: Seed = None,
    output: options.SheetOrChart = None,
    work: Working,
) -> None:
    """Estimate the share of the variance that each parameter explains (Sobol indices).

    A first-order index is the share of a parameter alone. A total index includes interactions with
    other parameters. Both have 95 % intervals. The row "chance" shows the effect of the seed.
    """
    asked = spaces.scope(link, size, over, changes, region, messages, period, seed)
    question = Question(**asked, of=spaces.words(of), samples=samples or USUAL)
    with terminal.progress("running", 2) as step:
        result = estimate(question, step)
    shown, draw = (lambda: _blocks(result)), work.chart("tuning", "tuning", result)
    work.answer(result.to_json(), shown, output, tables(result), draw=draw)


def _blocks(result: Indices) -> Iterator[RenderableType]:
    asked = result.question
    yield link_title(asked.link, asked.size)
    yield Paragraph(" · ".join(f"{name}={values}" for name, values in asked.over.items()))
    for one, made in zip(result.metrics, tables(result), strict=True):
        metric = METRICS[one.metric]
        mean, deviation = metric.text(one.mean), metric.text(one.deviation)
        yield Text("")
        yield Text.assemble((one.metric, "bold"), f"  mean {mean} · standard deviation {deviation}")
        if one.indices:
            yield Table(made.columns, made.rows)
        else:
            yield Paragraph("no parameter has an effect")
    yield Text("")
    yield note(_method(result))


def _method(result: Indices) -> str:
    return (
        f"Sobol's indices from {count(result.question.samples)} points, {count(result.runs)} runs "
        f"of {count(result.question.count)} messages, with 95 % intervals. If an interval includes "
        "0, the parameter may have no effect. chance is the effect of the seed."
    )


def tables(result: Indices) -> list[Table]:
    """One table per metric; the parameter with the largest total index comes first."""
    columns = [
        named("parameter", "parameter", style=""),
        *spaces.bounded("first order", "first", shown=_short),
        *spaces.bounded("total", "total", shown=_short),
    ]
    asked = result.question
    return [
        Table.of_values(
            columns,
            map(_values, one.indices),
            of={"link": asked.link, "size_bytes": asked.size, "metric": one.metric},
            title=Text(one.metric, "bold"),
        )
        for one in result.metrics
    ]


def _values(each: Index) -> Iterator[Cell | Value]:
    yield each.name
    for value, ends in ((each.first, each.first_interval95), (each.total, each.total_interval95)):
        yield value
        yield Cell(" to ".join(map(_short, ends)))
        yield from ends


def _short(value: float) -> str:
    return f"{value:.2f}".replace("-0.00", "0.00")
