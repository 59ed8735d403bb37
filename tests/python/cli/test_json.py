"""``--json`` against its schema, and guarantees that a schema cannot express."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from told import Airlag

from airlag.core import schemas
from airlag.questions.demo import LESSONS, write_captures
from airlag.questions.runs import FINDINGS
from traces import MS, link, logic2_csv, make

DOCS = Path(__file__).resolve().parents[3] / "docs"
SCHEMA: dict[str, Any] = schemas.schema("analyze")


def analyzed(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag("analyze", "--json", *arguments)
    assert (told.code, told.err) == (0, "")
    runs: list[dict[str, Any]] = json.loads(told.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(runs)
    return runs


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_demonstration_captures_obey_the_schema(airlag: Airlag, folder: Path) -> None:
    write_captures(folder)
    names = [name for lesson in LESSONS for name in lesson.captures]
    runs = analyzed(airlag, *names)
    assert [run["source"] for run in runs] == names
    for run in runs:
        assert run["triggers"] == run["delivered"] + run["lost"] + run["censored"]


@pytest.mark.parametrize("completions", [[], [5 * MS]])
def test_hardly_any_latency_obeys_it_too(
    completions: list[int], airlag: Airlag, folder: Path
) -> None:
    strobes = [edge for at in completions for edge in (at, at + 1000)] or [1, 2]
    logic2_csv(
        folder / "few.csv",
        make([[(0, 90 * MS, False, [4 * MS, 6 * MS])], [(0, 90 * MS, False, strobes)]]),
    )
    (run,) = analyzed(airlag, "few.csv")
    assert run["delivered"] == len(completions)
    assert (run["latency_ns"] is None) == (not completions)


def test_a_table_of_latencies_obeys_it_too(airlag: Airlag, folder: Path) -> None:
    (folder / "table.txt").write_text("".join(f"0.00{k % 7}5\n" for k in range(100)))
    (run,) = analyzed(airlag, "table.txt")
    assert run["triggers"] == run["delivered"] == 100
    assert run["delivery"] is None


def test_quantiles_are_those_of_numpy_and_integers_where_they_can_be(
    airlag: Airlag, folder: Path
) -> None:
    logic2_csv(folder / "good.csv", link(count=102))
    (run,) = analyzed(airlag, "good.csv")
    latencies = 3 * MS + (np.arange(102) * 618_034 % (2 * MS))
    for name, value in run["latency_ns"].items():
        if match := re.fullmatch(r"p([\d.]+)", name):
            assert value == pytest.approx(np.percentile(latencies, float(match[1])), abs=1e-3)
            assert isinstance(value, int) == (float(value) == int(value))
    assert run["latency_ns"]["std"] == pytest.approx(latencies.std(ddof=1))


def test_names_the_caller_knows_are_noted(airlag: Airlag, capture: Path) -> None:
    (run,) = analyzed(airlag, capture, "--link", "nrf24-2m", "--size", "128")
    assert (run["link"], run["size"], run["seed"]) == ("nrf24-2m", 128, None)


def test_captures_of_one_name_are_told_apart(airlag: Airlag, folder: Path) -> None:
    for name in ("a/12B.csv", "b/12B.csv", "b/1024B.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        logic2_csv(folder / name, link())
    runs = analyzed(airlag, "b/12B.csv", "b/1024B.csv", "a/12B.csv")
    assert [run["source"] for run in runs] == ["b/12B.csv", "b/1024B.csv", "a/12B.csv"]


def test_every_finding_there_is_is_in_the_schema_and_in_the_documentation() -> None:
    source = (DOCS.parent / "crates" / "stats" / "src" / "findings" / "mod.rs").read_text("utf-8")
    there_are = re.findall(r"(?m)^    \w+ = \"([a-z-]+)\",$", source)
    assert list(FINDINGS) == there_are
    assert SCHEMA["$defs"]["FindingName"]["enum"] == there_are
    documented = (DOCS / "findings.md").read_text(encoding="utf-8")
    assert [name for name in there_are if f"| `{name}` |" not in documented] == []


def test_every_key_of_a_run_is_in_the_reference() -> None:
    documented = (DOCS / "json-reference.md").read_text(encoding="utf-8")
    keys = SCHEMA["$defs"]["Run"]["required"] + SCHEMA["$defs"]["Latency"]["required"]
    assert [key for key in keys if f"`{key}`" not in documented] == []
