"""Lazy import of optional dependencies."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from airlag._airlag import LinkError


def library(
    name: str, extra: str, error: type[Exception] = LinkError, lacking: str | None = None
) -> Any:
    """Imports module ``name``. If it is missing, raises ``error`` with the ``extra`` to install.

    The message of the error begins with ``lacking``, by default the name of the missing package.
    """
    try:
        return import_module(name)
    except ImportError as why:
        package = lacking or (why.name or name).partition(".")[0]
        raise error(f"{package} is not installed; pip install 'airlag[{extra}]'") from None


def need_polars(what: str) -> None:
    """Raises :class:`ModuleNotFoundError` if polars, which ``what`` needs, is not installed."""
    try:
        library("polars", "frames", ModuleNotFoundError, f"{what} needs polars, which")
    except ModuleNotFoundError as error:
        error.name = "polars"
        raise
