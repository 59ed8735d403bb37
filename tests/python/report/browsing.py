"""A page in a window: opened, and in another size or scheme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def seen_at(browser: Any, width: int, scheme: str = "light") -> Iterator[Any]:
    """A window of another width, or in the dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        yield browser
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def opens(browser: Any, page: Path) -> None:
    """Opens a page, and waits until it can be used: charts out of view are not drawn yet."""
    from selenium.webdriver.support.ui import WebDriverWait

    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(page.as_uri())
    WebDriverWait(browser, 60, 0.05).until(
        lambda ready: ready.execute_script("return document.documentElement.dataset.ready")
    )
