"""``airlag explain`` on the command line: attribution of time, and advice."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import numpy as np
import pytest
from told import Airlag

from airlag import save
from airlag.cli.explain import LETTERS
from airlag.core import payload
from airlag.core.answered import ask
from airlag.core.types import SliceClass
from airlag.questions import budget
from airlag.questions.bench import Request, emulate
from airlag.views.pages import theme
from airlag.views.pages.theme import COLOURS, INK_ON, MEANING
from traces import beyond_all_links, logic2_csv

#: One profile of each kind.
KINDS = ("gpio-stm32-ll-o3", "uart-115200-dma", "nrf24-2m", "lora-sf7-250k")


def explained(airlag: Airlag, *arguments: Any) -> dict[str, Any]:
    told = airlag("explain", "--json", *arguments)
    assert (told.code, told.err) == (0, "")
    (one,) = json.loads(told.out)
    assert isinstance(one, dict)
    return one


@pytest.mark.parametrize("link", KINDS)
def test_slices_add_up_and_stand_on_the_floor(link: str, airlag: Airlag) -> None:
    asked = [] if payload.of(link, 128) is None else ["--size", "128"]
    told = explained(airlag, link, *asked)
    spent, floor = told["budget"], told["floor"]
    assert sum(item["total_ns"] for item in spent["items"]) == spent["total_ns"]
    assert spent["total_ns"] == pytest.approx(spent["mean_ns"] * spent["n"])
    for name in ("median", "p99"):
        one = spent[name]
        assert sum(part["ns"] for part in one["parts"]) == one["latency_ns"]
        assert one["latency_ns"] >= floor["ns"]
        fixture = [part["ns"] for part in one["parts"] if part["class"] == "fixture"]
        assert sum(fixture) == one["fixture_ns"] > 0
        assert all(part["class"] != "other" for part in one["parts"])
    assert floor["ns"] == sum(term["count"] * term["each_ns"] for term in floor["terms"])


def test_the_run_is_the_one_airlag_run_makes(airlag: Airlag) -> None:
    told = explained(airlag, "nrf24-2m", "--size", "128", "--seed", "4")
    (run,) = json.loads(airlag("run", "nrf24-2m", "--size", "128", "--seed", "4", "--json").out)
    assert {key: told[key] for key in run} == run


def test_a_gain_is_what_a_run_with_the_setting_says(airlag: Airlag) -> None:
    advice = explained(airlag, "nrf24-2m", "--size", "128", "--seed", "2")["advice"]
    for change in [advice["single"][0], advice["combined"][-1], advice["trades"][0]]:
        settings = [f"--set={name}={value}" for name, value in change["settings"].items()]
        arguments = ("nrf24-2m", "--size", "128", "--seed", "2", *settings)
        (run,) = json.loads(airlag("run", "--json", *arguments).out)
        for name in ("p50", "p99"):
            assert run["latency_ns"][name] == change[f"{name}_ns"]["b"]
        assert change["floor_ns"] == explained(airlag, *arguments)["floor"]["ns"]


def test_the_same_seed_gives_the_same_words(airlag: Airlag) -> None:
    once, twice = (airlag("explain", "nrf24-2m") for _ in range(2))
    assert once == twice
    assert once.out != airlag("explain", "nrf24-2m", "--seed", "2").out


def test_the_terminal_tells_timelines_floor_and_what_to_turn_first(airlag: Airlag) -> None:
    told = airlag("explain", "nrf24-2m", "--size", "128")
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert max(map(len, lines)) <= 80
    for title in ("mean", "median", "p99"):
        (bar,) = [line for line in lines if re.match(rf"  {title} .*[▒█]{{2}}", line)]
        assert bar.endswith(" ms")
    assert "floor  1.645 ms: 4 × 130.0 us settle" in told.out
    assert "→ best change: --set flush_after_read=false\n  p99 " in told.out
    assert "~ at a cost: --set acknowledge=false" in told.out
    # Of three values of one parameter only the best.
    assert told.out.count("alternative: --set retransmit_delay=") == 1


@pytest.mark.parametrize("kind", ["svg", "html"])
def test_a_picture_has_the_advice_of_the_terminal(airlag: Airlag, folder: Path, kind: str) -> None:
    told = airlag("explain", "nrf24-2m", "--size", "128", "-o", f"packet.{kind}")
    assert told.code == 0
    drawn = " ".join(
        re.sub(r"<[^>]*>", " ", (folder / f"packet.{kind}").read_text("utf-8")).split()
    )
    for line in re.findall(r"^[→~] (.*)", told.out, re.MULTILINE):
        lead, settings = line.split(": ", 1)
        assert lead in drawn
        assert settings in drawn
    assert "With these changes, the median is" in drawn
    assert drawn.count("--set") == told.out.count("--set")


def test_the_median_can_be_asked_for_instead(airlag: Airlag) -> None:
    told = airlag("explain", "nrf24-2m", "--size", "128", "--for", "median")
    assert re.search(r"→ best change: --set window=2\n  p50 ", told.out)


def test_a_kept_run_is_repeated_and_checked(airlag: Airlag, folder: Path) -> None:
    arguments = ("nrf24-2m", "--size", "12", "--count", "50", "--seed", "9", "--phase", "frozen")
    assert airlag("run", *arguments, "--set", "payload=exact", "-o", "kept.parquet").code == 0
    told = explained(airlag, "kept.parquet")
    assert (told["triggers"], told["seed"], told["stimulus"]["phase"]) == (50, 9, "frozen")
    assert told["floor"]["terms"][1]["name"] == "air, 12 B"
    # Its edges are the evidence: other ones are not explained by this bench.
    run = emulate(Request("nrf24-2m", 12, 50))
    changed = {**run.config, "settings": {"rate": "250"}}
    object.__setattr__(run, "config", changed)
    save(run, folder / "strange.parquet")
    told_off = airlag("explain", "strange.parquet")
    assert (told_off.code, told_off.out) == (2, "")
    assert "strange.parquet: this version of airlag gives different edges" in told_off.err
    assert told_off.err.count("\n") == 1


def test_a_kept_run_is_read_within_the_memory_limit(airlag: Airlag) -> None:
    arguments = ("gpio-stm32-ll-o3", "--count", "10000")
    assert airlag("run", *arguments, "-o", "kept.parquet").code == 0
    told_off = airlag("explain", "kept.parquet", "--memory", "1MiB")
    assert told_off.code == 2
    assert "raise it with --memory" in told_off.err


def test_a_capture_is_matched_and_the_link_that_explains_it_is_explained(
    airlag: Airlag, folder: Path
) -> None:
    asked = Request("nrf24-2m", 128, 120, 20_000_000, "frozen", seed=3)
    made = emulate(asked)
    save(replace(made, seed=None, link=None, config={}), folder / "nrf24-128B.parquet")
    told = airlag("explain", "nrf24-128B.parquet", "--json")
    assert (told.code, told.err) == (0, "")
    (only,) = json.loads(told.out)
    assert only["link"].startswith("nrf24-2m")
    assert only["match"]["link"] == only["link"]
    # The source of a saved run is what it was made from.
    assert (only["size"], only["match"]["source"]) == (128, "nrf24-2m")
    # It is run at the period of the capture.
    assert abs(only["stimulus"]["period_ns"] - 20_000_000) < 1_000
    assert only["budget"]["items"]


def test_a_capture_that_no_link_explains_says_why(
    airlag: Airlag, capture: Path, folder: Path
) -> None:
    logic2_csv(folder / "fast.csv", beyond_all_links())
    assert airlag("analyze", "fast.csv", "-o", "kept.parquet").code == 0
    for name, reason in (
        ("kept.parquet", "profiles and sizes can produce this latency"),
        (str(capture), "profiles and sizes explains the capture"),
    ):
        told = airlag("explain", name)
        assert (told.code, told.out) == (2, "")
        assert reason in told.err
        assert told.err.count("\n") == 1


def test_a_picture_leaves_no_ink_dark_on_a_dark_page(airlag: Airlag, folder: Path) -> None:
    assert airlag("explain", "nrf24-2m", "-o", "packet.svg").code == 0
    root = ElementTree.fromstring((folder / "packet.svg").read_text("utf-8"))
    (style,) = root.iter("{http://www.w3.org/2000/svg}style")
    assert style.text is not None
    assert style.text.startswith("@media(prefers-color-scheme:dark){svg>rect{fill:#1e1e1e}")
    used = {each.get(what) for each in root.iter() for what in ("fill", "stroke")}
    assert {theme.INK, theme.QUIET} <= used
    for ink in (theme.INK, theme.QUIET, theme.GRID):
        assert f'[fill="{ink}"]' in style.text
        assert f'[stroke="{ink}"]' in style.text
    # What a slice is stays the same colour everywhere.
    assert not any(colour in style.text for colour in COLOURS.values())


@pytest.mark.parametrize("suffix", ["svg", "png", "html"])
def test_a_picture_is_the_same_bytes_twice(suffix: str, airlag: Airlag, folder: Path) -> None:
    names = [f"{name}.{suffix}" for name in ("once", "twice")]
    for name in names:
        assert airlag("explain", "nrf24-2m", "-o", name).code == 0
    once, twice = ((folder / name).read_bytes() for name in names)
    assert once == twice
    if suffix == "png":
        assert once.startswith(b"\x89PNG")
        return
    text = once.decode()
    assert ">broken acknowledgement<" in text
    assert COLOURS["medium"] in text
    assert "from trigger to strobe, ms" in text
    assert ("http:" in text.replace("http://www.w3.org", "")) is False


def test_every_class_has_a_colour_a_letter_and_a_meaning() -> None:
    for known in (COLOURS, LETTERS, MEANING, INK_ON):
        assert sorted(known) == sorted(get_args(SliceClass))
    assert len(set(COLOURS.values())) == len(set(LETTERS.values())) == len(COLOURS)


def test_a_link_that_delivers_nothing_has_no_budget(airlag: Airlag) -> None:
    arguments = ("nrf24-2m", "--size", "12", "--set", "frame_loss=1")
    told = explained(airlag, *arguments)
    assert (told["budget"], told["advice"], told["delivered"]) == (None, None, 0)
    assert "nothing to explain" in airlag("explain", *arguments).out
    drawn = airlag("explain", *arguments, "-o", "packet.svg")
    assert drawn.code == 2
    assert "nothing to draw" in drawn.err


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["nrf24-2n"], "did you mean `nrf24-2m`"),
        (["none.parquet"], "none.parquet: No such file or directory"),
        (["nrf24-2m", "--size", "3"], "7 to 2048 bytes, not 3"),
        (["nrf24-2m", "--set", "chanel=3"], "did you mean `channel`"),
        (["nrf24-2m", "--for", "fun"], "write median or tail"),
        (["nrf24-2m", "-o", "packet.txt"], "end it with .svg, .png or .html for a chart"),
        (["none.parquet", "--seed", "3"], "--seed applies to a link"),
    ],
)
def test_what_cannot_be_explained_gets_one_line_and_exit_code_2(
    arguments: list[str], remedy: str, airlag: Airlag
) -> None:
    told = airlag("explain", *arguments)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert remedy in told.err, told.err


def test_the_library_gives_what_the_command_prints() -> None:
    request = Request("nrf24-2m", 12, 40)
    told = budget.explain(request)
    assert told.budget is not None
    assert np.array_equal(told.run.latency_ns, emulate(request).latency_ns)
    latencies = np.sort(told.run.latency_ns)
    assert told.budget.median.latency_ns == latencies[19]
    assert told.budget.p99.latency_ns == latencies[39]
    assert int(told.run.latency_ns[told.budget.p99.index]) == latencies[39]
    with pytest.raises(ValueError, match="unknown variant `mode`, expected `median` or `tail`"):
        ask("advise", **{"link": "nrf24-2m", "size": 12, "for": "mode"})


@pytest.mark.parametrize(
    ("link", "asked", "told"),
    [
        ("gpio-stm32-ll-o3", [], "463.0 ns of the median (100 %)"),
        ("lorawan-eu868-confirmed", ["--size", "12"], "10.00 us of the median (less than 0.1 %)"),
    ],
)
def test_a_share_of_all_or_of_next_to_nothing_is_told_in_words_a_person_reads(
    link: str, asked: list[str], told: str, airlag: Airlag
) -> None:
    assert told in " ".join(airlag("explain", link, *asked).out.split())
