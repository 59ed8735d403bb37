"""Result of a command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Told:
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str


#: Runs one command line.
Airlag = Callable[..., Told]
