"""One line about a package that is not there."""

from __future__ import annotations

from airlag.rpc.errors import NotInstalled


def missing(package: str, error: ImportError) -> NotInstalled:
    """The error of a transport whose package cannot be loaded.

    Parameters
    ----------
    package
        What the transport is made of.
    error
        Why it was not to be had.
    """
    name = (error.name or package).partition(".")[0]
    if name == package:
        return NotInstalled(f"{package} is not installed; pip install 'airlag[ble]'")
    return NotInstalled(
        f"{package} needs {name}, which is not installed; pip install 'airlag[ble]'"
    )
