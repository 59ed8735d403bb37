from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
import typer

from airlag.cli.app import load
from airlag.cli.overview import SUMMARIES

LATER = ("polars", "vl_convert", "typer", "rich")


def test_importing_airlag_loads_neither_tables_nor_charts_nor_the_command_line() -> None:
    program = f"import sys, airlag; print([m for m in {LATER!r} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"


def test_the_command_line_starts_without_charts_tables_and_stacks() -> None:
    later = (
        "numpy",
        "polars",
        "vl_convert",
        "google.protobuf",
        "bleak",
        "bumble",
        "airlag.questions.store",
    )
    program = f"import sys, airlag.cli.app; print([m for m in {later!r} if m in sys.modules])"
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert told.stdout == "[]\n"


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_list_of_commands_says_what_each_says_of_itself(name: str) -> None:
    found = load(name)
    if isinstance(found, typer.Typer):
        assert found.registered_callback is not None
        found = found.registered_callback.callback
    told = inspect.getdoc(found)
    assert told is not None
    assert " ".join(told.split("\n\n")[0].split()) == SUMMARIES[name]
