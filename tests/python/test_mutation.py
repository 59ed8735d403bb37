"""The mutation run is sound, and a short one finds nothing; ``make mutate`` is the long one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from airlag.cli import command_line
from airlag.questions.campaign import load
from airlag.questions.sweeps.file import load as load_sweep

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from mutation.mutate import mutated  # noqa: E402
from mutation.seeds import SEEDS  # noqa: E402
from mutation.worker import Ended, command_lines  # noqa: E402

MIB = 1 << 20


@pytest.mark.parametrize("kind", SEEDS)
def test_the_same_seed_gives_the_same_case(kind: str) -> None:
    (first, *_), (again, *_) = SEEDS[kind](), SEEDS[kind]()
    assert first == again
    assert mutated(first, kind, Random("1")) == mutated(again, kind, Random("1"))


@pytest.mark.parametrize(
    ("ended", "fault"),
    [
        (Ended(0, "", 0.1, MIB), None),
        (Ended(2, "airlag: a.csv: empty\n", 0.1, MIB), None),
        (Ended(3, "airlag: a fault (KeyError: 1)\n", 0.1, MIB), "tracebacks"),
        (Ended(3, "airlag: a fault (PanicException: 1)\n", 0.1, MIB), "panics"),
        (Ended(0, "", 9.0, MIB), "slow"),
        (Ended(0, "", 0.1, 2000 * MIB), "over budget"),
        (Ended(2, "", 0.1, MIB), "untidy"),
        (Ended(2, "thread main\nairlag: a\n", 0.1, MIB), "untidy"),
    ],
)
def test_a_fault_is_counted_as_what_it_is(ended: Ended, fault: str | None) -> None:
    assert ended.fault == fault


def test_every_seed_is_a_good_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, seeds in SEEDS.items():
        for content in seeds() if kind not in ("campaign", "sweep", "settings") else ():
            for arguments in command_lines(kind, content):
                assert command_line(arguments) == 0, (kind, arguments)
    for content in SEEDS["campaign"]():
        Path("campaign.toml").write_bytes(content)
        assert len(load(Path("campaign.toml")).requests) == 13
    for content in SEEDS["sweep"]():
        Path("sweep.toml").write_bytes(content)
        assert load_sweep(Path("sweep.toml")).configurations == 96


@pytest.mark.timeout(600)
def test_a_short_run_of_all_formats_finds_no_fault() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "mutation", "--cases", "60"],
        cwd=TESTS,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS / "python")))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
