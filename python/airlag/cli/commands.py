"""Which subcommands there are: none is loaded before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
import typer.core


@dataclass(frozen=True, slots=True)
class Later:
    """A subcommand, in the file of its name.

    Attributes
    ----------
    summary
        The first sentence of its help, which the list of commands shows.
    attribute
        What it is called in its file; ``None``: as the command.
    """

    summary: str
    attribute: str | None = None

    def load(self, name: str) -> Any:
        """Its function, or its own application where it has subcommands."""
        return getattr(import_module(f"airlag.cli.{name}"), self.attribute or name)


#: In the order of the list.
COMMANDS: Mapping[str, Later] = {
    "links": Later("List the link profiles, or show one: every constant, its unit and its source."),
    "run": Later("Run links on the virtual bench: same seed, same numbers, on every machine."),
    "explain": Later(
        "Say where the time goes, slice by slice, and which change is worth how much."
    ),
    "goodput": Later(
        "Say what links carry when they never wait, beside what their formulas allow."
    ),
    "load": Later("Offer links more and more, and tell what becomes of latency, queue and loss."),
    "recommend": Later("Say which link keeps a deadline, and why the others do not."),
    "thread": Later(
        "Form a Thread network of OpenThread's own nodes, and send messages through it."
    ),
    "campaign": Later(
        "Run a campaign on the virtual bench, print its table and write its reports."
    ),
    "emulate": Later(
        "Carry programs' packets over a link in real time: UDP, TCP, serial, or interfaces."
    ),
    "analyze": Later(
        "Say what is in captures: what arrived, how long it took, what is odd and what to do."
    ),
    "channels": Later(
        "List the channels of captures: edges, rate and level of each, as --trigger takes them."
    ),
    "match": Later("Hold a capture against the virtual bench, or say which link explains it best."),
    "compare": Later("Say whether runs can be compared at all, and what differs."),
    "report": Later("Draw runs as a page, which needs no network, or as a picture."),
    "convert": Later("Write a capture in another format; every edge keeps its nanosecond."),
    "demo": Later("Make three small captures, and read them as scripts do and as airlag does."),
    "schema": Later("Describe what a command prints with --json, as a JSON Schema (2020-12)."),
    "tunnel": Later(
        "IP packets over a packet radio, between this computer and another.", attribute="app"
    ),
    "rpc": Later("Calls over a link: whether they work, and how fast they are.", attribute="app"),
}


class Commands(typer.core.TyperGroup):
    """All subcommands; the one that is called is loaded, the others are only told of."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {
            name: typer.core.TyperCommand(name, help=later.summary)
            for name, later in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that ``args`` begin with, loaded."""
        name, told, rest = super().resolve_command(ctx, args)
        return name, told if name is None else loaded(name), rest


def loaded(name: str) -> Any:
    """The subcommand ``name``, ready to run."""
    found = COMMANDS[name].load(name)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    alone = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    alone.command(name, context_settings={"help_option_names": ["-h", "--help"]})(found)
    return typer.main.get_command(alone)
