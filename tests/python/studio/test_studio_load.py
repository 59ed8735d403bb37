"""Load in the studio: charts, tables, regulation, battery life; the numbers of the command line."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from typing import Any

import pytest
from studio_page import severe, text_of, until

from browsing import seen_at

Studio = Callable[..., Any]

TWO = "#/load?link=nrf24-2m&link=espnow-woken&count=200&loads=20,100,2000"


def drawn(browser: Any, links: int) -> None:
    """Waits until this number of links is on the charts, and the facts beside them are there."""
    until(browser, f"return document.querySelectorAll('svg.chart g.curve').length === {links}")
    until(browser, "return document.querySelector('.facts .battery') !== null")


def test_a_newcomer_compares_links_under_load(studio: Studio) -> None:
    page = studio("#/load")
    drawn(page, 2)
    assert "overloaded" in text_of(page, "svg.chart")
    until(page, "return document.querySelector('#load-add option[value=\"nrf24-2m\"]') !== null")
    page.execute_script(
        "const list = document.querySelector('#load-add'); list.value = 'nrf24-2m';"
        "list.dispatchEvent(new Event('change'))"
    )
    drawn(page, 3)
    assert "link=nrf24-2m" in page.current_url
    page.execute_script("document.querySelector('.picked li:nth-child(2) button').click()")
    drawn(page, 2)
    page.back()
    drawn(page, 3)
    page.back()
    drawn(page, 2)
    assert page.current_url.endswith("#/load")
    assert severe(page) == []


def test_the_numbers_are_those_of_the_command_line(
    studio: Studio, airlag: Callable[..., str]
) -> None:
    page = studio(TWO)
    drawn(page, 2)
    asked = json.loads(airlag(*shlex.split(text_of(page, ".reproduction code"))[1:], "--json"))
    rows = page.execute_script(
        "return [...document.querySelectorAll('.values tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.textContent))"
    )
    points = [(point, one) for one in asked for point in one["points"]]
    assert len(rows) == len(points) == 6
    for row, (point, _) in zip(rows, points, strict=True):
        number = [
            float(cell.replace("\u00a0", "").split(" ")[0].rstrip("overladk")) for cell in row[:2]
        ]
        assert number == pytest.approx([point["offered_kbps"], point["goodput_kbps"]], rel=1e-3)
        lost = float(row[5].split("\u00a0")[0]) + float(row[6].split("\u00a0")[0])
        assert lost == pytest.approx(100 * point["lost"] / point["offered"], abs=0.11)
    assert any(point["lost"] for point, _ in points)
    marks = page.execute_script(
        "return [...document.querySelectorAll('svg.chart path.lost')]"
        ".map(one => one.getAttribute('d'))"
    )
    assert sum(mark.count("l7 7m") for mark in marks) == sum(
        1 for point, _ in points if point["lost"]
    )


def test_the_ceiling_has_its_sources(studio: Studio) -> None:
    page = studio("#/load?link=nrf24-2m&count=200")
    drawn(page, 1)
    page.execute_script("document.querySelector('.explained summary').click()")
    until(page, "return document.querySelector('.explained .source') !== null")
    assert "of its ceiling" in text_of(page, ".explained section")
    assert "nRF24L01+" in text_of(page, ".explained .source")
    # Of the bench, and by formula: the same frame.
    tables = text_of(page, ".explained .tables")
    assert "airmedium156.5 us" in tables
    assert "air, 32 B1 × 156.5 us" in tables


def test_limits_have_their_sources(studio: Studio) -> None:
    page = studio("#/load?link=lora-sf7-250k&link=uart-115200-irq&rate=10/s&count=200")
    drawn(page, 2)
    assert "EU: not allowed" in text_of(page, ".regulation")
    assert "2006/771/EC" in text_of(page, ".regulation table")
    assert "stm32f429" in text_of(page, ".battery")
    assert "235 mAh" in text_of(page, ".battery")
    assert "the battery supplies" in text_of(page, ".battery")
    page.execute_script(
        "const list = document.querySelector('#load-of'); list.value = 'uart-115200-irq';"
        "list.dispatchEvent(new Event('change'))"
    )
    until(
        page,
        "return document.querySelector('.regulation')?.textContent.includes('no limits apply')",
    )


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("#/load?link=no-such-link", "no link `no-such-link`"),
        ("#/load?link=gpio-stm32-ll-o3", "single board"),
        ("#/load?link=nrf24-2m&set=none:1", "nrf24-2m"),
        ("#/load?link=nrf24-2m&size=3", "7 to 2048 bytes"),
        ("#/load?link=nrf24-2m&battery=nothing", "no battery"),
        ("#/load?loads=1e9", "loads dropped"),
        ("#/load?link=a&link=b&link=c&link=d&link=e", "at most 4"),
    ],
)
def test_a_wrong_state_ends_in_a_message(studio: Studio, state: str, message: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    page = studio(state)
    script = "return document.body.textContent.includes(arguments[0])"
    WebDriverWait(page, 30, 0.05).until(lambda one: one.execute_script(script, message))
    assert severe(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280, 2560])
def test_it_is_accessible_and_fits(studio: Studio, axe: str, width: int, scheme: str) -> None:
    page = studio(TWO)
    drawn(page, 2)
    with seen_at(page, width, scheme):
        page.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
        until(page, "return document.querySelector('svg.chart').clientWidth <= innerWidth")
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        page.execute_script(axe)
        found = page.execute_async_script(
            "const done = arguments[0]; axe.run().then(all => done(all.violations))"
        )
    bad = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in bad] == []
