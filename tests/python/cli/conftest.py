"""The command line, called as a person would, in a folder of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from told import Airlag, Told

from airlag.cli import command_line
from traces import link, logic2_csv


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has its own folder to stand in, and a pipe of 80 columns."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def airlag(capsys: pytest.CaptureFixture[str]) -> Airlag:
    """Runs one command line."""

    def call(*arguments: Any) -> Told:
        code = command_line([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return Told(code, said.out, said.err)

    return call


@pytest.fixture
def capture(folder: Path) -> Path:
    """A good capture, ``good.csv``: 40 triggers, two of them lost."""
    return logic2_csv(folder / "good.csv", link(lost=[3, 9])).relative_to(folder)
