"""Links tuned: as good as a grid, the same every time, and nothing that does not hold."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

import airlag
from airlag import LinkError
from airlag.cli import command_line
from airlag.questions.tuning.choosing import seeds_of, tune
from airlag.questions.tuning.objective import Objective, Scope
from airlag.questions.tuning.tuned import Tuned

LOSSY = Objective(
    link="nrf24-2m",
    size=32,
    minimise=("p99",),
    subject_to="loss<5%",
    over={"retransmit_delay": "250us..4ms", "retransmit_count": "0..15"},
    settings={"frame_loss": "0.1"},
    count=100,
    trials=40,
)


@pytest.fixture(scope="module")
def lossy() -> Tuned:
    return tune(LOSSY)


def test_what_is_found_is_as_good_as_the_best_of_a_grid_of_as_many_runs(lossy: Tuned) -> None:
    assert lossy.best is not None
    bench = LOSSY.bench(["p99"], LOSSY.subject_to)
    delays, counts = ("250us", "1ms", "2ms", "4ms"), ("1", "3", "5", "15")
    levels = (delays, counts, ("1", "3"), ("true", "false"))
    names = ("retransmit_delay", "retransmit_count", "window", "acknowledge")
    grid = [dict(zip(names, values, strict=True)) for values in itertools.product(*levels)]
    assert len(grid) <= lossy.runs
    fresh, seeds = seeds_of(LOSSY.seed)
    seen = bench.measure([(one, seeds[:1]) for one in grid])
    costs = {
        nth: one.values()["p99"]
        for nth, one in enumerate(seen)
        if one.refused is None and one.violation == 0
    }
    best = grid[min(costs, key=lambda nth: costs[nth])]
    (found,) = bench.measure([(best, fresh)])
    assert found.refused is None
    tuned = lossy.best.metrics["p99"].value
    assert tuned is not None
    assert tuned <= found.values()["p99"]


def test_it_is_told_beside_the_link_as_it_is_with_intervals(lossy: Tuned) -> None:
    assert lossy.best is not None
    assert lossy.best.refused is None
    before, after = (one.metrics["p99"] for one in (lossy.untuned, lossy.best))
    assert after.value is not None
    assert before.value is not None
    assert after.value < before.value
    loss = lossy.best.metrics["loss"]
    assert loss.high is not None
    assert loss.high < 0.05
    turned = {one.name: one for one in lossy.best.turned}
    assert turned["retransmit_delay"].profile == "1000us"
    # Nothing is turned that changes nothing, and nothing that a limit forbids.
    assert not {"reply", "poll_pause", "acknowledge"} & set(turned)


def test_the_command_runs_what_was_measured_under_the_first_fresh_seed(
    lossy: Tuned, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lossy.best is not None
    (first, *_), _ = seeds_of(LOSSY.seed)
    program, *words = lossy.command(lossy.best)
    assert program == "airlag"
    words += ["--count", str(LOSSY.count), "--seed", str(first), "--json"]
    assert command_line(words) == 0
    (run,) = json.loads(capsys.readouterr().out)
    (measured,) = LOSSY.bench(["mean", "max"]).measure([(lossy.best.settings, [first])])
    assert measured.refused is None
    assert measured.messages == run["triggers"]
    values = measured.values()
    assert values["max"] == run["latency_ns"]["max"]
    assert values["mean"] == pytest.approx(run["latency_ns"]["mean"])


def test_what_cannot_be_had_was_tried_and_is_not_returned(lossy: Tuned) -> None:
    refused = [one for one in lossy.tried if one.refused is not None]
    assert all(one.values["p99"] is None for one in refused)
    broken = [one for one in lossy.tried if not one.kept and one.refused is None]
    assert broken, "a limit has to matter"
    returned = [one.settings for one in lossy.found]
    assert not [one for one in (*refused, *broken) if one.settings in returned]


def test_the_same_seed_gives_the_same_bytes(lossy: Tuned) -> None:
    assert json.dumps(tune(LOSSY).to_json()) == json.dumps(lossy.to_json())


def test_a_setting_at_its_limit_is_turned_down(lossy: Tuned) -> None:
    assert lossy.best is not None
    loss = lossy.best.metrics["loss"].value
    assert loss is not None
    # The loss of the best setting is its limit now: 20 fresh seeds cannot tell it from more.
    at_limit = replace(
        LOSSY,
        over={one.name: f"{one.value}|{one.value}" for one in lossy.best.turned},
        settings={**LOSSY.settings, "window": "1"},
        subject_to=f"loss<{max(loss, 0.001)}%",
        trials=4,
    )
    told = tune(at_limit)
    assert not told.found
    assert all("loss" in (one.refused or "") for one in told.turned_down)


def test_where_nothing_keeps_a_limit_nothing_is_returned() -> None:
    told = airlag.tune("nrf24-2m", 32, minimise="p99", subject_to="p99<1us", count=20, trials=8)
    assert told.best is None
    assert not told.found
    assert "none of 8 settings" in repr(told)


def test_what_a_region_forbids_is_not_returned() -> None:
    told = airlag.tune(
        "lora-sf7-250k", 12, minimise="p99", region="eu", count=20, trials=16,
        frequency="868.1MHz", period="2s",
    )  # fmt: skip
    forbidden = [one for one in told.tried if (one.refused or "").startswith("eu: ")]
    assert forbidden
    assert not [one for one in forbidden if one.settings in [each.settings for each in told.found]]


def test_a_small_space_is_tried_whole() -> None:
    told = airlag.tune("ble-nus-notify", 12, minimise="p50", count=30, trials=50)
    assert told.combinations == len(told.tried) == 6
    assert Scope(link="ble-nus-notify", size=12).space(knobs=True).many == 6


def test_a_front_holds_nothing_that_another_one_covers() -> None:
    told = airlag.tune(
        "ble-nus-notify", 128, minimise="p50", maximise="goodput", count=30, trials=16,
        over="connection_interval=7.5ms..60ms",
    )  # fmt: skip
    pairs = []
    for one in told.found:
        fast, much = (one.metrics[name].value for name in ("p50", "goodput"))
        assert fast is not None
        assert much is not None
        pairs.append((fast, much))
    assert pairs == sorted(pairs)
    assert [much for _, much in pairs] == sorted(much for _, much in pairs)
    assert told.plot().to_dict()["layer"]


def test_a_study_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    optuna = pytest.importorskip("optuna")
    storage = f"sqlite:///{tmp_path / 'kept.db'}"
    over = {"connection_interval": "7.5ms..60ms", "latency": "0..4"}
    asked = Objective(
        link="ble-nus-notify", size=12, minimise=("p50",), over=over, count=20, trials=24
    )
    kept = replace(asked, storage=storage)
    tried = 0

    def stop(_: int) -> None:
        nonlocal tried
        tried += 1
        if tried == 16:
            raise InterruptedError("the plug was pulled")

    with pytest.raises(InterruptedError):
        tune(kept, stop)
    whole, resumed = tune(asked), tune(kept)
    assert [one.settings for one in resumed.tried] == [one.settings for one in whole.tried]
    assert resumed.found == whole.found
    names = optuna.get_all_study_names(storage)
    (study,) = (optuna.load_study(study_name=name, storage=storage) for name in names)
    finished = [trial for trial in study.trials if trial.state.is_finished()]
    assert len(finished) >= 24
    # Parameters are in the unit that was typed, and whole numbers where they are some.
    assert finished[0].params["connection_interval (ms)"] == 30.0
    assert isinstance(finished[0].params["latency"], int)
    with pytest.raises(LinkError, match="has another objective"):
        tune(replace(kept, seed=2, study=names[0]))
