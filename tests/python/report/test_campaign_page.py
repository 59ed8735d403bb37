"""The page of a campaign: a picture and a table a family, every number of either in the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import altair as alt
import pytest
from made_runs import lossy, run

from airlag.pages import family
from airlag.pages.campaign import write_campaign
from airlag.results import Known, Results
from airlag.runs import Run


def virtual(made: Run, link: str, size: int | None, phase: str) -> Run:
    config = {**made.config, "phase": phase, "settings": {}}
    return replace(made, link=link, size=size, config=config)


@pytest.fixture
def results() -> Results:
    """Two families: one with a capture and losses, one published in microseconds."""
    radio = [virtual(lossy(), "radio", 12, phase) for phase in ("frozen", "uniform")]
    pin = virtual(run([0.0004, 0.00043, 0.00047] * 20), "pin<1>", None, "uniform")
    return Results.of(
        [*radio, pin],
        {
            ("radio", 12, ()): Known(
                "nrf24", 5_000_000, "An article, radios", lossy(), None, 3_000_000
            ),
            ("pin<1>", None, ()): Known("gpio", 500, None, None, None, None),
        },
    )


def test_a_picture_obeys_the_schema(results: Results) -> None:
    for name, lines in results.families.items():
        alt.TopLevelSpec.validate(family.chart(name, lines))


def test_a_family_is_told_in_its_own_unit(results: Results) -> None:
    titles = {name: str(family.chart(name, lines)) for name, lines in results.families.items()}
    assert "latency, ms" in titles["nrf24"]
    assert "latency, us" in titles["gpio"]


def test_the_page_has_a_picture_and_a_table_of_each_family(
    results: Results, shown: Callable[[Path], Any], tmp_path: Path
) -> None:
    page = tmp_path / "small.html"
    write_campaign("small", results, {"nrf24": [("asynchronous", "small/nrf24.html")]}, page)
    browser = shown(page)
    assert browser.execute_script("return document.documentElement.dataset.failed") == "0"
    assert browser.execute_script("return document.documentElement.dataset.drawn") == "2"
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    cells = browser.execute_script(
        "return [...document.querySelectorAll('.campaign tbody tr')].map("
        "row => [...row.cells].map(cell => cell.textContent))"
    )
    (radio, pin) = cells
    assert radio[:3] == ["radio", "12", "5"]
    assert radio[-1] == "3.000"
    # Captured, frozen and asynchronous are the same run here, losses and all.
    assert radio[3:6] == radio[6:9] == radio[9:12]
    assert radio[5] == "5.0 %"
    assert pin[:3] == ["pin<1>", "", "0.5"]
    assert pin[-1] == "—"
    published = browser.execute_script(
        "return [...document.querySelectorAll('main h2 ~ p.quiet')].map(p => p.textContent)"
    )
    assert published == ["Published: An article, radios."]
    words = browser.execute_script(
        "return document.querySelector('#chart-nrf24 svg.marks').textContent"
    )
    assert "5.0 % lost" in words
    links = browser.execute_script(
        "return [...document.querySelectorAll('main p a')].map(a => a.getAttribute('href'))"
    )
    assert links == ["#nrf24", "#gpio", "small/nrf24.html"]
