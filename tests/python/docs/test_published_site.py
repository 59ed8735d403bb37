"""The site beside those of other versions: the list, the start page and the menu of a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import publish
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait


def built(folder: Path) -> Path:
    folder.mkdir()
    (folder / "index.html").write_text("<p>a</p>")
    return folder


def test_versions_are_listed_newest_first_and_a_release_is_the_start(tmp_path: Path) -> None:
    dist, folder = built(tmp_path / "dist"), tmp_path / "published"
    for version in ("0.9.0", "0.10.0", "0.11.0rc1"):
        publish.publish(dist, folder, version)
    built(folder / "images")
    publish.publish(dist, folder, "0.9.0")
    for version in ("0.9.0", "0.10.0", "0.11.0rc1"):
        listed = json.loads((folder / version / "versions.json").read_text())
        assert listed == ["0.11.0rc1", "0.10.0", "0.9.0"]
    assert 'href="0.10.0/index.html"' in (folder / "index.html").read_text()
    assert (folder / "images" / "index.html").exists()


def test_a_site_replaces_the_one_of_its_version(tmp_path: Path) -> None:
    dist, folder = built(tmp_path / "dist"), tmp_path / "published"
    (folder / "0.1.0").mkdir(parents=True)
    (folder / "0.1.0" / "gone.html").write_text("")
    publish.publish(dist, folder, "0.1.0")
    assert {path.name for path in (folder / "0.1.0").iterdir()} == {"index.html", "versions.json"}


def test_a_missing_site_or_folder_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publish.main([]) == 2
    monkeypatch.setattr(publish, "DIST", tmp_path)
    assert publish.main([str(tmp_path / "published")]) == 1
    assert capsys.readouterr().err.count("\n") == 2


def test_a_page_links_to_itself_in_other_versions(
    site: Path, tmp_path: Path, serve: Callable[[Path], str], browser: Chrome
) -> None:
    for version in ("0.1.0", "0.2.0"):
        publish.publish(site, tmp_path, version)
    browser.get(f"{serve(tmp_path)}0.1.0/docs/links/ble.html")
    menu = WebDriverWait(browser, 20).until(lambda it: it.find_element(By.CLASS_NAME, "versions"))
    links = {
        each.get_attribute("textContent"): each for each in menu.find_elements(By.TAG_NAME, "a")
    }
    assert list(links) == ["0.2.0", "0.1.0"]
    assert links["0.1.0"].get_attribute("aria-current") == "true"
    newer = links["0.2.0"].get_attribute("href")
    assert newer is not None
    assert newer.endswith("/0.2.0/docs/links/ble.html")
