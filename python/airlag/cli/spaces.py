"""Options and outputs of the commands that change many parameters together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from airlag import _airlag
from airlag.cli import terminal
from airlag.cli.explain import SIZE
from airlag.cli.options import whole
from airlag.cli.table import Column, Table, word
from airlag.cli.work import Work
from airlag.core import payload
from airlag.core.arguments import MOST_TRIGGERS
from airlag.core.types import Region

if TYPE_CHECKING:
    from rich.console import RenderableType

    from airlag.questions.tuning.sobol import Indices
    from airlag.questions.tuning.tuned import Tuned

Count = Annotated[int | None, whole("number of messages", 1, MOST_TRIGGERS, 1000)]


def words(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",")) if text.strip() else ()


def scope(
    link: str,
    size: int | None,
    over: Sequence[str] | None,
    changes: Mapping[str, str],
    region: Region | None,
    messages: int | None,
    period: int | None,
    seed: int | None,
) -> dict[str, Any]:
    """The options that both commands have, as :class:`~airlag.questions.tuning.objective.Scope`.

    Raises
    ------
    LinkError
        With one line that says what would be right.
    """
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    return {
        "link": link,
        "size": known,
        "over": dict(_airlag.tune_clauses(",".join(over))) if over else {},
        "settings": dict(changes),
        "region": region,
        "count": messages or 1000,
        "period_ns": period,
        "seed": 1 if seed is None else seed,
    }


def bounded(head: str, key: str, interval: str | None = None, **more: Any) -> list[Column]:
    """Columns of a number and its 95 % interval; files have its ends as columns of their own."""
    return [
        Column(head, key=key, **more),
        word("95 % interval", interval, style="dim"),
        *(Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")),
    ]


def show(
    told: Tuned | Indices,
    shown: Iterable[RenderableType],
    tables: Sequence[Table],
    wanted: tuple[Path | None, Path | None],
    work: Work,
) -> None:
    """Prints an answer, and writes its table or its chart; ends the command where it cannot."""
    table, chart = wanted
    work.show(told.to_json(), lambda: shown)
    work.table(table, tables)
    work.end()
    if chart is not None:
        from airlag.views.pages import chart_file, tuning

        try:
            with terminal.writing(chart):
                chart_file.write("tuning", tuning.chart(told), chart, force=work.force)
        except ValueError as why:
            terminal.refuse(f"-o {chart}: {why}")
        terminal.wrote([chart], aside=work.json)
