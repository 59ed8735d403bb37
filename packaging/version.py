"""The version of a release: where it is stated, and the part of the changelog about it.

    python packaging/version.py                    print the version
    python packaging/version.py --set 0.2.0        state a new version in Cargo.toml
    python packaging/version.py --release v0.2.0   exit 1 if a release with this tag is incomplete
    python packaging/version.py --notes v0.2.0     print the section of the changelog

A release is incomplete if its tag is not the version, if the changelog has no section for it, or if
a change is still in changes/.

Cargo.toml is the only place that states it: pyproject.toml takes it from there. The crates that are
published name each other with it, because a registry knows no paths.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: A version of Semantic Versioning 2.0.0 without build metadata, which registries do not order by.
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?")
#: The line of the workspace's version, and those of dependencies by path that have one.
STATED = re.compile(r'^(version = "|airlag-[a-z-]+ = \{ path = "[^"]+", version = ")([^"]+)"', re.M)


class ReleaseError(Exception):
    """What is wrong with a release, in one line."""


def versions(manifest: str) -> list[str]:
    """Every version that a workspace's Cargo.toml states of its own crates."""
    return [found[1] for found in STATED.findall(manifest)]


def current(manifest: str) -> str:
    """The version, if all statements of it agree."""
    found = set(versions(manifest))
    if len(found) != 1:
        raise ReleaseError(f"Cargo.toml states the versions {', '.join(sorted(found))}; --set one")
    return found.pop()


def restated(manifest: str, version: str) -> str:
    """The manifest with another version."""
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version} is not a version; write MAJOR.MINOR.PATCH, such as 0.2.0")
    return STATED.sub(lambda found: f'{found[1]}{version}"', manifest)


def notes(changelog: str, version: str) -> str:
    """The section of a version, without its heading."""
    section = re.search(
        rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n(.*?)(?=^## |\Z)", changelog, re.M | re.S
    )
    if section is None or not section[1].strip():
        raise ReleaseError(f"CHANGELOG.md has no section for {version}; run towncrier build")
    return section[1].strip() + "\n"


def check(root: Path, tag: str) -> None:
    """Raises :exc:`ReleaseError` if the tree cannot be released under this tag."""
    version = current((root / "Cargo.toml").read_text("utf-8"))
    if tag != f"v{version}":
        raise ReleaseError(f"the tag is {tag}, and Cargo.toml states {version}; tag v{version}")
    notes((root / "CHANGELOG.md").read_text("utf-8"), version)
    waiting = sorted(each.name for each in (root / "changes").glob("*.md"))
    waiting = [name for name in waiting if name != "README.md"]
    if waiting:
        raise ReleaseError(f"changes/{waiting[0]} is not in the changelog; run towncrier build")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="The version of a release.")
    task = parser.add_mutually_exclusive_group()
    task.add_argument("--set", metavar="VERSION")
    task.add_argument("--release", metavar="TAG")
    task.add_argument("--notes", metavar="TAG")
    asked = parser.parse_args()
    manifest = ROOT / "Cargo.toml"
    text = manifest.read_text("utf-8")
    if asked.set:
        manifest.write_text(restated(text, asked.set), "utf-8")
    elif asked.release:
        check(ROOT, asked.release)
    elif asked.notes:
        changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
        sys.stdout.write(notes(changelog, asked.notes.removeprefix("v")))
    else:
        sys.stdout.write(current(text) + "\n")


if __name__ == "__main__":
    try:
        main()
    except ReleaseError as error:
        sys.exit(f"version.py: {error}")
