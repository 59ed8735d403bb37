"""The source distribution has everything that a build needs, and nothing that it does not."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def test_nothing_but_sources(unpacked: Path) -> None:
    refused = {"__pycache__", "captures", "dist", "kept", "node_modules", "reports", "target"}
    files = [each.relative_to(unpacked) for each in unpacked.rglob("*") if each.is_file()]
    assert [str(each) for each in files if refused & set(each.parts)] == []
    assert [str(each) for each in files if each.suffix in {".a", ".o", ".pyc", ".so", ".sr"}] == []
    assert {"Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "pyproject.toml"} <= set(map(str, files))


def test_every_crate_of_the_extension_compiles_where_it_was_unpacked(unpacked: Path) -> None:
    # Not built, only checked: crates of others are those that the lints have checked, with the
    # same features and the same profile.
    profile = os.environ.get("BUILD_PROFILE", "release")
    check = ["cargo", "check", "--quiet", "--locked", "--package", "airlag-py"]
    check += ["--features", "as-in-workspace", "--profile", profile]
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    run = subprocess.run(
        check,
        cwd=unpacked,
        env={**os.environ, "CARGO_TARGET_DIR": target},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_it_is_a_workspace_of_the_extension_and_what_it_depends_on(unpacked: Path) -> None:
    run = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--no-deps"],
        cwd=unpacked,
        capture_output=True,
        text=True,
        check=True,
    )
    names = {package["name"] for package in json.loads(run.stdout)["packages"]}
    assert {"airlag-py", "airlag-study", "airlag-trace"} <= names
    assert {"airlag-fuzz", "airlag-wasm"} & names == set()
