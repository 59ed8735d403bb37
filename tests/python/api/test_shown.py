"""Appearance of a result at a prompt, in a notebook, as a data frame and as a chart."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made import KINDS, made

import airlag
from airlag import Run
from airlag.views.notebook import MOST_ROWS
from airlag.views.notebook.of import to_pandas

#: Results without a chart of their own.
BARE = {"profile"}


@pytest.fixture(scope="module", params=KINDS)
def result(request: pytest.FixtureRequest, virtual: Run, capture: Path, table: Path) -> Any:
    return made(request.param, virtual, capture, table)


class Cells(HTMLParser):
    """Rows of a table, and the colours anything has."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[int] = []
        self.open: list[str] = []
        self.styles: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append(0)
        elif tag in ("td", "th"):
            self.rows[-1] += 1
        if tag != "br":
            self.open.append(tag)
        self.styles |= {value or "" for name, value in attrs if name == "style"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_result_is_two_lines(result: Any) -> None:
    lines = repr(result).split("\n")
    assert len(lines) == 2
    assert all(lines)
    assert "object at" not in repr(result)


def test_a_notebook_shows_a_small_table_without_colours(result: Any) -> None:
    shown = result._repr_html_()
    cells = Cells()
    cells.feed(shown)
    assert cells.open == []
    assert len(set(cells.rows)) == 1
    assert 1 <= len(cells.rows) <= MOST_ROWS + 1
    sides = ("left", "right")
    assert cells.styles <= {f"text-align:{side};padding:0 0.6em" for side in sides}


def test_a_frame_is_the_same_in_polars_and_pandas(result: Any) -> None:
    frame = result.to_polars()
    assert isinstance(frame, pl.DataFrame)
    other = result.to_pandas()
    assert list(other.columns) == frame.columns
    assert len(other) == frame.height
    missing = {name: int(other[name].isna().sum()) for name in other.columns}
    assert missing == {name: frame[name].null_count() for name in frame.columns}


def test_a_chart_is_one_that_can_be_drawn(
    request: pytest.FixtureRequest, result: Any, tmp_path: Path
) -> None:
    kind = request.node.callspec.params["result"]
    if kind in BARE:
        assert not hasattr(result, "plot")
        return
    drawn = result.plot()
    spec = drawn.to_dict()
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
    assert spec["title"]["text"][0] in repr(drawn)
    assert json.loads(drawn.to_json()) == spec
    drawn.save(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    shown = drawn._repr_mimebundle_()
    (vega_lite,) = (key for key in shown if key.startswith("application/vnd.vegalite"))
    assert shown[vega_lite] == spec
    assert shown["image/svg+xml"].startswith("<svg")
    assert drawn.to_altair().to_dict()["title"] == spec["title"]


@pytest.mark.parametrize("kind", ["time", "box", "percentile", "ridge", "deadline", "league"])
def test_runs_have_the_charts_of_a_report(kind: str, virtual: Run, capture: Path) -> None:
    spec = airlag.Runs([virtual, airlag.analyze(capture)]).plot(kind).to_dict()
    assert spec["title"]["text"]


def test_a_run_says_what_it_is_and_what_became_of_it(virtual: Run, capture: Path) -> None:
    first, second = repr(virtual).split("\n")
    assert first == ("Run nrf24-2m 32 B, retransmit_delay=750us, seed 3: 60 of 60 delivered")
    assert "p50 " in second
    assert "findings: few-samples" in second
    lossy = repr(airlag.analyze(capture))
    assert "Run lost-is-not-late.csv: 394 of 400 delivered, 6 lost" in lossy
    assert "lost-transfers" in lossy


def test_text_out_of_files_is_escaped(capture: Path, tmp_path: Path) -> None:
    odd = tmp_path / "<b>odd.csv"
    odd.write_bytes(capture.read_bytes())
    run = airlag.analyze(odd)
    assert "<b>" in repr(run)
    assert "<b>" not in run._repr_html_()
    assert "&lt;b&gt;odd.csv" in run._repr_html_()


def test_a_run_frame_tells_losses_from_delays(capture: Path, table: Path) -> None:
    run = airlag.analyze(capture)
    frame = run.to_polars()
    assert frame.height == 400
    assert frame.filter(outcome="lost")["latency_ns"].null_count() == 6
    assert frame["latency_ns"].drop_nulls().to_list() == run.latency_ns.tolist()
    told = airlag.analyze(table).to_polars()
    assert told["trigger_ns"].null_count() == told.height == 50
    assert told["latency_ns"].min() == 5_000_000


def test_numbers_of_pandas_keep_gaps_apart(capture: Path) -> None:
    frame = airlag.analyze(capture).to_pandas()
    assert str(frame["trigger_ns"].dtype) == "int64"
    assert str(frame["latency_ns"].dtype) == "Int64"
    assert frame["latency_ns"].isna().sum() == 6


def test_without_pandas_one_line_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, virtual: Run
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        to_pandas(virtual.to_polars())
    assert str(caught.value) == ("pandas is not installed; pip install pandas, or use .to_polars()")


def test_many_rows_are_cut_and_said_so() -> None:
    shown = airlag.links()._repr_html_()
    more = len(airlag.links()) - MOST_ROWS
    assert f"and {more} more; <code>.to_polars()</code> has all" in shown
