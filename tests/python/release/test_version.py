"""A release is refused unless tag, manifest and changelog agree."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import airlag

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "packaging" / "version.py"

found = importlib.util.spec_from_file_location("release_version", SCRIPT)
assert found is not None
assert found.loader is not None
version = importlib.util.module_from_spec(found)
found.loader.exec_module(version)

MANIFEST = (ROOT / "Cargo.toml").read_text("utf-8")
CHANGELOG = "# Changelog\n\n<!-- releases -->\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- A link.\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree that can be released as 0.2.0."""
    (tmp_path / "Cargo.toml").write_text(version.restated(MANIFEST, "0.2.0"), "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "README.md").write_text("How to write one.\n", "utf-8")
    return tmp_path


def test_the_package_has_the_version_of_the_manifest() -> None:
    assert version.current(MANIFEST) == airlag.__version__


def test_a_release_whose_parts_agree_is_accepted(tree: Path) -> None:
    version.check(tree, "v0.2.0")


def test_another_tag_is_refused(tree: Path) -> None:
    with pytest.raises(version.ReleaseError, match=r"the tag is v0\.2\.1, .* tag v0\.2\.0"):
        version.check(tree, "v0.2.1")


def test_a_changelog_without_the_version_is_refused(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text(CHANGELOG.replace("0.2.0", "0.1.9"), "utf-8")
    with pytest.raises(version.ReleaseError, match="no section"):
        version.check(tree, "v0.2.0")


def test_a_change_outside_the_changelog_is_refused(tree: Path) -> None:
    (tree / "changes" / "7.fixed.md").write_text("A bug.\n", "utf-8")
    with pytest.raises(version.ReleaseError, match=r"changes/7\.fixed\.md"):
        version.check(tree, "v0.2.0")


def test_crates_that_name_another_version_are_refused(tree: Path) -> None:
    manifest = (tree / "Cargo.toml").read_text("utf-8")
    odd = manifest.replace('crates/rpc", version = "0.2.0"', 'crates/rpc", version = "0.1.0"')
    assert odd != manifest
    (tree / "Cargo.toml").write_text(odd, "utf-8")
    with pytest.raises(version.ReleaseError, match=r"0\.1\.0, 0\.2\.0"):
        version.check(tree, "v0.2.0")


@pytest.mark.parametrize("text", ["1", "0.2", "v0.2.0", "0.2.0+linux", "00.2.0", ""])
def test_only_a_version_is_set(text: str) -> None:
    with pytest.raises(version.ReleaseError, match="MAJOR"):
        version.restated(MANIFEST, text)


def test_notes_are_the_section_of_one_version() -> None:
    older = "\n## 0.1.0 (2026-01-01)\n\n- The first.\n"
    assert version.notes(CHANGELOG + older, "0.2.0") == "### Added\n\n- A link.\n"
    assert version.notes(CHANGELOG + older, "0.1.0") == "- The first.\n"


def test_changes_are_collected_under_the_headings_of_the_guide(tree: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tree)
    (tree / "CHANGELOG.md").write_text("# Changelog\n\n<!-- releases -->\n", "utf-8")
    guide = (ROOT / "changes" / "README.md").read_text("utf-8")
    types = [line.split("`")[1] for line in guide.splitlines() if line.startswith("| `")]
    assert len(types) > 4
    for kind in types:
        (tree / "changes" / f"7.{kind}.md").write_text(f"A change: {kind}.\n", "utf-8")
    towncrier = [sys.executable, "-m", "towncrier", "build", "--yes", "--version", "0.2.0"]
    subprocess.run(towncrier, cwd=tree, check=True, capture_output=True)
    version.check(tree, "v0.2.0")
    notes = version.notes((tree / "CHANGELOG.md").read_text("utf-8"), "0.2.0")
    assert [line for line in notes.splitlines() if line.startswith("### ")] == [
        f"### {kind.title()}" for kind in types
    ]


def test_every_change_has_a_type_of_the_guide() -> None:
    guide = (ROOT / "changes" / "README.md").read_text("utf-8")
    for change in (ROOT / "changes").glob("*.md"):
        if change.name != "README.md":
            issue, kind, _ = change.name.split(".")
            assert issue.isdigit() or issue.startswith("+"), change.name
            assert f"| `{kind}` |" in guide, change.name


def test_published_crates_depend_on_published_crates_only() -> None:
    run = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked", "--offline"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    packages = {package["name"]: package for package in json.loads(run.stdout)["packages"]}
    published = {name for name, package in packages.items() if package["publish"] is None}
    assert {f"airlag-{name}" for name in ("drivers", "link", "rpc", "trace", "tunnel")} <= published
    for name in published:
        package = packages[name]
        for field in ("description", "documentation", "license", "readme"):
            assert package[field], f"{name}: {field}"
        for dependency in package["dependencies"]:
            if dependency["kind"] is None and dependency["name"] in packages:
                assert dependency["name"] in published, name
                assert dependency["req"] != "*", f"{name}: {dependency['name']} without a version"
