"""Generates ``python/airlag/cli/completion.json``, the words that complete each command.

It is generated in advance because importing all commands takes a second.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

from airlag.cli.app import loaded
from airlag.cli.overview import GROUPS, SUMMARIES
from airlag.core.display import to_json
from airlag.questions.runs import FINDINGS

#: Path of the file.
FILE = Path(__file__).parents[1] / "python" / "airlag" / "cli" / "completion.json"

#: Placeholders for values that are listed at run time; the shell itself lists files.
LINK, FAMILY, SETTING, CALL, ENVIRONMENT = "LINK", "FAMILY", "KEY=VALUE", "CALL", "ENVIRONMENT"
#: Values of parameters whose metavar is ambiguous.
BY_NAME: dict[str, list[str]] = {
    "link": [LINK],
    "links": [LINK],
    "boards": [LINK],
    "environment": [ENVIRONMENT],
    "fail_on": list(FINDINGS),
}
#: Values by metavar.
BY_METAVAR = {
    "[NAME|FAMILY]": [LINK, FAMILY],
    "LINK|RUN|CAPTURE|CALL": [LINK, CALL],
    "KEY=VALUE": [SETTING],
    "KEY=VALUE,…": [SETTING],
}
#: Metavars with alternatives.
_CHOICES = re.compile(r"[a-z0-9-]+(?:[|,][a-z0-9-]+)+", re.ASCII)


def made() -> str:
    """Returns the content of the file."""
    commands: dict[str, Any] = {}
    for name in SUMMARIES:
        command = loaded(name)
        if name not in GROUPS:
            commands[name] = _command(command)
            continue
        for below, each in command.commands.items():
            commands[f"{name} {below}"] = _command(each)
    return to_json(commands) + "\n"


def _command(command: typer.core.TyperCommand) -> dict[str, Any]:
    """Options of a command with the first sentence of their help and their values; arguments."""
    options: dict[str, Any] = {}
    words: list[str] = []
    for each in command.params:
        taken = _taken(each)
        if isinstance(each, typer.core.TyperArgument):
            words += taken
            continue
        assert isinstance(each, typer.core.TyperOption)
        help_text = " ".join((each.help or "").split()).split(". ")[0].rstrip(".:")
        for name in each.opts:
            options[name] = [help_text, None if each.is_flag else taken]
    return {"options": options, "words": words}


def _taken(parameter: Any) -> list[str]:
    """Values of a parameter that can be completed; empty if any value is valid."""
    metavar = str(parameter.metavar or "")
    if _CHOICES.fullmatch(metavar):
        return re.split("[|,]", metavar)
    return BY_METAVAR.get(metavar) or BY_NAME.get(str(parameter.name)) or []
