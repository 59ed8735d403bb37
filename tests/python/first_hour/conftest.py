"""A desk for each terminal of the first hour, and a browser."""

from __future__ import annotations

import pytest
from desk import Desk

from browsing import browser as browser

#: Columns of a terminal, and what it can colour.
TERMINALS = ((60, "plain"), (80, "16 colours"), (120, "true colour"))


@pytest.fixture(scope="session", params=TERMINALS, ids=lambda one: f"{one[0]} columns")
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A desk for each terminal."""
    columns, colours = request.param
    return Desk.laid(tmp_path_factory.mktemp(f"desk-{columns}"), columns, colours)
