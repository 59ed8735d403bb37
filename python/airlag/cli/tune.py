"""``airlag tune``: the best setting of a link for what is asked for, all knobs together."""

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
from airlag.cli.work import Working, titled
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

#: Settings shown of those that were turned down.
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

    The settings found are measured again under fresh seeds, beside the unchanged link, and returned
    only if they keep every limit there with 95 % confidence. Exits with 1 when none does.
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
        told = search(objective, step)
    draw, failed = work.chart("tuning", "tuning", told), not told.found
    work.answer(told.to_json(), lambda: shown(told), output, tables(told), draw=draw, found=failed)


def shown(told: Tuned) -> Iterator[RenderableType]:
    """All of it."""
    asked = told.objective
    yield titled(asked.link, asked.size)
    words = [aim.text for aim in asked.aims]
    words += [f"within {asked.subject_to}"] if asked.subject_to else []
    words += [asked.region.upper()] if asked.region else []
    words += settings_in_words(asked.link, asked.settings)
    yield Paragraph(" · ".join(words))
    yield Text("")
    if len(asked.aims) > 1 and told.found:
        yield front(told)
        yield from _costs(told)
    elif told.best is None:
        yield Paragraph(Text(_nothing(told), "bold"))
    elif not told.best.turned:
        yield Paragraph(Text("No setting tried is better than the unchanged link.", "bold"))
        yield metrics(told)
    else:
        yield turned(told.best)
        yield Text("")
        yield metrics(told)
    for one in told.turned_down[:TURNED_DOWN]:
        yield note(f"turned down: {one.changes}: {one.refused}")
    yield Text("")
    if told.best is not None and len(asked.aims) == 1:
        command = " ".join(told.command(told.best))
        yield Paragraph(command, Text("→", "green"))
    yield note(_method(told))


def _nothing(told: Tuned) -> str:
    if told.turned_down:
        return "No setting keeps the limits with 95 % confidence under fresh seeds."
    return f"None of {count(len(told.tried))} settings keeps the limits."


def _method(told: Tuned) -> str:
    of = "" if told.combinations is None else f" of {count(told.combinations)}"
    refused = sum(one.refused is not None for one in told.tried)
    cannot = f", {count(refused)} of which cannot be run" if refused else ""
    fresh, each = told.answer["fresh_seeds"], count(told.objective.count)
    return (
        f"Selected from {count(len(told.tried))}{of} settings{cannot}, in {count(told.runs)} runs; "
        f"re-measured under {fresh} fresh seeds, {each} messages each, with 95 % intervals. "
        "Quantiles are of all messages, a lost one taking longer than any."
    )


def turned(setting: Setting) -> Table:
    """What to change, from what to what, and what that gives up."""
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


def metrics(told: Tuned) -> Table:
    """Every metric of the unchanged link, and of the tuned one."""
    best = told.best
    columns = [
        named("", "metric"),
        Column("unit", key="unit", hidden=True),
        *spaces.bounded("as it is", "untuned", "untuned_interval"),
        *spaces.bounded("tuned", "tuned", "tuned_interval"),
    ]
    rows = []
    for name, before in told.untuned.metrics.items():
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


def front(told: Tuned) -> Table:
    """The Pareto front, and the unchanged link."""
    names = [
        *dict.fromkeys([*(aim.metric.name for aim in told.objective.aims), *told.untuned.metrics])
    ]
    columns = [named("", "kind"), prose("settings", "settings")]
    for name in names:
        key = METRICS[name].column
        columns.append(Column(name, key=key, shown=METRICS[name].text))
        columns += [Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")]
    columns.append(Column("gives up", key="gives_up", hidden=True))
    rows = []
    for nth, one in enumerate((told.untuned, *told.found)):
        row: list[Value] = [str(nth) if nth else "as it is", one.changes]
        for name in names:
            held = one.metrics[name]
            row += [held.value, held.low, held.high]
        rows.append([*row, "; ".join(_given_up(one))])
    return Table.of_values(columns, rows)


def _given_up(setting: Setting) -> list[str]:
    return list(dict.fromkeys(one.gives_up for one in setting.turned if one.gives_up))


def _costs(told: Tuned) -> Iterator[Paragraph]:
    """What the settings of a front give up, each named once."""
    prices: dict[str, list[str]] = {}
    for one in told.found:
        for each in one.turned:
            if each.gives_up:
                prices.setdefault(each.gives_up, []).append(f"{each.name}={each.value}")
    if prices:
        yield Paragraph("")
    for words, settings in prices.items():
        named_once = " ".join(dict.fromkeys(settings))
        yield Paragraph(f"{named_once} gives up {words}", Text("~", "yellow"))


def tables(told: Tuned) -> Sequence[Table]:
    """What a file holds: a front, or every metric of one setting."""
    of = {"link": told.objective.link, "size_bytes": told.objective.size}
    if len(told.objective.aims) > 1:
        made = front(told)
    else:
        made = metrics(told)
        of["settings"] = "" if told.best is None else told.best.changes
    return [Table(made.columns, made.rows, of=of)]
