"""``airlag tunnel key``: generation of the shared key."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from airlag.cli import terminal
from airlag.core.atomic import replacing
from airlag.questions import tunnel as tunnels

if TYPE_CHECKING:
    from airlag.core.types import Key

#: File mode: readable by its owner only.
MODE = 0o600


def key(file: Path, force: bool = False, json: bool = False) -> None:
    """Generate a key, and write it to a file that only its owner can read.

    Transfer it to the other computer over a confidential channel, such as scp.
    """
    # Set the mode before writing, because an existing file keeps its mode.
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
