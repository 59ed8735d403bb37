"""What commands that turn many parameters together have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from airlag import payload
from airlag.cli import options, sheet, terminal
from airlag.cli.explain import SIZE
from airlag.cli.table import Table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from airlag.tuning.sobol import Indices
    from airlag.tuning.tuned import Tuned

#: Endings of a chart.
CHARTS = (".svg", ".png", ".html")


def words(text: str) -> tuple[str, ...]:
    """Words with commas between."""
    return tuple(word.strip() for word in text.split(",")) if text.strip() else ()


def spanned(over: Sequence[str] | None) -> dict[str, str]:
    """What ``--over`` says, however often it is given.

    Raises
    ------
    LinkError
        With one line that says what would be right.
    """
    from airlag.tuning.space import clauses

    return clauses(",".join(over)) if over else {}


def sent(link: str, size: int | None) -> int | None:
    """The payload, bytes; ``None`` where the link has no message."""
    (known,) = payload.of_each([link], None if size is None else [size], [SIZE])[link]
    return known


def wanted(output: Path | None) -> tuple[Path | None, Path | None]:
    """Where a table is written to, and where a chart is; ends the command with another name."""
    if output is None:
        return None, None
    if sheet.is_sheet(output):
        return output, None
    if output.suffix.lower() not in CHARTS:
        terminal.refuse(
            f"-o {output}: the name does not tell the format; end it with .svg, .png or .html for "
            "a chart, with .csv, .md or .json for the table"
        )
    return None, output


def tell(
    told: Tuned | Indices,
    shown: RenderableType,
    tables: Sequence[Table],
    wanted: tuple[Path | None, Path | None],
    *,
    force: bool,
    json: bool,
) -> None:
    """Shows an answer, and writes what :func:`wanted` names; ends the command where it cannot."""
    if json:
        terminal.print_json(told.to_json())
    else:
        terminal.output().show(shown)
    table, chart = wanted
    for unwritten in options.write(tables, table, force=force, aside=json):
        terminal.refuse(unwritten)
    if chart is None:
        return
    from airlag.pages import tuning

    try:
        tuning.write(told, chart, force=force)
    except ValueError as why:
        terminal.refuse(f"-o {chart}: {why}")
    except OSError as error:
        terminal.refuse(
            f"{chart}: cannot be written ({error.strerror or error}); choose another place"
        )
    terminal.wrote([chart], aside=json)
