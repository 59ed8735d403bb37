"""``airlag tunnel doctor``: requirements of a tunnel on this computer, and fixes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from airlag.cli import terminal
from airlag.cli.tunnel.up import Wiring
from airlag.questions import tunnel as tunnels
from airlag.questions.tunnel import Radio
from airlag.views.table import Paragraph

if TYPE_CHECKING:
    from airlag.core.types import Requirement

#: Columns before the name of a check.
MARGIN = 8


def doctor(
    *,
    radio: str | None = None,
    wiring: Wiring,
    json: bool = False,
) -> None:
    """Report what is missing for a tunnel on this computer, and how to fix it.

    Exits with 1 if something is missing that airlag tunnel up requires.
    """
    if radio is None and wiring:
        terminal.refuse(
            "name the radio that is wired this way with --radio, such as spi:/dev/spidev0.0"
        )
    chosen = None if radio is None else Radio(radio, **wiring)
    checks = tunnels.examine(chosen)
    if json:
        terminal.print_json(checks)
    else:
        _show(checks)
    if any(check["needed"] and not check["ok"] for check in checks):
        raise typer.Exit(terminal.FOUND)


def _show(checks: Sequence[Requirement]) -> None:
    """Prints one line per check; terminals wrap it."""
    console = terminal.output()
    width = max(len(check["name"]) for check in checks)
    for check in checks:
        mark, style = _marked(check)
        body = f"{check['name']:<{width}}  {check['found']}"
        body += "" if check["mend"] is None else f": {check['mend']}"
        if console.is_terminal:
            console.show(Paragraph(body, Text(mark, style), MARGIN))
        else:
            sys.stdout.write(f"{mark:<{MARGIN}}{body}\n")


def _marked(check: Requirement) -> tuple[str, str]:
    if check["ok"]:
        return "ok", "green"
    return ("missing", "red") if check["needed"] else ("absent", "yellow")
