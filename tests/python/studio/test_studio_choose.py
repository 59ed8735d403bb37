"""Choosing a radio in the studio: form, passes, matrix; the answer of the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from studio_page import severe, text_of, until

import airlag as airlag_module
from browsing import seen_at

Studio = Callable[..., Any]

#: Three links that are decided within a second.
FEW = "links=nrf24-2m+ble-nus-notify+lora-sf7-250k"
ASKED = f"#/choose?size=32&deadline=20ms&region=eu&battery-life=1y&budget=3s&{FEW}"


def final(browser: Any) -> None:
    """Waits for the answer to the whole question."""
    until(browser, "return document.querySelector('.summary.final') !== null")


def test_a_newcomer_finds_a_radio(studio: Studio) -> None:
    page = studio("#/choose")
    until(page, "return document.querySelector('#choose-environment option[value=home]') !== null")
    assert page.execute_script("return document.querySelector('.matrix tbody')") is None
    page.execute_script("document.querySelector('#choose-links').value = 'nrf24-2m espnow-woken'")
    page.find_element("css selector", "#choose-deadline").submit()
    final(page)
    assert "deadline=20ms" in page.current_url
    assert "Meets every requirement" in text_of(page, ".matrix")
    page.execute_script("document.querySelector('.matrix .link').click()")
    detail = text_of(page, ".matrix tr.detail:not([hidden])")
    assert "airlag run " in detail
    assert "95 % interval" in detail
    page.execute_script("document.querySelector('.candidate-detail a').click()")
    until(page, "return location.hash.startsWith('#/packet?link=')")
    until(page, "return document.querySelector('main .packet') !== null")
    assert text_of(page, "#messages") == ""
    page.back()
    final(page)
    assert severe(page) == []


def test_cells_have_value_verdict_and_reason(studio: Studio) -> None:
    page = studio(ASKED)
    final(page)
    cells = page.execute_script(
        "return [...document.querySelectorAll('.matrix .cell')].map(one => one.textContent)"
    )
    assert any("fails" in cell and "✗" in cell for cell in cells)
    assert any("passes" in cell and "✓" in cell for cell in cells)
    page.execute_script("document.querySelector('.matrix .cell').focus()")
    assert "the limit of 20 ms" in text_of(page, "#choose-tip:not([hidden])")
    described = "return document.activeElement.getAttribute('aria-describedby')"
    assert page.execute_script(described) == "choose-tip"


def test_the_matrix_is_one_tab_stop_and_arrows_move_in_it(studio: Studio) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page = studio(ASKED)
    final(page)
    stops = "return document.querySelectorAll('.matrix [data-key][tabindex=\"0\"]').length"
    assert page.execute_script(stops) == 1
    page.execute_script("document.querySelector('.matrix [tabindex=\"0\"]').focus()")
    key = "return document.activeElement.dataset.key"
    first = page.execute_script(key)
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    assert page.execute_script(key) == f"{first} deadline"
    ActionChains(page).send_keys(Keys.ARROW_DOWN, Keys.HOME, Keys.ENTER).perform()
    assert page.execute_script(key) != first
    assert page.execute_script("return document.activeElement.ariaExpanded") == "true"
    assert page.execute_script(stops) == 1


def test_the_answer_is_that_of_the_command_line(studio: Studio, airlag: Callable[..., str]) -> None:
    page = studio(ASKED)
    final(page)
    line = text_of(page, ".reproduction code")
    asked = json.loads(airlag(*shlex.split(line)[1:], "--json"))
    links = page.execute_script(
        "return [...document.querySelectorAll('.matrix .link b')].map(one => one.textContent)"
    )
    order = ["passes", "close", "undecided", "fails"]
    found = sorted(asked["candidates"], key=lambda one: order.index(one["verdict"]))
    assert links == [one["link"] for one in found]
    reasons = page.execute_script(
        "return [...document.querySelectorAll('.matrix .cell')].map(one => one.dataset.reason)"
    )
    assert reasons == [each["reason"] for one in found for each in one["criteria"]]
    assert f"{asked['work_s']:.4g}"[:4] in text_of(page, ".summary .stage")
    python = eval(
        text_of(page, ".reproduction .line:nth-of-type(2) code"), {"airlag": airlag_module}
    )
    assert [each.link for each in python.candidates] == [one["link"] for one in asked["candidates"]]


def test_an_early_pass_is_marked_and_a_search_can_be_cancelled(studio: Studio) -> None:
    page = studio("#/choose?size=12&deadline=100ms&range=30m&environment=home&battery-life=1y")
    until(page, "return document.querySelector('.summary.early') !== null")
    assert "Early pass, limited to 1 s of work" in text_of(page, ".summary")
    assert "Result:" not in text_of(page, ".summary")
    page.execute_script("document.querySelector('.running button').click()")
    assert "Cancelled. Shown is the early pass" in text_of(page, ".search-progress")
    assert page.execute_script("return document.querySelector('.running').hidden")
    assert "undecided" in text_of(page, ".search-progress").lower()


def test_an_error_is_shown_at_its_field(studio: Studio) -> None:
    page = studio("#/choose")
    page.execute_script(
        "document.querySelector('#choose-deadline').value = 'soon';"
        "document.querySelector('#choose-rate').value = '1/min'"
    )
    page.find_element("css selector", "#choose-size").submit()
    assert "is not a duration" in text_of(page, "#choose-deadline-error")
    assert "without a battery" in text_of(page, "#choose-rate-error")
    focused = "return document.activeElement.id"
    assert page.execute_script(focused) == "choose-deadline"
    assert page.execute_script("return location.hash") == "#/choose"


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("#/choose?deadline=20ms&battery=none-such&links=nrf24-2m", "recommend: no battery"),
        ("#/choose?deadline=20ms&links=no-such-link", "recommend: no link"),
        ("#/choose?deadline=20ms&links=nrf24-2m&neighbour=x", "a neighbour is kind:amount"),
        ("#/choose?deadline=20ms&links=nrf24-2m&set=none=1", "recommend: "),
        ("#/choose?deadline=never", "deadline dropped"),
        ("#/choose?deadline=20ms&links=__proto__", "recommend: no link"),
    ],
)
def test_a_wrong_address_ends_in_a_message(studio: Studio, state: str, message: str) -> None:
    page = studio(state)
    script = "return document.querySelector('#messages').textContent.includes(arguments[0])"
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(page, 30, 0.05).until(lambda one: one.execute_script(script, message))
    assert page.execute_script("return document.querySelector('.search-progress').hidden")
    assert severe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280, 2560])
def test_it_is_accessible_and_fits(studio: Studio, axe: str, width: int, scheme: str) -> None:
    page = studio(ASKED)
    final(page)
    with seen_at(page, width, scheme):
        page.execute_script("document.querySelector('.matrix .link').click()")
        page.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        page.execute_script(axe)
        found = page.execute_async_script(
            "const done = arguments[0]; axe.run().then(all => done(all.violations))"
        )
    bad = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in bad] == []
