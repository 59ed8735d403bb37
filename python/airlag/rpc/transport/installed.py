"""One line about a package that is not there."""

from __future__ import annotations

from airlag.rpc.errors import NotInstalled

#: The extra that installs a package. Bumble is apart: it asks for libusb, which is under the LGPL.
_EXTRAS = {"bleak": "ble", "bumble": "bumble"}


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
    extra = _EXTRAS[package]
    if name == package:
        return NotInstalled(f"{package} is not installed; pip install 'airlag[{extra}]'")
    return NotInstalled(
        f"{package} needs {name}, which is not installed; pip install 'airlag[{extra}]'"
    )
