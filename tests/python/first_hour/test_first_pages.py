"""A first report in a browser: three sizes, in the light and in the dark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from desk import Desk

from browsing import opens, seen_at

WIDTHS = (360, 768, 1920)
SCHEMES = ("light", "dark")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a capture and of two settings of one link."""
    desk = Desk.laid(tmp_path_factory.mktemp("pages"), 80, "plain")
    desk.once(
        "intervals/", "run", "ble-nus-notify", "--size", "12", "--count", "200",
        "--set", "connection_interval=7.5ms,30ms", "-o", "intervals/",
    )  # fmt: skip
    runs = sorted(str(path) for path in (desk.folder / "intervals").glob("*.parquet"))
    assert len(runs) == 2
    return desk.folder / desk.once("hour.html", "report", "12B.csv", *runs, "-o", "hour.html")


def asked(browser: Any, script: str) -> Any:
    return browser.execute_script(f"return {script}")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_fits_its_window_and_its_scheme(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    with seen_at(browser, width, scheme):
        opens(browser, page)
        assert asked(browser, "document.documentElement.scrollWidth") <= width
        ground = asked(browser, "getComputedStyle(document.body).backgroundColor")
        level = int(re.findall(r"\d+", ground)[0])
        assert (level < 60) == (scheme == "dark")
        heading = browser.find_element("css selector", "h1")
        assert heading.text == "3 runs"
        assert heading.is_displayed()
        rows = [row.text for row in browser.find_elements("css selector", "#summary tbody tr")]
        # Losses, and what tells two runs of one link apart.
        assert "12B" in rows[0]
        assert "1.0 %" in rows[0]
        assert "connection_interval=7.5" in rows[1].replace("\n", "") + rows[2].replace("\n", "")
        assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_a_chart_is_drawn_where_it_is_looked_at(browser: Any, page: Path, width: int) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    with seen_at(browser, width):
        opens(browser, page)
        chart = browser.find_element("css selector", "#chart-time")
        browser.execute_script("arguments[0].scrollIntoView()", chart)
        WebDriverWait(browser, 30, 0.05).until(
            lambda ready: ready.find_elements("css selector", "#chart-time canvas, #chart-time svg")
        )
        drawn = chart.find_element("css selector", "canvas, svg")
        assert drawn.size["width"] > 0.5 * min(width, 700)
        assert drawn.location["x"] + drawn.size["width"] <= width
