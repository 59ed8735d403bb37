"""Every number names its source: what the repository may not say, and what its figures cite."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from airlag import _airlag
from airlag.core import profiles

ROOT = Path(__file__).resolve().parents[2]

#: What names no document: a benchmark without its title, a number of somebody's own list.
NAMELESS = re.compile(
    "published" + r"[\s/#*!]+" + "benchmark|" + "seed" + r"\s+" + "0", re.IGNORECASE
)


def test_no_file_names_a_source_that_nobody_can_find() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    assert len(files) > 100
    found = [
        f"{path.relative_to(ROOT)}: {told[0]!r}"
        for path in files
        if path.is_file()
        for told in NAMELESS.finditer(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_every_figure_cites_an_article_with_an_address() -> None:
    figures = [figure for name in _airlag.links() for figure in profiles.link(name)["published"]]
    assert figures
    for figure in figures:
        assert figure["cite"]["group"] == "article"
        assert figure["cite"]["url"].startswith("https://")
        assert figure["from"].startswith(f"{figure['cite']['title']}, {figure['cite']['at']}")


def test_every_capture_that_a_constant_names_is_there_or_said_to_be_missing(
    captures: Path,
) -> None:
    named = {
        one["capture"]: one["note"]
        for name in _airlag.links()
        for one in profiles.link(name)["parameters"].values()
        if one["capture"] is not None
    }
    assert len(named) > 20
    for capture, note in named.items():
        there = list(captures.glob(f"{capture}*"))
        assert there or "the capture was not available" in note, capture
