"""Following one packet in the studio: knobs, comparison, advice, numbers of the command line."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from studio_page import severe, text_of, until

from browsing import seen_at

Studio = Callable[..., Any]

#: Links of each way of sending: with losses, without a message, slow, of an operating system.
LINKS = [
    "#/packet?link=nrf24-2m&size=128&set=frame_loss:0.4&set=retransmit_count:1",
    "#/packet?link=gpio-stm32-ll-o3",
    "#/packet?link=lora-sf11-62k5&size=12&seed=7",
    "#/packet?link=wifi-tcp-default&size=1024&count=200",
    "#/packet?link=uart-115200-dma&size=12&period=5ms&phase=frozen",
    "#/packet?link=thread-up-quick&size=79",
]


def complete(browser: Any) -> None:
    """Waits for all messages of the run, and for the boards."""
    until(
        browser,
        "const status = document.querySelector('.packet .status')?.textContent;"
        "return status && !status.includes('computed')"
        " && document.querySelector('.packet .boards')?.childElementCount",
    )


def cells(browser: Any) -> dict[str, str]:
    """The table of numbers: name and text of the first run."""
    script = (
        "return Object.fromEntries([...document.querySelectorAll('.outcomes tbody tr')]"
        ".map(row => [row.cells[0].textContent, row.cells[1].textContent]))"
    )
    found: dict[str, str] = browser.execute_script(script)
    return {name: text.replace("\u00a0", " ") for name, text in found.items()}


def turn(browser: Any, name: str, value: str) -> None:
    """Sets a knob as its control does."""
    browser.execute_script(
        "const control = document.querySelector(`#knob-${arguments[0]}`);"
        "control.value = arguments[1];"
        "control.dispatchEvent(new Event('change', {bubbles: true}))",
        name,
        value,
    )


@pytest.mark.parametrize("state", LINKS)
def test_the_copied_command_line_prints_the_same_numbers(studio: Studio, state: str) -> None:
    page = studio(state)
    complete(page)
    shown = cells(page)
    words = shlex.split(text_of(page, ".reproduction code"))
    assert words[:2] == ["airlag", "run"]
    command = [sys.executable, "-m", "airlag", *words[1:], "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    (run,) = json.loads(printed)
    assert shown["delivered"].replace(" ", "") == f"{run['delivered']}of{run['triggers']}"
    assert shown["lost"].replace(" ", "") == str(run["lost"])
    script = "return performance.getEntriesByName('airlag: answer').at(-1)?.detail"
    answer = json.loads(page.execute_script(script))
    run["findings"] = [each["message"] for each in run["findings"]]
    assert answer == {key: run[key] for key in answer}
    assert severe(page) == []


def test_a_newcomer_turns_a_knob_and_sets_it_back(studio: Studio) -> None:
    page = studio()
    complete(page)
    assert "nrf24-2m" in text_of(page, ".outcomes thead")
    before = cells(page)["p50 (median)"]
    turn(page, "rate", "250")
    until(page, "return document.querySelector('.knob.changed #knob-rate') !== null")
    until(
        page,
        "return document.querySelector('.outcomes tbody tr:nth-child(2) td').textContent.replace("
        "/\\u00a0/g, ' ') !== arguments[0]",
        before,
    )
    complete(page)
    assert "set=rate%3A250" in page.current_url
    assert "--set rate=250" in text_of(page, ".reproduction code")
    assert "1 differ" in text_of(page, ".knobs [role=status]")
    page.back()
    until(page, "return document.querySelector('.knob.changed') === null")
    complete(page)
    assert cells(page)["p50 (median)"] == before
    page.forward()
    until(page, "return document.querySelector('.knob.changed') !== null")
    page.execute_script("document.querySelector('.knob.changed .back').click()")
    until(page, "return document.querySelector('.knob.changed') === null")
    assert "set=" not in page.current_url
    assert severe(page) == []


def test_a_knob_is_found_and_names_its_source(studio: Studio) -> None:
    page = studio()
    complete(page)
    page.find_element("id", "find").send_keys("retransmit delay")
    script = "return [...document.querySelectorAll('.knob')].filter(one => !one.hidden).length"
    assert page.execute_script(script) == 1
    knob = "document.querySelector('#knob-retransmit_delay').closest('.knob')"
    page.execute_script(f"{knob}.querySelector('details').open = true")
    text = page.execute_script(f"return {knob}.innerText")
    assert "250 to 4 000 us" in text.replace("\u00a0", " ")
    assert "embedded-wireless-latency-eval" in text


def test_losses_are_visible(studio: Studio) -> None:
    page = studio(LINKS[0])
    complete(page)
    lost = int(cells(page)["lost"].replace(" ", ""))
    assert lost > 0
    crosses = page.execute_script("return document.querySelector('path.lost').getAttribute('d')")
    # Two strokes each, and each cross begins with a capital letter.
    assert crosses.count("M") == lost
    assert "lost" in text_of(page, ".found")


def test_two_settings_stand_side_by_side(studio: Studio) -> None:
    page = studio("#/packet?set=rate:250")
    complete(page)
    page.execute_script(
        "[...document.querySelectorAll('.compare button')]"
        ".find(one => one.textContent.startsWith('Keep')).click()"
    )
    until(page, "return document.querySelectorAll('.outcomes thead th').length === 4")
    turn(page, "rate", "2000")
    until(page, "return document.querySelectorAll('.slice-reader').length === 4")
    complete(page)
    assert "against=nrf24-2m" in page.current_url
    assert "against_set=rate%3A250" in page.current_url
    heads = page.execute_script(
        "return [...document.querySelectorAll('.outcomes thead th')].map(one => one.textContent)"
    )
    assert heads[1:] == ["A nrf24-2m", "B nrf24-2m rate=250", "A / B"]
    assert severe(page) == []


def test_two_benches_differ_as_the_command_line_prints(studio: Studio, tmp_path: Path) -> None:
    page = studio("#/packet?set=rate:250&against=nrf24-2m&against_set=frame_loss:0.4&count=400")
    complete(page)
    until(page, "return document.querySelector('.difference tbody tr') !== null")
    named = "Comparison on the command line"
    script = (
        "return [...document.querySelectorAll('.reproduction .line')]"
        ".find(one => one.textContent.startsWith(arguments[0])).querySelector('code').textContent"
    )
    *runs, comparison = page.execute_script(script, named).split(" && ")
    for line in (*runs, f"{comparison} --json"):
        program, *words = shlex.split(line)
        assert program == "airlag"
        command = [sys.executable, "-m", "airlag", *words]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    (printed,) = json.loads(ended.stdout)
    assert (printed["differs"][0]["setting"], printed["comparable"]) == ("frame_loss", True)
    assert "The runs are comparable." in text_of(page, ".differences .verdict")
    rows = page.execute_script(
        "return [...document.querySelectorAll('.difference tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.textContent.replaceAll('\u00a0', '')))"
    )
    assert [name for name, *_ in rows] == ["p50, ms", "p95, ms", "p99, ms", "delivery ratio, %"]
    of_all = [*printed["latency_ns"].values(), printed["delivery"]]
    for (name, *cells), of in zip(rows, of_all, strict=True):
        scale = 0.01 if name.endswith("%") else 1e6
        texts = [*cells[:3], *cells[3].split(" to ")]
        values = [of["a"], of["b"], of["difference"], *of["interval95"]]
        for text, value in zip(texts, values, strict=True):
            if text == "unbounded":
                assert value is None
            else:
                assert float(text) == pytest.approx(value / scale, rel=5e-4, abs=1e-9), name
    explained = "return document.querySelectorAll('.differences .explained').length"
    assert page.execute_script(explained) > 15
    page.execute_script(
        "[...document.querySelectorAll('.compare button')]"
        ".find(one => one.textContent === 'Stop comparing').click()"
    )
    until(page, "return document.querySelector('.differences').childElementCount === 0")
    assert severe(page) == []


def test_advice_turns_the_knob(studio: Studio) -> None:
    page = studio()
    complete(page)
    page.execute_script("document.querySelector('.advice button').click()")
    until(page, "return document.querySelector('.advice .steps button') !== null")
    text = text_of(page, ".advice .steps button")
    assert text == "Set payload = dynamic"
    page.execute_script("document.querySelector('.advice .steps button').click()")
    until(page, "return document.querySelector('.knob.changed #knob-payload') !== null")
    assert "set=payload%3Adynamic" in page.current_url


def test_a_setting_that_the_core_declines_is_a_message(studio: Studio) -> None:
    page = studio("#/packet?set=retransmit_delay:972")
    until(page, "return document.querySelector('.failure:not([hidden])') !== null")
    assert "in steps of 250" in text_of(page, ".failure")
    turn(page, "retransmit_delay", "1000")
    until(page, "return document.querySelector('.failure').hidden")
    complete(page)
    page = studio("#/packet?link=no-such-link")
    until(page, "return document.querySelector('.failure:not([hidden])') !== null")
    assert "no-such-link" in text_of(page, ".failure")
    assert severe(page) == []


def test_any_packet_is_followed_on_both_boards(studio: Studio) -> None:
    page = studio("#/packet?set=frame_loss:0.4&set=retransmit_count:1&follow=message&message=2000")
    complete(page)
    assert text_of(page, ".boards") == "Packet 2000 does not exist; the run has 1000."
    page.execute_script(
        "const number = document.querySelector('#message');"
        "number.value = 1; number.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    until(page, "return !document.querySelector('.boards').textContent.includes('2000')")
    assert "follow=message" in page.current_url
    script = (
        "const chart = document.querySelector('.latencies .stage svg');"
        "const [, x, y] = chart.querySelector('.dots').getAttribute('d').match("
        "/^M([0-9.]+) ([0-9.]+)/).map(Number);"
        "const box = chart.getBoundingClientRect();"
        "const at = {clientX: box.left + x, clientY: box.top + y, bubbles: true};"
        "chart.dispatchEvent(new PointerEvent('pointermove', at));"
        "const text = document.querySelector('.latencies .tip').textContent;"
        "chart.dispatchEvent(new MouseEvent('click', at));"
        "return text"
    )
    tip = page.execute_script(script)
    assert tip.startswith("message ")
    number = int(tip.removeprefix("message ").split(":")[0])
    until(page, "return Number(document.querySelector('#message').value) === arguments[0]", number)
    until(page, "return document.querySelector('.boards svg') !== null")
    assert severe(page) == []


def test_the_slices_are_read_with_the_keyboard(studio: Studio) -> None:
    from selenium.webdriver.common.keys import Keys

    page = studio()
    complete(page)
    reader = page.find_element("css selector", ".slice-reader")
    reader.send_keys(Keys.HOME)
    assert reader.get_attribute("aria-valuetext").startswith("interrupt (measurement fixture")
    reader.send_keys(Keys.ARROW_RIGHT)
    assert reader.get_attribute("aria-valuenow") == "2"
    assert text_of(page, ".tip:not([hidden])").startswith("software (processor)")


@pytest.mark.parametrize("width", [360, 1280, 2560])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(studio: Studio, axe: str, width: int, scheme: str) -> None:
    page = studio()
    with seen_at(page, width, scheme):
        complete(page)
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        page.execute_script(axe)
        found = page.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {resultTypes: ['violations']}).then(done, one => done(String(one)))"
        )
    serious = [
        (one["id"], [each["html"][:200] for each in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_charts_stand_alone_in_another_page(studio: Studio) -> None:
    page = studio("#/packet?link=espnow", "?embed")
    until(page, "return document.querySelector('.timeline svg') !== null")
    visible = page.execute_script(
        "return ['header', 'footer', '.knobs', '.chooser'].filter("
        "one => document.querySelector(one)?.offsetParent)"
    )
    assert visible == []
