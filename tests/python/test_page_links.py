"""Links between the pages of the documentation lead to files and headings that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "firmware").glob("*/README.md")),
]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as a forge makes them."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for target, anchor in LINK.findall(page.read_text("utf-8")):
        if "://" in target or target.startswith("mailto:"):
            continue
        to = (page.parent / target).resolve() if target else page
        if not to.exists() or (anchor and to.suffix == ".md" and anchor not in anchors(to)):
            broken.append(f"{target}#{anchor}")
    assert broken == []


#: What CONTRIBUTING.md quotes: a path, or a name in a source.
QUOTED = re.compile(r"`([\w./-]*\w)(?:!|\(.*?\))?`")
SOURCES = ("*.rs", "*.py", "*.ts", "*.toml", "*.md", "*.txt", "Makefile")
FOLDERS = (
    "crates", "docs", "firmware", "fuzz", "links", "python", "site", "studio/bindings",
    "studio/src", "tests",
)  # fmt: skip


def test_what_contributing_quotes_exists() -> None:
    every = [ROOT / "Makefile", *ROOT.glob("*.toml")]
    for folder in FOLDERS:
        every += [path for kind in SOURCES for path in (ROOT / folder).rglob(kind)]
    made = {"node_modules", "target"}
    paths = {f"/{path.relative_to(ROOT)}" for path in every if made.isdisjoint(path.parts)}
    # Placeholders are in capitals, such as words/NAME.toml.
    quoted = {
        name
        for name in QUOTED.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
        if not name.startswith("-") and not re.search(r"\bNAME\b", name)
    }
    files = {name for name in quoted if "/" in name or re.search(r"\.(rs|py|md|toml|ts)$", name)}
    absent = {
        name
        for name in files
        if not (ROOT / name).exists() and not any(f"/{name}/" in f"{path}/" for path in paths)
    }
    words = {
        word
        for path in paths
        if path.endswith((".rs", ".py", ".ts", ".toml", "Makefile"))
        for word in re.findall(r"\w+", (ROOT / path[1:]).read_text("utf-8"))
    }
    absent |= {name for name in quoted - files if not set(re.findall(r"\w+", name)) <= words}
    assert absent == set()
