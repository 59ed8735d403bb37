"""Explanations in the studio: every number has one, by keys, touch and pointer, at any width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from studio_page import severe, until
from test_studio_capture import dropped
from test_studio_capture import thousand as thousand
from test_studio_choose import ASKED, final
from test_studio_keyboard import FOCUS, press, tab
from test_studio_load import TWO, drawn
from test_studio_packet import complete, turn

from browsing import seen_at

Studio = Callable[..., Any]

LOSSY = "#/packet?link=nrf24-2m&size=128&set=frame_loss:0.4&set=retransmit_count:1"

#: Texts without an explanation, and why.
WITHOUT = {
    "select, option, datalist, legend, label": "inputs of the user",
    "button:not([data-explain])": "controls, named by what they set",
    ".about, .help, .reading": "help for an input or a chart; description of a link",
    "th:not(:has(.explained))": "names of activities; limits of the user, which each cell states",
    ".name": "name of a bench or a file: link, payload, settings",
    "code": "command lines and settings to copy",
    ".knob": "its source stands beside it, under `Source`",
    ".slice-reader": "reads the chart that is explained",
    ".source, .words .source": "is itself a source",
    ".search-progress": "is gone once there is a result",
    ".origin": "is itself an explanation",
}

#: Texts with a number and a unit that no explanation reaches.
UNREACHED = r"""
const [without] = arguments;
const units = "ns|us|ms|s|min|h|d|days?|hours?|years?|dBm?|k?bit/s|Mbit/s|B|k?Hz|MHz|GHz" +
  "|[num]?A|mAh|[num]?C|ppm";
const amount = new RegExp(`\\d[\\d\\u00a0.]*\\s?(%|(${units})(?![\\w/=]))`);
const found = [];
const walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const {parentElement: element, data} = walk.currentNode;
  // The level of an interval is its name; a setting is an input.
  const text = data.replaceAll(/95 % (confidence( interval)?|interval)/g, '')
    .replaceAll(/=\S+/g, '');
  if (!amount.test(text)) continue;
  if (element.closest('[data-explain]') || element.closest(without)) continue;
  if (!element.checkVisibility()) continue;
  const chart = element.closest('svg[role=img]');
  if (chart && chart.closest('.panel').querySelector('[data-explain^="chart "]')) continue;
  found.push(`${element.localName}.${element.className?.baseVal ?? element.className}: ${data}`);
}
return found;
"""

#: Opens each explanation, and returns what is wrong with it.
WRONG = r"""
const found = [], keys = new Set();
const pop = document.querySelector('.explanation');
for (const one of document.querySelectorAll('main [data-explain]')) {
  if (!one.checkVisibility()) continue;
  const key = one.dataset.explain;
  if (keys.has(key)) found.push(`two of ${key}`);
  keys.add(key);
  one.click();
  const text = pop.textContent;
  const [name, what] = ['strong', 'p'].map(one => pop.querySelector(one).textContent);
  if (!pop.matches(':popover-open') || !name || what.length < 7) found.push(`${key}: ${text}`);
  if (/undefined|NaN|\[object|null[^.a-z ]/.test(text)) found.push(`${key}: ${text}`);
  const heads = [...pop.querySelectorAll('dt')].map(one => one.textContent).join();
  if (!/How|Source/.test(heads)) found.push(`no method: ${key}`);
}
pop.hidePopover();
return [keys.size, found];
"""

BOX = "const box = document.querySelector('.explanation').getBoundingClientRect();"
OPEN = "return document.querySelector('.explanation').matches(':popover-open')"
KEY = "return document.activeElement.dataset.explain ?? null"


def open_all(page: Any) -> None:
    """Opens every folded part, and waits for what is computed only then."""
    script = (
        "document.querySelectorAll('main details').forEach(one => one.open = true);"
        "document.querySelectorAll('.matrix .link[aria-expanded=false]')"
        ".forEach(one => one.click())"
    )
    page.execute_script(script)
    until(page, "return !document.querySelector('main').textContent.includes('computing…')")
    page.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def every_number_is_explained(page: Any, least: int) -> None:
    open_all(page)
    unreached = page.execute_script(UNREACHED, ", ".join(WITHOUT))
    assert unreached == [], "\n".join(unreached)
    number, wrong = page.execute_script(WRONG)
    assert wrong == [], "\n".join(wrong)
    assert number >= least
    assert severe(page) == []


@pytest.mark.parametrize(
    "state",
    [
        LOSSY + "&against=uart-115200-irq",
        "#/packet?link=gpio-stm32-ll-o3",
        "#/packet?link=lora-sf11-62k5&count=20",
        "#/packet?link=wifi-tcp-default&size=1024&count=200",
    ],
)
def test_every_number_of_a_packet_is_explained(studio: Studio, state: str) -> None:
    page = studio(state)
    complete(page)
    if "against" in state:
        until(page, "return document.querySelector('.difference tbody tr') !== null")
    every_number_is_explained(page, 20)


def test_advice_is_explained(studio: Studio) -> None:
    page = studio()
    complete(page)
    page.execute_script("document.querySelector('.advice button').click()")
    until(page, "return document.querySelector('.advice .steps button') !== null", seconds=180)
    every_number_is_explained(page, 30)


def test_every_number_of_a_capture_is_explained(studio: Studio, thousand: Path) -> None:
    page = dropped(studio, thousand, "#/capture?deadline=8ms")
    until(page, "return document.querySelector('.spread svg') !== null")
    page.find_element("css selector", ".explorer canvas").send_keys("n")
    script = (
        "[...document.querySelectorAll('.capture button')]"
        ".find(one => one.textContent === 'Find the link').click()"
    )
    page.execute_script(script)
    until(page, "return document.querySelector('.capture .verdict') !== null", seconds=240)
    every_number_is_explained(page, 40)


def test_every_number_of_a_recommendation_is_explained(studio: Studio) -> None:
    page = studio(ASKED + "&range=30m&max-charge=50uC")
    final(page)
    every_number_is_explained(page, 30)


def test_every_number_of_a_load_is_explained(studio: Studio) -> None:
    page = studio(TWO)
    drawn(page, 2)
    page.execute_script("document.querySelector('.explained summary').click()")
    until(page, "return document.querySelectorAll('section .source').length > 4")
    until(page, "return document.querySelectorAll('.explained section').length === 2")
    every_number_is_explained(page, 60)


def to_number(page: Any, selector: str) -> dict[str, Any]:
    """Moves the focus to the numbers of a part of the page with the Tab key alone."""
    inside = f"return document.activeElement.matches('{selector} .explained')"
    for _ in range(120):
        tab(page)
        if page.execute_script(inside):
            focus: dict[str, Any] = page.execute_script(FOCUS)
            return focus
    pytest.fail("the focus never arrives")


@pytest.mark.parametrize(
    ("width", "scheme"), [(360, "light"), (360, "dark"), (1280, "light"), (1280, "dark")]
)
def test_keys_open_move_and_close(studio: Studio, axe: str, width: int, scheme: str) -> None:
    from selenium.webdriver.common.keys import Keys

    page = studio(LOSSY)
    with seen_at(page, width, scheme):
        complete(page)
        # From the parameters: there are dozens.
        page.execute_script("document.querySelector('#scale').focus()")
        focus = to_number(page, ".outcomes")
        assert focus["marked"], focus
        assert focus["seen"], focus
        press(page, Keys.ARROW_DOWN)
        press(page, Keys.ARROW_DOWN)
        key = page.execute_script(KEY)
        assert key == "a p95"
        before = page.execute_script("return document.documentElement.scrollHeight")
        press(page, Keys.ENTER)
        assert page.execute_script(OPEN)
        assert page.execute_script("return document.activeElement.className") == "explanation"
        text = page.execute_script("return document.querySelector('.explanation').textContent")
        assert "95 % quantile" in text
        assert "random seed 1" in text
        assert "binomial" in text
        assert 'latency_ns["p95"]' in text
        box = page.execute_script(BOX + "return [box.left, box.top, box.right, box.bottom]")
        height = page.execute_script("return innerHeight")
        assert box[0] >= 0
        assert box[1] >= 0
        assert box[2] <= width
        assert box[3] <= height
        assert page.execute_script("return document.documentElement.scrollHeight") == before
        assert page.execute_script("return document.documentElement.scrollWidth") <= width

        page.execute_script(axe)
        bad = page.execute_async_script(
            "const done = arguments[0]; axe.run().then(all => done(all.violations.filter("
            "one => ['serious', 'critical'].includes(one.impact)).map(one => one.id + "
            "one.nodes.map(node => node.html).join())))"
        )
        assert bad == []

        press(page, Keys.ESCAPE)
        until(page, KEY)
        assert not page.execute_script(OPEN)
        assert page.execute_script(KEY) == key
        # Past the last control of an explanation, the way goes on from the number.
        press(page, Keys.SPACE)
        for _ in range(8):
            tab(page)
            if not page.execute_script(OPEN):
                break
        assert not page.execute_script(OPEN)
        place = "const at = document.querySelector(`[data-explain='a p95']`);"
        after = "return at.compareDocumentPosition(document.activeElement) & 4"
        assert page.execute_script(place + after)
    assert severe(page) == []


def test_an_explanation_leads_to_that_of_its_panel(studio: Studio) -> None:
    page = studio(LOSSY)
    complete(page)
    page.execute_script("document.querySelector('[data-explain=\"a p99\"]').click()")
    page.execute_script("document.querySelector('.explanation > div:last-child button').click()")
    assert page.execute_script("return document.activeElement.parentElement.id") == "origin-run"
    until(
        page,
        "return document.querySelector('#origin-run').textContent"
        ".includes('Constants of nrf24-2m')",
    )
    assert not page.execute_script(OPEN)


def test_one_explanation_at_a_time_by_touch(studio: Studio) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.actions import interaction
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    page = studio(LOSSY)

    def touch(selector: str, seen: str = "") -> None:
        finger = PointerInput(interaction.POINTER_TOUCH, "finger")
        element = page.find_element("css selector", selector)
        if seen:
            page.execute_script(f"document.querySelector('{seen}').scrollIntoView()")
        actions = ActionChains(page, devices=[finger])
        actions.w3c_actions.pointer_action.click(element)
        actions.perform()

    title = "return document.querySelector('.explanation strong').textContent"
    with seen_at(page, 360):
        complete(page)
        touch("[data-explain='a p50 (median)']", ".outcomes")
        until(page, OPEN)
        assert page.execute_script(title) == "p50 of the latency"
        # Above the first one: its explanation is below it.
        touch("[data-explain='a smallest']")
        until(page, f"return ({title.removeprefix('return ')}) === 'min of the latency'")
        assert page.execute_script(OPEN)
        count = "return document.querySelectorAll(':popover-open').length"
        assert page.execute_script(count) == 1
        touch(".outcomes tbody th")
        until(page, "return !document.querySelector('.explanation').matches(':popover-open')")
        until(page, "return document.activeElement.dataset.explain === 'a smallest'")
    assert severe(page) == []


def test_a_redraw_keeps_the_explanation_of_a_number(studio: Studio) -> None:
    from selenium.webdriver.common.keys import Keys

    page = studio(LOSSY)
    complete(page)
    page.execute_script("document.querySelector('[data-explain=\"a p99\"]').focus()")
    press(page, Keys.ENTER)
    text = "document.querySelector('.explanation').textContent"
    before = page.execute_script(f"return {text}")
    turn(page, "frame_loss", "0.1")
    until(page, f"return {text} !== arguments[0]", before)
    complete(page)
    assert page.execute_script(OPEN)
    shown = "document.querySelector('[data-explain=\"a p99\"]')"
    until(page, f"return {text}.includes({shown}.textContent)")
    assert page.execute_script(f"return {shown}.getAttribute('aria-expanded')") == "true"
    # Where its number is gone, so is the explanation.
    page.execute_script("location.hash = '#/load'")
    until(page, "return !document.querySelector('.explanation').matches(':popover-open')")
    assert severe(page) == []


def test_a_redraw_keeps_the_focus(studio: Studio) -> None:
    page = studio(LOSSY)
    complete(page)
    page.execute_script("document.querySelector('[data-explain=\"a p95\"]').focus()")
    turn(page, "frame_loss", "0.1")
    complete(page)
    assert page.execute_script(KEY) == "a p95"


def test_a_cell_of_the_matrix_has_value_limit_and_interval(studio: Studio) -> None:
    from selenium.webdriver.common.keys import Keys

    page = studio(ASKED)
    final(page)
    page.execute_script("document.querySelector('.matrix .cell').focus()")
    press(page, Keys.ENTER)
    until(page, OPEN)
    text = page.execute_script("return document.querySelector('.explanation').textContent")
    for words in ("Value ", "limit 20", "Interval: ", "random seed", "Simulated: "):
        assert words in text, text
    press(page, Keys.ESCAPE)
    until(page, "return document.activeElement.matches('.matrix .cell')")
    assert severe(page) == []
