"""The page of a campaign: its answer first, every number of a mark in a cell beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_runs import lossy, run

from airlag.questions.runs import Run
from airlag.views.campaign_results import Reference, Results
from airlag.views.pages.campaign import Axis, Figures, conclusions, write_campaign
from browsing import seen_at

NOTHING = Reference("ble", None, None, None, None, None)


def virtual(made: Run, link: str, size: int | None, phase: str, **settings: str) -> Run:
    config = {**made.config, "phase": phase, "settings": settings}
    return replace(made, link=link, size=size, config=config)


@pytest.fixture
def results() -> Results:
    """Two families: one with a capture and losses, one published in microseconds."""
    radio = [virtual(lossy(), "radio", 12, phase) for phase in ("frozen", "uniform")]
    quick = virtual(run([2.0, 2.0, 2.5] * 20), "quick", 12, "uniform")
    large = virtual(run([90.0, 95.0] * 20), "radio", 1024, "uniform")
    pin = virtual(run([0.0004, 0.00043, 0.00047] * 20), "pin<1>", None, "uniform")
    return Results.of(
        [*radio, quick, large, pin],
        {
            ("radio", 12, ()): Reference(
                "nrf24", 5_000_000, "An article, radios", lossy(), None, 3_000_000
            ),
            ("radio", 1024, ()): replace(NOTHING, family="nrf24"),
            ("quick", 12, ()): replace(NOTHING, family="nrf24", floor_ns=1_000_000),
            ("pin<1>", None, ()): Reference("gpio", 500, None, None, None, None),
        },
    )


@pytest.fixture
def written(results: Results, tmp_path: Path) -> Path:
    page = tmp_path / "small.html"
    write_campaign("small", results, {"nrf24": [("asynchronous", "small/nrf24.html")]}, page)
    return page


Displayable = Callable[[Path], Any]


def rows(browser: Any, of: str = "#answer") -> list[list[str]]:
    found: list[list[str]] = browser.execute_script(
        f"return [...document.querySelectorAll('{of} tbody tr:not([hidden])')].map("
        "row => [...row.cells].map(cell => cell.textContent))"
    )
    return found


def test_the_page_opens_with_its_answer(shown: Displayable, written: Path) -> None:
    browser = shown(written)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    first, *_ = browser.find_elements("css selector", "main section, main h2")
    assert first.get_attribute("id") == "answer"
    # The smallest payload is chosen, and what has no payload is of every one; fastest first.
    assert [row[0] for row in rows(browser)] == ["pin<1>", "quick", "radio"]
    (radio,) = (row for row in rows(browser) if row[0] == "radio")
    assert radio[1] == "12 B"
    assert radio[5:8] == ["3.000 ms", "5.000 ms", "21.44 ms"]
    assert radio[-1] == "5.0 %"


def test_every_mark_stands_where_its_number_is(results: Results) -> None:
    lines = [Figures.of(line) for family in results.families.values() for line in family]
    axis = Axis.of_lines(lines)
    for figures in lines:
        cell = axis.cell(figures)
        for name, (low, _) in figures.drawn().items():
            assert f'class="{name}" style="left:{axis.percent(low)}%' in cell
            assert 0.0 < axis.percent(low) < 100.0
    assert axis.percent(axis.low * 10) - axis.percent(axis.low) == pytest.approx(
        axis.percent(axis.low * 1000) - axis.percent(axis.low * 100), abs=0.01
    )


def test_a_legend_explains_only_marks_that_are_drawn(shown: Displayable, written: Path) -> None:
    browser = shown(written)
    for section in ("#answer", "#nrf24", "#gpio"):
        legend, drawn = browser.execute_script(
            "const from = document.querySelector(arguments[0]);"
            "const after = [from, ...document.querySelectorAll(`${arguments[0]} ~ *`)];"
            "const legend = from.querySelector('.legend') ?? after.find(e => e.matches('.legend'));"
            "const table = from.querySelector('table')"
            " ?? after.find(e => e.matches('.scroll')).querySelector('table');"
            "const names = of => [...new Set([...of.querySelectorAll('i')].map(i => i.className))];"
            "return [names(legend), names(table)]",
            section,
        )
        assert sorted(legend) == sorted(drawn)
    assert "captured" not in drawn


def test_three_sentences_are_made_from_the_numbers(results: Results) -> None:
    first, second, third = conclusions(results)
    assert first.startswith("At 12 B the fastest radio is quick: half of its messages arrive")
    assert "within 2.000 ms, 99 of 100 within 2.500 ms; the slowest, radio, takes 21.44 ms" in first
    assert "10.7 times as long" in first
    assert second == (
        "p99 exceeds 2 times the median on 0 of 2; the largest ratio is 1.25, on quick."
    )
    assert "quick is nearest its floor (2.00 times)" in third
    assert "radio has the most headroom (7.15 times)" in third


def test_the_answer_is_sorted_and_filtered(shown: Displayable, written: Path) -> None:
    browser = shown(written)
    every = browser.find_element("css selector", "#of-answer input[value='']")
    every.click()
    assert [row[0] for row in rows(browser)] == ["pin<1>", "quick", "radio", "radio"]
    head = browser.find_element("css selector", "#answer [data-sort=p99]")
    head.click()
    head.click()
    assert next(row[0] + row[1] for row in rows(browser)) == "radio1 024 B"
    assert head.find_element("xpath", "..").get_attribute("aria-sort") == "descending"
    browser.find_element("css selector", "#of-answer [name=name]").send_keys("qui")
    assert [row[0] for row in rows(browser)] == ["quick"]
    assert browser.find_element("id", "how-many").text == "1 of 4 rows"


def test_each_family_has_its_table_and_says_where_its_figures_are_from(
    shown: Displayable, written: Path
) -> None:
    browser = shown(written)
    radio, _, quick, *_ = rows(browser, ".family")
    assert radio[:2] == ["radio", "12"]
    assert radio[3] == "5"
    assert radio[-1] == "3.000"
    # Captured, frozen and asynchronous are the same run here, losses and all.
    assert radio[4:7] == radio[7:10] == radio[10:13]
    assert radio[6] == "5.0 %"
    assert quick[3] == "—"
    pin = rows(browser, ".family")[-1]
    assert pin[0] == "pin<1>"
    assert pin[3] == "0.5"
    text = written.read_text("utf-8")
    assert "Published: An article, radios." in text
    assert 'href="small/nrf24.html"' in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1920])
def test_it_fits_any_window(shown: Displayable, written: Path, width: int, scheme: str) -> None:
    browser = shown(written)
    with seen_at(browser, width, scheme):
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
        outside = browser.execute_script(
            "return [...document.querySelectorAll('#answer i, #answer td, #answer th')].filter("
            "each => each.offsetParent && each.getBoundingClientRect().right > innerWidth).length"
        )
        assert outside == 0
        ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        (level,) = set(re.findall(r"\d+", ground)[:1])
        assert (int(level) < 60) == (scheme == "dark")


def test_what_is_known_of_a_link_does_not_stand_beside_other_settings() -> None:
    known = {
        ("radio", 12, ()): Reference("nrf24", 5_000_000, "An article", lossy(), None, None),
        ("radio", 12, (("power", "high"),)): Reference("nrf24", None, None, None, None, 7),
    }
    made = [
        virtual(lossy(), "radio", 12, "uniform"),
        virtual(lossy(), "radio", 12, "uniform", power="high"),
    ]
    plain, changed = Results.of(made, known).families["nrf24"]
    assert plain.known.published_ns == 5_000_000
    assert "power=high" in changed.name
    about = changed.known
    assert (about.published_ns, about.captured, about.floor_ns) == (None, None, 7)
