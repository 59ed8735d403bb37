"""Reader of files that list runs. The core parses their content."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from airlag._airlag import LONGEST_FILE, LinkError

R = TypeVar("R")


def read(path: Path, made: Callable[[str, str], R], error: type[Exception]) -> R:
    """Reads a TOML file; returns the result of ``made`` on its text and name.

    Raises ``error`` with one line that names the file.
    """
    try:
        with path.open("rb") as file:
            # Bounded read; the core rejects longer files.
            content = file.read(LONGEST_FILE + 1)
        return made(content.decode("utf-8"), path.stem)
    except OSError as why:
        raise error(f"{path}: {why.strerror or why}") from None
    except UnicodeDecodeError as why:
        raise error(f"{path}: invalid TOML: {why}") from None
    except LinkError as why:
        raise error(f"{path}: {why}") from None
