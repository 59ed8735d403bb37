"""External requirements of tests: programs, images, real captures.

A test that uses any of it has the mark ``peers``: ``make test`` leaves it out, ``make test-all``
runs it. The mark comes with the fixtures of ``FIXTURES``, or is written at the test.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from airlag.questions import thread

#: Fixtures through which tests get what is not part of the project.
FIXTURES = frozenset({"boot", "browser", "captures", "openthread", "privileged", "sigrok"})


def check_mark() -> None:
    """Fails a test that uses what is not part of the project among those that must not."""
    if os.environ.get("AIRLAG_PEERS") == "none":
        pytest.fail("a test that uses what is not part of the project is marked pytest.mark.peers")


def absent(missing: str) -> NoReturn:
    """Skips the test, visibly, for a machine that lacks something; fails it where nothing may lack.

    ``make test-all`` sets ``AIRLAG_PEERS=all``: there every test runs.

    Parameters
    ----------
    missing
        What is not there, and how to get it; one line.
    """
    check_mark()
    if os.environ.get("AIRLAG_PEERS") == "all":
        pytest.fail(missing)
    pytest.skip(missing)


def program(name: str, package: str) -> str:
    """The path of a program from a Debian package."""
    check_mark()
    path = shutil.which(name)
    if path is None:
        absent(f"{name} is not installed: apt-get install {package}")
    return path


def root() -> None:
    """Fixture for tests that create interfaces and namespaces."""
    check_mark()
    if os.geteuid() != 0 or not Path("/dev/net/tun").exists():
        absent("no root, or no /dev/net/tun: run the tests as root, with the kernel's TUN")


def nodes() -> Path:
    """The folder of the nodes that ``make openthread`` builds."""
    check_mark()
    found = thread.folder()
    if not (found / "ot-node-ftd").exists() or not (found / "ot-node-mtd").exists():
        absent("no nodes of OpenThread; make openthread builds them")
    return found
