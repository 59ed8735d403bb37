"""Every public function, on links and captures that are small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest

import airlag
from airlag import Match, Outcome, Ranking, Run, Runs
from airlag.core import schemas
from airlag.questions import bench
from airlag.questions.bench import Request


def test_a_run_is_that_of_the_command_line(virtual: Run) -> None:
    asked = Request("nrf24-2m", 32, 60, seed=3, settings={"retransmit_delay": "750"})
    assert virtual.to_json() == bench.emulate(asked).to_json()
    assert virtual.config["settings"] == {"retransmit_delay": "750"}


def test_a_setting_as_the_profile_has_it_is_no_change() -> None:
    run = airlag.run("nrf24-2m", 32, count=20, window=1, retransmit_delay="1ms")
    assert run.config["settings"] == {}


def test_one_size_is_a_run_and_a_list_is_several() -> None:
    alone = airlag.run("nrf24-2m", size=np.int64(32), count=20)
    several = airlag.run("nrf24-2m", size=[32], count=20)
    assert isinstance(alone, Run)
    assert isinstance(several, Runs)
    assert [each.to_json() for each in several] == [alone.to_json()]
    both = airlag.run("nrf24-2m", size=(12, 32), count=20)
    assert [each.size for each in both] == [12, 32]
    assert both[-1].to_json() == alone.to_json()
    assert isinstance(both[:1], Runs)


def test_without_a_size_a_message_has_128_bytes_and_a_board_none() -> None:
    assert airlag.run("nrf24-2m", count=20).size == 128
    assert airlag.run("gpio-stm32-ll-o3", count=20).size is None


def test_traffic_both_ways_is_two_runs() -> None:
    there, back = airlag.run("espnow", 32, count=20, traffic="both")
    assert (there.config["way"], back.config["way"]) == ("there", "back")


def test_durations_are_text_or_time_differences() -> None:
    text = airlag.run("nrf24-2m", 32, count=20, period="50ms", phase="frozen")
    difference = airlag.run("nrf24-2m", 32, count=20, period=timedelta(milliseconds=50))
    assert text.config["period_ns"] == difference.config["period_ns"] == 50_000_000
    assert text.trigger_ns is not None
    assert set(np.diff(text.trigger_ns)) == {50_000_000}


def test_distance_and_neighbours_are_settings_like_others() -> None:
    run = airlag.run(
        "nrf24-2m",
        32,
        count=60,
        range="30m",
        environment="office",
        places=4,
        neighbours=["wifi:30%@ch6", "ble:1"],
    )
    assert run.config["settings"]["neighbours"] == "wifi:30%@ch6;ble:1"
    assert run.apart is not None
    assert (run.apart["range_m"], run.apart["environment"]) == (30.0, "office")
    assert run.apart["places"] is not None
    assert run.apart["places"]["count"] == 4


def test_a_sweep_is_a_row_a_run(virtual: Run) -> None:
    frame = airlag.sweep(
        "nrf24-2m", size=[12, 32], seeds=[3, 4], retransmit_delay=["750us", 1000], count=60
    )
    assert frame.height == 8
    assert frame.columns[:5] == ["source", "link", "retransmit_delay", "size", "seed"]
    assert frame["retransmit_delay"].to_list() == [750] * 4 + [1000] * 4
    assert frame["size"].to_list() == [12, 12, 32, 32] * 2
    assert frame["seed"].to_list() == [3, 4] * 4
    (row,) = frame.filter(size=32, seed=3, retransmit_delay=750).rows(named=True)
    assert virtual.latency is not None
    assert row["p50_ns"] == virtual.latency["p50"]
    assert row["p99_ns"] == virtual.latency["p99"]
    assert row["delivered"] == virtual.count(Outcome.DELIVERED)
    assert row["lost"] == virtual.count(Outcome.LOST)
    assert frame.equals(
        airlag.sweep(
            "nrf24-2m",
            size=range(12, 33, 20),
            seeds=np.array([3, 4]),
            retransmit_delay=np.array([750, 1000]),
            count=60,
        )
    )


def test_a_sweep_keeps_what_is_impossible_where_it_is_asked_to() -> None:
    frame = airlag.sweep(
        "ble-nus-notify", connection_interval=["7.5ms", "8ms"], count=20, impossible="keep"
    )
    assert frame["p50_ns"].is_null().to_list() == [False, True]
    assert frame.columns[-1] == "problem"
    assert frame["problem"][0] is None
    assert "multiple of 1.25 ms" in frame["problem"][1]


def test_an_explanation_is_of_a_link_a_run_or_a_file(virtual: Run, tmp_path: Path) -> None:
    airlag.save(virtual, tmp_path / "run.parquet")
    of_link = airlag.explain(
        "nrf24-2m", 32, seed=3, retransmit_delay="750us", advice=False, period="200ms"
    )
    of_run = airlag.explain(virtual, advice=False)
    of_file = airlag.explain(tmp_path / "run.parquet", advice=False)
    assert of_link.floor == of_run.floor == of_file.floor
    assert of_run.budget is not None
    assert of_file.budget == of_run.budget
    assert of_run.budget.total_ns == virtual.latency_ns.sum()
    assert of_run.run.to_json() == virtual.to_json()


def test_an_explanation_of_a_capture_is_of_the_link_that_explains_it(
    virtual: Run, tmp_path: Path
) -> None:
    path = tmp_path / "capture-32B.parquet"
    airlag.save(replace(virtual, seed=None, link=None, config={}), path)
    told = airlag.explain(path, advice=False, seed=3)
    assert told.match is not None
    assert told.match.best is not None
    assert told.run.link == told.match.best.link
    assert (told.run.size, told.run.seed) == (32, 3)
    again = airlag.explain(airlag.analyze(path), advice=False, seed=3)
    assert again.to_json() == told.to_json()


def test_advice_is_measured() -> None:
    told = airlag.explain("nrf24-2m", 32)
    assert told.advice is not None
    assert told.advice.tried > 0
    assert airlag.explain("nrf24-2m", 32, advice=False).advice is None


@pytest.mark.parametrize("command", ["explain", "compare", "goodput", "load", "links"])
def test_results_are_the_objects_of_the_schemas(command: str, virtual: Run, capture: Path) -> None:
    made: dict[str, Callable[[], Any]] = {
        "explain": lambda: airlag.explain("nrf24-2m", 32, window=2),
        "compare": lambda: airlag.compare(virtual, capture),
        "goodput": lambda: airlag.goodput("nrf24-2m", 32, count=50),
        "load": lambda: airlag.offered_load("nrf24-2m", 32, count=50, utilisations=[0.5]),
        "links": lambda: airlag.links()["nrf24-2m"],
    }
    schema = schemas.schema(command)
    jsonschema.validate([made[command]().to_json()], schema)


def test_a_match_is_of_one_link_and_a_ranking_of_all(virtual: Run) -> None:
    one = airlag.match(virtual, "nrf24-2m", count=60, retransmit_delay="750us")
    assert isinstance(one, Match)
    assert one.explains
    assert one.settings == {"retransmit_delay": "750"}
    assert one.capture is virtual
    all_of_them = airlag.match(virtual, count=60)
    assert isinstance(all_of_them, Ranking)
    assert all_of_them.candidates


def test_goodput_and_load_say_what_a_link_carries() -> None:
    told = airlag.goodput("nrf24-2m", 32, count=100)
    assert told.ceiling_kbps is not None
    assert 0 < told.kbps <= told.ceiling_kbps
    loaded = airlag.offered_load("nrf24-2m", 32, count=100, utilisations=[0.3, 0.9])
    assert [point.utilisation for point in loaded.points] == pytest.approx([0.3, 0.9])


def test_a_recommendation_judges_the_links_it_is_given() -> None:
    told = airlag.recommend("20ms", 32, links=["nrf24-2m", "lora-sf7-250k"], percentile=95)
    verdicts = {each.link: each.verdict for each in told.candidates}
    assert verdicts == {"nrf24-2m": "passes", "lora-sf7-250k": "fails"}
    assert told.task.deadline_ns == 20_000_000
    apart = airlag.recommend("20ms", 32, links="nrf24-2m", range=20, environment="office")
    assert apart.task.distance == "20m"


def test_links_are_found_by_pattern_and_by_name() -> None:
    assert len(airlag.links()) == len(airlag.links().to_polars())
    assert set(airlag.links("nrf24-*").names) == {
        name for name in airlag.links().names if name.startswith("nrf24-")
    }
    profile = airlag.links()["ble-nus-notify"]
    assert profile.parameters["connection_interval"]["unit"] == "us"
    frame = profile.to_polars()
    assert frame.filter(name="connection_interval")["value"].to_list() == ["30000"]


def test_a_report_takes_runs_and_files(virtual: Run, capture: Path, tmp_path: Path) -> None:
    page = airlag.report([virtual, capture], tmp_path / "report.html", title="Side by side")
    text = page.read_text()
    assert "<h1>Side by side</h1>" in text
    assert "lost-is-not-late" in text
    assert airlag.report(virtual, tmp_path / "run.svg").read_text().startswith("<svg")


def test_a_comparison_is_a_mapping_that_shows_itself(virtual: Run, capture: Path) -> None:
    told = airlag.compare(virtual, capture)
    assert told["a"] == "nrf24-2m"
    assert told["b"] == "lost-is-not-late.csv"
    assert dict(told) == told.to_json()
    assert told.comparable == told["comparable"]
    assert told.runs[0] is virtual
    frame = told.to_polars()
    assert frame["number"].to_list() == ["p50_ns", "p95_ns", "p99_ns", "delivery"]
    assert frame["difference"][0] == told["latency_ns"]["p50"]["difference"]


def test_channels_are_numbers_or_names(capture: Path) -> None:
    names = [wire.name for wire in airlag.channels(capture).wires]
    by_number = airlag.analyze(capture, trigger=0, completion=1)
    by_name = airlag.analyze(capture, trigger=names[0], completion=names[1])
    assert by_number.to_json() == by_name.to_json() == airlag.analyze(capture).to_json()
    turned = airlag.analyze(capture, trigger=0, completion=1, invert=[1])
    assert turned.latency_ns.sum() > by_number.latency_ns.sum()
    assert airlag.read(capture, channels=[1, names[0]]).names == [names[1], names[0]]
    inverted = airlag.read(capture, channels=[1], invert=[1])
    assert inverted.segments(0)[0][2] != airlag.read(capture, channels=[1]).segments(0)[0][2]
    with pytest.raises(airlag.CaptureError, match='no channel "9"'):
        airlag.read(capture, channels=[9])


def test_a_saved_run_is_paired_by_numbers_too(virtual: Run, tmp_path: Path) -> None:
    airlag.save(virtual, tmp_path / "run.parquet")
    again = airlag.analyze(tmp_path / "run.parquet", trigger=0, completion=1)
    assert again.latency_ns.tolist() == virtual.latency_ns.tolist()
    assert airlag.read(tmp_path / "run.parquet", channels=[1]).names == ["completion"]


def test_several_runs_are_one_frame(virtual: Run, capture: Path) -> None:
    frame = airlag.Runs([virtual, airlag.analyze(capture)]).to_polars()
    assert frame["retransmit_delay"].to_list() == [750, None]
    assert frame["link"].to_list() == ["nrf24-2m", None]
    assert frame["lost"].to_list() == [0, 6]
    assert frame.schema["p99_ns"] == pl.Float64
