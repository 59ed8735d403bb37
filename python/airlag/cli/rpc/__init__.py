"""``airlag rpc``: calls over a link; one file a command."""

from __future__ import annotations

import sys

import typer

from airlag.cli.rpc.bench import bench
from airlag.cli.rpc.functional import test

app = typer.Typer(name="rpc", rich_markup_mode="markdown")
for command in (test, bench):
    app.command()(command)


@app.callback(invoke_without_command=True)
def _rpc(context: typer.Context) -> None:
    """Calls over a link: whether they work, and how fast they are."""
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")
