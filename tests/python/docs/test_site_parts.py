"""Parts that build the site: staging, the checker and the security policy, on small trees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parents[3]


def tree(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder.resolve()


def repository(folder: Path, **files: str) -> Path:
    first = ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")
    pages = {f"{name}.md": f"# {name}\n" for name in first}
    return tree(folder, pages | {f"docs/{name}.md": text for name, text in files.items()})


def test_staged_links_lead_to_pages_and_copies(tmp_path: Path) -> None:
    from staging import stage

    page = "# A\n[home](../README.md#a) [b](b.md) [f](x.toml) [d](data) [n](n.ipynb) [w](https://a.b)\n"
    root = repository(tmp_path / "from", a=page + "`[c](none.md)`\n", b="# B\n")
    tree(root / "docs", {"x.toml": "", "data/y.csv": "", "n.ipynb": "{}"})
    into = tmp_path.resolve() / "into"
    assert {"index", "docs/a", "docs/b", "docs/data/files"} <= set(stage(root, into))
    written = (into / "docs/a.md").read_text()
    expected = "[home](../index.md#a) [b](b.md) [f](x.toml) [d](data/files.md) [n](n.md)"
    assert f"{expected} [w](https://a.b)\n`[c](none.md)`" in written
    assert (into / "docs/x.toml").exists()
    assert "y.csv" in (into / "docs/data/files.md").read_text()


def test_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    from staging import BrokenLinkError, stage

    root = repository(tmp_path / "from", a="[gone](gone.md)")
    with pytest.raises(BrokenLinkError, match=r"docs/a\.md: gone\.md does not exist"):
        stage(root, tmp_path.resolve() / "into")


def test_every_page_is_in_exactly_one_section() -> None:
    from contents import FOLDERS, HOME, below, sections

    pages = [HOME, "docs/start", "docs/new", "docs/links/README", "docs/links/ble"]
    listed = [each for names in sections(pages).values() for each in names]
    listed += [each for folder in FOLDERS for each in below(folder, pages)]
    assert sorted([HOME, *listed]) == sorted(pages)


def test_sections_name_pages_that_exist() -> None:
    from contents import SECTIONS

    named = [each for listed in SECTIONS.values() for each in listed]
    missing = [
        each
        for each in named
        if not any((ROOT / each).with_suffix(kind).exists() for kind in (".md", ".ipynb"))
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html">', ""),
        ('<a href="b.html#here">', ""),
        ('<a href="https://example.org/">', ""),
        ('<a href="c.html">', "c.html does not exist"),
        ('<a href="../b.html">', "../b.html does not exist"),
        ('<a href="b.html#there">', "b.html#there names a heading that does not exist"),
        ('<a href="#there">', "#there names a heading that does not exist"),
        ('<img src="none.svg">', "none.svg does not exist"),
        ('<script src="https://cdn.example/a.js">', "is loaded from another host"),
        ('<link rel="stylesheet" href="//fonts.example/a.css">', "is loaded from another host"),
    ],
)
def test_the_checker_finds_faults(tmp_path: Path, body: str, fault: str) -> None:
    from checking import faults

    site = tree(tmp_path, {"a.html": body, "b.html": '<p id="here">'})
    found = faults(site)
    assert (fault in found[0]) if fault else found == []


def test_the_policy_permits_each_inline_script_by_its_hash(tmp_path: Path) -> None:
    from finishing import finish

    page = tmp_path / "a.html"
    page.write_text('<head></head><script>1</script><script src="a.js"></script>')
    finish(page)
    # echo -n 1 | openssl dgst -sha256 -binary | base64
    permitted = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"
    assert f"script-src 'self' {permitted};" in page.read_text()
    assert page.read_text().startswith("<head><meta http-equiv=")


def test_a_notebook_page_has_texts_tables_and_pictures(tmp_path: Path) -> None:
    from notebooks import parts

    table = '<style>x</style><table><tr><td style="text-align:right">1</td></tr></table>'
    outputs = [
        new_output("stream", text="printed\n"),
        new_output("execute_result", {"text/html": table, "text/plain": "t"}),
        new_output("display_data", {"image/svg+xml": "<svg/>", "text/plain": "Chart: all\nruns"}),
    ]
    book = new_notebook(cells=[new_code_cell("x", outputs=outputs)])
    code, printed, shown, picture, _ = parts(book, Path("n.ipynb"), tmp_path)
    assert (code, printed) == ("```python\nx\n```", "```\nprinted\n```")
    assert "style" not in shown
    assert '<td class="figures">1</td>' in shown
    assert picture == "![all runs](n-1.svg)"
    assert (tmp_path / "n-1.svg").read_text() == "<svg/>"


def test_the_readme_has_fewer_than_150_lines() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) < 150
