"""``airlag schema``: what ``--json`` prints, as JSON Schemas."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer
from rich.text import Text

from airlag.cli import options, terminal
from airlag.core import schemas

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="Command whose JSON to describe. Default: list the names.",
        show_default=False,
    ),
]


def schema(name: Name = None, json: options.Json = False) -> None:
    """Describe what a command prints with --json, as a JSON Schema (2020-12).

    Every key there is is in it; further ones are allowed, since more may follow.
    """
    if name is None:
        names = schemas.names()
        if json:
            terminal.print_json(names)
        else:
            terminal.output().show(Text("\n".join(names)))
    elif name in schemas.names():
        terminal.print_json(schemas.schema(name))
    else:
        (nearest,) = difflib.get_close_matches(name[:100], schemas.names(), 1, 0.0)
        terminal.refuse(f"no schema `{name[:100]}`; did you mean `{nearest}`?")
