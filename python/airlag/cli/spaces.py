"""Options and outputs of the commands that change many parameters together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from airlag import _airlag
from airlag.cli import options, sheet, terminal
from airlag.cli.explain import SIZE
from airlag.cli.law import REGIONS, chosen
from airlag.cli.settings import pairs_of
from airlag.cli.table import Column, Table
from airlag.core import payload
from airlag.core.arguments import MOST_TRIGGERS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from airlag.questions.tuning.sobol import Indices
    from airlag.questions.tuning.tuned import Tuned

#: Endings of a chart.
CHARTS = (".svg", ".png", ".html")
#: Title of a group in ``--help``.
SPACE = "What is changed"


def _messages(text: str) -> int:
    return options.whole(text, "number of messages", 1, MOST_TRIGGERS, 1000)


Link = Annotated[str, typer.Argument(metavar="LINK", help="A link profile.", show_default=False)]
Count = Annotated[
    int | None,
    typer.Option(
        "--count", parser=_messages, metavar="N", help="Messages of each run. Default: 1000."
    ),
]
Within = Annotated[
    str | None,
    options.choice(
        "region",
        REGIONS,
        about="Keep the regulatory limits of this region.",
        panel=SPACE,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Draw the front, or the settings tried, as .svg, .png or .html, or write the table as "
        ".csv, .md or .json.",
    ),
]


def words(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",")) if text.strip() else ()


def scope(
    link: str,
    size: int | None,
    over: Sequence[str] | None,
    settings: list[str] | None,
    neighbours: list[str] | None,
    region: str | None,
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
        "settings": pairs_of(settings, neighbours),
        "region": chosen(region),
        "count": messages or 1000,
        "period_ns": period,
        "seed": 1 if seed is None else seed,
    }


def bounded(head: str, key: str, interval: str | None = None) -> list[Column]:
    """Columns of a number and its 95 % interval; files have its ends as columns of their own."""
    return [
        Column(head, key=key),
        Column("95 % interval", key=interval, right=False, style="dim"),
        *(Column(end, key=f"{key}_{end}", hidden=True) for end in ("low", "high")),
    ]


def wanted(output: Path | None) -> tuple[Path | None, Path | None]:
    """Where a table is written to, and where a chart is; ends the command with another name."""
    if output is None:
        return None, None
    if sheet.is_sheet(output):
        return output, None
    if output.suffix.lower() not in CHARTS:
        terminal.refuse(
            f"-o {output}: unknown format; end it with .svg, .png or .html for a chart, with .csv, "
            ".md or .json for the table"
        )
    return None, output


def show(
    told: Tuned | Indices,
    shown: RenderableType,
    tables: Sequence[Table],
    wanted: tuple[Path | None, Path | None],
    *,
    force: bool,
    json: bool,
) -> None:
    """Prints an answer, and writes what :func:`wanted` names; ends the command where it cannot."""
    if json:
        terminal.print_json(told.to_json())
    else:
        terminal.output().show(shown)
    table, chart = wanted
    for unwritten in options.write(tables, table, force=force, aside=json):
        terminal.refuse(unwritten)
    if chart is None:
        return
    from airlag.views.pages import chart_file, tuning

    try:
        chart_file.write("tuning", tuning.chart(told), chart, force=force)
    except ValueError as why:
        terminal.refuse(f"-o {chart}: {why}")
    except OSError as error:
        terminal.refuse(
            f"{chart}: cannot be written ({error.strerror or error}); choose another place"
        )
    terminal.wrote([chart], aside=json)
