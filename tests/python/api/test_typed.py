"""Type hints are available to users: the package has its marker, and a script checks strictly."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

SCRIPT = '''
"""What a user writes."""

from datetime import timedelta

import polars as pl
import airlag

run = airlag.run("ble-nus-notify", size=128, count=50, connection_interval="7.5ms", encrypted=True)
p99 = 0.0 if run.latency is None else run.latency["p99"]
several: airlag.Runs = airlag.run("nrf24-2m", size=[12, 128], period=timedelta(milliseconds=50))
both: airlag.Runs = airlag.run("nrf24-2m", traffic="both", neighbours=["wifi:30%@ch6"])
frame: pl.DataFrame = airlag.sweep("nrf24-2m", window=[1, 2], size=(12, 32), seeds=range(3))
rows: pl.LazyFrame = airlag.sweep("nrf24-2m", window=[1, 2], out="swept")
best: airlag.Match | None = airlag.match(run).best
one: airlag.Match = airlag.match("capture.csv", "nrf24-2m", 12)
names: list[str] = airlag.links("ble-*").names
told: airlag.Explanation = airlag.explain(run, advice=False)
median: float = airlag.compare(run, several[0])["latency_ns"]["p50"]["a"]
choice: airlag.Recommendation = airlag.recommend("20ms", links=names, range=30)
knee: float | None = airlag.offered_load("nrf24-2m", utilisations=[0.5]).knee_kbps
kbps: float = airlag.goodput("nrf24-2m", window=2).kbps
run.plot("time").save("time.html")
airlag.report([run, "capture.csv"], "report.html")
reveal_type(airlag.run("nrf24-2m"))
reveal_type(airlag.run("nrf24-2m", size=[12]))
airlag.run("nrf24-2m", size="12")
airlag.run("nrf24-2m", period=200)
'''


def test_the_package_says_that_it_is_typed() -> None:
    assert files("airlag").joinpath("py.typed").is_file()


@pytest.mark.timeout(600)
def test_a_script_of_a_user_checks_strictly(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    # What `make check` has read already need not be read again.
    cache = Path(__file__).resolve().parents[3] / ".mypy_cache"
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, script.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in told.stdout.splitlines() if "script.py" in line]
    assert [line.split(": ", 1)[1] for line in said if "note: Revealed" in line] == [
        'note: Revealed type is "airlag.questions.runs.Run"',
        'note: Revealed type is "airlag.questions.runs.Runs"',
    ]
    # The last two lines are wrong, and nothing else is.
    last = len(SCRIPT.splitlines())
    wrong = {int(line.split(":")[1]) for line in said if ": error: " in line}
    assert wrong == {last - 1, last}, told.stdout
