"""What tests ask of a page of the studio."""

from __future__ import annotations

from typing import Any


def until(browser: Any, script: str, *given: Any, seconds: float = 60) -> Any:
    """Waits until a script returns something."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, seconds, 0.05).until(
        lambda page: page.execute_script(script, *given)
    )


def text_of(browser: Any, selector: str) -> str:
    script = "return document.querySelector(arguments[0])?.textContent ?? ''"
    return str(browser.execute_script(script, selector)).replace("\u00a0", " ")


def severe(browser: Any) -> list[str]:
    return [one["message"] for one in browser.get_log("browser") if one["level"] == "SEVERE"]
