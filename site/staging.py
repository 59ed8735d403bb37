"""Copies the pages of the repository to where Sphinx reads them, with their links unchanged.

The copies keep their places in the tree, so a relative link that works on a forge works here. Four
targets differ: README.md is the home page, a notebook is a page, a folder is its README or a list
of its files, and a file that is not a page is copied.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from contents import FOLDERS, HOME, below, sections, toctree

#: Pages with which staging starts; the pages that they link to follow.
FIRST = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
#: Links and images of Markdown: text, target, anchor.
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]+)?\))")
#: Code, which contains no links.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


class BrokenLinkError(Exception):
    """One line: which page links to what does not exist."""


def stage(root: Path, into: Path) -> list[str]:
    """Copies all pages and what they link to.

    Parameters
    ----------
    root
        The repository.
    into
        Folder that Sphinx reads; pages of notebooks are in it already.

    Returns
    -------
    list of str
        Paths of the pages without extension, the home page included.

    Raises
    ------
    BrokenLinkError
        A relative link leads to nothing.
    """
    waiting = [root / name for name in FIRST] + sorted((root / "docs").rglob("*.md"))
    seen = set(waiting)
    while waiting:
        page = waiting.pop(0)
        text, linked = rewritten(root, into, page)
        target = into / staged_name(page.relative_to(root))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        waiting += [each for each in linked if each not in seen]
        seen |= set(linked)
    return sorted(str(page.relative_to(into).with_suffix("")) for page in into.rglob("*.md"))


def navigate(into: Path, pages: list[str], studio: bool) -> None:
    """Appends the navigation to the home page and to the README of each folder.

    Parameters
    ----------
    into
        Folder that Sphinx reads.
    pages
        Paths of all pages without extension.
    studio
        Whether the studio is part of this site.
    """
    home = into / f"{HOME}.md"
    trees = [toctree(listed, name) for name, listed in sections(pages).items() if listed]
    home.write_text("\n".join([home.read_text("utf-8"), notice(studio), *trees]), "utf-8")
    for folder in FOLDERS:
        if listed := below(folder, pages):
            page = into / folder / "README.md"
            page.write_text(f"{page.read_text('utf-8')}\n{toctree(listed)}", "utf-8")


def notice(studio: bool) -> str:
    """Last paragraph of the home page: the studio, or that this site lacks it."""
    if studio:
        return 'The studio is part of this site: <a href="app/index.html">open it</a>.\n'
    return "This site was built without the studio: `make studio site` includes it.\n"


def staged_name(page: Path) -> Path:
    """Path of a page in the folder that Sphinx reads."""
    return Path(f"{HOME}.md") if page == Path("README.md") else page


def rewritten(root: Path, into: Path, page: Path) -> tuple[str, list[Path]]:
    """Text of a page with the four kinds of target replaced, and the pages that it links to."""
    linked: list[Path] = []
    at = staged_name(page.relative_to(root)).parent

    def replace(found: re.Match[str]) -> str:
        target = found[2]
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        to = (page.parent / target).resolve()
        if not to.exists():
            raise BrokenLinkError(f"{page.relative_to(root)}: {target} does not exist")
        if to.is_dir():
            to = folder_page(root, into, to)
        if to.suffix == ".md":
            linked.extend([to] if to.is_relative_to(root) else [])
            place = staged_name(to.relative_to(root if to.is_relative_to(root) else into))
        else:
            place = to.relative_to(root)
            copied = into / place
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(to, copied)
            # A notebook has a page with its outputs.
            place = place.with_suffix(".md") if to.suffix == ".ipynb" else place
        return f"{found[1]}{os.path.relpath(place, at)}{found[3]}"

    return "".join(outside_code(page.read_text("utf-8"), replace)), linked


def outside_code(text: str, replace: Callable[[re.Match[str]], str]) -> Iterator[str]:
    """Parts of a text, with links replaced except in code."""
    at = 0
    for code in CODE.finditer(text):
        yield LINK.sub(replace, text[at : code.start()])
        yield code[0]
        at = code.end()
    yield LINK.sub(replace, text[at:])


def folder_page(root: Path, into: Path, folder: Path) -> Path:
    """README of a folder; without one, a page that lists its files."""
    if (folder / "README.md").exists():
        return folder / "README.md"
    place = folder.relative_to(root)
    page = into / place / "files.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    rows = []
    for file in sorted(each for each in folder.iterdir() if each.is_file()):
        shutil.copyfile(file, page.parent / file.name)
        shown = file.with_suffix(".md") if file.suffix == ".ipynb" else file
        rows.append(f"- [`{file.name}`]({shown.name})")
    page.write_text("\n".join([f"# Files of `{place}`", "", *rows, ""]), "utf-8")
    return page
