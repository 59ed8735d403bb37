"""The examples of ``crates/study``: the same question from Rust has the same output."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from told import Airlag

#: Built once: the process that has these tests waits for cargo.
pytestmark = pytest.mark.xdist_group("rust examples")

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "crates" / "study" / "examples"

#: The command line that an example stands for is its first line.
COMMAND = re.compile(r"//! `airlag (?P<arguments>.+ --json)`\n")


def commands() -> dict[str, list[str]]:
    """By example, the arguments of its command line."""
    found = {path.stem: COMMAND.match(path.read_text()) for path in EXAMPLES.glob("*.rs")}
    return {name: match["arguments"].split() for name, match in sorted(found.items()) if match}


def test_every_question_of_one_link_has_an_example() -> None:
    assert len(commands()) >= 9, sorted(commands())


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the examples, built as ``cargo test`` builds them, with the workspace."""
    chosen = os.environ.get("BUILD_PROFILE", "release")
    # As in the Makefile: the extension's profile builds the tests too, unless it is a wheel's.
    profile, folder = ("test", "debug") if chosen == "release" else (chosen, chosen)
    build = ["cargo", "build", "--quiet", "--workspace", "--examples", "--profile", profile]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    return ROOT / target / folder / "examples"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", commands())
def test_rust_prints_what_the_command_line_prints(name: str, built: Path, airlag: Airlag) -> None:
    rust = subprocess.run([built / name], cwd=ROOT, capture_output=True, check=True).stdout
    told = airlag(*commands()[name])
    assert told.err == ""
    assert rust.decode() == told.out
