"""``airlag tunnel``: IP over a packet radio; one file a command."""

from __future__ import annotations

import sys

import typer

from airlag.cli.tunnel.bench import bench
from airlag.cli.tunnel.doctor import doctor
from airlag.cli.tunnel.key import key
from airlag.cli.tunnel.up import up

app = typer.Typer(name="tunnel", rich_markup_mode="markdown")
for command in (
    up,
    key,
    doctor,
    bench,
):
    app.command()(command)


@app.callback(invoke_without_command=True)
def _tunnel(context: typer.Context) -> None:
    """IP packets over a packet radio, between this computer and another."""
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")
