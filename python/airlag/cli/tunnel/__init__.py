"""``airlag tunnel``: IP over radios. One file a command."""

from __future__ import annotations

import typer

from airlag.cli.tunnel.bench import bench

#: The commands of ``airlag tunnel``.
tunnel = typer.Typer(name="tunnel", help="IP over radios.", rich_markup_mode="markdown")
for command in (bench,):
    tunnel.command()(command)


@tunnel.callback()
def _root() -> None:
    """IP over radios."""
