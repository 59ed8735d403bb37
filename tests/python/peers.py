"""What tests need that is not part of the project: programs, images, real captures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from airlag import thread


def absent(missing: str) -> NoReturn:
    """Skips the test, visibly, for a machine that lacks something; fails it where nothing may lack.

    ``.ci/run`` sets ``AIRLAG_REQUIRE_PEERS=1`` and installs what it takes: there every test runs.

    Parameters
    ----------
    missing
        What is not there, and how to get it; one line.
    """
    if os.environ.get("AIRLAG_REQUIRE_PEERS") == "1":
        pytest.fail(missing)
    pytest.skip(missing)


def openthread() -> Path:
    """The folder of the nodes that ``make openthread`` builds."""
    found = thread.folder()
    if not (found / "ot-node-ftd").exists() or not (found / "ot-node-mtd").exists():
        absent("no nodes of OpenThread; make openthread builds them")
    return found
