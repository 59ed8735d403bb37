"""Libraries that a default install does not have."""

from __future__ import annotations

from importlib import import_module


def need_polars(what: str) -> None:
    """Loads polars, which data frames and datasets take; raises :class:`ModuleNotFoundError`.

    Parameters
    ----------
    what
        What needs it, as the error names it.
    """
    try:
        import_module("polars")
    except ImportError:
        raise ModuleNotFoundError(
            f"{what} needs polars, which is not installed; pip install 'airlag[frames]'",
            name="polars",
        ) from None
