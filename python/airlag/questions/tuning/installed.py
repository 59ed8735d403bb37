"""The libraries that only this package needs, loaded when they are needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from airlag._airlag import LinkError

#: The extra that installs a library, where it is not ``tune``: SALib asks for Matplotlib.
_EXTRAS = {"SALib": "indices"}


def library(name: str) -> Any:
    """The module ``name`` of a library that airlag does not need otherwise.

    Raises :class:`LinkError`.
    """
    try:
        return import_module(name)
    except ImportError as error:
        lacking = (error.name or name).partition(".")[0]
        extra = _EXTRAS.get(name.partition(".")[0], "tune")
        raise LinkError(f"{lacking} is not installed; pip install 'airlag[{extra}]'") from None
