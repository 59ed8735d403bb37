"""Names of ``import airlag``: no submodule hides a function, and the import loads few modules."""

from __future__ import annotations

import subprocess
import sys

import pytest

import airlag

#: What a user calls: classes have capitals, constants only capitals.
FUNCTIONS = tuple(name for name in airlag.__all__ if name.islower() and name[0] != "_")

EVERY_MODULE = """
import importlib, pkgutil, warnings
import airlag
warnings.simplefilter("ignore")
for found in pkgutil.walk_packages(airlag.__path__, "airlag."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
hidden = [name for name in {names!r} if not callable(getattr(airlag, name))]
assert hidden == [], hidden
lost = [name for name in airlag.__all__ if not hasattr(airlag, name)]
assert lost == [], lost
print(sum(name.startswith("airlag.") for name in __import__("sys").modules))
"""


def test_every_function_is_one_after_every_submodule_was_imported() -> None:
    told = subprocess.run(
        [sys.executable, "-c", EVERY_MODULE.format(names=FUNCTIONS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stderr == ""
    assert int(told.stdout) > 100


def test_all_names_are_sorted_once_and_told_by_dir() -> None:
    assert len(set(airlag.__all__)) == len(airlag.__all__)
    assert set(airlag.__all__) <= set(dir(airlag))
    assert set(FUNCTIONS) <= set(airlag.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_says_what_it_takes_and_what_it_raises(name: str) -> None:
    told = getattr(airlag, name).__doc__
    assert told is not None
    assert "Raises\n" in told or name == "analyze_many"
    assert "Parameters\n" in told or name in ("analyze_many", "channels", "convert")


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        airlag.nothing  # noqa: B018
