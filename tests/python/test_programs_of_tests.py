"""Integration tests in Rust: one program a crate, and no file of tests that is not in it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def programs() -> dict[str, list[Path]]:
    """The root files of each crate's integration tests."""
    run = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        package["name"]: [
            Path(target["src_path"]) for target in package["targets"] if target["kind"] == ["test"]
        ]
        for package in json.loads(run.stdout)["packages"]
    }


def test_a_crate_has_one_program_of_tests_and_each_file_is_in_it() -> None:
    roots = [root for roots in programs().values() for root in roots]
    assert len(roots) > 10
    for crate, found in programs().items():
        assert len(found) <= 1, f"{crate}: declare the files as modules of tests/all.rs"
    for root in roots:
        modules = set(re.findall(r"^mod (\w+);", root.read_text(encoding="utf-8"), re.MULTILINE))
        files = {file.stem for file in root.parent.glob("*.rs")} - {root.stem}
        assert files <= modules, f"{root}: add mod {sorted(files - modules)}"
    with_tests = {file.parent for file in ROOT.glob("crates/*/tests/*.rs")}
    assert with_tests <= {root.parent for root in roots}
