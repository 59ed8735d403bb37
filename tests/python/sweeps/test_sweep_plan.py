"""Which runs a sweep has: every one a function of its number."""

from __future__ import annotations

import re
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from told_sweeps import changed

from airlag.questions.sweeps.file import SweepError, load, sweep_of
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.run import in_memory

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "sweeps.md"
SWEEPS = ROOT / "campaigns" / "sweeps"

GRID: dict[str, Any] = {
    "links": ["nrf24-2m", "espnow"],
    "sizes": [12, 32],
    "replications": 3,
    "set": {"range": ["1m", "20m"], "environment": ["office", "home"]},
}
BLE = {"links": ["ble-nus-notify"], "sizes": 12}


def test_the_last_turns_quickest_and_seeds_are_paired() -> None:
    sweep = sweep_of(GRID, "grid")
    assert (sweep.configurations, sweep.runs) == (16, 48)
    tasks = [sweep.task(run) for run in range(sweep.runs)]
    told = [
        (each.request.link, *each.request.settings.values(), each.request.size, each.request.seed)
        for each in tasks
    ]
    links = [block.link for block in sweep.blocks]
    assert told == [*product(links, ["1m", "20m"], ["office", "home"], [12, 32], [1, 2, 3])]
    assert [each.run for each in tasks] == list(range(48))


def test_seeds_that_are_not_paired_are_all_different() -> None:
    sweep = sweep_of(changed(GRID, paired=False, seed=7), "grid")
    assert [sweep.task(run).request.seed for run in range(sweep.runs)] == list(range(7, 55))


def test_what_is_sent_is_turned_like_a_parameter() -> None:
    asked = changed(BLE, period=["50ms", "1s"], count=[10, 20], phase="frozen", traffic="echo")
    sweep = sweep_of(asked, "sent")
    requests = [sweep.task(run).request for run in range(sweep.runs)]
    assert [(each.count, each.period_ns) for each in requests] == [
        (10, 50_000_000), (10, 10**9), (20, 50_000_000), (20, 10**9),
    ]  # fmt: skip
    assert {(each.phase, each.traffic) for each in requests} == {("frozen", "echo")}


def test_ranges_are_steps_or_points() -> None:
    interval = {"from": "7.5ms", "to": "12ms", "step": "1.25ms"}
    points = {"from": 1, "to": "100m", "points": 5, "scale": "log"}
    sweep = sweep_of(changed(BLE, set={"connection_interval": interval, "range": points}), "r")
    told = [tuple(sweep.sets(nth)[1].values())[:2] for nth in range(sweep.configurations)]
    ranges = ["1", "3.16228", "10", "31.6228", "100"]
    assert told == [*product(["7500", "8750", "10000", "11250"], ranges)]


@pytest.mark.parametrize("kind", ["sobol", "halton", "latin-hypercube"])
def test_a_design_fills_its_space_evenly_and_again_the_same(kind: str) -> None:
    over = {
        "connection_interval": {"from": "7.5ms", "to": "47.5ms", "step": "1.25ms"},
        "range": {"from": 1, "to": 100, "scale": "log"},
        "phy": ["1M", "2M"],
    }
    asked = changed(BLE, design={"kind": kind, "points": 64, "seed": 3, "over": over})
    sweep = sweep_of(asked, "design")
    points = [sweep.sets(nth)[1] for nth in range(sweep.configurations)]
    assert len(points) == 64
    intervals = [int(point["connection_interval"]) for point in points]
    assert all((each - 7500) % 1250 == 0 and 7500 <= each <= 47_500 for each in intervals)
    # By halves, to within what a tenth of the points is; chance does worse in one of a hundred.
    assert abs(sum(float(point["range"]) < 10 for point in points) - 32) <= 6
    assert abs(sum(point["phy"] == "1M" for point in points) - 32) <= 6
    assert points == [sweep_of(asked, "design").sets(nth)[1] for nth in range(64)]
    asked["design"]["seed"] = 4
    assert points != [sweep_of(asked, "design").sets(nth)[1] for nth in range(64)]


def test_what_the_page_shows_is_a_sweep() -> None:
    first, *others = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    sweep = sweep_of(tomllib.loads(first), "page")
    assert (sweep.configurations, sweep.most) == (12, 3)
    assert len(others) == 2
    for other in others:
        asked = tomllib.loads(first) | tomllib.loads(other) | {"set": {"environment": "office"}}
        asked = changed(asked, links="ble-nus-notify", sizes=None, replications=None)
        assert sweep_of(asked, "page").configurations in (256, 1)


@pytest.mark.parametrize("name", ["range", "neighbours"])
def test_a_table_that_is_kept_is_of_its_sweep(name: str) -> None:
    sweep = load(SWEEPS / f"{name}.toml")
    kept = pl.read_csv(SWEEPS / f"{name}.csv")
    assert kept["link"].to_list() == [sweep.sets(nth)[0] for nth in range(sweep.configurations)]
    turned = next(each for each in ("range", "neighbours") if each in kept.columns)
    sets = [sweep.sets(nth)[1][turned] for nth in range(sweep.configurations)]
    assert [str(each or "").removesuffix(".0") for each in kept[turned]] == sets


@pytest.mark.parametrize(
    ("module", "others", "right"),
    [
        (
            "scipy.stats.qmc",
            {"design": {"points": 2, "over": {"range": {"from": 1, "to": 2}}}},
            "airlag[sweep]",
        ),
        ("distributed", {}, "airlag[dask]"),
    ],
)
def test_what_is_not_installed_is_told(
    module: str, others: dict[str, Any], right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises((SweepError, PoolError), match=re.escape(f"pip install '{right}'")):
        in_memory(sweep_of(changed(BLE, **others), "bare"), "tcp://127.0.0.1:1")


RANGE = {"from": 1, "to": 2}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a key": ({"size": 12}, "no key `size`; did you mean `sizes`?"),
    "a link": ({"links": ["nrf24-2n"]}, "no link `nrf24-2n`; did you mean `nrf24-2m`?"),
    "a parameter": ({"set": {"rnge": 3}}, "[set]: ble-nus-notify: no parameter `rnge`; did you"),
    "a value": ({"set": {"phy": ["3M"]}}, "`phy`"),
    "an empty grid": ({"set": {"phy": []}}, "`phy` has no values"),
    "no sizes": ({"sizes": []}, "`size` has no values"),
    "a size": ({"sizes": ["many"]}, "write whole numbers of bytes"),
    "both": ({"set": {"range": RANGE | {"step": 1, "points": 2}}}, "either `step` or `points`"),
    "neither": ({"set": {"range": RANGE}}, "either `step` or `points`"),
    "down": ({"set": {"range": {"from": 9, "to": 1, "step": 1}}}, "from 9 to 1 is not ascending"),
    "a log from 0": (
        {"set": {"range": {"from": 0, "to": 9, "points": 3, "scale": "log"}}},
        "must start above 0",
    ),
    "a unit": (
        {"set": {"range": {"from": "1kg", "to": 9, "points": 3}}},
        "`from` cannot be '1kg'; write a number in m",
    ),
    "words in a range": ({"set": {"phy": RANGE | {"points": 2}}}, "list them"),
    "a design": (
        {"design": {"kind": "sobel", "points": 4, "over": {"range": RANGE}}},
        "[design]: no kind `sobel`; did you mean `sobol`?",
    ),
    "points of Sobol": (
        {"design": {"points": 100, "over": {"range": RANGE}}},
        "write 64 or 128",
    ),
    "twice": (
        {"set": {"range": 3}, "design": {"points": 4, "over": {"range": RANGE}}},
        "`range` is in both [set] and [design]",
    ),
    "seeds": ({"seeds": [1], "replications": 3}, "exclude each other"),
    "two ends": ({"replications": 3, "stop": {"within": "5%"}}, "exclude each other"),
    "how narrow": ({"stop": {"within": "5"}}, "a share or a time"),
    "a quantile": ({"stop": {"within": "5%", "quantile": "p98"}}, "no quantile `p98`; did you"),
    "a period": ({"period": "9"}, "`period`: '9' has no unit"),
    "traffic": ({"traffic": "both"}, "no traffic `both`"),
    "too much": (
        {
            "sizes": {"from": 1, "to": 1_000_000, "step": 1},
            "set": {"range": {"from": 1, "to": 1_000_000, "step": 1}},
        },
        "1 000 000 000 000 configurations with 1 replications are 1 000 000 000 000 runs",
    ),
    "too many transfers": (
        {"transfers": True, "sizes": {"from": 1, "to": 10**6, "step": 1}},
        "too",
    ),
    "no message": ({"links": ["gpio-*"]}, "no message, so `sizes` does not apply"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_swept_is_told_in_one_line(name: str) -> None:
    others, said = REFUSED[name]
    with pytest.raises(SweepError) as told:
        sweep_of(changed(BLE, **others), "bad")
    assert said in str(told.value)
    assert "\n" not in str(told.value)
