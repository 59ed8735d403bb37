"""Options: how they are declared, how their text becomes values, and those that are shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from airlag.cli import sheet, terminal
from airlag.cli.table import Table
from airlag.core.quantity import exact, parse_duration, parse_memory, parse_whole

T = TypeVar("T")


def option(
    form: str,
    about: str,
    parse: Callable[[str], Any] | Sequence[str] | None = None,
    *,
    panel: str | None = None,
    **more: Any,
) -> Any:
    """An option of a command.

    Parameters
    ----------
    form
        Its names and what stands for its value, as in ``-o --output FILE``; a flag has no value.
    about
        Its help.
    parse
        Converts its text, and raises a ``ValueError`` of one line that says what would be right;
        or the words that it is one of.
    panel
        Title of its group in ``--help``.
    **more
        As :func:`typer.Option` takes them.
    """
    *names, last = form.split()
    metavar = None if last.startswith("-") else last
    names += [last] if metavar is None else []
    if parse is not None and not callable(parse):
        metavar, parse = "|".join(parse), partial(one_of, names[-1].strip("-"), parse)
    more["parser"] = None if parse is None else typed(parse)
    return typer.Option(*names, metavar=metavar, help=about, rich_help_panel=panel, **more)


def panel(title: str) -> Callable[..., Any]:
    """Declares options of one group in ``--help``, as :func:`option` does."""
    return partial(option, panel=title)


def argument(metavar: str, about: str) -> Any:
    """An argument of a command."""
    return typer.Argument(metavar=metavar, help=about, show_default=False)


def typed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """The same for the command line, where text that cannot be parsed is a wrong use of it."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None

    return parsed


def one_of(what: str, known: Sequence[str], text: str) -> str:
    """One of a few words; ``what`` they are, errors say."""
    if text not in known:
        *others, last = known
        raise ValueError(f"{what} {text[:20]!r} is unknown; write {', '.join(others)} or {last}")
    return text


def checked(what: str, right: str, read: Callable[[str], T | None]) -> Callable[[str], T]:
    """Parses with ``read``; where that has no value, the text is no ``what``: write ``right``."""

    def parsed(text: str) -> T:
        try:
            value = read(text)
        except ValueError:
            value = None
        if value is None:
            raise ValueError(f"{text[:40]!r} is no {what}; write {right}")
        return value

    return parsed


def whole(
    what: str, low: int, high: int, example: int, right: str = "one from {low} to {high}"
) -> Callable[[str], int]:
    """Parses a whole number from ``low`` to ``high``."""
    right = f"{right.format(low=low, high=high)}, such as {example}"
    return checked(what, right, lambda text: parse_whole(text, low, high))


def real(what: str, low: float, high: float, right: str = "one") -> Callable[[str], float]:
    """Parses a number from ``low`` to ``high``."""

    def read(text: str) -> float | None:
        value = float(text)
        return value if low <= value <= high else None

    return checked(what, f"{right} from {low:g} to {high:g}", read)


def lasting(what: str, low_ns: int, high_ns: int) -> Callable[[str], int]:
    """Parses a duration from ``low_ns`` to ``high_ns``, to nanoseconds."""

    def parsed(text: str) -> int:
        value = parse_duration(text)
        if not low_ns <= value <= high_ns:
            raise ValueError(
                f"{text[:40]!r} is no {what}; write one from {exact(low_ns)} to {exact(high_ns)}"
            )
        return value

    return parsed


def several(what: str, right: str, read: Callable[[str], T | None]) -> Callable[[str], list[T]]:
    """Parses values with commas between them."""

    def each(text: str) -> list[T] | None:
        values = [read(word) for word in text.split(",")]
        found = [value for value in values if value is not None]
        return found if len(found) == len(values) else None

    return checked(what, right, each)


def sheet_file(text: str) -> Path:
    """The file that a table is written to."""
    if not sheet.is_sheet(text):
        raise ValueError(f"{text} is no file for a table; end it with .csv, .md or .json")
    return Path(text)


def pairing(*given: Any) -> dict[str, Any]:
    """The options of how to pair, in the order of their group, for :func:`airlag.analyze`."""
    names = ("trigger", "completion", "invert", "min_low_ns", "overlap_ns")
    return {name: None if one == [] else one for name, one in zip(names, given, strict=True)}


def write(tables: Iterable[Table], output: Path | None, *, force: bool, aside: bool) -> list[str]:
    """Writes the tables of a command where they are asked for, and says where; or why not."""
    found = list(tables)
    if output is None or not found:
        return []
    errors = sheet.keep(found, output, force=force)
    terminal.wrote([] if errors else [output], aside=aside)
    return errors


#: A deadline, ns.
deadline = typed(lasting("deadline", 1, 10**13))
#: A payload, bytes.
payload = whole("payload", 1, 2**31 - 1, 128, "a number of bytes")
#: A number of messages.
messages = whole("number of messages", 1, 1_000_000, 1000)

_pairing = panel("How to pair")

Deadline = Annotated[
    int | None,
    option(
        "--deadline TIME",
        "Also say how many messages take longer or are lost, and how many in a row.",
        deadline,
    ),
]
Captures = Annotated[
    list[Path],
    argument(
        "CAPTURE",
        "Captures, saved runs (.parquet) or tables of latencies, told by their content; a Saleae "
        "binary export is a folder, - is standard input.",
    ),
]
Trigger = Annotated[
    str | None,
    _pairing("--trigger CH", "Channel of the trigger: a name, or a position from 0. Default: 0."),
]
Completion = Annotated[
    str | None,
    _pairing(
        "--completion CH", "Channel of the completion: a name, or a position from 0. Default: 1."
    ),
]
Invert = Annotated[
    list[str] | None,
    _pairing("--invert CH", "Trigger or completion channel that is active low; repeatable."),
]
MinLow = Annotated[
    int | None,
    _pairing(
        "--min-low TIME",
        "A trigger counts when its wire was low this long before it. Default: 1us.",
        parse_duration,
    ),
]
Overlap = Annotated[
    int | None,
    _pairing(
        "--overlap TIME",
        "A completion may come this long after its trigger even though further triggers came in "
        "between. Default, and 0ns: only until the next trigger.",
        parse_duration,
    ),
]
Sheet = Annotated[
    Path | None,
    option(
        f"-o --output {sheet.METAVAR}",
        "Write the table as FILE.csv, .md or .json: numbers with their units in names of columns.",
        sheet_file,
    ),
]
Force = Annotated[bool, option("--force", "Replace files that hold something else.")]
Memory = Annotated[
    int | None,
    option(
        "--memory SIZE",
        "Most memory that one capture may take. Default: 2GiB.",
        parse_memory,
        envvar="AIRLAG_MEMORY",
    ),
]
Sniff = Annotated[
    str | None, option("--sniff FILE.pcapng", "Keep every frame on the air, for Wireshark.")
]
Json = Annotated[bool, option("--json", "Print JSON for machines.")]
