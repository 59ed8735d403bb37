"""``airlag match``: captures compared with the virtual bench."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from told import Airlag

import airlag as library
from airlag.questions.bench import Request, emulate
from airlag.questions.matching import match, rank

LINK = "nrf24-2m"
SIDES = ("captured_ns", "virtual_ns")
#: From this many transfers on, two sets of one link are alike by more than chance.
ENOUGH = 48


@pytest.fixture
def virtual(folder: Path) -> Path:
    """``nrf24-128B.parquet``: a saved run of the bench, whose seed is 3."""
    run = emulate(Request(LINK, 128, count=120, period_ns=20_000_000, seed=3))
    library.save(run, folder / "nrf24-128B.parquet")
    return Path("nrf24-128B.parquet")


def matched(airlag: Airlag, *arguments: Any) -> dict[str, Any]:
    told = airlag("match", "--json", *arguments)
    assert (told.code, told.err) == (0, "")
    (only,) = json.loads(told.out)
    found: dict[str, Any] = only
    return found


def test_a_run_held_against_itself_is_no_distance_away(airlag: Airlag, virtual: Path) -> None:
    found = matched(airlag, virtual, "--link", LINK, "--seed", "3")
    assert (found["ks"], found["distance"], found["shape"]) == (0, 0, 0)
    assert (found["link"], found["size"], found["fitted"]) == (LINK, 128, [])
    assert found["captured"] == found["virtual"]
    assert set(found["quantile_error"]) == {"p1", "p25", "p50", "p75", "p99"}
    assert all(error["error_ns"] == 0 for error in found["quantile_error"].values())


def test_the_same_seed_gives_the_same_match_and_another_a_near_one(
    airlag: Airlag, virtual: Path
) -> None:
    once = matched(airlag, virtual, "--link", LINK)
    assert once == matched(airlag, virtual, "--link", LINK)
    assert 0 < once["ks"] < 2 * once["ks_chance"]


def test_without_a_link_the_one_it_came_from_is_first(airlag: Airlag, virtual: Path) -> None:
    found = matched(airlag, virtual)
    # With 128 B every chunk is full: padding changes nothing.
    assert found["link"] in (LINK, f"{LINK}-raw")
    assert found["reason"] is None
    assert found["ranking"][0]["link"] == found["link"]
    assert found["certainty"] in ("clear", "likely")
    assert 0.8 <= found["odds"] <= 1
    assert found["ranking"][0]["score"] <= found["tolerance"]
    assert sum(found["evidence"].values()) <= found["ranking"][0]["score"] + 1e-9
    for each in found["ranking"]:
        assert each["explains"] == ("does not explain" not in each["verdict"])
        assert (
            each["ks"] <= 10 * each["ks_chance"] or "explains the capture:" not in each["verdict"]
        )
    told = airlag("match", virtual)
    assert (told.code, told.err) == (0, "")
    assert LINK in told.out
    assert found["certainty"] in told.out


def test_a_capture_of_no_known_link_is_explained_by_none(airlag: Airlag, capture: Path) -> None:
    told = airlag("match", "--json", capture, "--max-ks", "0.9")
    assert (told.code, told.err) == (1, "")
    (found,) = json.loads(told.out)
    assert found["link"] is None
    assert found["ks"] is None
    assert not any(each["explains"] for each in found["ranking"])
    assert found["impossible"] + found["unlike"] + len(found["ranking"]) > 0
    assert (found["certainty"], found["odds"], found["evidence"]) == (None, None, None)


def test_a_capture_of_none_of_some_links_says_why(airlag: Airlag, capture: Path) -> None:
    some = ("match", capture, "--among", "nrf24-*", "--among", "thread-*")
    told = airlag(*some)
    assert (told.code, told.err) == (0, "")
    (found,) = json.loads(airlag(*some, "--json").out)
    assert found["reason"] in " ".join(told.out.split())
    assert found["link"] is None


def test_the_summary_names_both_sides(airlag: Airlag, virtual: Path) -> None:
    told = airlag("match", virtual, "--link", LINK, "--seed", "3")
    assert (told.code, told.err) == (0, "")
    found = matched(airlag, virtual, "--link", LINK, "--seed", "3")
    assert (found["free"], found["ks"]) == (0, 0)
    middle = found["quantile_error"]["p50"]
    for word in (LINK, "128 B", "KS 0.000", *(f"{middle[of] / 1e6:.3f}" for of in SIDES)):
        assert word in told.out, told.out
    assert all(len(line) <= 80 for line in told.out.splitlines())


def test_a_fitted_value_is_told_and_a_set_one_is_not_fitted(airlag: Airlag, folder: Path) -> None:
    settings = {"ring_start": "8"}
    run = emulate(Request("uart-115200-dma", 12, 60, 5_000_000, "frozen", settings=settings))
    library.save(run, folder / "dma-12B.parquet")
    found = matched(airlag, "dma-12B.parquet", "--link", "uart-115200-dma")
    (fitted,) = found["fitted"]
    assert (fitted["name"], fitted["unit"], fitted["value"]) == ("ring_start", "B", 8)
    told = airlag("match", "dma-12B.parquet", "--link", "uart-115200-dma")
    assert found["free"] == 1
    assert "ring_start" in told.out
    fixed = matched(airlag, "dma-12B.parquet", "--link", "uart-115200-dma", "--set", "ring_start=8")
    assert (fixed["free"], fixed["fitted"], fixed["ks"]) == (0, [], 0)


def test_the_virtual_transfers_are_kept_and_name_the_capture(airlag: Airlag, virtual: Path) -> None:
    told = airlag("match", virtual, "--link", LINK, "-o", "kept.parquet", "--json")
    assert (told.code, told.err) == (0, "airlag: wrote kept.parquet\n")
    kept = library.analyze("kept.parquet")
    assert (kept.link, kept.size, kept.seed) == (LINK, 128, 1)
    assert kept.config["capture"] == LINK
    assert len(kept.outcome) == 120
    assert pl.read_parquet("kept.parquet").height == 120


@pytest.mark.parametrize("kind", ["svg", "png", "html"])
def test_both_sides_are_drawn_one_above_the_other(airlag: Airlag, virtual: Path, kind: str) -> None:
    picture = Path(f"both.{kind}")
    told = airlag("match", virtual, "--link", LINK, "-o", picture)
    assert (told.code, told.err) == (0, "")
    drawn = picture.read_bytes()
    if kind == "png":
        assert drawn.startswith(b"\x89PNG")
        return
    found = matched(airlag, virtual, "--link", LINK)
    assert found["verdict"].split(":")[0] in drawn.decode()
    assert f"{LINK} 128 B" in drawn.decode()


def test_too_far_is_a_failure_only_when_asked(airlag: Airlag, virtual: Path) -> None:
    far = ("match", virtual, "--link", "nrf24-250k")
    assert airlag(*far).code == 0
    assert airlag(*far, "--max-ks", "0.1").code == 1
    assert airlag("match", virtual, "--link", LINK, "--max-ks", "0.3").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--link", "nrf24-2mb"], "no link `nrf24-2mb`; did you mean `nrf24-2m`?"),
        (["--link", LINK], "unknown payload; specify it, such as --size"),
        (["--link", LINK, "--size", "4000"], "a message has"),
        (["--link", LINK, "--size", "12", "--set", "ratee=2000"], "did you mean `rate`?"),
        (["--set", "rate=2000"], "--set is for one link profile"),
        (["-o", "run.parquet"], "-o is for one link profile"),
        (["--link", LINK, "--size", "12", "-o", "run.txt"], "end it with .parquet"),
        (["--max-ks", "2"], "is not a valid KS distance"),
        (["--except", "nrf42-*"], "no link `nrf42-*`; did you mean `nrf24-2m`?"),
        (["--among", "sik-64"], "no link `sik-64`; did you mean `sik-64k`?"),
        (["--except", "*"], "all links are excluded"),
        (["--among", "sik-*", "--except", "sik-64k"], "all links are excluded"),
        (["--link", LINK, "--size", "12", "--except", "ble-*"], "omit --link or --except"),
        (["--count", "0"], "not a valid number of triggers"),
    ],
)
def test_what_cannot_be_matched_is_one_line(
    airlag: Airlag, capture: Path, arguments: list[str], said: str
) -> None:
    told = airlag("match", capture, *arguments)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    assert told.err.count("\n") == 1


def test_one_chooses_among_some_links_or_leaves_some_out(airlag: Airlag, virtual: Path) -> None:
    among = matched(airlag, virtual, "--among", "nrf24-*", "--among", "gpio-*")
    named = {each["link"] for each in among["ranking"]}
    assert LINK in named
    assert all(name.startswith(("nrf24-", "gpio-")) for name in named)
    left = matched(airlag, virtual, "--among", "nrf24-*", "--except", "nrf24-2m*")
    assert {each["link"] for each in left["ranking"]} <= {"nrf24-250k", "nrf24-250k-raw"}
    # As it is it takes too long; set to the rate of the one left out, it is that one.
    assert list(left["settings"]) == ["rate"]


def test_a_match_against_one_link_explains_it_or_shows_what_does_not(
    airlag: Airlag, virtual: Path
) -> None:
    near = matched(airlag, virtual, "--link", LINK)
    assert near["explains"]
    assert sum(near["evidence"].values()) <= near["tolerance"]
    far = matched(airlag, virtual, "--link", "nrf24-250k")
    assert not far["explains"]
    assert far["ks"] > 0.9
    # It takes three times as long, and varies as much for its length.
    assert max(far["evidence"], key=far["evidence"].get) == "place"
    assert far["quantile_error"]["p50"]["error"] > 2
    told = " ".join(airlag("match", virtual, "--link", "nrf24-250k").out.split())
    assert far["verdict"] in told


def test_few_transfers_prove_little_either_way(airlag: Airlag, folder: Path) -> None:
    run = emulate(Request(LINK, 128, count=9, period_ns=20_000_000, seed=3))
    library.save(run, folder / "few-128B.parquet")
    for link in (LINK, "nrf24-250k"):
        found = matched(airlag, "few-128B.parquet", "--link", link)
        assert found["captured"]["delivered"] == 9 < ENOUGH
        # Two sets of so few differ by chance by more than a match may.
        assert found["ks_chance"] > found["tolerance"]
        assert f"{ENOUGH}" in found["verdict"]
    refused = matched(airlag, "few-128B.parquet", "--among", "lora-*")
    assert f"{ENOUGH}" in refused["reason"]


def test_a_table_of_latencies_has_nothing_to_repeat(airlag: Airlag, folder: Path) -> None:
    (folder / "table.csv").write_text("latency_ms\n" + "1.5\n" * 50)
    told = airlag("match", "table.csv", "--link", LINK, "--size", "12")
    assert told.code == 2
    assert "no triggers to replay" in told.err


def test_a_match_tells_how_far_it_is(virtual: Path) -> None:
    run = library.analyze(virtual)
    for ask in (
        lambda told: match(run, "espnow", on_progress=told),
        lambda told: rank(run, among=["nrf24-*", "espnow"], on_progress=told),
    ):
        heard = reported(ask)
        assert {of for _, of in heard} == {100}
        assert len(set(heard)) > 3
        assert 0 < max(heard)[0] <= 100


def reported(ask: Callable[[Callable[[int, int], None]], object]) -> list[tuple[int, int]]:
    """What long work reported: how much of how much."""
    heard: list[tuple[int, int]] = []
    ask(lambda done, of: heard.append((done, of)))
    return heard


def test_the_library_says_the_same(virtual: Path) -> None:
    run = library.analyze(virtual)
    found = match(run, LINK, seed=3)
    assert (found.ks, found.size, found.explains) == (0, 128, True)
    assert found.run is not None
    assert len(found.run.outcome) == 120
    best = rank(run, seed=3).best
    assert best is not None
    assert best.link.startswith(LINK)
