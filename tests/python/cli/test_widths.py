"""Output at 60, 80 and 120 columns, plain and in colour: the same complete content."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console
from told import Airlag

from airlag.cli.explain import PATTERNS, explanation
from airlag.questions.bench import Request
from airlag.questions.budget import explain
from airlag.views.pages.theme import COLOURS

SMALL = """
name = "small"
[[runs]]
links = ["nrf24-2m", "ieee802154-blind"]
sizes = [12, 128]
phases = ["frozen", "uniform"]
count = 40
"""
ASKED = """
name = "asked"
question = "How?"
x = "size"
y = "latency"
[[runs]]
links = ["nrf24-2m"]
sizes = [128, 12]
count = 40
set = { retransmit_count = 0, frame_loss = 0.3 }
"""

LOSSY = ("--set", "frame_loss=0.5", "--set", "retransmit_count=0")
COMMANDS = {
    "analyze": ["analyze", "good.csv"],
    "channels": ["channels", "good.csv"],
    "compare": ["compare", "good.csv", "good.csv"],
    "match": ["match", "good.csv", "--link", "gpio-stm32-ll-o3"],
    "run": ["run", "nrf24-2m", "--size", "12", "--count", "60", *LOSSY],
    "explain": ["explain", "nrf24-2m", "--size", "128"],
    "goodput": ["goodput", "nrf24-2m", "--size", "128", "--count", "60"],
    "load": ["load", "nrf24-2m", "--utilisation", "0.5,2", "--count", "60"],
    "recommend": ["recommend", "nrf24-2m", "sik-64k", "--deadline", "16.6ms"],
    "links": ["links", "--size", "128"],
    "link": ["links", "nrf24-2m"],
    "sensitivity": ["links", "gpio-stm32-ll-o3", "--sensitivity"],
    "campaign": ["campaign", "small.toml"],
    "question": ["campaign", "asked.toml"],
    "tunnel bench": ["tunnel", "bench", "--virtual", "--offered", "2M", "--for", "1s"],
    "rpc bench": ["rpc", "bench", "--platform", "macos"],
    "gains": ["rpc", "bench", "--gains", "--platform", "macos"],
}
#: Those among them that lose something, and show quantiles of what is left.
QUANTILES = ("analyze", "compare", "match", "run", "load", "question", "tunnel bench")
#: What tells nothing: a terminal's colours, and lines that are as long as there is room.
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def inputs(folder: Path, capture: Path) -> Path:
    del capture
    (folder / "small.toml").write_text(SMALL)
    (folder / "asked.toml").write_text(ASKED)
    return folder


def words(text: str) -> Counter[str]:
    """What is told, wherever lines end; bars are drawn to the width there is."""
    lines = [
        line for line in text.splitlines() if not re.match(r"  (mean|median|p99) +\S*[█▒░]", line)
    ]
    return Counter(" ".join(lines).split())


@pytest.mark.parametrize("name", COMMANDS)
def test_at_every_width_all_of_it_is_there_and_fits(
    name: str, airlag: Airlag, inputs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del inputs
    monkeypatch.setenv("COLUMNS", "250")
    wide = airlag(*COMMANDS[name])
    assert (wide.code, wide.err) == (0, "")
    for width in (60, 80, 120):
        monkeypatch.setenv("COLUMNS", str(width))
        told = airlag(*COMMANDS[name])
        # Of a record every value has the name of its column; a row has them once.
        assert not words(wide.out) - words(told.out), width
        assert "…" not in told.out
        assert max(map(len, told.out.splitlines())) <= width


@pytest.mark.parametrize("name", QUANTILES)
def test_quantiles_say_whether_they_are_of_all(name: str, airlag: Airlag, inputs: Path) -> None:
    del inputs
    told = " ".join(airlag(*COMMANDS[name]).out.split())
    assert "quantiles exclude losses" in told


def test_where_nothing_is_lost_nothing_is_said(airlag: Airlag) -> None:
    for whole, lossy in (
        (["run", "uart-115200-dma", "--size", "12", "--count", "60"], COMMANDS["run"]),
        (["load", "uart-115200-dma", "--utilisation", "0.3", "--count", "60"], COMMANDS["load"]),
    ):
        assert "exclude losses" in airlag(*lossy).out
        assert "exclude losses" not in airlag(*whole).out


def test_jitter_says_what_it_is(airlag: Airlag, inputs: Path) -> None:
    del inputs
    lines = airlag(*COMMANDS["analyze"]).out.splitlines()
    (place,) = (nth for nth, line in enumerate(lines) if line.endswith(" jitter"))
    assert lines[place + 1].endswith(" mean |Δ|")


def shown(system: str | None, *, width: int = 80) -> str:
    """A packet taken apart, on a terminal of so many colours."""
    console = Console(
        width=width,
        file=io.StringIO(),
        force_terminal=True,
        color_system=system,  # type: ignore[arg-type]
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(explanation(explain(Request("nrf24-2m", 12))))
    return captured.get()


def test_without_colours_kinds_of_slices_are_told_by_what_fills_them() -> None:
    assert len(set(PATTERNS.values())) == len(PATTERNS) == len(COLOURS)
    text = shown(None)
    assert "\x1b[38" not in text
    lines = text.splitlines()
    (bar,) = (line for line in lines if line.startswith("  median"))
    legend = " ".join(line for line in lines if "medium" in line or "radio settling" in line)
    for kind in ("fixture", "medium", "radio", "work", "bus"):
        assert PATTERNS[kind] in bar
    assert f"{PATTERNS['medium'] * 2} M on the medium" in legend
    # A name stands apart from what fills the slice.
    assert re.search(r"█ air █", bar)


@pytest.mark.parametrize("system", ["standard", "256", "truecolor"])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_colours_change_nothing_of_the_text_but_what_fills_the_bars(
    system: str, width: int
) -> None:
    def rest(text: str) -> list[str]:
        lines = [_COLOUR.sub("", line) for line in text.splitlines()]
        first = next(nth for nth, line in enumerate(lines) if line.strip().startswith("slice"))
        return [line.rstrip() for line in lines[first:]]

    coloured = shown(system, width=width)
    assert "\x1b[" in coloured
    assert rest(coloured) == rest(shown(None, width=width))
