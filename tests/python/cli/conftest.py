"""The command line, called as a person would, in a folder of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from told import Airlag, Told

from airlag.cli import command_line
from peers import program, root
from traces import link, logic2_csv
from tunnel_ends import End, spaces


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


@pytest.fixture
def privileged() -> None:
    """Skips where no namespace or interface can be made."""
    for name, package in {
        "ip": "iproute2",
        "ping": "iputils-ping",
        "setpriv": "util-linux",
    }.items():
        program(name, package)
    root()


@pytest.fixture
def ends(privileged: None) -> Iterator[tuple[End, End]]:
    """Two namespaces with a wire between them."""
    del privileged
    with spaces() as both:
        yield both


@pytest.fixture
def keys(folder: Path, airlag: Airlag) -> list[Path]:
    """Two keys."""
    for name in ("one.key", "two.key"):
        assert airlag("tunnel", "key", name).code == 0
    return [folder / "one.key", folder / "two.key"]
