"""What was asked of a run: kept by what is saved, and by what one run is told from another."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import airlag
from airlag import _airlag
from airlag.cli.run_details import object_of
from airlag.core import payload, profiles
from airlag.core.answered import loads, reply_to
from airlag.questions.bench import Request, differing, emulate, emulate_ways, file_name, run_of
from airlag.questions.identity import RunSettings
from airlag.questions.runs import Run
from airlag.views.run_names import names

LINKS = _airlag.links()


def choices(link: str, name: str) -> list[str]:
    """The words that a constant may be, as the error about another says."""
    try:
        profiles.link(link, {name: "no such word"})
    except airlag.LinkError as error:
        return re.findall(r"[\w.-]+", str(error).rpartition("it is ")[2])
    return []


def other_values(link: str, name: str, value: Any) -> list[str]:
    """Texts a constant may be set to, and some that it may not."""
    match value:
        case bool():
            return ["true", "false"]
        case int():
            return [str(value), str(value + 1), str(value // 2), str(2 * value)]
        case float():
            return [str(value), str(value + 0.5), str(value / 2)]
    return choices(link, name)


@st.composite
def set_links(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A link and up to three of its constants, set so that it takes them."""
    link = draw(st.sampled_from(LINKS))
    constants = profiles.link(link)["parameters"]
    chosen = draw(st.lists(st.sampled_from(sorted(constants)), max_size=3, unique=True))
    found: dict[str, str] = {}
    for name in chosen:
        values = other_values(link, name, constants[name]["value"])
        found[name] = draw(st.sampled_from(values or [str(constants[name]["value"])]))
    if profiles.link(link)["medium"] == "air" and draw(st.booleans()):
        found["neighbours"] = draw(st.sampled_from(["same-link:1,10m", "same-link:2"]))
    try:
        profiles.link(link, found)
    except airlag.LinkError:
        assume(False)
    return link, found


def kept(run: Run, path: Path) -> Run:
    airlag.save(run, path)
    return airlag.analyze(path)


@given(asked=set_links(), name=st.sampled_from(["a.parquet", "12B-rate=3.parquet", "x.bin"]))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_settings_of_any_link_are_in_what_is_saved_and_in_what_is_read_again(
    asked: tuple[str, dict[str, str]], name: str
) -> None:
    link, changed = asked
    try:
        run = emulate(Request(link, payload.of(link, 12), 3, 10**9, settings=changed))
    except airlag.LinkError:
        # What each constant admits, the bench may still not build together.
        assume(False)
    told = differing(link, changed)
    with TemporaryDirectory() as folder:
        again = kept(run, Path(folder) / name)
    assert run.to_json()["settings"] == again.to_json()["settings"] == told
    before, after = RunSettings.of(run), RunSettings.of(again)
    assert before is not None
    assert before == after
    head = " ".join(before.head)
    assert all(f"{key}=" in head for key in told)


def test_both_ways_of_one_run_and_calls_read_back_as_they_were_asked_for(tmp_path: Path) -> None:
    there, back = emulate_ways(Request("uart-115200-dma", 12, 5, traffic="both"))
    again = [kept(run, tmp_path / f"{way}.parquet") for way, run in (("a", there), ("b", back))]
    assert [run.to_json()["way"] for run in again] == ["there", "back"]
    assert names(again) == names([there, back])
    assert names(again)[0] == "uart-115200-dma 12 B, both directions: there"
    call = emulate(Request("rpc-macos", 5, 5, traffic="rpc-echo"))
    assert kept(call, tmp_path / "call.parquet").to_json()["traffic"] == "rpc-echo"


def test_a_file_name_and_a_name_tell_the_same_runs_apart() -> None:
    asked = [
        Request("nrf24-2m", 12, settings={"rate": "250"}),
        Request("nrf24-2m", 12, settings={"rate": "1000"}),
        Request("nrf24-2m", 12, settings={"rate": "250"}, seed=2),
        Request("nrf24-2m", 12, settings={"rate": "250"}, phase="frozen"),
    ]
    assert len({file_name(each) for each in asked}) == len(asked)
    runs = [emulate(replace(each, count=5)) for each in asked]
    assert names(runs) == [
        "nrf24-2m 12 B, rate=250kbit/s, seed 1",
        "nrf24-2m 12 B, rate=1000kbit/s",
        "nrf24-2m 12 B, rate=250kbit/s, seed 2",
        "nrf24-2m 12 B, rate=250kbit/s, frozen phase",
    ]


def test_a_key_that_the_core_adds_to_a_run_is_printed_without_a_word_in_python() -> None:
    asked = Request("uart-115200-dma", 12, 5)
    reply = reply_to("run", **asked.to_json())
    (answer,) = loads(reply)
    run = run_of(asked, answer | {"novel_ns": 1.5}, reply)
    assert object_of(run, None) == {**object_of(emulate(asked), None), "novel_ns": 1.5}
