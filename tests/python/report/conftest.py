"""A browser for the pages: headless Chromium with an empty profile, driven by chromedriver."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from browsing import opens

from airlag.pages import write_report
from airlag.runs import Run
from peers import absent

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--window-size=1280,1000",
]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One browser for all pages; where there is none, a visible skip, or a failure if required."""
    driver = shutil.which("chromedriver")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if driver is None or chromium is None:
        absent("chromium and chromedriver are not installed; pages are not drawn")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('profile')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        yield started
    finally:
        started.quit()


@pytest.fixture
def shown(browser: Any) -> Callable[[Path], Any]:
    """Opens a page; returns the browser once all charts are drawn, as they are for a printer."""

    def show(page: Path) -> Any:
        from selenium.webdriver.support.ui import WebDriverWait

        opens(browser, page)
        browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        WebDriverWait(browser, 60, 0.05).until(
            lambda ready: ready.execute_script(
                "const {charts, drawn, failed} = document.documentElement.dataset;"
                "return charts === undefined || Number(charts) === Number(drawn) + Number(failed)"
            )
        )
        return browser

    return show


@pytest.fixture
def opened(shown: Callable[[Path], Any], tmp_path: Path) -> Callable[[Sequence[Run]], Any]:
    """Writes the page of some runs and opens it; returns the browser once all charts are drawn."""

    def open_page(runs: Sequence[Run]) -> Any:
        page = tmp_path / "report.html"
        write_report(runs, page)
        return shown(page)

    return open_page
