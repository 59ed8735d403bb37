"""Files that list many runs; what stands in them is read by the core."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from airlag._airlag import LONGEST_FILE, LinkError

R = TypeVar("R")


def read(path: Path, made: Callable[[str, str], R], error: type[Exception]) -> R:
    """What is ``made`` of the text of a file, which is TOML, and of its name.

    Raises ``error`` in one line that names the file.
    """
    try:
        with path.open("rb") as file:
            # More than this is no longer read: the core refuses it.
            content = file.read(LONGEST_FILE + 1)
        return made(content.decode("utf-8"), path.stem)
    except OSError as why:
        raise error(f"{path}: {why.strerror or why}") from None
    except UnicodeDecodeError as why:
        raise error(f"{path}: no TOML: {why}") from None
    except LinkError as why:
        raise error(f"{path}: {why}") from None
