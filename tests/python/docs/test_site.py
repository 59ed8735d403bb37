"""The built site: links, sizes, hosts, search and accessibility of its main pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from browsing import seen_at

pytestmark = pytest.mark.peers

ROOT = Path(__file__).parents[3]
#: Most bytes of a page with everything it loads, compressed as servers send it.
LARGEST = 300_000
#: Pages of every kind: home, a start, tables, a reference, a link, a notebook, search.
MAIN = (
    "index",
    "docs/start",
    "docs/validation",
    "docs/python",
    "docs/links/gpio",
    "docs/notebooks/choose-a-link",
    "search",
)


def test_every_link_leads_somewhere_and_no_other_host_is_needed(site: Path) -> None:
    from checking import faults

    assert faults(site) == []


def test_every_page_of_the_documentation_is_there(site: Path) -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    missing = [
        str(page)
        for page in pages
        if not (site / page.relative_to(ROOT).with_suffix(".html")).exists()
    ]
    assert len(pages) > 50
    assert missing == []


def test_pages_are_small(site: Path) -> None:
    from checking import pages, transferred

    sizes = {path.name: transferred(site, path, page) for path, page in pages(site).items()}
    assert {name: size for name, size in sizes.items() if size >= LARGEST} == {}


def test_notebooks_show_their_outputs(site: Path) -> None:
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        page = site / "docs" / "notebooks" / f"{notebook.stem}.html"
        assert 'class="output' in page.read_text()
        pictures = list((site / "_images").glob(f"{notebook.stem}-*.svg"))
        assert pictures
        assert all("<text" in picture.read_text() for picture in pictures)


def test_the_studio_is_inside_or_said_to_be_absent(site: Path) -> None:
    home = (site / "index.html").read_text()
    assert ('href="app/index.html"' in home) == (site / "app" / "index.html").exists()
    assert ("without the studio" in home) != (site / "app" / "index.html").exists()


@pytest.mark.parametrize("name", MAIN)
def test_a_main_page_is_accessible_and_fits(
    browser: Any, address: str, axe: str, name: str
) -> None:
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(f"{address}{name}.html")
    browser.execute_script(axe)
    found = {}
    for width in (360, 1280):
        for scheme in ("light", "dark"):
            with seen_at(browser, width, scheme):
                violations = browser.execute_async_script(
                    "axe.run().then(found => arguments[0](found.violations.map("
                    "one => [one.id, one.nodes.map(node => node.html).slice(0, 3)])))"
                )
                wide = browser.execute_script("return document.documentElement.scrollWidth")
                found[width, scheme] = (violations, wide > width)
    assert found == dict.fromkeys(found, ([], False))
    assert [each for each in browser.get_log("browser") if each["level"] == "SEVERE"] == []
    asked = requested(browser, address)
    assert asked
    assert [each for each in asked if not each.startswith((address, "data:"))] == []


def requested(browser: Any, address: str) -> list[str]:
    """What pages of this site asked for; a new window of the browser has requests of its own."""
    messages = (json.loads(each["message"])["message"] for each in browser.get_log("performance"))
    sent = [each["params"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    return [each["request"]["url"] for each in sent if each["documentURL"].startswith(address)]


def test_search_finds_a_term(browser: Any, address: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    browser.get(f"{address}search.html?q=jitter")
    WebDriverWait(browser, 60, 0.05).until(
        lambda page: page.execute_script(
            "return [...document.querySelectorAll('#search-results li a')]"
            ".some(one => one.href.includes('docs/glossary.html'))"
        )
    )
