"""``airlag tunnel key``: the key that both ends of a tunnel need."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from airlag.cli import terminal
from airlag.core.atomic import replacing
from airlag.questions import tunnel as tunnels

if TYPE_CHECKING:
    from airlag.core.types import Key

#: Only the owner may read it.
MODE = 0o600


def key(file: Path, force: bool = False, json: bool = False) -> None:
    """Make a key, and write it to a file that nobody else can read.

    Carry it to the other computer by a way that nobody listens to, such as scp.
    """
    # From the first byte on: the mode of a file that is there already stays.
    before = os.umask(0o777 & ~MODE)
    try:
        with replacing(file, force=force) as target:
            target.write(f"{tunnels.make_key()}\n".encode())
    except OSError as error:
        terminal.refuse(terminal.unwritable(file, error))
    finally:
        os.umask(before)
    file.chmod(MODE)
    if json:
        done: Key = {"target": str(file)}
        terminal.print_json(done)
    terminal.wrote([file], aside=json)
