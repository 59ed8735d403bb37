"""Options that say which radio a tunnel has."""

from __future__ import annotations

from typing import Annotated

from airlag.cli import options

#: What ``--radio`` says.
HELP = "spi:DEVICE, such as spi:/dev/spidev0.0; or udp:HOST:PORT, where the other end listens."


Channel = Annotated[int | None, options.whole("channel", 0, 125, 76)]
