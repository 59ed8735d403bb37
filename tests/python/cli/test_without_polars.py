"""A default install has no polars: commands that work without it, and errors of the others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from told import Airlag

import airlag as lag

#: What a default install does with files and notebooks, in a folder of its own.
DEFAULT_WORK = """
import sys
for name in ("polars", "pandas", "scipy", "pyarrow"):
    sys.modules[name] = None
import airlag
from airlag.cli import command_line

def does(*words):
    code = command_line(list(words))
    assert code == 0, (words, code)

does("run", "nrf24-2m", "--size", "12", "--count", "30", "-o", "run.parquet")
does("run", "nrf24-2m", "--size", "12", "--count", "30", "-o", "run.csv")
does("analyze", "run.parquet", "-o", "table.md")
does("analyze", "run.parquet", "-o", "again.parquet")
does("report", "run.parquet", "-o", "report.html")
does("convert", "run.parquet", "capture.csv")
does("tunnel", "bench", "--virtual", "--offered", "100k", "--for", "1s", "-o", "loads.json")
run = airlag.load("run.parquet")
assert "<table>" in run._repr_html_()
assert len(airlag.links()["nrf24-2m"]._repr_html_()) > 0
"""
#: What a default install refuses: words of the command line, and what the line begins with.
NEEDS_POLARS = {
    "sweep": (["sweep", "sweep.toml"], "airlag: airlag sweep needs polars"),
    "loads": (
        ["tunnel", "bench", "--virtual", "-o", "loads.parquet"],
        "airlag: -o loads.parquet needs polars",
    ),
}


def test_a_default_install_runs_reports_converts_and_shows(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", DEFAULT_WORK], capture_output=True, text=True, cwd=tmp_path
    )
    assert told.returncode == 0, told.stderr[-2000:]
    written = {path.name for path in tmp_path.iterdir()}
    assert {"run.parquet", "again.parquet", "report.html", "capture.csv", "run.csv"} <= written


@pytest.mark.parametrize("case", NEEDS_POLARS)
def test_a_command_that_needs_polars_says_so_before_it_runs(
    case: str, airlag: Airlag, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, line = NEEDS_POLARS[case]
    Path("sweep.toml").write_text('links = ["nrf24-2m"]\ncount = 5\n')
    monkeypatch.setitem(sys.modules, "polars", None)
    told = airlag(*words)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(line)
    assert told.err.endswith("pip install 'airlag[frames]'\n")
    assert told.err.count("\n") == 1


def test_a_data_frame_without_polars_is_one_line_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    profile = lag.links()["nrf24-2m"]
    monkeypatch.setitem(sys.modules, "polars", None)
    line = re.escape("a data frame needs polars, which is not installed; pip install")
    for frame in (profile.to_polars, profile.to_pandas):
        with pytest.raises(ModuleNotFoundError, match=line) as caught:
            frame()
        assert caught.value.name == "polars"
    with pytest.raises(ModuleNotFoundError, match="a sweep needs polars"):
        lag.sweep("nrf24-2m", size=12, count=5)
