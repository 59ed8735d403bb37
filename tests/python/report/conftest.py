"""Pages in a browser, with all of their charts drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from airlag.questions.runs import Run
from airlag.views.pages.page import write_report
from browsing import browser as browser
from browsing import opens


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
