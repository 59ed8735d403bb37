"""All subcommands, and what becomes of a command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from airlag._airlag import CaptureError, LinkError, RpcError, TunnelError, __version__
from airlag.cli import exit_code, streams
from airlag.cli.commands import Commands

app = typer.Typer(
    name="airlag",
    cls=Commands,
    # Paragraphs of a docstring are folded to the terminal.
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"airlag {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """How long a packet takes over a wireless link, how many arrive, and why."""
    del version
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")


def _usage(error: typer.TyperException) -> str:
    """One line for a command line that was not understood, and what would be right."""
    context = getattr(error, "ctx", None)
    path = "airlag" if context is None else context.command_path
    return f"{error.format_message().rstrip('.')}; see {path} --help"


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line; returns its exit code, unless it ends in a way of its own."""
    command = typer.main.get_command(app)
    try:
        code = command.main(list(arguments), prog_name="airlag", standalone_mode=False)
    except typer.TyperException as error:
        streams.complain(_usage(error))
        return exit_code.UNUSABLE
    except (CaptureError, LinkError, RpcError, TunnelError) as error:
        # What the core refuses; its text says what would be right.
        streams.complain(error)
        return exit_code.UNUSABLE
    except typer.Abort:
        return exit_code.INTERRUPTED
    except UnicodeEncodeError as error:
        # Names of links and channels are text; only names of files may be any bytes.
        streams.complain(f"{error.object[:80]!r} is no UTF-8; write it in characters")
        return exit_code.UNUSABLE
    return code if isinstance(code, int) else exit_code.DONE
