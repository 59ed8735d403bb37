"""Parameters that say how the radio of a tunnel is wired and tuned."""

from __future__ import annotations

from typing import Annotated, Any

from airlag.cli.options import whole
from airlag.cli.parameters import Group


def _wiring(
    ce: str | None = None,
    irq: str | None = None,
    rate: str | None = None,
    channel: Annotated[int | None, whole("channel", 0, 125, 76)] = None,
    power: str | None = None,
    listen: str | None = None,
) -> dict[str, Any]:
    """What is given, as :class:`~airlag.questions.tunnel.Radio` takes it."""
    every = {"ce": ce, "irq": irq, "rate": rate, "channel": channel, "power": power}
    return {
        name: value for name, value in (every | {"listen": listen}).items() if value is not None
    }


Wiring = Annotated[dict[str, Any], Group(_wiring)]
