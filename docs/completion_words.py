"""``python/airlag/cli/completion.json``: what can be typed after each command.

It is read off the commands, as loading them all takes a second.
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

#: Where it is kept.
FILE = Path(__file__).parents[1] / "python" / "airlag" / "cli" / "completion.json"

#: What stands for values that are listed when they are asked for; the shell itself lists files.
LINK, FAMILY, SETTING, CALL, ENVIRONMENT = "LINK", "FAMILY", "KEY=VALUE", "CALL", "ENVIRONMENT"
#: What parameters of commands take whose metavar does not tell.
BY_NAME: dict[str, list[str]] = {
    "link": [LINK],
    "links": [LINK],
    "boards": [LINK],
    "environment": [ENVIRONMENT],
    "fail_on": list(FINDINGS),
}
#: What metavars tell.
BY_METAVAR = {
    "[NAME|FAMILY]": [LINK, FAMILY],
    "LINK|RUN|CAPTURE|CALL": [LINK, CALL],
    "KEY=VALUE": [SETTING],
    "KEY=VALUE,…": [SETTING],
}
#: One of several words, or some of them.
_CHOICES = re.compile(r"[a-z0-9-]+(?:[|,][a-z0-9-]+)+", re.ASCII)


def made() -> str:
    """The file."""
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
    """Its options with the first line of their help and what they take, and what its words are."""
    options: dict[str, Any] = {}
    words: list[str] = []
    for each in command.params:
        taken = _taken(each)
        if isinstance(each, typer.core.TyperArgument):
            words += taken
            continue
        assert isinstance(each, typer.core.TyperOption)
        told = " ".join((each.help or "").split()).split(". ")[0].rstrip(".:")
        for name in each.opts:
            options[name] = [told, None if each.is_flag else taken]
    return {"options": options, "words": words}


def _taken(parameter: Any) -> list[str]:
    """What can be listed of a parameter's values; nothing where any may be."""
    metavar = str(parameter.metavar or "")
    if _CHOICES.fullmatch(metavar):
        return re.split("[|,]", metavar)
    return BY_METAVAR.get(metavar) or BY_NAME.get(str(parameter.name)) or []
