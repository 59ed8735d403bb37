"""Options that say which radio a tunnel has."""

from __future__ import annotations

from typing import Annotated

import typer

from airlag.core.quantity import parse_whole

CHIP = "A radio chip"
#: What ``--radio`` says.
HELP = "spi:DEVICE, such as spi:/dev/spidev0.0; or udp:HOST:PORT, where the other end listens."


def _channel(text: str) -> int:
    channel = parse_whole(text, 0, 125)
    if channel is None:
        raise typer.BadParameter(f"{text[:20]!r} is no channel; write one from 0 to 125")
    return channel


ChipEnable = Annotated[
    str | None,
    typer.Option(
        "--ce",
        metavar="CHIP:LINE",
        help="Line of its chip enable pin, such as gpiochip0:22.",
        rich_help_panel=CHIP,
    ),
]
Interrupt = Annotated[
    str | None,
    typer.Option(
        "--irq",
        metavar="CHIP:LINE",
        help="Line of its interrupt pin, such as gpiochip0:24.",
        rich_help_panel=CHIP,
    ),
]
Rate = Annotated[
    str | None,
    typer.Option(
        metavar="RATE",
        help="250k, 1M or 2M bit/s, the same at both ends. Default: 2M.",
        rich_help_panel=CHIP,
    ),
]
Channel = Annotated[
    int | None,
    typer.Option(
        parser=_channel,
        metavar="N",
        help="0 to 125: MHz above 2400, the same at both ends. Default: 100.",
        rich_help_panel=CHIP,
    ),
]
Listen = Annotated[
    str | None,
    typer.Option(
        metavar="PORT",
        help="Where this end listens with udp: a port, or HOST:PORT. Default: the other's port.",
    ),
]
