"""Files of specifications: how they are filled, and that each is valid Vega-Lite once it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from airlag.questions.load import Offer, load
from airlag.views.pages import spec
from airlag.views.pages.traffic import load as chart

FOLDER = resources.files("airlag.views").joinpath("specs")
FILES = sorted(each.name for each in FOLDER.iterdir() if each.name.endswith(".vl.json"))


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a specification, from the top."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from nodes(each)


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Fills a specification that is not in a file."""

    def fill(source: dict[str, Any], values: dict[str, Any], **tables: Any) -> dict[str, Any]:
        files = {
            "config.json": {},
            "made.vl.json": source,
            "parts.json": {"axis": {"title": "${what}", "grid": 1}},
        }
        monkeypatch.setattr(spec, "_file", files.__getitem__)
        return spec.fill("made", {"wide": 300, **values}, tables)

    return fill


def test_a_placeholder_is_a_value_text_or_nothing(filled: Any) -> None:
    made = filled(
        {"a": "${n}", "b": "size ${one.n} B", "c": "${none}", "d": ["${none}", 1]},
        {"n": [1, 2], "one": {"n": 3}, "none": None},
    )
    assert made == {"a": [1, 2], "b": "size 3 B", "d": [1], "config": {}, "datasets": {}}


def test_a_name_that_is_not_given_is_an_error(filled: Any) -> None:
    with pytest.raises(KeyError, match="missing"):
        filled({"a": "${missing}"}, {})


def test_each_copies_and_if_leaves_out(filled: Any) -> None:
    made = filled(
        {
            "vconcat": [
                {"$each": "panels", "width": "${n}"},
                {"$if": "!log", "a": 1},
                {"$if": "log"},
            ]
        },
        {"panels": [{"n": 1}, {"n": 2}], "log": False},
    )
    assert made["vconcat"] == [{"width": 1}, {"width": 2}, {"a": 1}]


def test_a_part_takes_values_and_what_stands_beside_it(filled: Any) -> None:
    source = {
        "$parts": {"x": {"field": "x", "axis": {"$use": "axis", "$with": {"what": "${unit}"}}}},
        "x": {"$use": "x", "type": "quantitative"},
        "y": {"$use": "axis", "$with": {"what": "b"}, "grid": 0},
    }
    made = filled(source, {"unit": "ms"})
    assert made["x"] == {"field": "x", "axis": {"title": "ms", "grid": 1}, "type": "quantitative"}
    assert made["y"] == {"title": "b", "grid": 0}


def test_text_in_data_is_never_a_placeholder(filled: Any) -> None:
    made = filled({"title": {"text": "${name}"}}, {"name": "${wide}"}, rows=[{"a": "${wide}"}])
    assert made["title"]["text"] == ["${wide}"]
    assert made["datasets"]["rows"] == [{"a": "${wide}"}]


def test_columns_become_values_with_their_types(filled: Any) -> None:
    made = filled(
        {"data": {"name": "t"}}, {}, t={"x": [0.12345678, None], "nametext": ['a,"b', "1"]}
    )
    assert made["datasets"]["t"] == 'x,nametext\n0.123457,"a,""b"\n,1\n'
    assert made["data"]["format"]["parse"] == {"x": "number", "nametext": "string"}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_json_whose_data_have_names(name: str) -> None:
    source = json.loads(FOLDER.joinpath(name).read_text("utf-8"))
    assert source["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json"
    for node in nodes(source):
        if "data" in node and isinstance(node["data"], dict):
            assert set(node["data"]) == {"name"}
        assert "values" not in node.get("data", {})


def test_no_line_of_a_load_turns_back_and_panels_share_their_axis() -> None:
    offer = Offer(utilisations=(0.3, 0.9, 2.0, 1.2), count=60)
    drawn = chart([load("nrf24-2m", offer)])
    layers = [layer for panel in drawn["vconcat"] for layer in panel["layer"]]
    lines = [layer for layer in layers if layer["mark"]["type"] == "line"]
    assert len(lines) == 2
    for line in lines:
        assert line["encoding"]["order"]["field"] == line["encoding"]["x"]["field"] == "x"
    scales = [layer["encoding"]["x"]["scale"] for layer in layers if "x" in layer["encoding"]]
    assert all(scale == scales[0] for scale in scales)
    for rows in ("latencies", "goodputs"):
        assert len({row["x"] for row in drawn["datasets"][rows]}) == 4
