"""Options that several commands share, and how their text becomes values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from airlag.cli import sheet, terminal
from airlag.cli.table import Table
from airlag.core.quantity import parse_duration, parse_memory, parse_whole

#: Titles of groups in ``--help``.
PAIRING = "How to pair"
TABLES = "Tables of latencies"
NOTES = "What the run is of"


def duration(text: str) -> int:
    """Nanoseconds of a duration on the command line."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def memory(text: str) -> int:
    """Bytes of a size of memory on the command line."""
    try:
        return parse_memory(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def deadline(text: str) -> int:
    """A deadline on the command line, ns."""
    nanoseconds = duration(text)
    if not 0 < nanoseconds <= 10**13:
        raise typer.BadParameter(f"{text[:40]!r} is no deadline; write one from 1ns to 10000s")
    return nanoseconds


def whole(text: str, what: str, low: int, high: int, example: int) -> int:
    """A whole number from ``low`` to ``high`` on the command line; ``what`` it is, errors say."""
    value = parse_whole(text, low, high)
    if value is None:
        raise typer.BadParameter(
            f"{text[:20]!r} is no {what}; write one from {low} to {high}, such as {example}"
        )
    return value


def pairing(
    trigger: str | None,
    completion: str | None,
    invert: list[str] | None,
    min_low_ns: int | None,
    overlap_ns: int | None,
) -> dict[str, Any]:
    """What the options of the panel :data:`PAIRING` say, as :func:`airlag.analyze` takes it."""
    return {
        "trigger": trigger,
        "completion": completion,
        "invert": invert or None,
        "min_low_ns": min_low_ns,
        "overlap_ns": overlap_ns,
    }


def one_of(text: str, what: str, known: Sequence[str]) -> str:
    """One of a few words on the command line; ``what`` they are, errors say."""
    if text not in known:
        *others, last = known
        raise typer.BadParameter(
            f"{what} {text[:20]!r} is unknown; write {', '.join(others)} or {last}"
        )
    return text


def choice(name: str, known: Sequence[str], about: str, panel: str | None = None) -> Any:
    """An option that is one of a few words; errors call it by its name."""

    def parsed(text: str) -> str:
        return one_of(text, name, known)

    return typer.Option(
        f"--{name}", parser=parsed, metavar="|".join(known), help=about, rich_help_panel=panel
    )


def payload(text: str) -> int:
    """A payload in bytes."""
    size = parse_whole(text, 1, 2**31 - 1)
    if size is None:
        raise typer.BadParameter(
            f"{text[:20]!r} is not a payload; write a number of bytes, such as 128"
        )
    return size


def _sheet(text: str) -> Path:
    """Where a table is written to."""
    try:
        return sheet.checked(Path(text))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def write(tables: Iterable[Table], output: Path | None, *, force: bool, aside: bool) -> list[str]:
    """Writes the tables of a command where they are asked for, and says where; or why not."""
    found = list(tables)
    if output is None or not found:
        return []
    errors = sheet.keep(found, output, force=force)
    terminal.wrote([] if errors else [output], aside=aside)
    return errors


Deadline = Annotated[
    int | None,
    typer.Option(
        parser=deadline,
        metavar="TIME",
        help="Also say how many messages take longer or are lost, and how many in a row.",
    ),
]
Captures = Annotated[
    list[Path],
    typer.Argument(
        metavar="CAPTURE",
        help="Captures, saved runs (.parquet) or tables of latencies, told by their content; "
        "a Saleae binary export is a folder, - is standard input.",
        show_default=False,
    ),
]
Trigger = Annotated[
    str | None,
    typer.Option(
        metavar="CH",
        help="Channel of the trigger: a name, or a position from 0. Default: 0.",
        rich_help_panel=PAIRING,
    ),
]
Completion = Annotated[
    str | None,
    typer.Option(
        metavar="CH",
        help="Channel of the completion: a name, or a position from 0. Default: 1.",
        rich_help_panel=PAIRING,
    ),
]
Invert = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CH",
        help="Trigger or completion channel that is active low; repeatable.",
        rich_help_panel=PAIRING,
    ),
]
MinLow = Annotated[
    int | None,
    typer.Option(
        parser=duration,
        metavar="TIME",
        help="A trigger counts when its wire was low this long before it. Default: 1us.",
        rich_help_panel=PAIRING,
    ),
]
Overlap = Annotated[
    int | None,
    typer.Option(
        parser=duration,
        metavar="TIME",
        help="A completion may come this long after its trigger even though further triggers came "
        "in between. Default, and 0ns: only until the next trigger.",
        rich_help_panel=PAIRING,
    ),
]
Column = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Column of the latencies: a name, or a position from 0.",
        rich_help_panel=TABLES,
    ),
]
Unit = Annotated[
    str | None,
    typer.Option(
        metavar="UNIT",
        help="Unit of the latencies: ns, us, ms or s. Default: what the header says, else s.",
        rich_help_panel=TABLES,
    ),
]
Link = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Link profile of the capture, noted in the result.",
        rich_help_panel=NOTES,
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        parser=payload,
        metavar="BYTES",
        help="Payload in bytes: noted, and held against the speed of a serial link.",
        rich_help_panel=NOTES,
    ),
]
Sheet = Annotated[
    Path | None,
    typer.Option("-o", "--output", parser=_sheet, metavar=sheet.METAVAR, help=sheet.HELP),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that hold something else.")]
Memory = Annotated[
    int | None,
    typer.Option(
        parser=memory,
        metavar="SIZE",
        envvar="AIRLAG_MEMORY",
        help="Most memory that one capture may take. Default: 2GiB.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
