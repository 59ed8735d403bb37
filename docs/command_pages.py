"""Generates ``docs/commands.md``: every command with its arguments and options, from the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from airlag.cli.app import loaded
from airlag.cli.overview import GROUPS, OPTIONS, SUMMARIES

FILE = Path(__file__).resolve().parent / "commands.md"

HEAD = """# Command line reference

Every command with its arguments and options, generated from the command line itself.
`airlag COMMAND --help` prints the same. [Exit codes](exit-codes.md) and [JSON output](json.md) are
the same for all commands.
"""

#: Panel of options that state none.
OTHER = "Options"
#: Options that every command has.
EVERYWHERE = {"help"}


def reference() -> str:
    """Returns the page."""
    lines = [HEAD, "| command | purpose |", "|---|---|"]
    every = dict(commands())
    for name, command in every.items():
        lines.append(f"| [`airlag {name}`](#{anchor(name)}) | {cell(first(command))} |")
    lines += ["", "Without a command:", "", "| option | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {cell(about)} |" for name, about in OPTIONS.items()]
    for name, command in every.items():
        lines += ["", *section(name, command)]
    return "\n".join(lines) + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Commands by name, those of groups with both words."""
    for name in SUMMARIES:
        command = loaded(name)
        if name in GROUPS:
            yield from ((f"{name} {below}", each) for below, each in command.commands.items())
        else:
            yield name, command


def anchor(name: str) -> str:
    """Anchor of a command's heading."""
    return f"airlag-{name.replace(' ', '-')}"


def section(name: str, command: Any) -> Iterator[str]:
    """Usage, help, arguments and options of a command."""
    arguments = [each for each in command.params if isinstance(each, typer.core.TyperArgument)]
    options = [each for each in command.params if isinstance(each, typer.core.TyperOption)]
    options = [each for each in options if each.name not in EVERYWHERE and not each.hidden]
    usage = " ".join(["airlag", name, *map(usage_form, arguments)])
    yield from (f"## airlag {name}", "", f"    {usage}{' [OPTIONS]' if options else ''}", "")
    yield paragraphs(command.help or "")
    if arguments:
        yield from ("", "| argument | meaning |", "|---|---|")
        for each in arguments:
            form = cell(each.metavar or each.name.upper())
            yield f"| `{form}` | {cell(each.help or '')} |"
    panels: dict[str, list[Any]] = {}
    for each in options:
        panels.setdefault(str(each.rich_help_panel or OTHER), []).append(each)
    for panel, listed in sorted(panels.items(), key=lambda one: one[0] != OTHER):
        yield from ("", f"| {panel} | meaning |", "|---|---|")
        yield from (f"| {spelled(each)} | {cell(each.help or '')} |" for each in listed)


def usage_form(argument: Any) -> str:
    """An argument as a usage line shows it."""
    text = str(argument.metavar or argument.name.upper())
    text = text if argument.required or text.startswith("[") else f"[{text}]"
    return f"{text} …" if argument.nargs == -1 else text


def spelled(option: Any) -> str:
    """Names of an option and the form of its value; without a form it is a flag or a known type."""
    names = sorted([*option.opts, *option.secondary_opts], key=len)
    value = option.metavar or ("" if option.is_flag else option.type.name.upper())
    text = ", ".join(names) + (f" {value}" if value else "")
    return f"`{text}`".replace("|", "\\|")


def first(command: Any) -> str:
    """First sentence of a command's help."""
    return re.split(r"(?<=\.) |\n\n", command.help or "", maxsplit=1)[0].replace("\n", " ")


def paragraphs(text: str) -> str:
    """Help without the line breaks of its source, one paragraph per block."""
    blocks = re.split(r"\n\s*\n", text.replace("\b", "").strip())
    return "\n\n".join(" ".join(block.split()) for block in blocks)


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
