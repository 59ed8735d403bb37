"""What airlag depends on may be used as airlag is: crates by deny.toml, wheels by a list here."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKSPACES = ("Cargo.toml", "benches/Cargo.toml", "studio/bindings/Cargo.toml")

#: Licences of wheels, by SPDX and as older packages call them.
WHEELS = {
    "0BSD", "3-Clause BSD License", "Apache-2.0", "Apache 2.0", "Apache Software License", "BSD",
    "BSD License",
    "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC License (ISCL)", "MIT", "MIT-0",
    "MIT License", "MPL-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)", "PSF-2.0", "Public Domain", "Zlib",
}  # fmt: skip

#: Licences of wheels that do not state them, from their repositories.
UNSTATED = {"logic2-automation": "Apache-2.0"}


def admitted(expression: str, allowed: set[str]) -> bool:
    """Whether an SPDX expression can be met; ``/`` is how crates once wrote OR."""
    if expression in allowed:
        return True
    all_of = re.split(r"\s+AND\s+", re.sub(r"\(([^()]*)\)", r"\1", expression.replace("/", " OR ")))
    return all(any(one in allowed for one in re.split(r"\s+OR\s+", each)) for each in all_of)


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_every_crate_has_a_licence_that_deny_toml_allows(workspace: str) -> None:
    allowed = set(tomllib.loads((ROOT / "deny.toml").read_text())["licenses"]["allow"])
    told = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", workspace],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    packages = json.loads(told.stdout)["packages"]
    refused = {p["name"]: p["license"] for p in packages if not admitted(p["license"], allowed)}
    assert packages
    assert refused == {}


def test_every_locked_wheel_has_a_licence_on_the_list() -> None:
    locks = [ROOT / "requirements" / f"{name}.lock" for name in ("dev", "site")]
    lock = "\n".join(each.read_text() for each in locks)
    refused = {}
    seen = 0
    for name in re.findall(r"^([\w.-]+)==", lock, re.MULTILINE):
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue  # It is of another platform.
        seen += 1
        stated = about.get("License-Expression") or about.get("License") or UNSTATED.get(name, "")
        classes = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or []]
        if not admitted(stated, WHEELS) and not WHEELS & set(classes):
            refused[name] = stated[:60]
    assert seen > 20
    assert refused == {}


def test_a_licence_has_to_be_met_whole() -> None:
    assert admitted("(MIT OR GPL-3.0) AND Zlib", {"MIT", "Zlib"})
    assert not admitted("MIT AND GPL-3.0", {"MIT"})
    assert admitted("Apache-2.0/MIT", {"MIT"})
