"""Libraries that a default install does not have, loaded when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from airlag._airlag import LinkError


def library(
    name: str, extra: str, error: type[Exception] = LinkError, lacking: str | None = None
) -> Any:
    """The module ``name``, or an ``error`` that says which ``extra`` installs it.

    ``lacking`` is what the error begins with; by default, the package that is not there.
    """
    try:
        return import_module(name)
    except ImportError as why:
        package = lacking or (why.name or name).partition(".")[0]
        raise error(f"{package} is not installed; pip install 'airlag[{extra}]'") from None


def need_polars(what: str) -> None:
    """Raises :class:`ModuleNotFoundError` for ``what`` where polars is not installed."""
    try:
        library("polars", "frames", ModuleNotFoundError, f"{what} needs polars, which")
    except ModuleNotFoundError as error:
        error.name = "polars"
        raise
