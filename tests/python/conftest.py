"""Fixtures of several test folders: golden files, real captures, traces as plain data."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from peers import FIXTURES, absent, check_mark, nodes


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write golden files instead of comparing with them"
    )
    parser.addoption(
        "--pico-seconds",
        type=float,
        default=0.05,
        help="emulated seconds of the test of the Pico's edges, each of which takes half a minute",
    )


#: Fixtures that take long: of the tests that share one, none runs in another process.
SHARED = frozenset({"desk", "lossy", "page", "result", "running", "whole"})


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Commands under test answer Ctrl-C, also if a shell started the tests in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def pico_seconds(request: pytest.FixtureRequest) -> float:
    """Emulated duration of the test of the Pico's edges."""
    seconds: float = request.config.getoption("--pico-seconds")
    return seconds


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that use what is not part of the project, and those that run one by one."""
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        used = set(item.fixturenames)
        if FIXTURES & used:
            item.add_marker("peers")
        if item.get_closest_marker("real_time"):
            item.add_marker(pytest.mark.xdist_group("real time"))
        for name in sorted(SHARED & used):
            # One that is made once a parameter is shared by fewer.
            made_of = getattr(item, "callspec", None)
            which = made_of.params.get(name, "") if made_of is not None else ""
            group = f"{item.path.parent.name} {name} {which}"
            item.add_marker(pytest.mark.xdist_group(group))
    # A long test that begins last would leave the other processes idle.
    items.sort(key=longest_first)


def longest_first(item: pytest.Item) -> float:
    """Sorts by the time that a test may take, which is stated where it is longer than usual."""
    mark = item.get_closest_marker("timeout")
    return -mark.args[0] if mark is not None else 0


@pytest.fixture(scope="session")
def captures() -> Path:
    """The folder of real captures; tests that need it are skipped, visibly, where it is not."""
    check_mark()
    folder = os.environ.get("AIRLAG_CAPTURES", "")
    if not Path(folder).is_dir() or not folder:
        absent("AIRLAG_CAPTURES names no folder of captures")
    # A browser refuses a file whose path has ".." in it.
    return Path(folder).resolve()


@pytest.fixture(scope="session")
def openthread() -> Path:
    """The folder of the nodes of Thread networks."""
    return nodes()


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
