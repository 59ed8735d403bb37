"""``airlag tune``: best setting of a link for an objective, with all parameters varied together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from airlag.core.types import Region
from airlag.questions.identity import settings_in_words
from airlag.questions.tuning.metrics import METRICS
from airlag.questions.tuning.tuned import Estimate, Setting, Tuned
from airlag.views.table import (
    NOTHING,
    Cell,
    Column,
    Paragraph,
    Table,
    Value,
    named,
    note,
    prose,
    word,
)

#: Maximum rejected settings shown.
TURNED_DOWN = 3


def tune(
    *,
    link: str,
    minimise: str = "",
    maximise: str = "",
    subject_to: str = "",
    size: Size = None,
    over: list[str] | None = None,
    free: bool = False,
    changes: Changes,
    region: Region | None = None,
    trials: Annotated[int | None, whole("number of settings", 1, 100_000, 128)] = None,
    messages: spaces.Count = None,
    period: Period = None,
    seed: Seed = None,
    storage: str | None = None,
    study: str | None = None,
    output: options.SheetOrChart = None,
    work: Working,
) -> None:
    """Find the best setting of a link for an objective, all parameters together.

    The settings found and the unchanged link are measured again with fresh seeds. Only settings
    that then meet every limit with 95 % confidence are returned. If none does, the exit code is 1.
    """
    from airlag.questions.tuning.choosing import tune as search
    from airlag.questions.tuning.objective import TRIALS, Objective

    objective = Objective(
        **spaces.scope(link, size, over, changes, region, messages, period, seed),
        minimise=spaces.words(minimise),
        maximise=spaces.words(maximise),
        subject_to=subject_to,
        free=free,
        trials=trials or TRIALS,
        storage=storage,
        study=study,
    )
    with terminal.progress("tuning", objective.trials) as step:
        result = search(objective, step)
    draw, failed = work.chart("tuning", "tuning", result), not result.found
    work.answer(
        result.to_json(), lambda: shown(result), output, tables(result), draw=draw, found=failed
    )


def shown(result: Tuned) -> Iterator[RenderableType]:
    """Yields the complete output."""
    asked = result.objective
    yield link_title(asked.link, asked.size)
    words = [aim.text for aim in asked.aims]
    words += [f"within {asked.subject_to}"] if asked.subject_to else []
    words += [asked.region.upper()] if asked.region else []
    words += settings_in_words(asked.link, asked.settings)
    yield Paragraph(" · ".join(words))
    yield Text("")
    if len(asked.aims) > 1 and result.found:
        yield front(result)
        yield from _costs(result)
    elif result.best is None:
        yield Paragraph(Text(_nothing(result), "bold"))
    elif not result.best.turned:
        yield Paragraph(Text("No setting tried is better than the unchanged link.", "bold"))
        yield metrics(result)
    else:
        yield turned(result.best)
        yield Text("")
        yield metrics(result)
    for one in result.turned_down[:TURNED_DOWN]:
        yield note(f"rejected: {one.changes}: {one.refused}")
    yield Text("")
    if result.best is not None and len(asked.aims) == 1:
        command = " ".join(result.command(result.best))
        yield Paragraph(command, Text("→", "green"))
    yield note(_method(result))


def _nothing(result: Tuned) -> str:
    if result.turned_down:
        return "No setting meets the limits with 95 % confidence on fresh seeds."
    return f"None of {count(len(result.tried))} settings meets the limits."


def _method(result: Tuned) -> str:
    of = "" if result.combinations is None else f" of {count(result.combinations)}"
    refused = sum(one.refused is not None for one in result.tried)
    cannot = f"; {count(refused)} of those tried cannot be run" if refused else ""
    fresh, each = result.answer["fresh_seeds"], count(result.objective.count)
    return (
        f"Tried {count(len(result.tried))}{of} combinations of settings{cannot}. The result was "
        f"re-measured on {fresh} fresh seeds with {each} messages each. Runs in total: "
        f"{count(result.runs)}. Intervals have 95 % confidence. Quantiles cover all messages; lost "
        "messages count as infinitely late."
    )


def turned(setting: Setting) -> Table:
    """Changed parameters: old value, new value, and cost."""
    columns = [
        named("change", "parameter", style=""),
        word("from", "profile"),
        word("to", "tuned"),
        prose("gives up", "gives_up"),
    ]
    rows = [
        (one.name, one.profile or NOTHING, one.value, one.gives_up or NOTHING)
        for one in setting.turned
    ]
    return Table.of_values(columns, rows)


def metrics(result: Tuned) -> Table:
    """Every metric of the unchanged and of the tuned link."""
    best = result.best
    columns = [
        named("", "metric"),
        Column("unit", key="unit", hidden=True),
        *spaces.bounded("unchanged", "untuned", "untuned_interval"),
        *spaces.bounded("tuned", "tuned", "tuned_interval"),
    ]
    rows = []
    for name, before in result.untuned.metrics.items():
        after = None if best is None else best.metrics[name]
        rows.append((name, METRICS[name].unit, *_cells(name, before), *_cells(name, after)))
    return Table.of_values(columns, rows)


def _cells(name: str, held: Estimate | None) -> Iterator[Cell | Value]:
    if held is None:
        yield from [None] * 4
        return
    text = METRICS[name].text
    yield Cell(text(held.value), held.value)
    yield from (f"{text(held.low)} to {text(held.high)}", held.low, held.high)


def front(result: Tuned) -> Table:
    """Pareto front and unchanged link."""
    names = [
        *dict.fromkeys(
            [*(aim.metric.name for aim in result.objective.aims), *result.untuned.metrics]
        )
    ]
    columns = [named("", "kind"), prose("changes", "settings")]
    for name in names:
        key = METRICS[name].column
        columns.append(Column(name, key=key, shown=METRICS[name].text))
        columns += [Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")]
    columns.append(Column("gives up", key="gives_up", hidden=True))
    rows = []
    for nth, one in enumerate((result.untuned, *result.found)):
        words = (f"Pareto-optimal {nth}", str(nth)) if nth else ("unchanged link", "unchanged")
        row: list[Cell | Value] = [Cell(*words), one.changes]
        for name in names:
            held = one.metrics[name]
            row += [held.value, held.low, held.high]
        rows.append([*row, "; ".join(_given_up(one))])
    return Table.of_values(columns, rows)


def _given_up(setting: Setting) -> list[str]:
    return list(dict.fromkeys(one.gives_up for one in setting.turned if one.gives_up))


def _costs(result: Tuned) -> Iterator[Paragraph]:
    """Costs of the settings of a front, each listed once."""
    prices: dict[str, list[str]] = {}
    for one in result.found:
        for each in one.turned:
            if each.gives_up:
                prices.setdefault(each.gives_up, []).append(f"{each.name}={each.value}")
    if prices:
        yield Paragraph("")
    for words, settings in prices.items():
        named_once = " ".join(dict.fromkeys(settings))
        yield Paragraph(f"{named_once} gives up {words}", Text("~", "yellow"))


def tables(result: Tuned) -> Sequence[Table]:
    """Tables of the output file: a front, or every metric of one setting."""
    of = {"link": result.objective.link, "size_bytes": result.objective.size}
    if len(result.objective.aims) > 1:
        made = front(result)
    else:
        made = metrics(result)
        of["settings"] = "" if result.best is None else result.best.changes
    return [Table(made.columns, made.rows, of=of)]
