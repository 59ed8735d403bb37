"""Pages in a browser: drawn in full, without a network, without an error, and readable."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_runs import every_kind, large, lossy, run, slotted, table

from airlag._airlag import Trace
from airlag.questions import store
from airlag.questions.analysis import analyze, run_of_edges
from airlag.questions.bench import Request, emulate
from airlag.questions.runs import Finding, Run
from airlag.views.pages.charts import CHARTS, charts_for
from airlag.views.pages.page import page

#: Channels, and how long after the trigger each rises and falls, ns.
WIRES = {"button <0>": 10**7, "lamp": 3 * 10**7}

Opened = Callable[[Sequence[Run]], Any]

UNUSUAL = {
    "nothing delivered": [run([None] * 20, censored=True)],
    "nothing delivered beside something": [run([None] * 20, source="a"), run([5.0] * 20)],
    "one transfer": [run([12.5])],
    "no transfer": [run([])],
    "a table of latencies": [table([1.0, 2.0, 2.5, 3.0] * 10)],
    "a table beside a capture": [table([1.0, 2.0] * 10), lossy()],
    "all latencies equal": [run([20.0] * 50)],
    "latencies of zero": [run([0.0] * 50)],
    "four orders of magnitude": [run([0.3, 0.31] * 30, source="a"), run([900.0, 950.0] * 30)],
    "fifty runs": [lossy(40, f"folder{number}/capture.csv") for number in range(50)],
}


def told(browser: Any, script: str) -> Any:
    return browser.execute_script(f"return {script}")


def check_drawn(browser: Any, runs: Sequence[Run]) -> None:
    """Every chart that applies is on the page, and nothing went wrong on the way."""
    charts = {chart.name for chart in charts_for(runs) if chart.skipped is None}
    assert told(browser, "document.documentElement.dataset.failed") == "0"
    figures = "[...document.querySelectorAll('figure')].map(figure => figure.dataset.chart)"
    assert set(told(browser, figures)) == charts
    shown = "document.querySelectorAll('figure svg.marks, figure canvas.marks')"
    assert told(browser, f"{shown}.length") == told(
        browser, "document.querySelectorAll('.panel').length"
    )
    assert told(browser, f"{shown}.length") >= len(charts)
    sizes = told(browser, f"[...{shown}].map(chart => chart.getBoundingClientRect().height)")
    assert all(height > 30 for height in sizes)
    assert [entry["message"] for entry in browser.get_log("browser")] == []


def test_every_chart_is_drawn_without_a_word_on_the_console(opened: Opened) -> None:
    runs = every_kind()
    assert [chart.skipped for chart in charts_for(runs)] == [None] * len(CHARTS)
    check_drawn(opened(runs), runs)


def test_the_page_asks_the_network_for_nothing(opened: Opened) -> None:
    browser = opened(every_kind())
    assert told(browser, "performance.getEntriesByType('resource').map(entry => entry.name)") == []
    asked = [
        message["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        for message in [json.loads(entry["message"])["message"]]
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert sum(url.startswith("file:") for url in asked) == 1


def test_a_virtual_run_says_where_each_constant_comes_from() -> None:
    runs = [emulate(Request(link, 12, 20)) for link in ("nrf24-2m", "nrf24-250k")]
    text = page(runs)
    (settle,) = re.findall(r"<tr><td>settle</td>.*?</tr>", text)
    assert "Product Specification v1.0, 6.1.7, Tstby2a" in settle
    rates = re.findall(r"<tr><td>rate</td><td>(.*?)</td>.*?<td>([^<]*)</td></tr>", text)
    assert rates == [("2000 kbit/s", "nrf24-2m"), ("250 kbit/s", "nrf24-250k")]
    assert '<a href="https://electricui.com/blog/latency-comparison">' in text


def test_the_head_tells_when_how_finely_and_which_channels_were_captured(tmp_path: Path) -> None:
    edges = {name: np.arange(20, dtype=np.int64) * 10**8 + at for name, at in WIRES.items()}
    segments = [[(0, 2 * 10**9, False, edges_ns)] for edges_ns in edges.values()]
    taken_ns = 1_700_000_000 * 10**9
    save = tmp_path / "kept.parquet"
    trace = Trace.from_edges(list(edges), segments, taken_ns, 2e6)
    store.save(run_of_edges(tmp_path / "capture.csv", trace), save)
    text = page([analyze(save)])
    (row,) = re.findall(r'<tr data-run="0"><th scope="row">[^<]*</th>(<td>.*?)</tr>', text)
    cells = re.findall(r"<td>(.*?)</td>", row)
    assert cells == ["button &lt;0&gt;", "lamp", "2023-11-14 22:13:20 UTC", "2 MS/s", "2.000 s"]
    # What the bench made was not recorded.
    assert 'id="captured"' in text
    assert 'id="captured"' not in page([emulate(Request("nrf24-2m", 12, 20))])


def test_a_capture_has_no_constants() -> None:
    assert 'id="sources"' not in page([lossy()])
    assert 'id="sources"' in page([emulate(Request("nrf24-2m", 12, 20))])


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_runs_are_drawn_too(opened: Opened, name: str) -> None:
    check_drawn(opened(UNUSUAL[name]), UNUSUAL[name])


def test_losses_are_marks_of_their_own(opened: Opened) -> None:
    browser = opened([lossy()])
    crosses = told(
        browser,
        """[...document.querySelectorAll('#chart-time svg.marks path')].filter(
            path => path.getAttribute('stroke') === '#d55e00').length""",
    )
    assert crosses == 20
    words = told(browser, "document.querySelector('#chart-time svg.marks').textContent")
    assert "20 lost" in words
    assert "1 censored" in words
    for name in ("box", "ridge"):
        words = told(browser, f"document.querySelector('#chart-{name} svg.marks').textContent")
        assert "20 of 400 lost" in words
    words = told(browser, "document.querySelector('#chart-distribution svg.marks').textContent")
    assert "5.0 % lost" in words


@pytest.mark.parametrize(
    ("chart", "expected"),
    [
        ("time", ["transfer", "triggered at, s", "latency, ms"]),
        ("box", ["run", "lossy", "transfer", "latency, ms"]),
        ("fold", ["phase of trigger, ms", "phase of completion, ms"]),
    ],
)
def test_a_mark_tells_what_it_is(opened: Opened, chart: str, expected: list[str]) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    browser = opened([slotted()] if chart == "fold" else [lossy()])
    marks = browser.find_elements(
        "css selector",
        f"#chart-{chart} svg.marks .mark-symbol path[fill='#0072b2']",
    )
    assert marks
    # The last mark drawn lies on top of the others.
    mark = marks[-1]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
    ActionChains(browser).move_to_element_with_offset(mark, 1, 1).move_to_element(mark).perform()
    WebDriverWait(browser, 10).until(
        lambda ready: ready.find_elements("css selector", "#tip:not([hidden])")
    )
    words = browser.find_element("id", "tip").text
    for word in expected:
        assert word in words


def test_a_hostile_file_name_is_text(opened: Opened) -> None:
    name = "</script><script>document.title='taken'</script>&<b>\u2028.csv"
    finding = Finding("warm-up", {"count": 3}, f"In {name}", "<img src=x onerror=alert(1)>")
    runs = [lossy(source=name, findings=[finding]), lossy(source="b.csv", config={"<i>": "<u>"})]
    browser = opened(runs)
    check_drawn(browser, runs)
    assert told(browser, "document.title") == "airlag: 2 runs"
    assert told(browser, "document.querySelectorAll('img, main b, main i, main u').length") == 0
    assert told(browser, "document.querySelectorAll('script:not([type])').length") == 2
    assert name.splitlines()[0] in told(browser, "document.querySelector('#summary').textContent")


def test_the_table_is_a_table_and_charts_have_words(opened: Opened) -> None:
    finding = Finding(
        "lost-transfers", {"count": 20, "indices": list(range(0, 400, 20))}, "20 lost.", "Repeat."
    )
    browser = opened([lossy(seed=11, size=128, findings=[finding])])
    heads = told(
        browser,
        "[...document.querySelectorAll('#summary thead th[scope=col]:not([hidden])')]"
        ".map(th => th.textContent)",
    )
    assert heads == [
        *("run", "payload", "triggers", "delivered", "lost", "censored"),
        *("p50, ms", "p95, ms", "p99, ms", "max, ms"),
    ]
    cells = told(browser, "[...document.querySelectorAll('#summary td')].map(td => td.innerText)")
    assert cells[:3] == ["128 B", "400", "379"]
    assert cells[3].split("\n") == ["20", "5.0 %"]
    assert "…" in cells[7]
    page_words = told(browser, "document.querySelector('main').innerText")
    for word in ("lost-transfers", "→ Repeat.", "seed\n11", "a ranking needs at least two runs"):
        assert word in page_words
    labels = told(
        browser, "[...document.querySelectorAll('figure')].map(f => f.getAttribute('aria-label'))"
    )
    assert len(labels) == 6
    assert all(len(label) > 40 for label in labels)


def test_a_page_fits_on_paper_and_prints_without_its_menus(opened: Opened) -> None:
    browser = opened(every_kind())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    paper = {"width": 700, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", paper)
    try:
        shown = "[...document.querySelectorAll('.screen')].map(each => each.offsetHeight)"
        assert set(told(browser, shown)) == {0}
        for part in ("html", ".scroll", "figure"):
            wider = (
                f"[...document.querySelectorAll('{part}')].map(e => e.scrollWidth > e.clientWidth)"
            )
            assert set(told(browser, wider)) == {False}
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_hundred_thousand_transfers_stay_under_5_mb(opened: Opened) -> None:
    runs = [large(100_000)]
    assert len(page(runs).encode()) < 5_000_000
    check_drawn(opened(runs), runs)
