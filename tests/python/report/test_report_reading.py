"""Reading a page in a browser: in any window, by filter, zoom, crosshair, deadline and keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from made_runs import every_kind, lossy, run, slotted

from airlag.questions.runs import Finding, Run
from airlag.views.pages.page import write_report
from browsing import opens, seen_at

Opened = Callable[[Sequence[Run]], Any]


def told(browser: Any, script: str, *given: Any) -> Any:
    return browser.execute_script(f"return {script}", *given)


def waited(browser: Any, script: str) -> Any:
    """What a script gives, once it gives something."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 20, 0.05).until(lambda ready: told(ready, script))


def pointed(browser: Any, stage: str, right: float, down: float) -> Any:
    """Moves the pointer to a share of a panel's width and height; returns the actions."""
    from selenium.webdriver.common.action_chains import ActionChains

    element = browser.find_element("css selector", stage)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    size = element.size
    across = round((right - 0.5) * size["width"])
    along = round((down - 0.5) * size["height"])
    actions = ActionChains(browser)
    actions.move_to_element_with_offset(element, across + 2, along)
    actions.move_to_element_with_offset(element, across, along)
    return actions


def virtual(number: int) -> Run:
    settings = {"connection_interval": f"{7.5 + number} ms"}
    config = {"phase": "uniform" if number % 2 else "frozen", "settings": settings}
    return lossy(
        12, "radio-" + "ab"[number % 2], link="radio-" + "ab"[number % 2], size=12, config=config
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1920])
def test_charts_flow_into_any_window(opened: Opened, width: int, scheme: str) -> None:
    browser = opened(every_kind())
    with seen_at(browser, width, scheme):
        browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
        waited(
            browser,
            "[...document.querySelectorAll('.panel')].every(panel => Math.abs("
            "panel.querySelector('svg, canvas').clientWidth - panel.clientWidth) <= 2)",
        )
        assert told(browser, "document.documentElement.scrollWidth <= window.innerWidth")
        # Nothing that is written leaves its picture.
        clipped = told(
            browser,
            "[...document.querySelectorAll('.stage svg')].flatMap(svg => {"
            "const box = svg.getBoundingClientRect();"
            "return [...svg.querySelectorAll('text')].filter(text => {"
            "const at = text.getBoundingClientRect();"
            "return text.textContent && (at.left < box.left - 1 || at.right > box.right + 1)})"
            ".map(text => text.textContent)})",
        )
        assert clipped == []
        ground = told(
            browser,
            "getComputedStyle(document.querySelector('#chart-time svg')).backgroundColor",
        )
        assert ground == ("rgb(30, 30, 30)" if scheme == "dark" else "rgb(255, 255, 255)")
        words = told(browser, "document.querySelector('#chart-time').innerText")
        drawn = told(browser, "document.querySelector('#chart-time').textContent")
        assert "20 lost" in words + drawn


def test_charts_out_of_view_are_not_drawn_when_a_page_opens(browser: Any, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    write_report([lossy(40, f"folder{number}/capture.csv") for number in range(60)], page)
    opens(browser, page)
    data = told(browser, "{...document.documentElement.dataset}")
    assert int(data["charts"]) > 60
    assert int(data["drawn"]) < 10
    assert data["failed"] == "0"
    browser.execute_script("document.querySelector('#chart-time').scrollIntoView()")
    waited(browser, "document.querySelector('#chart-time .panel[data-state=drawn]') !== null")


def test_every_entry_of_the_contents_leads_somewhere(opened: Opened) -> None:
    browser = opened(every_kind())
    where = told(
        browser,
        "[...document.querySelectorAll('.contents a')].map(a => [a.textContent,"
        " document.querySelector(a.getAttribute('href')) !== null])",
    )
    assert len(where) == 12
    assert all(there for _, there in where)


def test_runs_are_filtered_everywhere(opened: Opened) -> None:
    browser = opened([virtual(number) for number in range(4)])
    form = browser.find_element("id", "filter")
    choices = told(browser, "[...document.querySelectorAll('#filter select')].map(s => s.name)")
    assert choices == ["link", "phase"]
    form.find_element("css selector", "[name=phase] option[value=frozen]").click()
    rows = "[...document.querySelectorAll('#summary tbody tr:not([hidden]) th')].length"
    assert told(browser, rows) == 2
    assert browser.find_element("id", "how-many").text == "2 of 4 runs"
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    names = (
        "[...document.querySelectorAll('#chart-box svg .mark-text text')]"
        ".map(text => text.textContent).filter(text => text.startsWith('radio'))"
    )
    waited(browser, f"{names}.length === 2")
    assert all(name.startswith("radio-a") for name in told(browser, names))
    panels = "[...document.querySelectorAll('#chart-time .panel:not([hidden])')].length"
    assert told(browser, panels) == 2
    form.find_element("css selector", "[type=reset]").click()
    waited(browser, f"{names}.length === 4")


def test_no_two_runs_look_alike_in_a_legend(opened: Opened) -> None:
    runs = [virtual(number) for number in range(60)]
    browser = opened(runs)
    looks = told(
        browser,
        "[...document.querySelectorAll('#chart-distribution svg .role-legend-symbol path')].map("
        "path => ['stroke', 'stroke-dasharray', 'stroke-width'].map(a => path.getAttribute(a))"
        ".join())",
    )
    assert len(looks) == len(set(looks)) == 60
    names = told(
        browser, "[...document.querySelectorAll('#summary tbody th')].map(th => th.innerText)"
    )
    assert len(set(names)) == 60
    # A long name is cut, but never by what it differs.
    assert "=7.5 ms" in names[0]


def test_a_mark_is_found_without_being_aimed_at(opened: Opened) -> None:
    browser = opened([run([5.0] * 3 + [9.0])])
    stage = "#chart-time .stage"
    dot = told(
        browser,
        "(() => { const stage = document.querySelector(arguments[0]).getBoundingClientRect();"
        "const dot = [...document.querySelectorAll('#chart-time .mark-symbol path')][1]"
        ".getBoundingClientRect();"
        "return [(dot.left + 12 - stage.left) / stage.width,"
        " (dot.top - 14 - stage.top) / stage.height] })()",
        stage,
    )
    pointed(browser, stage, *dot).perform()
    words = waited(browser, "!document.getElementById('tip').hidden && tip.innerText")
    assert "transfer" in words
    assert "5" in words


def test_a_crosshair_reads_a_value_off_every_series(opened: Opened) -> None:
    browser = opened([run([10.0] * 50, source="a"), run([20.0] * 50, source="b")])
    share = told(
        browser,
        "(() => { const labels = [...document.querySelectorAll("
        "'#chart-distribution .role-axis-label text')];"
        "const at = labels.find(text => text.textContent === '15').getBoundingClientRect();"
        "const stage = document.querySelector('#chart-distribution .stage')"
        ".getBoundingClientRect();"
        "return ((at.left + at.right) / 2 - stage.left) / stage.width })()",
    )
    pointed(browser, "#chart-distribution .stage", share, 0.4).perform()
    words = waited(browser, "!document.getElementById('tip').hidden && tip.innerText").split()
    assert words[words.index("a") + 1] == "100"
    assert words[words.index("b") + 1] == "0"


def test_one_crosshair_goes_through_all_runs(opened: Opened) -> None:
    browser = opened([lossy(source="a"), slotted()])
    pointed(browser, "#chart-time .stage", 0.4, 0.5).perform()
    waited(browser, "document.querySelectorAll('#chart-time .crosshair').length === 2")
    read = told(browser, "document.querySelector('#chart-time .reading').innerText")
    assert "latency, ms" in read


def zoomed(browser: Any) -> tuple[float, float]:
    first, last = told(
        browser, "document.querySelector('#chart-time .panel').dataset.zoomed"
    ).split(",")
    return float(first), float(last)


def test_time_is_zoomed_by_drag_wheel_and_keys(opened: Opened) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened([lossy()])
    stage = "#chart-time .stage"
    pointed(browser, stage, 0.3, 0.5).click_and_hold().move_by_offset(200, 0).release().perform()
    first, last = zoomed(browser)
    assert 0.0 < first < last < 80.0
    labels = (
        "[...document.querySelectorAll('#chart-time .role-axis-label text')]"
        ".map(text => text.textContent)"
    )
    assert told(browser, labels)[0] != "0"
    # A drag over a part moves it.
    pointed(browser, stage, 0.5, 0.5).click_and_hold().move_by_offset(-60, 0).release().perform()
    moved = zoomed(browser)
    assert moved[0] > first
    assert moved[1] - moved[0] == pytest.approx(last - first)
    element = browser.find_element("css selector", stage)
    element.send_keys("-")
    assert zoomed(browser)[1] - zoomed(browser)[0] > last - first
    element.send_keys("0")
    assert told(browser, "document.querySelector('#chart-time .panel').dataset.zoomed") == ""
    element.send_keys("+")
    half = zoomed(browser)
    element.send_keys(Keys.SHIFT + Keys.ARROW_RIGHT)
    assert zoomed(browser)[0] > half[0]
    pointed(browser, stage, 0.5, 0.5).perform()
    wheel = {"type": "mouseWheel", "deltaX": 0, "deltaY": -100}
    box = element.rect
    top = told(browser, "arguments[0].getBoundingClientRect().top", element)
    browser.execute_cdp_cmd(
        "Input.dispatchMouseEvent",
        {**wheel, "x": box["x"] + box["width"] / 2, "y": top + box["height"] / 2},
    )
    waited(
        browser,
        "(([a, b]) => b - a < 39)(document.querySelector('#chart-time .panel')"
        ".dataset.zoomed.split(',').map(Number))",
    )
    browser.find_element("css selector", "#chart-time .reset").click()
    assert told(browser, "document.querySelector('#chart-time .panel').dataset.zoomed") == ""


def test_the_axis_counts_seconds_or_transfers(opened: Opened) -> None:
    browser = opened([lossy()])
    words = "document.querySelector('#chart-time svg').textContent"
    assert "time since the run began, s" in told(browser, words)
    browser.find_element("css selector", "input[name=counting][value=i]").click()
    waited(browser, f"!{words}.includes('since the run began')")
    labels = told(
        browser,
        "[...document.querySelectorAll('#chart-time .role-axis-label text')]"
        ".map(text => text.textContent)",
    )
    assert "350" in labels


def test_findings_stand_where_they_happen(opened: Opened) -> None:
    latencies = [40.0] * 10 + [20.0 + 0.01 * (n % 7) for n in range(90)]
    findings = [
        Finding("warm-up", {"count": 10}, "The first 10.", "Leave them out."),
        Finding("trend", {"kind": 1, "at_index": 60}, "It jumps.", "Find out."),
        Finding("own-period", {"period_ns": 30e6, "r": 0.99}, "A clock (R = 0.99).", "Keep step."),
    ]
    browser = opened([run(latencies, findings=findings)])
    words = told(browser, "document.querySelector('#chart-time svg').textContent")
    assert "warm-up: the first 10" in words
    assert "trend: jump at transfer 60" in words
    assert "whole run: own-period" in told(
        browser, "document.querySelector('#chart-time .everywhere').textContent"
    )
    line, axis = told(
        browser,
        "(() => { const of = s => document.querySelector('#chart-time ' + s)"
        ".getBoundingClientRect();"
        "const rules = [...document.querySelectorAll('#chart-time .mark-rule line')]"
        ".filter(line => line.getAttribute('stroke-dasharray') === '4,2');"
        "return [rules.at(-1).getBoundingClientRect().left,"
        " ['10', '14'].map(text => [...document.querySelectorAll("
        "'#chart-time .role-axis-label text')].find(each => each.textContent === text)"
        ".getBoundingClientRect()).map(box => (box.left + box.right) / 2)] })()",
    )
    # Transfer 60 was triggered after 12 s.
    assert line == pytest.approx(sum(axis) / 2, abs=2.0)


def test_a_deadline_has_a_line_and_a_share_beyond_it(opened: Opened) -> None:
    browser = opened([run([10.0] * 90 + [30.0] * 8 + [None] * 2, source="a"), lossy()])
    browser.find_element("id", "deadline").send_keys("25")
    beyond = "[...document.querySelectorAll('td.beyond:not([hidden])')].map(td => td.innerText)"
    waited(browser, f"{beyond}.length === 2")
    assert told(browser, beyond)[0] == "10.0\u00a0%"
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    waited(
        browser,
        "document.querySelector('#chart-time svg').textContent.includes("
        "'deadline 25 ms, 10.0\u00a0% beyond')",
    )
    for chart in ("box", "distribution", "percentile"):
        waited(
            browser,
            f"document.querySelector('#chart-{chart} svg').textContent.includes('deadline 25 ms')",
        )


def test_a_share_of_many_messages_is_about_right_and_says_so(opened: Opened) -> None:
    browser = opened([run([10.0 + 0.01 * n for n in range(3000)])])
    browser.find_element("id", "deadline").send_keys("32.5")
    said = waited(browser, "document.querySelector('td.beyond:not([hidden])')?.innerText")
    about, share, _ = said.split()
    assert about == "about"
    assert float(share) == pytest.approx(100 * 749 / 3000, abs=0.1)


def test_a_chart_is_read_by_the_keys(opened: Opened) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened([run([5.0, 6.0, 7.0])])
    stage = browser.find_element("css selector", "#chart-time .stage")
    assert told(browser, "arguments[0].getAttribute('aria-label')", stage)
    browser.execute_script("arguments[0].focus()", stage)
    stage.send_keys(Keys.ARROW_RIGHT)
    first = told(browser, "document.getElementById('tip').innerText")
    assert re.search(r"transfer\s+0\b", first)
    assert re.search(r"latency, ms\s+5\b", first)
    stage.send_keys(Keys.ARROW_RIGHT)
    assert told(browser, "document.getElementById('tip').innerText") != first
    stage.send_keys(Keys.ESCAPE)
    assert told(browser, "document.getElementById('tip').hidden")


def test_words_of_the_trade_explain_themselves(opened: Opened) -> None:
    finding = Finding("own-period", {"period_ns": 3e7}, "It keeps it (R = 0.998).", "Keep step.")
    browser = opened([lossy(findings=[finding])])
    terms = {term.text: term for term in browser.find_elements("css selector", ".term")}
    assert {"censored", "lost", "p99", "R"} <= set(terms)
    browser.execute_script("arguments[0].focus()", terms["censored"])
    assert "neither delivered nor lost" in told(browser, "document.getElementById('tip').innerText")


def test_no_text_has_an_identifier_or_a_dictionary_in_it(opened: Opened) -> None:
    config = {"settings": {"interval": "7.5"}, "min_low_ns": 1000, "overlap_ns": None}
    browser = opened([lossy(config=config)])
    words = told(
        browser, "[...document.querySelectorAll('#origin ~ *')].map(e => e.innerText).join()"
    )
    for raw in ("{'", "min_low_ns", "None"):
        assert raw not in words
    assert "interval=7.5" in words
    assert "shortest low before a trigger" in words
    assert "1.00000 us" in words
