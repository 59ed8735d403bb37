"""The studio without a mouse: every step of a newcomer by keys, and the focus always visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from studio_page import severe, until
from test_studio_packet import complete

from browsing import seen_at

Studio = Callable[..., Any]

#: What has the focus, and whether a reader sees that it has.
FOCUS = """
const one = document.activeElement;
const style = getComputedStyle(one), box = one.getBoundingClientRect();
return {
  id: one.id, text: one.textContent.trim(), label: one.ariaLabel ?? "", kind: one.type ?? "",
  marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
  seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight
};
"""


def press(page: Any, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(page).send_keys(*keys).perform()


def tab(page: Any, backwards: bool = False) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    keys = ActionChains(page)
    keys = keys.key_down(Keys.SHIFT) if backwards else keys
    keys.send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()


def reach(
    page: Any, wanted: Callable[[dict[str, Any]], bool], backwards: bool = False
) -> dict[str, Any]:
    """Moves the focus until it is where it is wanted; each place on the way is marked and seen."""
    for _ in range(80):
        tab(page, backwards)
        focus: dict[str, Any] = page.execute_script(FOCUS)
        assert focus["marked"], focus
        assert focus["seen"], focus
        if wanted(focus):
            return focus
    pytest.fail("the focus never arrives")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_newcomer_needs_no_mouse(studio: Studio, width: int) -> None:
    from selenium.webdriver.common.keys import Keys

    page = studio("#/packet?link=nrf24-2m&size=12")
    with seen_at(page, width):
        complete(page)
        reach(page, lambda focus: "Skip" in focus["text"])
        press(page, Keys.ENTER)
        assert page.execute_script("return document.activeElement.id") == "main"

        reach(page, lambda focus: focus["id"] == "link")
        press(page, Keys.ARROW_DOWN)
        until(page, "return !location.hash.includes('link=nrf24-2m&')")
        complete(page)

        slider = reach(page, lambda focus: focus["kind"] == "range")
        press(page, Keys.ARROW_LEFT)
        until(page, "return location.hash.includes('set=')")
        complete(page)
        assert page.execute_script(FOCUS)["kind"] == slider["kind"], "a redraw keeps the focus"
        reach(page, lambda focus: focus["label"].startswith("Set back"), backwards=True)
        press(page, Keys.ENTER)
        until(page, "return !location.hash.includes('set=')")

        page.execute_script("document.querySelector('nav a').focus()")
        reach(page, lambda focus: focus["text"] == "Load")
        press(page, Keys.ENTER)
        until(page, "return document.querySelector('main .load') !== null")
        page.back()
        until(page, "return document.querySelector('main .packet') !== null")
    assert severe(page) == []
