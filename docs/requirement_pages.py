"""Table of requirements with an engineer's answer and the recommendation."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from airlag.core.quantity import duration

#: File of requirements.
FILE = Path(__file__).with_name("requirements.toml")
#: Maximum links named in a row.
MOST = 4


def answered(options: str) -> dict[str, Any]:
    """Answer of ``airlag recommend`` to one requirement."""
    binary = Path(sys.executable).with_name("airlag")
    words = [binary, "recommend", "--json", *shlex.split(options)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"docs: {options}: {run.stderr.strip()}")
    found = json.loads(run.stdout)
    assert isinstance(found, dict)
    return found


def named(candidate: dict[str, Any]) -> str:
    """Formats a candidate with its settings, latency and battery life."""
    own = [f"{name}={candidate['settings'][name]}" for name in candidate["tuned_settings"]]
    values = {one["name"]: one["value"] for one in candidate["criteria"]}
    words = [duration(1e6 * values["deadline"], digits=3)]
    if values.get("battery life") is not None:
        words.append(f"{values['battery life']:.2g} years")
    return " ".join([f"`{candidate['link']}`", *own, f"({', '.join(words)})"])


def answer_of(found: dict[str, Any]) -> str:
    """Formats the recommendation, and the candidates that remain."""
    passing = [each for each in found["candidates"] if each["verdict"] == "passes"]
    rest = len(passing) - MOST
    words = "; ".join(named(each) for each in passing[:MOST]) or "none"
    if rest > 0:
        words += f"; {rest} more"
    if not passing:
        known = [each for each in found["candidates"] if "no current data" not in each["reason"]]
        nearest = (known or found["candidates"])[0]
        words += f"; nearest `{nearest['link']}`: {nearest['reason']}"
    open_ = [each for each in found["candidates"] if each["verdict"] == "undecided"]
    ended = sum("within the budget" in each["reason"] for each in open_)
    if ended:
        words += f"; {ended} undecided within the budget"
    unknown = len(open_) - ended
    return words + (f"; {unknown} without current data or model" if unknown else "")


def table() -> str:
    """Returns the table with one row per requirement."""
    rows = [
        "| requirement | work, s | recommended | an engineer's answer | why |",
        "|---|---:|---|---|---|",
    ]
    for each in tomllib.loads(FILE.read_text())["requirement"]:
        found = answered(each["options"])
        options = f"`{each['options']}`"
        answer = answer_of(found).replace("|", "/")
        cells = [options, f"{found['work_s']:.1f}", answer, each["expert"], each["why"]]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
