"""Options that say which radio a tunnel has."""

from __future__ import annotations

from typing import Annotated

from airlag.cli import options

_chip = options.panel("A radio chip")
#: What ``--radio`` says.
HELP = "spi:DEVICE, such as spi:/dev/spidev0.0; or udp:HOST:PORT, where the other end listens."


ChipEnable = Annotated[
    str | None,
    _chip("--ce CHIP:LINE", "Line of its chip enable pin, such as gpiochip0:22."),
]
Interrupt = Annotated[
    str | None, _chip("--irq CHIP:LINE", "Line of its interrupt pin, such as gpiochip0:24.")
]
Rate = Annotated[
    str | None,
    _chip(
        "--rate RATE",
        "250k, 1M or 2M bit/s, the same at both ends. Default: 2M; with udp: as fast as it goes.",
    ),
]
Channel = Annotated[
    int | None,
    _chip(
        "--channel N",
        "0 to 125: MHz above 2400, the same at both ends. Default: 76.",
        options.whole("channel", 0, 125, 76),
    ),
]
Power = Annotated[
    str | None,
    _chip("--power POWER", "Output power: -18dBm, -12dBm, -6dBm or 0dBm. Default: 0dBm."),
]
Listen = Annotated[
    str | None,
    options.option(
        "--listen PORT",
        "Where this end listens with udp: a port, or HOST:PORT. Default: the other's port.",
    ),
]
