"""What tests of several rooms share: golden files, real captures, traces as plain data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from peers import absent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write golden files instead of comparing with them"
    )


@pytest.fixture(scope="session")
def captures() -> Path:
    """The folder of real captures; tests that need it are skipped, visibly, where it is not."""
    folder = os.environ.get("AIRLAG_CAPTURES", "")
    if not Path(folder).is_dir() or not folder:
        absent("AIRLAG_CAPTURES names no folder of captures")
    return Path(folder)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with ``golden/NAME`` beside the test; ``pytest --update`` writes it."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / "golden" / name
        if request.config.getoption("--update"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing; write it with pytest --update"
        assert text == path.read_text(encoding="utf-8"), "differs; accept it with pytest --update"

    return compare
