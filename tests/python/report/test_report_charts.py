"""Chart specifications and pictures: valid, repeatable, honest about what they draw."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import pytest
import vl_convert
from made_runs import costing, every_kind, large, lossy, run, slotted, table

from airlag.core.quantity import count
from airlag.questions.runs import Finding, Run
from airlag.views.pages.charts import CHARTS, charts_for
from airlag.views.pages.page import page, write_report
from airlag.views.pages.sheet import Sheet
from airlag.views.pages.spec import PLOT, VEGA_LITE
from airlag.views.pages.tables import summary


def spec(name: str, runs: Sequence[Run]) -> dict[str, Any]:
    return next(chart.spec for chart in charts_for(runs) if chart.name == name)


def rows(spec: dict[str, Any], name: str) -> list[dict[str, str]]:
    """A named table of a specification."""
    return list(csv.DictReader(io.StringIO(spec["datasets"][name])))


def skipped(runs: Sequence[Run]) -> dict[str, str]:
    return {chart.name: chart.skipped for chart in charts_for(runs) if chart.skipped is not None}


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_compiles_to_vega_and_has_a_title(name: str) -> None:
    found = spec(name, every_kind())
    vega = vl_convert.vegalite_to_vega(found, vl_version=VEGA_LITE)
    assert vega["marks"]
    title = found["title"]
    assert title["text"]
    assert found["description"].startswith(" ".join(title["text"]))
    units = re.findall(r'"title": "([^"]*)"', json.dumps(found))
    assert any("ms" in unit for unit in units)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_obeys_the_schema(name: str) -> None:
    alt.TopLevelSpec.validate(spec(name, every_kind()))


@pytest.mark.parametrize("name", CHARTS)
def test_the_same_runs_give_the_same_chart(name: str) -> None:
    assert json.dumps(spec(name, every_kind())) == json.dumps(spec(name, every_kind()))


def test_the_same_runs_give_the_same_bytes(tmp_path: Path) -> None:
    for ending in ("html", "svg", "png"):
        for turn in ("a", "b"):
            write_report(every_kind(), tmp_path / f"{turn}.{ending}")
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{turn}.{ending}" for turn in ("a", "b") for ending in ("html", "png", "svg")
    ]


def test_every_transfer_has_a_mark_and_every_loss_too() -> None:
    drawn = spec("time", [lossy()])
    assert len(rows(drawn, "transfers-0")) == 379
    assert len(rows(drawn, "censored-0")) == 1
    assert [int(row["i"]) for row in rows(drawn, "lost-0")] == list(range(0, 400, 20))


@pytest.mark.parametrize(
    ("name", "table", "column"), [("box", "transfers", "x"), ("time", "transfers-0", "y")]
)
def test_many_transfers_share_marks_and_the_chart_says_so(
    name: str, table: str, column: str
) -> None:
    runs = [large(100_000)]
    delivered = len(runs[0].latency_ns)
    found = spec(name, runs)
    marks = rows(found, table)
    assert sum(int(row["n"]) for row in marks) == delivered
    drawn = [float(row[column]) for row in marks]
    latency_ms = runs[0].latency_ns / 1e6
    assert min(drawn) == pytest.approx(latency_ms.min(), abs=1e-6)
    assert max(drawn) == pytest.approx(latency_ms.max(), abs=1e-6)
    assert f"{count(delivered)} transfers as {count(len(marks))} marks" in found["description"]


def test_losses_keep_a_distribution_below_one() -> None:
    steps = rows(spec("distribution", [lossy()]), "steps")
    assert max(float(row["y"]) for row in steps) == pytest.approx(379 / 399, abs=1e-6)
    complete = rows(spec("distribution", [run([5.0, 6.0, 7.0])]), "steps")
    assert max(float(row["y"]) for row in complete) == 1.0


def test_a_run_has_one_colour_everywhere() -> None:
    runs = every_kind()
    for name in ("league", "box", "ridge", "distribution", "percentile"):
        scales = re.findall(
            r'"color": \{"field": "run".*?"range": (\[.*?\])', json.dumps(spec(name, runs))
        )
        assert scales
        assert {tuple(json.loads(scale)) for scale in scales} == {("#0072b2", "#e69f00", "#009e73")}


def test_a_fold_lays_answers_of_one_clock_on_one_phase() -> None:
    points = rows(spec("fold", [slotted()]), "transfers-0")
    assert max(abs(float(row["c"])) for row in points) < 0.01
    phases = [float(row["x"]) for row in points]
    assert min(phases) >= -15.0
    assert max(phases) < 15.0
    for row in points:
        assert (float(row["x"]) + float(row["y"])) % 30.0 == pytest.approx(0.0, abs=1e-3) or (
            float(row["x"]) + float(row["y"])
        ) % 30.0 == pytest.approx(30.0, abs=1e-3)


#: Why runs that say nothing of a charge have no chart of it.
UNCHARGED = "fewer than two runs have a charge per message"


def test_what_nothing_betters_is_joined_by_a_line() -> None:
    made = ((1.0, 9e3, "a"), (2.0, 3e3, "b"), (3.0, 5e3, "c"))
    runs = [costing(run([ms] * 5, source=source), nc) for ms, nc, source in made]
    drawn = spec("charge", runs)
    assert drawn["description"].startswith("a has the lowest p99, b the lowest charge: 3.00 uC")
    assert [(float(row["x"]), float(row["y"])) for row in rows(drawn, "front")] == [
        (9.0, 1.0),
        (3.0, 2.0),
    ]


def test_a_chart_that_does_not_apply_says_why() -> None:
    assert skipped([lossy()]) == {
        "league": "a ranking needs at least two runs",
        "charge": UNCHARGED,
        "fold": "no periodicity was found in any run",
    }
    assert skipped([table([1.0] * 20)]) == {
        "league": "a ranking needs at least two runs",
        "charge": UNCHARGED,
        "time": "a table of latencies has no clock",
        "fold": "a table of latencies has no clock to fold on",
    }
    assert set(skipped([run([None, None])])) == set(CHARTS) - {"time"}
    with pytest.raises(ValueError, match=r"^chart league is not drawn: a ranking needs"):
        _ = charts_for([lossy()])[0].spec


def test_a_table_of_latencies_does_not_claim_that_nothing_was_lost() -> None:
    title = spec("distribution", [table([1.0, 2.0, 3.0])])["description"]
    assert title.startswith("All within 3.000 ms; a latency table has no losses")
    cells = re.findall(r"<td>(.*?)</td>", page([table([1.0, 2.0, 3.0])]))
    assert cells[3:5] == ["–", "–"]


def test_lost_messages_miss_every_deadline_and_the_longest_run_counts_them() -> None:
    # Two slow in a row, then two lost beside a third slow one.
    latencies: list[float | None] = [1.0] * 20 + [8.0, 9.0, 1.0, 8.0, None, None, 1.0]
    misses = rows(spec("deadline", [run(latencies)]), "misses")
    at = {float(row["x"]): (float(row["share"]), int(row["longest"])) for row in misses}
    assert at[1.0] == (pytest.approx(100 * 5 / 27), 3)
    assert at[8.0] == (pytest.approx(100 * 3 / 27), 2)
    assert at[9.0] == (pytest.approx(100 * 2 / 27), 2)
    assert (
        "Lost messages (2) miss every deadline" in spec("deadline", [run(latencies)])["description"]
    )


def test_units_follow_the_latencies() -> None:
    for scale, unit in ((1e-6, "ns"), (1e-3, "us"), (1.0, "ms"), (1e3, "s")):
        found = json.dumps(spec("box", [run([3.0 * scale, 4.0 * scale, 5.0 * scale])]))
        assert f'"latency, {unit}"' in found


def test_a_wide_range_gets_a_labelled_log_axis() -> None:
    runs = [run([0.3, 0.31] * 30, source="a"), run([900.0, 950.0] * 30, source="b")]
    for name in ("box", "ridge", "distribution", "percentile", "deadline", "league"):
        assert "(log axis)" in json.dumps(spec(name, runs))
    for name in ("box", "distribution"):
        assert "(log axis)" not in json.dumps(spec(name, [lossy()]))


def test_a_drift_that_was_found_is_the_title_of_the_chart_that_shows_it() -> None:
    drift = Finding("drift-ramp", {"ppm": -2.43}, "It drifts.", "Fine.")
    ramp = run([5.0 - 0.001 * index for index in range(50)], findings=[drift])
    assert "drifts by -2.43 us every second" in spec("time", [ramp])["description"]


def test_names_tell_runs_apart() -> None:
    from airlag.views.run_names import names

    runs = [
        lossy(source="x/12B.csv"),
        lossy(source="y/12B.csv"),
        lossy(source="z.csv"),
        lossy(source="z.csv"),
        lossy(source="espnow", link="espnow", size=12, seed=1),
        lossy(source="espnow", link="espnow", size=12, seed=2),
        lossy(source="a-very-long-name-" * 8 + "1.csv"),
        lossy(source="a-very-long-name-" * 8 + "2.csv"),
    ]
    found = names(runs)
    assert found[:4] == ["x/12B", "y/12B", "z #1", "z #2"]
    assert found[4:6] == ["espnow 12 B, seed 1", "espnow 12 B, seed 2"]
    assert len(set(found)) == len(found)
    assert max(map(len, found)) < 60


@pytest.mark.parametrize("name", ["report.pdf", "report", "report.html.gz"])
def test_another_ending_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=r"expected a \.html, \.svg or \.png file") as raised:
        write_report([lossy()], tmp_path / name)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_no_run_is_no_report(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^a report needs at least one run$"):
        write_report([], tmp_path / "report.html")


def test_a_picture_holds_every_chart(tmp_path: Path) -> None:
    write_report(every_kind(), tmp_path / "report.svg")
    drawn = (tmp_path / "report.svg").read_text(encoding="utf-8")
    for chart in charts_for(every_kind()):
        assert chart.lines[0].split()[0] in drawn
    assert "10 of 200 lost" in drawn
    write_report(every_kind(), tmp_path / "report.png")
    data = (tmp_path / "report.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    width = int.from_bytes(data[16:20], "big")
    assert 2 * PLOT < width < 2 * 1100


def test_a_picture_of_runs_without_charts_says_so(tmp_path: Path) -> None:
    write_report([run([])], tmp_path / "report.svg")
    assert "No chart applies" in (tmp_path / "report.svg").read_text(encoding="utf-8")


def test_a_page_has_no_address_to_load_from() -> None:
    text = page(every_kind())
    head = text[: text.index('<script type="application/json"')]
    assert "default-src 'none'" in head
    (allowed,) = re.findall(r"script-src ([^;]*);", head)
    assert re.fullmatch(r"'sha256-[\w+/]{43}=' 'sha256-[\w+/]{43}='", allowed)
    assert re.findall(r'(?:src|href)="(?!data:,"|#)[^"]*"', head) == []
    # What runs is the library and what draws the page; all else is data.
    assert text.count("<script>") == 2
    assert text.count("<script ") == text.count('<script type="application/json"')
    assert text.count("</script>") == text.count("<script")


def test_runs_far_apart_are_told_each_in_its_own_unit() -> None:
    runs = [run([0.0004] * 20, source="pin"), run([1200.0] * 20, source="radio")]
    sheet = Sheet.of(runs)
    assert sheet.mixed
    assert sheet.texts(400.0, 1.2e9) == ("400.0 ns", "1.200 s")
    told = summary(sheet)
    assert "400.0 ns" in told
    assert "1.200 s" in told

    def heads(sheet: Sheet) -> list[str]:
        cells = re.findall(r'<th scope="col">(.*?)</th>', summary(sheet))
        return [re.sub(r"<[^>]*>", "", cell) for cell in cells]

    assert "p50" in heads(sheet)
    assert "p50, s" in heads(Sheet.of(runs[1:]))
