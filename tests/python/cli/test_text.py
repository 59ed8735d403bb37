"""Text output compared with golden files; ``pytest --update`` rewrites them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from told import Airlag

from airlag.questions.demo import LESSONS, write_captures
from traces import link, logic2_csv

Golden = Callable[[str, str], None]
NAMES = [name for lesson in LESSONS for name in lesson.captures]


@pytest.mark.parametrize("name", NAMES)
def test_a_run(name: str, airlag: Airlag, folder: Path, golden: Golden) -> None:
    write_captures(folder)
    told = airlag("analyze", name)
    assert (told.code, told.err) == (0, "")
    golden(f"analyze-{Path(name).stem}.txt", told.out)


def test_a_run_on_a_narrow_terminal(
    airlag: Airlag, folder: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_captures(folder)
    monkeypatch.setenv("COLUMNS", "40")
    golden("analyze-narrow.txt", airlag("analyze", NAMES[0]).out)


def test_a_table_of_latencies(airlag: Airlag, folder: Path, golden: Golden) -> None:
    rows = "".join(f"{k * 37 % 89}\n" for k in range(300))
    (folder / "table.csv").write_text(f"rtt (ms)\n{rows}")
    golden("analyze-table.txt", airlag("analyze", "table.csv").out)


def test_a_comparison(airlag: Airlag, folder: Path, golden: Golden) -> None:
    write_captures(folder)
    told = airlag("compare", *NAMES[2:])
    assert (told.code, told.err) == (0, "")
    golden("compare.txt", told.out)


def test_a_conversion(airlag: Airlag, folder: Path, golden: Golden) -> None:
    logic2_csv(folder / "good.csv", link())
    told = airlag("convert", "good.csv", "good.vcd")
    assert (told.code, told.err) == (0, "")
    golden("convert.txt", told.out)


def test_the_demonstration(airlag: Airlag, golden: Golden) -> None:
    told = airlag("demo")
    assert (told.code, told.err) == (0, "")
    assert Path("reports/first-look.html").stat().st_size > 10_000
    golden("demo.txt", told.out)


def test_the_demonstration_is_the_same_every_time(airlag: Airlag, folder: Path) -> None:
    airlag("demo", "once")
    airlag("demo", "twice")
    for name in NAMES:
        once = (folder / "once" / "first-look" / name).read_bytes()
        assert once == (folder / "twice" / "first-look" / name).read_bytes()
