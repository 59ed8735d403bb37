"""Sweeps for tests: what is asked, what they leave behind, and commands that are killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

AIRLAG = [sys.executable, "-m", "airlag"]

#: 48 runs of some ten milliseconds each.
SLOW = """
links = ["nrf24-2m", "ble-nus-notify"]
sizes = [12, 64]
count = 120
replications = 6
[set]
tx_power = [0, -6]
"""


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a dataset."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def lines_of(folder: Path) -> int:
    """Rows that are kept until their parts are complete."""
    return sum(path.read_bytes().count(b"\n") for path in folder.glob(".pending/*.jsonl"))


def sweep(file: Path, folder: Path, *options: str) -> dict[str, Any]:
    """Runs the command to its end; what it prints as JSON."""
    words = ["sweep", str(file), "-o", str(folder), "--json", *options]
    done = subprocess.run([*AIRLAG, *words], capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def started(file: Path, folder: Path, *options: str) -> subprocess.Popen[str]:
    """The command, under way."""
    words = ["sweep", str(file), "-o", str(folder), "--json", *options]
    return subprocess.Popen(
        [*AIRLAG, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def once(condition: Callable[[], bool]) -> None:
    """Waits until something is the case; a bound on "never", wide enough for a busy machine."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it never was")


def changed(asked: Mapping[str, Any], **others: Any) -> dict[str, Any]:
    """The same sweep, but for some keys; ``None`` leaves one out."""
    return {name: value for name, value in {**asked, **others}.items() if value is not None}
