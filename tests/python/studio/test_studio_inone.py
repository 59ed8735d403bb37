"""The studio as one file: opened from a file system, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from studio_page import severe, text_of, until

from peers import absent

PAGE = Path(__file__).parents[3] / "studio" / "build" / "airlag-studio.html"


def opened(browser: Any, state: str) -> Any:
    if not PAGE.exists():
        absent("no studio as one file: make studio")
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get("about:blank")
    browser.execute_cdp_cmd("Page.resetNavigationHistory", {})
    browser.get(f"{PAGE.as_uri()}{state}")
    return browser


def test_it_answers_and_asks_nothing_else_of_anyone(browser: Any) -> None:
    page = opened(browser, "#/packet?link=nrf24-2m&size=12")
    until(page, "return document.body.textContent.includes('delivered of')")
    until(page, "return document.querySelectorAll('#link option').length > 90")
    assert severe(page) == []
    messages = [json.loads(one["message"])["message"] for one in page.get_log("performance")]
    asked = {
        one["params"]["request"]["url"].split(":")[0]
        for one in messages
        if one["method"] == "Network.requestWillBeSent"
    }
    # A tab that was new before asks the browser for its own page.
    assert asked <= {"file", "data", "blob", "chrome"}


def test_it_reads_a_capture_and_leads_back(browser: Any, tmp_path: Path) -> None:
    capture = tmp_path / "four.csv"
    rows = [f"{t / 10},1,0\n{t / 10 + 0.002},1,1\n{t / 10 + 0.01},0,0" for t in range(60)]
    # The last one may have been cut off by the end of the recording, so it does not count.
    capture.write_text("Time [s],Trigger,Done\n" + "\n".join(rows) + "\n")
    page = opened(browser, "#/load")
    until(page, "return document.querySelector('.load svg') !== null")
    page.execute_script("document.querySelector('[data-view=capture]').click()")
    until(page, "return document.querySelector('#capture-file') !== null")
    page.find_element("id", "capture-file").send_keys(str(capture))
    until(page, "return document.querySelector('.results')?.hidden === false")
    assert "Trigger → Done: 59 triggers, 59 delivered" in text_of(page, ".results")
    page.back()
    until(page, "return location.hash.startsWith('#/load')")
    assert severe(page) == []
