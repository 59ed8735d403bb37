"""The oldest compiler that will do: no crate that is locked asks for a newer one than we say."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def test_no_locked_crate_needs_a_newer_compiler_than_ours() -> None:
    said = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    found = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    needed = {
        package["name"]: package["rust_version"]
        for package in json.loads(found.stdout)["packages"]
        if package["rust_version"] is not None
    }
    assert len(needed) > 50
    assert {name: one for name, one in needed.items() if version(one) > version(said)} == {}
