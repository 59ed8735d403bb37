"""The subcommands of :mod:`airlag.cli.listed`: none is loaded before it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer
import typer.core

from airlag.cli.listed import GROUPS, SUMMARIES
from airlag.cli.parameters import described


def load(name: str) -> Any:
    """The function of a subcommand, or its application where it has subcommands of its own.

    Each is in the file of its name.
    """
    return getattr(import_module(f"airlag.cli.{name}"), "app" if name in GROUPS else name)


class Commands(typer.core.TyperGroup):
    """All subcommands; the one that is called is loaded, the others are only told of."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {
            name: typer.core.TyperCommand(name, help=summary) for name, summary in SUMMARIES.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that ``args`` begin with, loaded."""
        name, told, rest = super().resolve_command(ctx, args)
        return name, told if name is None else loaded(name), rest


def group(name: str, about: str, *commands: Callable[..., None]) -> typer.Typer:
    """A subcommand that has subcommands of its own, and prints them when called alone."""
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
    """The subcommand ``name``, ready to run."""
    found = load(name)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    alone = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    alone.command(name, context_settings={"help_option_names": ["-h", "--help"]})(
        described(name, found)
    )
    return typer.main.get_command(alone)
