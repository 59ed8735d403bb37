"""``airlag --help``, rendered without the slower renderer of other help texts."""

import os
import shutil
import sys
import textwrap
from pathlib import Path

#: Arguments that print the overview.
ASKED: tuple[list[str], ...] = ([], ["-h"], ["--help"])
#: Options of the root command.
OPTIONS = {
    "--version": "Print the version.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Print the completion script, to install it by hand.",
    "-h, --help": "Print this list, or the options of a command.",
}
#: Maximum and minimum line width, columns.
LONGEST, SHORTEST = 100, 40
#: Columns between a name and its description.
GAP = 2


def overview() -> str:
    """Returns the text at the width of the terminal."""
    # COLUMNS takes precedence, as elsewhere.
    columns = shutil.get_terminal_size().columns
    width = max(SHORTEST, min(columns, LONGEST)) - 1
    parts = [
        "Usage: airlag COMMAND [OPTIONS] …",
        "",
        *textwrap.wrap(
            "How long a packet takes over a wireless link, how many arrive, and why.", width
        ),
        *_listed("Commands", SUMMARIES, width),
        *_listed("Options", OPTIONS, width),
        "",
        *textwrap.wrap("airlag COMMAND --help lists the options of a command.", width),
    ]
    return "\n".join(parts) + "\n"


def _listed(title: str, entries: dict[str, str], width: int) -> list[str]:
    """Returns a title with one entry per line."""
    # In narrow terminals, descriptions go below the names.
    hanging = GAP + max(map(len, entries)) + GAP
    beside = width - hanging >= SHORTEST - GAP
    lines = ["", _bold(f"{title}:")]
    for name, text in entries.items():
        if beside:
            first, *rest = textwrap.wrap(text, width - hanging)
            lines.append(f"{' ' * GAP}{name:<{hanging - GAP}}{first}")
            lines += [" " * hanging + line for line in rest]
        else:
            lines.append(" " * GAP + name)
            lines += textwrap.wrap(
                text, width, initial_indent=" " * 2 * GAP, subsequent_indent=" " * 2 * GAP
            )
    return lines


def _bold(text: str) -> str:
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain or not sys.stdout.isatty() else f"\x1b[1m{text}\x1b[0m"


#: Subcommands with the first sentence of their help, in display order.
SUMMARIES = dict(
    line.split(": ", 1)
    for line in Path(__file__)
    .with_name("words")
    .joinpath("commands.txt")
    .read_text("utf-8")
    .splitlines()
)
#: Subcommands that have subcommands.
GROUPS = ("tunnel", "rpc")
