"""The source distribution contains exactly the files that a build needs."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers

ROOT = Path(__file__).resolve().parents[3]

#: A file that is compiled in, as Rust names it: by its path, or by its folder and a list of names.
COMPILED_IN = re.compile(r'include_(?:str|bytes)!\((?:"([^"]+)"|concat!\("([^"]+/)")')


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


def test_nothing_but_sources(unpacked: Path) -> None:
    refused = {"__pycache__", "captures", "kept", "node_modules", "reports", "target"}
    files = [each.relative_to(unpacked) for each in unpacked.rglob("*") if each.is_file()]
    assert [str(each) for each in files if refused & set(each.parts)] == []
    assert [str(each) for each in files if each.suffix in {".a", ".o", ".pyc", ".so", ".sr"}] == []
    assert {"Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT", "pyproject.toml"} <= set(map(str, files))


def test_every_file_that_is_compiled_in_is_there(unpacked: Path) -> None:
    seen = set()
    for source in (unpacked / "crates").glob("*/src/**/*.rs"):
        for file, folder in COMPILED_IN.findall(source.read_text("utf-8")):
            path = (source.parent / (file or folder)).resolve()
            assert path.exists(), f"{source.relative_to(unpacked)}: {file or folder}"
            seen.add(path.relative_to(unpacked.resolve()).parts[0])
    assert "links" in seen
    ours = {each.name for each in (ROOT / "links").glob("*.toml")}
    assert {each.name for each in (unpacked / "links").iterdir()} == ours


def test_cargo_accepts_it_with_the_versions_that_are_locked(unpacked: Path) -> None:
    run = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--offline"],
        cwd=unpacked,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    names = {package["name"] for package in json.loads(run.stdout)["packages"]}
    assert {"airlag-py", "airlag-study", "airlag-trace"} <= names
    assert {"airlag-fuzz", "airlag-wasm"} & names == set()
    # Cargo removes from the lock what only other members of the workspace need, and adds nothing.
    locks = [tomllib.loads((root / "Cargo.lock").read_text("utf-8")) for root in (unpacked, ROOT)]
    theirs, ours = ({(p["name"], p["version"]) for p in lock["package"]} for lock in locks)
    assert theirs <= ours
