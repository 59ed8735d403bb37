"""Subcommands and execution of a command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core

from airlag._airlag import CaptureError, LinkError, RpcError, TunnelError, __version__
from airlag.cli import exit_code, streams
from airlag.cli.overview import GROUPS, SUMMARIES
from airlag.cli.parameters import described


def load(name: str) -> Any:
    """Imports the module of a subcommand or group; returns its function or its group."""
    return getattr(import_module(f"airlag.cli.{name}"), "app" if name in GROUPS else name)


class Commands(typer.core.TyperGroup):
    """Command group that imports only the called subcommand; the help lists others by summary."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {
            name: typer.core.TyperCommand(name, help=summary) for name, summary in SUMMARIES.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Resolves and imports the command that ``args`` begin with."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else loaded(name), rest


def group(name: str, about: str, *commands: Callable[..., None]) -> typer.Typer:
    """Returns a subcommand group that lists its subcommands when called alone."""
    app = typer.Typer(name=name, rich_markup_mode="markdown")

    def alone(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            sys.stdout.write(context.get_help() + "\n")

    alone.__doc__ = about
    app.callback(invoke_without_command=True)(alone)
    for command in commands:
        app.command(command.__name__)(described(f"{name}-{command.__name__}", command))
    return app


def loaded(name: str) -> Any:
    """Returns the subcommand ``name``, ready to run."""
    found = load(name)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    alone = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    alone.command(name, context_settings={"help_option_names": ["-h", "--help"]})(
        described(name, found)
    )
    return typer.main.get_command(alone)


app = typer.Typer(
    name="airlag",
    cls=Commands,
    # Docstring paragraphs are wrapped to the terminal.
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
    """Prints a usage error in one line, with a pointer to the help."""
    context = getattr(error, "ctx", None)
    path = "airlag" if context is None else context.command_path
    return f"{error.format_message().rstrip('.')}; see {path} --help"


def execute(arguments: Sequence[str]) -> int:
    """Runs one command line; returns its exit code, unless it exits itself."""
    command = typer.main.get_command(app)
    try:
        code = command.main(list(arguments), prog_name="airlag", standalone_mode=False)
    except typer.TyperException as error:
        streams.complain(_usage(error))
        return exit_code.UNUSABLE
    except (CaptureError, LinkError, RpcError, TunnelError) as error:
        # Errors of the core state what is expected.
        streams.complain(error)
        return exit_code.UNUSABLE
    except typer.Abort:
        return exit_code.INTERRUPTED
    except UnicodeEncodeError as error:
        # Names of links and channels are text; only file names may contain other bytes.
        streams.complain(f"{error.object[:80]!r} is not valid UTF-8")
        return exit_code.UNUSABLE
    return code if isinstance(code, int) else exit_code.DONE
