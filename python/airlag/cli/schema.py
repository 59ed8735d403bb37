"""``airlag schema``: JSON Schemas of ``--json`` output."""

from __future__ import annotations

import difflib

from rich.text import Text

from airlag.cli import terminal
from airlag.cli.work import Work
from airlag.core import schemas


def schema(name: str | None = None, json: bool = False) -> None:
    """Describe what a command prints with --json, as a JSON Schema (2020-12).

    The schema lists every key. It allows further keys, because later versions may add keys.
    """
    if name is None:
        names = schemas.names()
        Work(force=False, json=json).show(names, lambda: [Text("\n".join(names))])
    elif name in schemas.names():
        terminal.print_json(schemas.schema(name))
    else:
        (nearest,) = difflib.get_close_matches(name[:100], schemas.names(), 1, 0.0)
        terminal.refuse(f"no schema `{name[:100]}`; did you mean `{nearest}`?")
