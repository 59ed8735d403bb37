"""The shell of the studio: any address shows a view, and nothing is requested elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

HOSTILE = [
    "#",
    "#/",
    "#/nowhere?link=x",
    "#/packet?link=%ff%00&size=-1&set=__proto__:1",
    "#/packet?link=no-such-link",
    "#/packet?size=99999999999999999999",
    "#/packet?set=" + "a" * 20000,
    "#<script>alert(1)</script>",
    "#/packet?link=nrf24-2m&set=rate:nonsense",
]


def texts(browser: Any, selector: str) -> list[str]:
    """Texts of the elements that match."""
    script = "return [...document.querySelectorAll(arguments[0])].map(one => one.textContent)"
    found: list[str] = browser.execute_script(script, selector)
    return found


@pytest.mark.parametrize("state", HOSTILE)
def test_any_address_shows_a_view(studio: Callable[..., Any], state: str) -> None:
    shown = studio(state)
    assert texts(shown, "nav a[aria-current]")
    assert texts(shown, "main .view")
    severe = [each for each in shown.get_log("browser") if each["level"] == "SEVERE"]
    assert not severe


def test_nothing_is_requested_from_elsewhere(studio: Callable[..., Any], address: str) -> None:
    shown = studio()
    messages = (json.loads(each["message"])["message"] for each in shown.get_log("performance"))
    asked = [
        each["params"]["request"]["url"]
        for each in messages
        if each["method"] == "Network.requestWillBeSent"
    ]
    assert asked
    assert [each for each in asked if not each.startswith((address, "data:", "about:"))] == []
