"""The studio in Firefox: a newcomer's way through every view, with the command line's numbers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from studio_page import text_of, until

from firefox import Firefox, started
from peers import absent, program

PAGE = Path(__file__).parents[3] / "studio" / "build" / "airlag-studio.html"
ANSWER = "return performance.getEntriesByName('airlag: answer').at(-1)?.detail"

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for these tests."""
    with started(program("firefox-esr", "firefox-esr"), tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A capture of 60 triggers, each with a completion 10 ms later."""
    rows = [f"{t / 10},1,0\n{t / 10 + 0.002},1,1\n{t / 10 + 0.01},0,0" for t in range(60)]
    path = tmp_path / "four.csv"
    path.write_text("Time [s],Trigger,Done\n" + "\n".join(rows) + "\n")
    return path


def test_a_packet_has_the_numbers_of_the_command_line(
    firefox: Firefox, address: str, airlag: Callable[..., str]
) -> None:
    firefox.get(f"{address}#/packet?link=nrf24-2m&size=128&set=frame_loss:0.4")
    until(firefox, "return document.querySelector('.packet .boards')?.childElementCount")
    until(
        firefox,
        "const status = document.querySelector('.packet .status')?.textContent;"
        "return status && !status.includes('computed')",
    )
    words = shlex.split(text_of(firefox, ".reproduction code"))
    (run,) = json.loads(airlag(*words[1:], "--json"))
    run["findings"] = [each["message"] for each in run["findings"]]
    answer = json.loads(firefox.execute_script(ANSWER))
    assert answer == {key: run[key] for key in answer}
    firefox.execute_script(
        "const knob = document.querySelector('#knob-rate'); knob.value = '250';"
        "knob.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    until(firefox, "return document.querySelector('.knob.changed #knob-rate') !== null")
    until(firefox, "return location.hash.includes('rate')")
    assert firefox.errors == []


def test_a_capture_is_read(firefox: Firefox, address: str, capture: Path) -> None:
    firefox.get(f"{address}#/capture")
    until(firefox, "return document.querySelector('#capture-file') !== null")
    firefox.choose_file("#capture-file", capture)
    until(firefox, "return document.querySelector('.results')?.hidden === false")
    # The last one may have been cut off by the end of the recording, so it does not count.
    assert "Trigger → Done: 59 triggers, 59 delivered" in text_of(firefox, ".results")
    until(firefox, "return document.querySelector('.results svg, .results canvas') !== null")
    assert firefox.errors == []


def test_a_radio_is_chosen(firefox: Firefox, address: str) -> None:
    links = "links=nrf24-2m+ble-nus-notify+lora-sf7-250k"
    firefox.get(f"{address}#/choose?size=32&deadline=20ms&region=eu&budget=3s&{links}")
    until(firefox, "return document.querySelector('.summary.final') !== null")
    cells = firefox.execute_script(
        "return [...document.querySelectorAll('.matrix .cell')].map(one => one.textContent)"
    )
    assert any("fails" in cell for cell in cells)
    assert any("passes" in cell for cell in cells)
    assert firefox.errors == []


def test_load_is_drawn_and_back_leads_back(firefox: Firefox, address: str) -> None:
    firefox.get(f"{address}#/load?link=nrf24-2m&link=espnow-woken&count=200&loads=20,100,2000")
    until(firefox, "return document.querySelectorAll('svg.chart g.curve').length === 2")
    firefox.execute_script("document.querySelector('[data-view=choose]').click()")
    until(firefox, "return location.hash.startsWith('#/choose')")
    firefox.back()
    until(firefox, "return location.hash.startsWith('#/load')")
    assert firefox.errors == []


def test_one_file_answers_without_a_server(firefox: Firefox, capture: Path) -> None:
    if not PAGE.exists():
        absent("no studio as one file: make studio")
    firefox.get(f"{PAGE.as_uri()}#/packet?link=nrf24-2m&size=12")
    until(firefox, "return document.body.textContent.includes('delivered of')")
    firefox.execute_script("document.querySelector('[data-view=capture]').click()")
    until(firefox, "return document.querySelector('#capture-file') !== null")
    firefox.choose_file("#capture-file", capture)
    until(firefox, "return document.querySelector('.results')?.hidden === false")
    assert firefox.errors == []
