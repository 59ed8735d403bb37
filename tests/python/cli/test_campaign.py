"""``airlag campaign``: a file of runs to a table and reports."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from told import Airlag

from airlag import analyze
from airlag.core import profiles, schemas
from airlag.core.quantity import number
from airlag.questions.campaign import load
from airlag.questions.demo import write_captures

ROOT = Path(__file__).resolve().parents[3]
SCHEMA: dict[str, Any] = schemas.schema("analyze")

#: Beside JSON.
WROTE = "airlag: wrote reports/small.html\n"

GOOD = """
name = "small"
seed = 3

[[runs]]
links = ["nrf24-2m", "gpio-*-o3"]
sizes = [12, 128]
phases = ["frozen", "uniform"]
count = 40

[[runs]]
links = ["lora-sf7-250k"]
sizes = [12]
count = 20
set = { disturbances = 0 }

[captures.nrf24-2m]
12 = "frozen-tick-1.csv"
128 = "not-at-hand.csv"
"""


@pytest.fixture
def small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("AIRLAG_CAPTURES", raising=False)
    (folder / "small.toml").write_text(GOOD)
    return Path("small.toml")


def test_the_table_has_a_line_for_each_link_and_payload(airlag: Airlag, small: Path) -> None:
    told = airlag("campaign", small)
    assert (told.code, told.err) == (0, "")
    rows = [line.split() for line in told.out.splitlines()]
    assert [row[:2] for row in rows if row[1:2] in (["12"], ["128"])] == [
        ["nrf24-2m", "12"],
        ["nrf24-2m", "128"],
    ]
    # What has no message stands there once, whatever sizes there are, and nothing heads a payload.
    (pin,) = (row for row in rows if row[:1] == ["gpio-stm32-ll-o3"])
    assert pin[1] == "—"
    assert ["gpio,", "us", "published"] in [row[:3] for row in rows]
    assert [row[:3] for row in rows if row[:1] == ["lora-sf7-250k"]] == [
        ["lora-sf7-250k", "disturbances=0", "12"]
    ]
    assert [row[:3] for row in rows if row[2:3] == ["B"]] == [
        ["nrf24,", "ms", "B"],
        ["lora,", "ms", "B"],
    ]
    assert rows[-1:] == [["reports/small.html"]]
    reports = {page.stem for page in Path("reports/small").iterdir()}
    assert reports == {"gpio", "gpio-frozen", "lora", "nrf24", "nrf24-frozen"}
    assert max(map(len, told.out.splitlines())) <= 110


def test_a_row_has_what_was_published_what_the_bench_gave_and_the_floor(
    airlag: Airlag, small: Path
) -> None:
    told = airlag("campaign", small)
    runs = json.loads(airlag("campaign", small, "--json").out)
    cells = next(line for line in told.out.splitlines() if line.startswith("nrf24-2m ")).split()
    of_row = [run for run in runs if (run["link"], run["size"]) == ("nrf24-2m", 12)]
    figures = [run["latency_ns"][p] for run in of_row for p in ("p50", "p99")]
    p50, p99, p50_uniform, p99_uniform = (number(figure / 1e6) for figure in figures)
    floor = number(of_row[0]["floor_ns"] / 1e6)
    assert cells[1:] == ["12", "0.4", p50, p99, "0", p50_uniform, p99_uniform, "0", floor]
    assert of_row[0]["floor_ns"] < min(figures)
    # Only triggers at any phase were asked for.
    lora = next(line for line in told.out.splitlines() if line.startswith("lora-")).split()
    assert lora[:2] == ["lora-sf7-250k", "disturbances=0"]
    assert lora[4:7] == ["—"] * 3


def test_a_capture_has_columns_of_its_own(
    airlag: Airlag, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_captures(folder)
    monkeypatch.setenv("AIRLAG_CAPTURES", str(folder))
    rows = [line.split() for line in airlag("campaign", small).out.splitlines()]
    assert rows[0][0] == "captured"
    by_size = {row[1]: row for row in rows if row[:1] == ["nrf24-2m"]}
    captured = analyze(folder / "frozen-tick-1.csv").latency
    assert captured is not None
    assert by_size["12"][3:6] == [*(number(captured[p] / 1e6) for p in ("p50", "p99")), "0"]
    assert by_size["128"][3:6] == ["—"] * 3


def test_matched_runs_stand_at_the_trigger_times_of_the_real_captures(
    airlag: Airlag, folder: Path, captures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "nrf24-2m": "nrf24/2Mbps-12B-padded.csv",
        "gpio-stm32-ll-o3": "gpio-fixture/ll-o3.csv",
    }
    (folder / "two.toml").write_text(
        f"[[runs]]\nlinks = {list(files)}\nsizes = [12]\ncount = 50\n[captures]\n"
        f'nrf24-2m = {{ 12 = "{files["nrf24-2m"]}" }}\n'
        f'gpio-stm32-ll-o3 = "{files["gpio-stm32-ll-o3"]}"\n'
    )
    monkeypatch.setenv("AIRLAG_CAPTURES", str(captures))
    told = airlag("campaign", "two.toml", "--match")
    assert (told.code, told.err) == (0, "")
    assert "as captured" in told.out.splitlines()[0]
    for run in json.loads(airlag("campaign", "two.toml", "--match", "--json").out):
        captured, matched = run["captured_ns"], run["matched_ns"]
        # The same thousand triggers, and every one arrived.
        assert matched["n"] == 1000
        row = next(line for line in told.out.splitlines() if line.startswith(run["link"])).split()
        unit = 1e6 if run["link"].startswith("nrf24") else 1e3
        if run["size"] is None:
            row.insert(1, "")
        for p50, p99, latency in ((3, 4, captured), (6, 7, matched), (9, 10, run["latency_ns"])):
            assert row[p50] == number(latency["p50"] / unit)
            assert row[p99] == number(latency["p99"] / unit)
        if run["link"] == "nrf24-2m":  # Its capture has a thousand triggers, no more.
            name = files[run["link"]]
            held = airlag("match", captures / name, "--link", run["link"], "--size", 12, "--json")
            (alone,) = json.loads(held.out)
            for quantile, off in alone["quantile_error"].items():
                assert off["error_ns"] == pytest.approx(matched[quantile] - captured[quantile])


def test_a_narrow_terminal_gets_all_of_it(
    airlag: Airlag, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / small).write_text(GOOD.replace("set = { disturbances = 0 }", ""))
    wide = airlag("campaign", small)
    monkeypatch.setenv("COLUMNS", "80")
    told = airlag("campaign", small)
    assert max(map(len, told.out.splitlines())) <= 80
    assert "frozen phase p99" in told.out
    figures = re.compile(r"\b\d+\.\d+\b")
    assert sorted(figures.findall(told.out)) == sorted(figures.findall(wide.out))


def test_links_are_left_out_by_name_and_pattern(folder: Path) -> None:
    (folder / "most.toml").write_text(
        '[[runs]]\nlinks = ["nrf24-*"]\nexcept = ["*-raw", "nrf24-2m"]\nsizes = [12]\n'
    )
    assert [request.link for request in load(Path("most.toml")).requests] == [
        "nrf24-2m-ordinary",
        "nrf24-250k",
    ]


def test_runs_are_kept_when_asked(airlag: Airlag, small: Path, folder: Path) -> None:
    told = airlag("campaign", small, "--keep", "--json")
    assert (told.code, told.err) == (0, WROTE)
    kept = sorted((folder / "reports" / "small").glob("*.parquet"))
    runs = json.loads(told.out)
    assert len(kept) == len(runs) == 7
    stored = analyze(folder / "reports/small/nrf24-2m-12B-count=40-phase=frozen-seed=3.parquet")
    assert stored.latency is not None
    assert stored.latency["p50"] == runs[0]["latency_ns"]["p50"]


def test_reports_do_not_mix_frozen_and_uniform(airlag: Airlag, small: Path, folder: Path) -> None:
    assert airlag("campaign", small, "-o", "there/below").code == 0
    made = folder / "there/below"
    assert sorted(path.name for path in made.iterdir()) == ["small", "small.html"]
    uniform, frozen = (
        (made / f"small/nrf24{of}.html").read_text("utf-8") for of in ("", "-frozen")
    )
    assert uniform.count("<dt>phase</dt><dd>uniform</dd>") == 1
    assert frozen.count("<dt>phase</dt><dd>frozen</dd>") == 1
    assert "<dd>frozen</dd>" not in uniform
    assert "<dd>uniform</dd>" not in frozen


def test_json_obeys_the_schema_of_runs_and_holds_what_is_known(
    airlag: Airlag, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "captures").mkdir()
    write_captures(folder / "captures")
    monkeypatch.setenv("AIRLAG_CAPTURES", str(folder / "captures"))
    told = airlag("campaign", small, "--json")
    assert (told.code, told.err) == (0, WROTE)
    runs = json.loads(told.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(runs)
    assert [(run["link"], run["size"], run["stimulus"]["phase"]) for run in runs[:3]] == [
        ("nrf24-2m", 12, "frozen"),
        ("nrf24-2m", 12, "uniform"),
        ("nrf24-2m", 128, "frozen"),
    ]
    assert {run["seed"] for run in runs} == {3}
    assert [run["triggers"] for run in runs[-2:]] == [40, 20]
    assert runs[0]["published_ns"] == 400_000
    assert runs[0]["captured_ns"]["n"] == 600
    assert runs[2]["captured_ns"] is None


def test_a_capture_that_cannot_be_used_is_named_and_hides_nothing(
    airlag: Airlag, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "frozen-tick-1.csv").write_text("nothing of the kind\n")
    monkeypatch.setenv("AIRLAG_CAPTURES", str(folder))
    told = airlag("campaign", small, "--json")
    assert told.code == 2
    assert len(json.loads(told.out)) == 7
    assert told.err.count("\n") == 2
    assert "frozen-tick-1.csv: " in told.err


def test_the_result_does_not_depend_on_which_run_ends_first(
    airlag: Airlag, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = airlag("campaign", small, "-o", "once").out.replace("once/", "")
    monkeypatch.setattr("airlag.core.parallel.cpu_count", lambda: 1)
    alone = airlag("campaign", small, "-o", "alone").out.replace("alone/", "")
    assert once == alone
    for page in ("small.html", "small/nrf24.html", "small/nrf24-frozen.html"):
        assert (folder / "once" / page).read_bytes() == (folder / "alone" / page).read_bytes()


def test_the_reference_campaign_holds_every_link_and_every_published_size() -> None:
    reference = load(ROOT / "campaigns" / "reference.toml")
    from airlag import _airlag

    assert {request.link for request in reference.requests} == set(_airlag.links())
    for link in _airlag.links():
        sizes = {request.size for request in reference.requests if request.link == link}
        published = {figure["size"] for figure in profiles.link(link)["published"]} - {0}
        assert published <= sizes


def test_a_size_the_link_cannot_carry_does_not_hide_the_others(
    airlag: Airlag, small: Path, folder: Path
) -> None:
    (folder / small).write_text('[[runs]]\nlinks = ["nrf24-2m"]\nsizes = [9999, 12]\ncount = 9\n')
    told = airlag("campaign", small, "--json")
    assert told.code == 2
    assert [run["size"] for run in json.loads(told.out)] == [12]
    assert (
        told.err
        == WROTE + "airlag: small.toml: nrf24-2m: a message has 7 to 2048 bytes, not 9999\n"
    )


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("count = 40", 'except = ["nrf42"]', "no link `nrf42`; did you mean `nrf24-"),
        ("count = 40", 'except = ["nrf24-*", "gpio-*"]', "`except` excludes all links"),
        ("seed = 3", "sed = 3", "no key `sed`; did you mean `seed`?"),
        ("sizes = [12, 128]", "size = [12]", "[[runs]] 1: no key `size`; did you mean `sizes`?"),
        ("sizes = [12, 128]", "", "[[runs]] 1: no `sizes`"),
        ("sizes = [12, 128]", "sizes = 12", "`sizes` cannot be 12; write a list of numbers"),
        ("sizes = [12, 128]", 'sizes = ["12"]', "write a list of numbers of bytes"),
        ('"nrf24-2m", ', '"nrf42-2m", ', "no link `nrf42-2m`; did you mean `nrf24-2m`?"),
        ('"gpio-*-o3"', '"gpoi-*"', "no link `gpoi-*`; did you mean `gpio-"),
        ('"frozen"', '"frozn"', "no phase `frozn`; did you mean `frozen`?"),
        ("count = 20", "count = 0", "`count` cannot be 0; write a whole number from 1"),
        ("count = 20", "count = true", "`count` cannot be true"),
        ("count = 20", 'period = "9"', "`period`: '9' has no unit"),
        ("count = 20", 'period = "0ms"', "write from 1us to 10000s"),
        ("disturbances", "disturbance", "did you mean `disturbances`?"),
        ("disturbances = 0", "disturbances = -1", "`disturbances` is -1, but must be 0"),
        ("disturbances = 0", "disturbances = [0]", "write a number, a text, true or false"),
        ("captures.nrf24-2m", "captures.nrf24", "[captures.nrf24]: no link `nrf24`"),
        ("128 = ", "many = ", "write a size and a file"),
        ("captures.nrf24-2m", "captures.gpio-stm32-ll-o3", "a file, such as"),
        ('"nrf24-2m", ', "", "[[runs]] 1: `sizes`: gpio-stm32-ll-o3: no message, so no payload"),
        ('"small"', '"../small"', "write letters, digits, - and _"),
        ("seed = 3", "seed = ", "invalid TOML: "),
        (GOOD, "name = 'none'", "no runs; a campaign has at least one table [[runs]]"),
    ],
)
def test_a_typo_gets_one_line_and_exit_code_2(
    was: str, becomes: str, says: str, airlag: Airlag, small: Path, folder: Path
) -> None:
    assert was in GOOD
    (folder / small).write_text(GOOD.replace(was, becomes, 1))
    told = airlag("campaign", small)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith("airlag: small.toml: ")
    assert says in told.err, told.err
    assert not (folder / "reports").exists()


def test_a_campaign_that_is_not_there_is_named(airlag: Airlag) -> None:
    told = airlag("campaign", "absent.toml")
    assert (told.code, told.err) == (2, "airlag: absent.toml: No such file or directory\n")


def test_a_published_figure_stands_only_beside_the_profile_as_it_is(
    airlag: Airlag, folder: Path
) -> None:
    block = '[[runs]]\nlinks = ["nrf24-2m"]\nsizes = [12]\ncount = 20\n'
    (folder / "swept.toml").write_text(f"{block}sweep = {{ rate = [250, 2000] }}\n")
    told = json.loads(airlag("campaign", "swept.toml", "--json").out)
    slow, own = told
    assert (slow["settings"], slow["published_ns"], slow["published_from"]) == (
        {"rate": "250"},
        None,
        None,
    )
    assert (own["settings"], own["published_ns"]) == ({}, 400_000)
    # Nor is a floor of other settings theirs.
    assert slow["floor_ns"] > own["floor_ns"]
    rows = [line.split() for line in airlag("campaign", "swept.toml").out.splitlines()]
    assert [row[:4] for row in rows if row[:1] == ["nrf24-2m"]] == [
        ["nrf24-2m", "rate=250kbit/s", "12", "—"],
        ["nrf24-2m", "rate=2000kbit/s", "12", "0.4"],
    ]


def test_the_examples_of_the_page_are_campaigns(folder: Path) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "campaigns.md"
    examples = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    found = []
    for example in examples:
        (folder / "example.toml").write_text(example)
        found.append(load(folder / "example.toml"))
    runs, question = found
    assert {work.request.phase for work in runs.works} == {"frozen", "uniform"}
    assert {work.request.settings["spi_byte"] for work in runs.works} == {"0", "500"}
    assert sorted(runs.captures, key=str) == [("gpio-stm32-ll-o3", None), ("nrf24-2m", 12)]
    assert [work.request.settings["receive_buffer"] for work in question.works] == [
        "16", "64", "256",
    ]  # fmt: skip
    assert question.question is not None
    assert question.question.published[0].at == "reliability"
